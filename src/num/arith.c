/* arith.c: + - * / on any two numbers.
 *
 * Both arguments rise to the higher of their two kinds: fixnum, bignum, ratnum, flonum, complex. So
 * exact zero times a flonum is a flonum (0.0, or NaN for an infinity): a flonum operand makes the
 * result inexact, always, which is what the compiler's types build on. Dividing by an exact zero is
 * an error whatever is divided. */
#include "num/internal.h"

typedef struct Operation {
    const char *who;
    Value (*integers)(Mutator *, Value, Value);
    Value (*ratios)(Mutator *, Value, Value);
    double (*flonums)(double, double);
    Value (*complexes)(Mutator *, Value, Value);
} Operation;

static Value apply(Mutator *m, const Operation *op, Value a, Value b) {
    enum num_kind ka = num_kind(a), kb = num_kind(b), kind = ka > kb ? ka : kb;
    switch (kind) {
    case KIND_FIXNUM:
    case KIND_BIGNUM: return op->integers(m, a, b);
    case KIND_RATNUM: return op->ratios(m, a, b);
    case KIND_FLONUM: return v_flonum(m, op->flonums(num_to_double(a), num_to_double(b)));
    case KIND_COMPLEX: return op->complexes(m, a, b);
    default: return num_wrong_type2(m, op->who, a, b, KIND_OTHER);
    }
}

/* V as a double where that takes no work: the interpreter's fast path has dealt with the pairs of
 * like kind. */
static inline bool quick_double(Value v, double *d) {
    if (is_fixnum(v))
        *d = (double)fixnum(v);
    else if (is_flonum(v))
        *d = flonum(v);
    else
        return false;
    return true;
}
static inline bool quick_doubles(Value a, Value b, double *x, double *y) {
    return quick_double(a, x) && quick_double(b, y) && !both_fixnums(a, b);
}

static double add_doubles(double a, double b) { return a + b; }
static double sub_doubles(double a, double b) { return a - b; }
static double mul_doubles(double a, double b) { return a * b; }
static double div_doubles(double a, double b) { return a / b; }

static const Operation addition = {"+", num_int_add, num_rat_add, add_doubles, num_cpx_add};
static const Operation subtraction = {"-", num_int_sub, num_rat_sub, sub_doubles, num_cpx_sub};
static const Operation multiplication = {"*", num_int_mul, num_rat_mul, mul_doubles, num_cpx_mul};
static const Operation division = {"/", num_rat_div, num_rat_div, div_doubles, num_cpx_div};

Value num_add(Mutator *m, Value a, Value b) {
    double x, y;
    if (both_fixnums(a, b)) return num_int_add(m, a, b);
    return quick_doubles(a, b, &x, &y) ? v_flonum(m, x + y) : apply(m, &addition, a, b);
}

Value num_sub(Mutator *m, Value a, Value b) {
    double x, y;
    if (both_fixnums(a, b)) return num_int_sub(m, a, b);
    return quick_doubles(a, b, &x, &y) ? v_flonum(m, x - y) : apply(m, &subtraction, a, b);
}

Value num_mul(Mutator *m, Value a, Value b) {
    double x, y;
    if (both_fixnums(a, b)) return num_int_mul(m, a, b);
    return quick_doubles(a, b, &x, &y) ? v_flonum(m, x * y) : apply(m, &multiplication, a, b);
}

Value num_div(Mutator *m, Value a, Value b) {
    double x, y;
    if (unlikely(b == v_fixnum(0)))
        return num_kind(a) == KIND_OTHER ? num_wrong_type(m, "/", 1, a)
                                         : mutator_fail(m, ERR_DIVIDE_BY_ZERO, "/", 2, a);
    if (both_fixnums(a, b) && fixnum(a) % fixnum(b) == 0)
        return num_from_int64(m, fixnum(a) / fixnum(b));
    return quick_doubles(a, b, &x, &y) ? v_flonum(m, x / y) : apply(m, &division, a, b);
}

Value num_neg(Mutator *m, Value a) {
    switch (num_kind(a)) {
    case KIND_FIXNUM:
    case KIND_BIGNUM: return num_int_neg(m, a);
    case KIND_RATNUM:
        return num_rat_new(m, num_int_neg(m, num_rat_numerator(a)), num_rat_denominator(a));
    case KIND_FLONUM: return v_flonum(m, -flonum(a));
    case KIND_COMPLEX:
        return num_make_rectangular(m, num_neg(m, num_real(a)), num_neg(m, num_imag(a)));
    default: return num_wrong_type(m, "-", 1, a);
    }
}

Value num_abs(Mutator *m, Value a) {
    if (!num_is_real(a)) return num_wrong_type(m, "abs", 1, a);
    if (is_flonum(a)) return v_flonum(m, fabs(flonum(a)));
    return num_sign(a) < 0 ? num_neg(m, a) : a;
}

/* The one of A and B that stands on the side SIDE (-1: the less) of the other. */
static Value extreme(Mutator *m, Value a, Value b, int side, const char *who) {
    if (!num_is_real(a) || !num_is_real(b)) return num_wrong_type2(m, who, a, b, KIND_COMPLEX);
    int order = num_compare(a, b);
    Value chosen = order == -side ? b : a;
    if (order == UNORDERED) chosen = num_is_nan(a) ? a : b;
    return is_flonum(a) || is_flonum(b) ? num_inexact(m, chosen) : chosen;
}

Value num_max(Mutator *m, Value a, Value b) { return extreme(m, a, b, 1, "max"); }
Value num_min(Mutator *m, Value a, Value b) { return extreme(m, a, b, -1, "min"); }
