/* compare.c: order, eqv? and hashing.
 *
 * An exact number and a flonum are compared without rounding either: rounding would make (= a x)
 * and (= b x) true for different exact a and b, and equality no longer transitive. Where the exact
 * number, rounded, differs from the flonum, that decides already, because rounding is monotone;
 * only a tie needs the exact product. */
#include "num/internal.h"

static int order_of(int n) { return (n > 0) - (n < 0); }
static int compare_doubles(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : UNORDERED;
}

/* N1/D1 against N2/D2, denominators positive. */
static int compare_ratios(Value a, Value b) {
    Value n1 = num_rat_numerator(a), d1 = num_rat_denominator(a);
    Value n2 = num_rat_numerator(b), d2 = num_rat_denominator(b);
    if (both_fixnums(n1, d1) && both_fixnums(n2, d2)) {
        __int128 left = (__int128)fixnum(n1) * fixnum(d2);
        __int128 right = (__int128)fixnum(n2) * fixnum(d1);
        return (left > right) - (left < right);
    }
    Int x[4];
    mpz_t z[4], left, right;
    const Value parts[4] = {n1, d1, n2, d2};
    for (int i = 0; i < 4; i++) {
        num_view(parts[i], &x[i]);
        num_mpz(&x[i], z[i]);
    }
    mpz_init(left);
    mpz_init(right);
    mpz_mul(left, z[0], z[3]);
    mpz_mul(right, z[2], z[1]);
    int order = order_of(mpz_cmp(left, right));
    mpz_clear(left);
    mpz_clear(right);
    return order;
}

/* N/D against M * 2^EXPONENT. */
static int compare_ratio_scaled(Value ratio, int64_t mantissa, int exponent) {
    Int n, d;
    mpz_t nz, dz, left, right;
    num_view(num_rat_numerator(ratio), &n);
    num_view(num_rat_denominator(ratio), &d);
    mpz_init_set(left, num_mpz(&n, nz));
    mpz_init(right);
    mpz_mul_si(right, num_mpz(&d, dz), mantissa);
    if (exponent >= 0)
        mpz_mul_2exp(right, right, (mp_bitcnt_t)exponent);
    else
        mpz_mul_2exp(left, left, (mp_bitcnt_t)-exponent);
    int order = order_of(mpz_cmp(left, right));
    mpz_clear(left);
    mpz_clear(right);
    return order;
}

static int compare_exact_double(Value a, double d) {
    if (isnan(d)) return UNORDERED;
    double rounded = num_to_double(a);
    if (rounded != d) return rounded < d ? -1 : 1;
    if (isinf(d)) return d > 0 ? -1 : 1;
    if (is_fixnum(a) && fabs(d) < 0x1p53) return 0;
    int exponent;
    int64_t mantissa = num_split_double(d, &exponent);
    return compare_ratio_scaled(a, mantissa, exponent);
}

int num_compare(Value a, Value b) {
    if (both_fixnums(a, b)) return (fixnum(a) > fixnum(b)) - (fixnum(a) < fixnum(b));
    if (is_flonum(a)) {
        if (is_flonum(b)) return compare_doubles(flonum(a), flonum(b));
        int order = compare_exact_double(b, flonum(a));
        return order == UNORDERED ? UNORDERED : -order;
    }
    if (is_flonum(b)) return compare_exact_double(a, flonum(b));
    if (is_type(a, T_RATNUM) || is_type(b, T_RATNUM)) return compare_ratios(a, b);
    return order_of(num_int_compare(a, b));
}

Value num_equal(Mutator *m, Value a, Value b, const char *who) {
    enum num_kind ka = num_kind(a), kb = num_kind(b);
    if (ka >= KIND_OTHER || kb >= KIND_OTHER) return num_wrong_type2(m, who, a, b, KIND_OTHER);
    if (ka == KIND_COMPLEX || kb == KIND_COMPLEX)
        return v_bool(num_compare(num_real(a), num_real(b)) == 0 &&
                      num_compare(num_imag(a), num_imag(b)) == 0);
    return v_bool(num_compare(a, b) == 0);
}

Value num_less(Mutator *m, Value a, Value b, const char *who) {
    if (!num_is_real(a) || !num_is_real(b)) return num_wrong_type2(m, who, a, b, KIND_COMPLEX);
    return v_bool(num_compare(a, b) == -1);
}

Value num_less_equal(Mutator *m, Value a, Value b, const char *who) {
    if (!num_is_real(a) || !num_is_real(b)) return num_wrong_type2(m, who, a, b, KIND_COMPLEX);
    return v_bool(num_compare(a, b) <= 0);
}

/* ---- eqv? and hashing: 0.0 and -0.0 differ, every NaN is like every other ---- */

static uint64_t double_identity(double d) {
    if (isnan(d)) return 0x7ff8000000000000u;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

bool num_eqv(Value a, Value b) {
    if (a == b) return true;
    enum num_kind kind = num_kind(a);
    if (kind != num_kind(b)) return false;
    switch (kind) {
    case KIND_BIGNUM: return num_int_compare(a, b) == 0;
    case KIND_FLONUM: return double_identity(flonum(a)) == double_identity(flonum(b));
    case KIND_RATNUM:
    case KIND_COMPLEX:
        return num_eqv(object_slots(a)[0], object_slots(b)[0]) &&
               num_eqv(object_slots(a)[1], object_slots(b)[1]);
    default: return false;
    }
}

/* A permutation of 64-bit words that spreads every bit over all: two rounds of xor-shift and odd
 * multiplication. */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

uint64_t num_hash(Value a) {
    switch (num_kind(a)) {
    case KIND_FLONUM: return mix(double_identity(flonum(a)) + 1);
    case KIND_BIGNUM: {
        Int i;
        num_view(a, &i);
        uint64_t h = i.negative;
        for (mp_size_t k = 0; k < i.size; k++) h = mix(h ^ i.limbs[k]);
        return h;
    }
    case KIND_RATNUM:
    case KIND_COMPLEX: return mix(num_hash(object_slots(a)[0]) * 3 + num_hash(object_slots(a)[1]));
    default: return mix(a);
    }
}
