/* convert.c: between exact and inexact, correctly rounded, and the questions about a number's kind.
 *
 * A magnitude is first cut to its 64 highest bits and a sticky bit that tells whether anything
 * follows; num_round_scaled rounds those once to as many bits as the double has at that exponent
 * (53, fewer for subnormals). Rounding twice, as in ldexp of an already rounded quotient, would be
 * wrong near the subnormal border. */
#include "num/internal.h"

double num_round_scaled(uint64_t top, bool sticky, int64_t exponent) {
    if (exponent > 1023 - 63) return INFINITY;
    int64_t missing = -1022 - (exponent + 63); /* bits that a subnormal has less */
    int64_t dropped = 11 + (missing > 0 ? missing : 0);
    if (dropped > 64) return 0.0;
    uint64_t kept = dropped == 64 ? 0 : top >> dropped;
    uint64_t rest = top << (64 - dropped); /* as a fraction of 2^64 */
    const uint64_t half = (uint64_t)1 << 63;
    if (rest > half || (rest == half && (sticky || (kept & 1)))) kept++;
    return ldexp((double)kept, (int)(exponent + dropped));
}

/* The 64 highest bits of I (not zero); I = top * 2^*EXPONENT and a little more if *STICKY. */
static uint64_t top_bits(const Int *i, bool *sticky, int64_t *exponent) {
    mp_limb_t high = i->limbs[i->size - 1];
    unsigned shift = (unsigned)__builtin_clzl(high);
    *exponent = (i->size - 1) * 64 - shift;
    *sticky = false;
    uint64_t top = high << shift;
    if (i->size == 1) return top;
    mp_limb_t next = i->limbs[i->size - 2];
    if (shift) top |= next >> (64 - shift);
    *sticky = next << shift != 0 || (i->size > 2 && !mpn_zero_p(i->limbs, i->size - 2));
    return top;
}

/* The same of a ratio: the quotient of N and D scaled so that it has 64 or 65 bits. */
static uint64_t top_bits_of_ratio(const Int *n, const Int *d, bool *sticky, int64_t *exponent) {
    int64_t shift = 64 - (num_bit_length(n) - num_bit_length(d));
    mpz_t nz, dz, x, y;
    num_mpz(n, nz);
    num_mpz(d, dz);
    mpz_init(x);
    mpz_init(y);
    if (shift >= 0) {
        mpz_mul_2exp(x, nz, (mp_bitcnt_t)shift);
        mpz_tdiv_qr(x, y, x, dz);
    } else {
        mpz_mul_2exp(y, dz, (mp_bitcnt_t)-shift);
        mpz_tdiv_qr(x, y, nz, y);
    }
    *sticky = mpz_sgn(y) != 0;
    *exponent = -shift;
    uint64_t top = mpz_getlimbn(x, 0);
    if (mpz_size(x) > 1) {
        *sticky |= top & 1;
        top = top >> 1 | (uint64_t)1 << 63;
        ++*exponent;
    }
    mpz_clear(x);
    mpz_clear(y);
    return top;
}

static uint64_t top_bits_of_exact(Value v, bool *sticky, int64_t *exponent) {
    Int n, d;
    num_view(num_rat_numerator(v), &n);
    if (!is_type(v, T_RATNUM)) return top_bits(&n, sticky, exponent);
    num_view(num_rat_denominator(v), &d);
    return top_bits_of_ratio(&n, &d, sticky, exponent);
}

double num_exact_frexp(Value v, int64_t *exponent) {
    bool sticky;
    uint64_t top = top_bits_of_exact(v, &sticky, exponent);
    *exponent += 64;
    return num_round_scaled(top, sticky, -64);
}

static bool fits_double(Value v) { /* V a fixnum that converts without rounding */
    return is_fixnum(v) && fixnum(v) >= -((int64_t)1 << 53) && fixnum(v) <= (int64_t)1 << 53;
}

double num_to_double(Value v) {
    if (is_fixnum(v)) return (double)fixnum(v);
    if (is_flonum(v)) return flonum(v);
    Value n = num_rat_numerator(v), d = num_rat_denominator(v);
    if (fits_double(n) && fits_double(d)) return (double)fixnum(n) / (double)fixnum(d);
    bool sticky;
    int64_t exponent;
    uint64_t top = top_bits_of_exact(v, &sticky, &exponent);
    double magnitude = num_round_scaled(top, sticky, exponent);
    return num_int_sign(n) < 0 ? -magnitude : magnitude;
}

