/* functions.c: the transcendental functions, real and complex.
 *
 * Each function that is real on an interval is a row: the interval, the C function for it, the C
 * function for the rest of the plane, and the one exact argument with an exact result. Branch cuts
 * are those of R7RS: a real argument outside the interval stands on the cut and has an imaginary
 * part that is exactly zero, where the defining formulas give the value of one side; the C library
 * takes the side from the sign of a zero, so that sign is chosen here. */
#include "num/internal.h"

typedef struct Function {
    const char *name;
    double (*real)(double);
    double complex (*beyond)(double complex);
    double low, high; /* where the real function is defined */
    int exact_argument, exact_result;
} Function;

static const Function functions[] = {
    [NUM_EXP] = {"exp", exp, cexp, -INFINITY, INFINITY, 0, 1},
    [NUM_SIN] = {"sin", sin, csin, -INFINITY, INFINITY, 0, 0},
    [NUM_COS] = {"cos", cos, ccos, -INFINITY, INFINITY, 0, 1},
    [NUM_TAN] = {"tan", tan, ctan, -INFINITY, INFINITY, 0, 0},
    [NUM_ASIN] = {"asin", asin, casin, -1, 1, 0, 0},
    [NUM_ACOS] = {"acos", acos, cacos, -1, 1, 1, 0},
    [NUM_ATAN] = {"atan", atan, catan, -INFINITY, INFINITY, 0, 0},
};

Value num_function(Mutator *m, enum num_function which, Value z) {
    const Function *f = &functions[which];
    if (!is_number(z)) return num_wrong_type(m, f->name, 1, z);
    if (z == v_fixnum(f->exact_argument)) return v_fixnum(f->exact_result);
    if (is_type(z, T_COMPLEX)) return num_cpx_new(m, f->beyond(num_to_complex(z)));
    double x = num_to_double(z);
    if (x < f->low ||
        x > f->high) /* asin and acos: below the cut on the right, above it on the left */
        return num_cpx_new(m, f->beyond(num_complex(x, x > 0 ? -0.0 : 0.0)));
    return v_flonum(m, f->real(x));
}

/* ---- logarithms ---- */

/* log A, for an exact rational A > 0 of any size. Near 1 the ratio's distance from 1 is what
 * counts, and it would be lost in rounding A; far out the exponent is taken apart from the
 * mantissa. */
static Value log_exact(Mutator *m, Value a) {
    double d = num_to_double(a);
    if (is_type(a, T_RATNUM) && d > 0.5 && d < 2) {
        Value distance = num_rat_sub(m, a, v_fixnum(1));
        return distance == V_FAIL ? V_FAIL : v_flonum(m, log1p(num_to_double(distance)));
    }
    if (isnormal(d)) return v_flonum(m, log(d));
    int64_t exponent;
    double mantissa = num_exact_frexp(a, &exponent);
    return v_flonum(m, (double)exponent * M_LN2 + log(mantissa));
}

Value num_log(Mutator *m, Value z) {
    if (!is_number(z)) return num_wrong_type(m, "log", 1, z);
    if (z == v_fixnum(1)) return v_fixnum(0);
    if (is_type(z, T_COMPLEX)) return num_cpx_new(m, clog(num_to_complex(z)));
    if (num_sign(z) < 0) {
        Value real = num_log(m, num_neg(m, z));
        return real == V_FAIL ? V_FAIL : num_make_rectangular(m, real, v_flonum(m, M_PI));
    }
    if (num_is_zero(z)) return v_flonum(m, -INFINITY);
    return is_flonum(z) ? v_flonum(m, log(flonum(z))) : log_exact(m, z);
}

Value num_log_base(Mutator *m, Value z, Value base) {
    if (!is_number(z) || !is_number(base)) return num_wrong_type2(m, "log", z, base, KIND_OTHER);
    double x = num_is_real(z) ? num_to_double(z) : 0;
    if (x > 0 && isnormal(x)) { /* exact results for powers of the bases people use */
        if (base == v_fixnum(2)) return v_flonum(m, log2(x));
        if (base == v_fixnum(10)) return v_flonum(m, log10(x));
    }
    Value top = num_log(m, z), bottom = num_log(m, base);
    return top == V_FAIL || bottom == V_FAIL ? V_FAIL : num_div(m, top, bottom);
}

/* ---- the angle of a point ---- */

Value num_atan2(Mutator *m, Value y, Value x) {
    static const char who[] = "atan";
    if (!num_is_real(y) || !num_is_real(x)) return num_wrong_type2(m, who, y, x, KIND_COMPLEX);
    if (y == v_fixnum(0) && !is_flonum(x)) {
        if (x == v_fixnum(0)) return mutator_fail(m, ERR_DIVIDE_BY_ZERO, who, 2, y);
        if (num_sign(x) > 0) return v_fixnum(0);
    }
    bool exact = !is_flonum(y) && !is_flonum(x);
    if (exact && !both_fixnums(x, y) && x != v_fixnum(0)) { /* either may be beyond all doubles */
        Value slope = num_rat_div(m, y, num_abs(m, x));
        if (slope == V_FAIL) return V_FAIL;
        return v_flonum(m, atan2(num_to_double(slope), num_sign(x)));
    }
    return v_flonum(m, atan2(num_to_double(y), num_to_double(x)));
}
