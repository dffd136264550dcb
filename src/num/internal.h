/* internal.h: what the files of num/ share and nobody else sees.
 *
 * Exact integers are looked at through an Int, a sign and a run of GMP limbs that either lies in
 * the bignum or, for a fixnum, in the Int itself. No collection runs while a C function runs, so
 * such views stay valid.
 *
 * Functions on Values here pass V_FAIL on: an argument that is V_FAIL gives V_FAIL, so that
 * formulas can be written as nested calls. Names: num_int_... take exact integers, num_rat_...
 * exact rationals, num_cpx_... any numbers of which one at least is complex. They do not check
 * that. */
#ifndef HONE_NUM_INTERNAL_H
#define HONE_NUM_INTERNAL_H

#include <complex.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include "num/num.h"

_Static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0, "bignums are runs of 64-bit limbs");

/* ---- kinds ---- */
enum num_kind { KIND_FIXNUM, KIND_BIGNUM, KIND_RATNUM, KIND_FLONUM, KIND_COMPLEX, KIND_OTHER };

static inline enum num_kind num_kind(Value v) {
    if (is_fixnum(v)) return KIND_FIXNUM;
    if (is_immediate_flonum(v)) return KIND_FLONUM;
    if (!is_object(v)) return KIND_OTHER;
    switch (header_type(object_of(v)->header)) {
    case T_FLONUM: return KIND_FLONUM;
    case T_BIGNUM: return KIND_BIGNUM;
    case T_RATNUM: return KIND_RATNUM;
    case T_COMPLEX: return KIND_COMPLEX;
    default: return KIND_OTHER;
    }
}
static inline bool num_is_bignum(Value v) { return is_type(v, T_BIGNUM); }

/* WRONG_TYPE for the argument at POSITION, or V_FAIL alone if that is what stands there. */
Value num_wrong_type(Mutator *m, const char *who, int position, Value v);
/* The same where A (at 1) or B (at 2) is at fault: A unless its kind is below LIMIT. */
Value num_wrong_type2(Mutator *m, const char *who, Value a, Value b, enum num_kind limit);

/* ---- exact integers: big.c ---- */
typedef struct Int {
    const mp_limb_t *limbs;
    mp_size_t size; /* without leading zeros; 0 is zero */
    bool negative;
    mp_limb_t small; /* a fixnum's magnitude */
} Int;

static inline void num_view(Value v, Int *out) {
    if (is_fixnum(v)) {
        int64_t n = fixnum(v);
        out->negative = n < 0;
        out->small = n < 0 ? -(uint64_t)n : (uint64_t)n;
        out->limbs = &out->small;
        out->size = n != 0;
    } else {
        out->negative = has_flag(v, FLAG_NEGATIVE);
        out->limbs = (const mp_limb_t *)object_bytes(v);
        out->size = (mp_size_t)(object_size(v) / sizeof(mp_limb_t));
    }
}
/* A read-only mpz_t on I, valid as long as I is. */
static inline mpz_srcptr num_mpz(const Int *i, mpz_t z) {
    return mpz_roinit_n(z, i->limbs, i->negative ? -i->size : i->size);
}
static inline int64_t num_bit_length(const Int *i) {
    return i->size == 0 ? 0 : i->size * 64 - __builtin_clzl(i->limbs[i->size - 1]);
}

/* The most limbs an exact integer may have: fixed by the machine's memory when first asked for. */
mp_size_t num_max_limbs(void);

Object *num_big_new(Mutator *m, mp_size_t limbs); /* limbs >= 1, not initialised */
/* Normalizes the number whose magnitude is the first USED limbs of O, which came from num_big_new
 * just now. */
Value num_big_finish(Mutator *m, Object *o, mp_size_t used, bool negative);
Value num_from_mpz(Mutator *m, mpz_srcptr z);
Value num_from_limbs(Mutator *m, const mp_limb_t *limbs, mp_size_t size, bool negative);

typedef void MpzOperation(mpz_ptr, mpz_srcptr, mpz_srcptr);
Value num_int_by_mpz(Mutator *m, MpzOperation *operation, Value a, Value b);