Value num_from_double(Mutator *m, double d) { return v_flonum(m, d); }

int64_t num_split_double(double d, int *exponent) {
    int64_t mantissa = (int64_t)ldexp(frexp(d, exponent), 53);
    *exponent -= 53;
    if (mantissa == 0) return 0;
    int zeros = __builtin_ctzll((uint64_t)mantissa);
    *exponent += zeros;
    return mantissa / ((int64_t)1 << zeros);
}

Value num_exact_double(Mutator *m, double d) {
    int exponent;
    int64_t mantissa = num_split_double(d, &exponent);
    if (exponent >= 0) return num_int_shift(m, v_fixnum(mantissa), exponent, "exact");
    if (mantissa == 0) return v_fixnum(0);
    return num_rat_new(m, v_fixnum(mantissa),
                       num_int_shift(m, v_fixnum(1), -exponent, "exact")); /* mantissa is odd */
}

static Value exact_part(Mutator *m, Value part, Value whole) {
    if (!is_flonum(part)) return part;
    if (!isfinite(flonum(part))) return mutator_fail(m, ERR_NOT_EXACT, "exact", 1, whole);
    return num_exact_double(m, flonum(part));
}

Value num_exact(Mutator *m, Value v) {
    switch (num_kind(v)) {
    case KIND_FIXNUM:
    case KIND_BIGNUM:
    case KIND_RATNUM: return v;
    case KIND_FLONUM: return exact_part(m, v, v);
    case KIND_COMPLEX: {
        Value real = exact_part(m, num_real(v), v), imag = exact_part(m, num_imag(v), v);
        return real == V_FAIL || imag == V_FAIL ? V_FAIL : num_make_rectangular(m, real, imag);
    }
    default: return num_wrong_type(m, "exact", 1, v);
    }
}

Value num_inexact(Mutator *m, Value v) {
    switch (num_kind(v)) {
    case KIND_FIXNUM:
    case KIND_BIGNUM:
    case KIND_RATNUM: return v_flonum(m, num_to_double(v));
    case KIND_FLONUM: return v;
    case KIND_COMPLEX: return num_is_exact(v) ? num_cpx_new(m, num_to_complex(v)) : v;
    default: return num_wrong_type(m, "inexact", 1, v);
    }
}

/* ---- kinds ---- */

bool num_is_real(Value v) { return num_kind(v) < KIND_COMPLEX; }
bool num_is_rational(Value v) {
    return num_is_exact_rational(v) || (is_flonum(v) && isfinite(flonum(v)));
}
bool num_is_exact_integer(Value v) { return is_fixnum(v) || num_is_bignum(v); }
bool num_is_exact_rational(Value v) { return num_kind(v) <= KIND_RATNUM; }
bool num_is_integer(Value v) {
    if (!is_flonum(v)) return num_is_exact_integer(v);
    return isfinite(flonum(v)) && flonum(v) == trunc(flonum(v));
}
bool num_is_exact(Value v) { return !is_flonum(num_real(v)); } /* both parts are alike */

bool num_is_finite(Value v) {
    Value real = num_real(v), imag = num_imag(v);
    return (!is_flonum(real) || isfinite(flonum(real))) &&
           (!is_flonum(imag) || isfinite(flonum(imag)));
}
bool num_is_infinite(Value v) {
    Value real = num_real(v), imag = num_imag(v);
    return (is_flonum(real) && isinf(flonum(real))) || (is_flonum(imag) && isinf(flonum(imag)));
}
bool num_is_nan(Value v) {
    Value real = num_real(v), imag = num_imag(v);
    return (is_flonum(real) && isnan(flonum(real))) || (is_flonum(imag) && isnan(flonum(imag)));
}
bool num_is_zero(Value v) {
    if (is_flonum(v)) return flonum(v) == 0;
    if (is_type(v, T_COMPLEX)) return num_is_zero(num_real(v)) && num_is_zero(num_imag(v));
    return v == v_fixnum(0);
}
int num_sign(Value v) {
    if (is_flonum(v)) return (flonum(v) > 0) - (flonum(v) < 0);
    return num_int_sign(num_rat_numerator(v));
}
