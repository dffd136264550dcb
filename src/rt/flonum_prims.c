/* flonum_prims.c: the flonum functions of (srfi 144). Most are a function of the C library, which
 * the table itself names (rt/prims_flonum.def). */
#include <limits.h>
#include <math.h>
#include "num/num.h"
#include "rt/prim.h"

/* The least and greatest order or exponent that C takes. */
static bool small_integer(Value v, int *out) {
    if (!is_fixnum(v) || fixnum(v) < INT_MIN || fixnum(v) > INT_MAX) return false;
    *out = (int)fixnum(v);
    return true;
}

static Value not_flonum(Mutator *m, const char *who, int place, Value v) {
    return mutator_fail(m, ERR_WRONG_TYPE, who, place, v);
}

static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}
static double gamma_sign(double x) {
    int sign = 1;
    lgamma_r(x, &sign);
    return sign < 0 ? -1.0 : 1.0;
}
static double fraction(double x) {
    int exponent;
    return frexp(x, &exponent);
}

#define PRIM(function, name, min, max, flags, doc)
#define FLONUM_UNARY(name, function, doc)                                                          \
    PRIM_FN(prim_fl_##function) {                                                                  \
        (void)n;                                                                                   \
        if (!is_flonum(a[0])) return not_flonum(m, name, 1, a[0]);                                 \
        return v_flonum(m, function(flonum(a[0])));                                                \
    }
#define FLONUM_BINARY(name, function, doc)                                                         \
    PRIM_FN(prim_fl_##function) {                                                                  \
        (void)n;                                                                                   \
        for (int i = 0; i < 2; i++)                                                                \
            if (!is_flonum(a[i])) return not_flonum(m, name, i + 1, a[i]);                         \
        return v_flonum(m, function(flonum(a[0]), flonum(a[1])));                                  \
    }
#include "rt/prims_flonum.def"
#undef PRIM

PRIM_FN(prim_fl_fma) {
    (void)n;
    for (int i = 0; i < 3; i++)
        if (!is_flonum(a[i])) return not_flonum(m, "fl+*", i + 1, a[i]);
    return v_flonum(m, fma(flonum(a[0]), flonum(a[1]), flonum(a[2])));
}

PRIM_FN(prim_fl_make) {
    (void)n;
    int exponent;
    if (!is_flonum(a[0])) return not_flonum(m, "make-flonum", 1, a[0]);
    if (!small_integer(a[1], &exponent)) return not_flonum(m, "make-flonum", 2, a[1]);
    return v_flonum(m, ldexp(flonum(a[0]), exponent));
}

PRIM_FN(prim_fl_integer_exponent) {
    (void)n;
    if (!is_flonum(a[0])) return not_flonum(m, "flinteger-exponent", 1, a[0]);
    return v_fixnum(ilogb(flonum(a[0])));
}

PRIM_FN(prim_fl_quotient_bits) {
    (void)n;
    for (int i = 0; i < 2; i++)
        if (!is_flonum(a[i])) return not_flonum(m, "flremquo", i + 1, a[i]);
    int bits;
    remquo(flonum(a[0]), flonum(a[1]), &bits);
    return v_fixnum(bits);
}

PRIM_FN(prim_fl_sign_bit) {
    (void)n;
    if (!is_flonum(a[0])) return not_flonum(m, "flsign-bit", 1, a[0]);
    return v_fixnum(signbit(flonum(a[0])) != 0);
}

PRIM_FN(prim_fl_normalized) {
    (void)n;
    if (!is_flonum(a[0])) return not_flonum(m, "flnormalized?", 1, a[0]);
    return v_bool(isnormal(flonum(a[0])));
}

PRIM_FN(prim_fl_denormalized) {
    (void)n;
    if (!is_flonum(a[0])) return not_flonum(m, "fldenormalized?", 1, a[0]);
    return v_bool(fpclassify(flonum(a[0])) == FP_SUBNORMAL);
}

static Value bessel(Mutator *m, const char *who, double (*function)(int, double), const Value *a) {
    int order;
    if (!small_integer(a[0], &order)) return not_flonum(m, who, 1, a[0]);
    if (!is_flonum(a[1])) return not_flonum(m, who, 2, a[1]);
    return v_flonum(m, function(order, flonum(a[1])));
}
PRIM_FN(prim_fl_first_bessel) {
    (void)n;
    return bessel(m, "flfirst-bessel", jn, a);
}
PRIM_FN(prim_fl_second_bessel) {
    (void)n;
    return bessel(m, "flsecond-bessel", yn, a);
}
