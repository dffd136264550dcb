/* num_prims.c: the numeric primitives: arithmetic, comparison, kinds, reals, transcendental
 * functions and text. (Integers and bits: num_prims_int.c.) The numbers' room does the work; here
 * arguments are folded and counted. */
#include "num/num.h"
#include "rt/args.h"
#include "rt/prim.h"
#include "rt/string.h"
#include <stdlib.h>

/* ---- folds over any number of arguments ---- */

typedef Value Binary(Mutator *m, Value a, Value b);

/* A failed step of a fold saw the result so far and A[I]: name the argument's place among all. The
 * first argument is at fault only in the first step; later the result so far is a number. */
static Value at_argument(Mutator *m, int i) {
    if (m->fail.position == 2 || (m->fail.position == 1 && i > 1)) m->fail.position = i + 1;
    return V_FAIL;
}

static Value fold(Mutator *m, const Value *a, int n, Value start, Binary *combine) {
    if (n == 0) return start;
    if (n == 1) { /* combine checks the argument's type */
        Value v = combine(m, start, a[0]);
        if (v == V_FAIL && m->fail.position == 2) m->fail.position = 1;
        return v == V_FAIL ? V_FAIL : a[0];
    }
    Value sum = a[0];
    for (int i = 1; i < n; i++) {
        sum = combine(m, sum, a[i]);
        if (sum == V_FAIL) return at_argument(m, i);
    }
    return sum;
}

PRIM_FN(prim_add) { return fold(m, a, n, v_fixnum(0), num_add); }
PRIM_FN(prim_mul) { return fold(m, a, n, v_fixnum(1), num_mul); }
PRIM_FN(prim_sub) { return n == 1 ? num_neg(m, a[0]) : fold(m, a, n, v_fixnum(0), num_sub); }
PRIM_FN(prim_div) {
    if (n > 1) return fold(m, a, n, v_fixnum(1), num_div);
    Value v = num_div(m, v_fixnum(1), a[0]);
    if (v == V_FAIL) m->fail.position = 1;
    return v;
}
PRIM_FN(prim_max) { return n == 1 ? num_max(m, a[0], a[0]) : fold(m, a, n, a[0], num_max); }
PRIM_FN(prim_min) { return n == 1 ? num_min(m, a[0], a[0]) : fold(m, a, n, a[0], num_min); }

/* ---- comparison chains ---- */

typedef Value Comparison(Mutator *m, Value a, Value b, const char *who);

/* Every argument's type is checked, also behind the pair that decides. SWAPPED: each pair is given
 * the other way round. */
static Value chain(Mutator *m, const Value *a, int n, Comparison *compare, bool swapped,
                   const char *who) {
    Value result = V_TRUE;
    for (int i = 0; i < n - 1 || i == 0; i++) {
        int first = i, second = n == 1 ? 0 : i + 1;
        Value v =
            swapped ? compare(m, a[second], a[first], who) : compare(m, a[first], a[second], who);
        if (v == V_FAIL) {
            bool second_at_fault = (m->fail.position == 2) != swapped;
            m->fail.position = (second_at_fault ? second : first) + 1;
            return V_FAIL;
        }
        if (v == V_FALSE) result = V_FALSE;
    }
    return n == 1 ? V_TRUE : result; /* also of NaN alone */
}

PRIM_FN(prim_num_eq) { return chain(m, a, n, num_equal, false, "="); }
PRIM_FN(prim_num_lt) { return chain(m, a, n, num_less, false, "<"); }
PRIM_FN(prim_num_gt) { return chain(m, a, n, num_less, true, ">"); }
PRIM_FN(prim_num_le) { return chain(m, a, n, num_less_equal, false, "<="); }
PRIM_FN(prim_num_ge) { return chain(m, a, n, num_less_equal, true, ">="); }

/* ---- kinds ---- */

#define KIND(cname, expression)                                                                    \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return v_bool(expression);                                                                 \
    }
KIND(prim_number_p, is_number(a[0]))
KIND(prim_complex_p, is_number(a[0]))
KIND(prim_real_p, num_is_real(a[0]))
KIND(prim_rational_p, num_is_rational(a[0]))
KIND(prim_integer_p, num_is_integer(a[0]))
KIND(prim_exact_integer_p, num_is_exact_integer(a[0]))
KIND(prim_exact_rational_p, num_is_exact_rational(a[0]))
KIND(prim_exact_nonnegative_integer_p, num_is_exact_integer(a[0]) && num_sign(a[0]) >= 0)
KIND(prim_fixnum_p, is_fixnum(a[0]))
KIND(prim_flonum_p, is_flonum(a[0]))

/* A question that only makes sense of arguments for which DOMAIN holds. */
#define QUESTION(cname, name, domain, expression)                                                  \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        if (!domain(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, name, 1, a[0]);                  \
        return v_bool(expression);                                                                 \
    }