Value num_int_add(Mutator *m, Value a, Value b);
Value num_int_sub(Mutator *m, Value a, Value b);
Value num_int_mul(Mutator *m, Value a, Value b);
Value num_int_neg(Mutator *m, Value a);
Value num_int_shift(Mutator *m, Value a, int64_t count, const char *who);
static inline int num_int_sign(Value a) {
    if (is_fixnum(a)) return (fixnum(a) > 0) - (fixnum(a) < 0);
    return has_flag(a, FLAG_NEGATIVE) ? -1 : 1;
}
int num_int_compare(Value a, Value b); /* <0, 0, >0 */
int num_compare_views(const Int *a, const Int *b);

/* ---- integer.c ---- */
/* B is not zero; Q and R may be NULL; MODE is NUM_FLOOR or NUM_TRUNCATE. */
void num_int_divide(Mutator *m, enum num_rounding mode, Value a, Value b, Value *q, Value *r);
Value num_int_gcd(Mutator *m, Value a, Value b);
Value num_int_exact_quotient(Mutator *m, Value a, Value b); /* B divides A */
/* A to the power N >= 0. TOO_LARGE names WHO. */
Value num_int_power(Mutator *m, Value a, uint64_t n, const char *who);

/* ---- exact rationals: ratio.c ---- */
static inline Value num_rat_numerator(Value v) {
    return is_type(v, T_RATNUM) ? object_slots(v)[0] : v;
}
static inline Value num_rat_denominator(Value v) {
    return is_type(v, T_RATNUM) ? object_slots(v)[1] : v_fixnum(1);
}
/* N/D in lowest terms and with D > 0 already. */
Value num_rat_new(Mutator *m, Value n, Value d);
/* N/D for any integers, D not zero. */
Value num_rat_make(Mutator *m, Value n, Value d);
Value num_rat_add(Mutator *m, Value a, Value b);
Value num_rat_sub(Mutator *m, Value a, Value b);
Value num_rat_mul(Mutator *m, Value a, Value b);
Value num_rat_div(Mutator *m, Value a, Value b); /* B is not zero */

/* ---- convert.c ---- */
/* TOP * 2^EXPONENT rounded to nearest, ties to even; TOP has its highest bit set. STICKY: the true
 * value is a little more. */
double num_round_scaled(uint64_t top, bool sticky, int64_t exponent);
/* |V| = result * 2^*EXPONENT with a result in 0.5 .. 1, rounded once. V an exact rational, not
 * zero. */
double num_exact_frexp(Value v, int64_t *exponent);
/* The exact value of a finite double. */
Value num_exact_double(Mutator *m, double d);
/* D = mantissa * 2^*EXPONENT, mantissa odd or zero. D finite. */
int64_t num_split_double(double d, int *exponent);

/* ---- compare.c ---- */
enum { UNORDERED = 2 };
int num_compare(Value a, Value b); /* two reals: -1, 0, 1 or UNORDERED */

/* ---- complex.c ---- */
Value num_cpx_add(Mutator *m, Value a, Value b);
Value num_cpx_sub(Mutator *m, Value a, Value b);
Value num_cpx_mul(Mutator *m, Value a, Value b);
Value num_cpx_div(Mutator *m, Value a, Value b);
Value num_cpx_new(Mutator *m,
                  double complex z);    /* always complex, even if the imaginary part is 0.0 */
double complex num_to_complex(Value v); /* V any number */
/* X + Yi without arithmetic, which would lose infinities and signs of zero (CMPLX, which glibc's
 * header keeps from clang). */
static inline double complex num_complex(double x, double y) { return __builtin_complex(x, y); }
static inline Value num_real(Value v) { return is_type(v, T_COMPLEX) ? object_slots(v)[0] : v; }
static inline Value num_imag(Value v) {
    return is_type(v, T_COMPLEX) ? object_slots(v)[1] : v_fixnum(0);
}

/* ---- sqrt.c ---- */
/* The exact root of an exact rational A >= 0 if it has one, else V_FALSE. */
Value num_rat_exact_sqrt(Mutator *m, Value a);

/* ---- shortest.c ---- */
typedef struct Decimal {
    uint64_t digits; /* without trailing zeros, at most 17 digits; 0 only for zero */
    int exponent;    /* value = digits * 10^exponent */
} Decimal;
Decimal num_shortest(double d); /* D finite and >= 0 */

#endif