QUESTION(prim_exact_p, "exact?", is_number, num_is_exact(a[0]))
QUESTION(prim_inexact_p, "inexact?", is_number, !num_is_exact(a[0]))
QUESTION(prim_finite_p, "finite?", is_number, num_is_finite(a[0]))
QUESTION(prim_infinite_p, "infinite?", is_number, num_is_infinite(a[0]))
QUESTION(prim_nan_p, "nan?", is_number, num_is_nan(a[0]))
QUESTION(prim_zero_p, "zero?", is_number, num_is_zero(a[0]))
QUESTION(prim_positive_p, "positive?", num_is_real, num_sign(a[0]) > 0)
QUESTION(prim_negative_p, "negative?", num_is_real, num_sign(a[0]) < 0)
QUESTION(prim_odd_p, "odd?", num_is_integer, num_is_odd(a[0]))
QUESTION(prim_even_p, "even?", num_is_integer, !num_is_odd(a[0]))

/* ---- functions of a fixed number of arguments ---- */

#define CALL(cname, call)                                                                          \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return call;                                                                               \
    }
CALL(prim_abs, num_abs(m, a[0]))
CALL(prim_floor, num_round(m, NUM_FLOOR, a[0], "floor"))
CALL(prim_ceiling, num_round(m, NUM_CEILING, a[0], "ceiling"))
CALL(prim_truncate, num_round(m, NUM_TRUNCATE, a[0], "truncate"))
CALL(prim_round, num_round(m, NUM_ROUND, a[0], "round"))
CALL(prim_numerator, num_numerator(m, a[0]))
CALL(prim_denominator, num_denominator(m, a[0]))
CALL(prim_rationalize, num_rationalize(m, a[0], a[1]))
CALL(prim_exact, num_exact(m, a[0]))
CALL(prim_inexact, num_inexact(m, a[0]))
CALL(prim_inexact_to_exact, num_exact(m, a[0]))
CALL(prim_exact_to_inexact, num_inexact(m, a[0]))
CALL(prim_exp, num_function(m, NUM_EXP, a[0]))
CALL(prim_sin, num_function(m, NUM_SIN, a[0]))
CALL(prim_cos, num_function(m, NUM_COS, a[0]))
CALL(prim_tan, num_function(m, NUM_TAN, a[0]))
CALL(prim_asin, num_function(m, NUM_ASIN, a[0]))
CALL(prim_acos, num_function(m, NUM_ACOS, a[0]))
CALL(prim_atan, arg_given(a, n, 2) ? num_atan2(m, a[0], a[1]) : num_function(m, NUM_ATAN, a[0]))
CALL(prim_log, arg_given(a, n, 2) ? num_log_base(m, a[0], a[1]) : num_log(m, a[0]))
CALL(prim_sqrt, num_sqrt(m, a[0]))
CALL(prim_expt, num_expt(m, a[0], a[1]))
CALL(prim_make_rectangular, num_make_rectangular(m, a[0], a[1]))
CALL(prim_make_polar, num_make_polar(m, a[0], a[1]))
CALL(prim_real_part, num_real_part(m, a[0]))
CALL(prim_imag_part, num_imag_part(m, a[0]))
CALL(prim_magnitude, num_magnitude(m, a[0]))
CALL(prim_angle, num_angle(m, a[0]))

PRIM_FN(prim_square) {
    PRIM_UNUSED;
    if (!is_number(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "square", 1, a[0]);
    return num_mul(m, a[0], a[0]);
}

/* ---- text ---- */

PRIM_FN(prim_number_to_string) {
    Value radix = arg_given(a, n, 2) ? a[1] : v_fixnum(10);
    if (!is_fixnum(radix)) return mutator_fail(m, ERR_WRONG_TYPE, "number->string", 2, radix);
    if (fixnum(radix) < 2 || fixnum(radix) > 36)
        return mutator_fail(m, ERR_RANGE, "number->string", 2, radix);
    char *text = num_format(m, a[0], (int)fixnum(radix));
    if (!text) return V_FAIL;
    Value s = rt_string_from_c(m, text);
    free(text);
    return s;
}

PRIM_FN(prim_string_to_number) {
    static const char who[] = "string->number";
    Value radix = arg_given(a, n, 2) ? a[1] : v_fixnum(10);
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, who, 1, a[0]);
    if (!is_fixnum(radix)) return mutator_fail(m, ERR_WRONG_TYPE, who, 2, radix);
    int64_t r = fixnum(radix);
    if (r != 2 && r != 8 && r != 10 && r != 16) return mutator_fail(m, ERR_RANGE, who, 2, radix);
    size_t length;
    char *text = rt_string_utf8(a[0], &length);
    Value v = num_parse(m, text, length, (int)r);
    free(text);
    return v;
}
