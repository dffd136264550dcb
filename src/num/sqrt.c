/* sqrt.c: square roots and powers: exact where the result is, correctly rounded roots where it is
 * not. */
#include "num/internal.h"

/* ---- square roots ---- */

static Value int_exact_sqrt(Mutator *m, Value a) {
    Int x;
    mpz_t z, root;
    num_view(a, &x);
    num_mpz(&x, z);
    if (!mpz_perfect_square_p(z)) return V_FALSE;
    mpz_init(root);
    mpz_sqrt(root, z);
    Value v = num_from_mpz(m, root);
    mpz_clear(root);
    return v;
}

Value num_rat_exact_sqrt(Mutator *m, Value a) {
    Value n = int_exact_sqrt(m, num_rat_numerator(a));
    if (n == V_FALSE) return V_FALSE;
    Value d = int_exact_sqrt(m, num_rat_denominator(a));
    return d == V_FALSE ? V_FALSE : num_rat_new(m, n, d);
}

/* The root of an exact rational A > 0, correctly rounded: the integer root of A * 4^k, with k so
 * large that the root has 64 bits or more, and one bit that stands for all that follows. */
static double rounded_sqrt(Value a) {
    Int n, d;
    mpz_t z, x, rest;
    num_view(num_rat_numerator(a), &n);
    num_view(num_rat_denominator(a), &d);
    int64_t short_of = 130 - (num_bit_length(&n) - num_bit_length(&d));
    int64_t k = short_of > 0 ? (short_of + 1) / 2 : 0;
    mpz_init(x);
    mpz_init(rest);
    mpz_mul_2exp(x, num_mpz(&n, z), (mp_bitcnt_t)(2 * k));
    mpz_tdiv_qr(x, rest, x, num_mpz(&d, z));
    bool sticky = mpz_sgn(rest) != 0;
    mpz_sqrtrem(x, rest, x);
    sticky |= mpz_sgn(rest) != 0;
    mp_bitcnt_t bits = mpz_sizeinbase(x, 2), dropped = bits - 64;
    sticky |= mpz_scan1(x, 0) < dropped;
    mpz_tdiv_q_2exp(x, x, dropped);
    double root = num_round_scaled(mpz_getlimbn(x, 0), sticky, (int64_t)dropped - k);
    mpz_clear(x);
    mpz_clear(rest);
    return root;
}

/* A >= 0 and real. */
static Value sqrt_real(Mutator *m, Value a) {
    if (is_flonum(a)) return v_flonum(m, sqrt(flonum(a)));
    if (is_fixnum(a) && fixnum(a) <= (int64_t)1 << 52) {
        double root = sqrt((double)fixnum(a));
        return root == trunc(root) ? v_fixnum((int64_t)root) : v_flonum(m, root);
    }
    Value exact = num_rat_exact_sqrt(m, a);
    return exact != V_FALSE ? exact : v_flonum(m, rounded_sqrt(a));
}

/* The exact root of an exact complex Z, or V_FALSE; V_FAIL if a part gets too large. */
static Value exact_sqrt_complex(Mutator *m, Value z) {
    Value modulus = num_magnitude(m, z);
    if (modulus == V_FAIL) return V_FAIL;
    if (is_flonum(modulus)) return V_FALSE;
    Value half = num_div(m, num_add(m, modulus, num_real(z)), v_fixnum(2));
    Value other = num_div(m, num_sub(m, modulus, num_real(z)), v_fixnum(2));
    if (half == V_FAIL || other == V_FAIL) return V_FAIL;
    Value real = num_rat_exact_sqrt(m, half), imag = num_rat_exact_sqrt(m, other);
    if (real == V_FALSE || imag == V_FALSE) return V_FALSE;
    return num_make_rectangular(m, real, num_sign(num_imag(z)) < 0 ? num_neg(m, imag) : imag);
}

Value num_sqrt(Mutator *m, Value z) {
    if (!is_number(z)) return num_wrong_type(m, "sqrt", 1, z);
    if (is_type(z, T_COMPLEX)) {
        Value exact = num_is_exact(z) ? exact_sqrt_complex(m, z) : V_FALSE;
        return exact != V_FALSE ? exact : num_cpx_new(m, csqrt(num_to_complex(z)));
    }
    if (num_sign(z) >= 0) return sqrt_real(m, z);
    Value root = sqrt_real(m, num_neg(m, z));
    return root == V_FAIL ? V_FAIL : num_make_rectangular(m, v_fixnum(0), root);
}

/* ---- powers ---- */

static const char who[] = "expt";

static Value too_large(Mutator *m) { return mutator_fail(m, ERR_TOO_LARGE, who, 0, V_DEFAULT); }
static Value reciprocal(Mutator *m, Value v) {
    return v == V_FAIL ? V_FAIL : num_div(m, v_fixnum(1), v);
}

/* Exact rational to an exact integer power. */
static Value rational_power(Mutator *m, Value z, Value power) {
    bool negative = num_int_sign(power) < 0;
    if (negative && z == v_fixnum(0)) return mutator_fail(m, ERR_DIVIDE_BY_ZERO, who, 1, z);
    Int n;
    num_view(power, &n);
    if (n.size > 1) { /* only what does not grow */
        if (z == v_fixnum(0) || z == v_fixnum(1)) return z;
        return z == v_fixnum(-1) ? v_fixnum(num_is_odd(power) ? -1 : 1) : too_large(m);
    }
    uint64_t count = n.size ? n.limbs[0] : 0;
    Value top = num_int_power(m, num_rat_numerator(z), count, who);
    Value bottom = num_int_power(m, num_rat_denominator(z), count, who);
    Value v = num_rat_new(m, top, bottom); /* powers of coprime numbers are coprime */
    return negative ? reciprocal(m, v) : v;
}

/* A double to an exact integer power; beyond 2^53 the power's double is even, whatever the power
 * is. */
static double double_power(double d, Value power) {
    double magnitude = pow(fabs(d), num_to_double(power));
    return signbit(d) && num_is_odd(power) ? -magnitude : magnitude;
}

/* Complex to an exact integer power, by squaring. */
static Value complex_power(Mutator *m, Value z, int64_t n) {
    Value result = v_fixnum(1);
    for (uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n; left != 0; left >>= 1) {
        if (left & 1) result = num_mul(m, result, z);
        if (left > 1) z = num_mul(m, z, z);
        if (result == V_FAIL || z == V_FAIL) return V_FAIL;
    }
    return n < 0 ? reciprocal(m, result) : result;
}

static Value general_power(Mutator *m, Value z, Value power) {
    if (num_is_zero(z)) {
        if (num_sign(num_real(power)) > 0) return num_is_exact(z) ? z : v_flonum(m, 0.0);
        return mutator_fail(m, ERR_DIVIDE_BY_ZERO, who, 1, z);
    }
    Value exponent = num_mul(m, power, num_log(m, z));
    return exponent == V_FAIL ? V_FAIL : num_function(m, NUM_EXP, exponent);
}

static Value integer_power(Mutator *m, Value z, Value power) {
    if (power == v_fixnum(0)) return v_fixnum(1);
    if (is_flonum(z)) return v_flonum(m, double_power(flonum(z), power));
    if (!is_type(z, T_COMPLEX)) return rational_power(m, z, power);
    /* Squaring loses half a bit a step: beyond some steps the logarithm is as good. */
    bool by_squaring = is_fixnum(power) && (num_is_exact(z) || llabs(fixnum(power)) <= 1024);
    if (by_squaring) return complex_power(m, z, fixnum(power));
    return num_is_exact(z) ? too_large(m) : general_power(m, z, power);
}

/* The exact root of degree DEGREE of the integer A >= 0, or V_FALSE. */
static Value exact_root(Mutator *m, Value a, uint64_t degree) {
    if (a == v_fixnum(0) || a == v_fixnum(1)) return a;
    Int x;
    mpz_t z, root;
    num_view(a, &x);
    if ((uint64_t)num_bit_length(&x) <= degree) return V_FALSE;
    mpz_init(root);
    Value v = mpz_root(root, num_mpz(&x, z), degree) ? num_from_mpz(m, root) : V_FALSE;
    mpz_clear(root);
    return v;
}

/* Exact rational Z to the power N/D: exact if Z has an exact root, else V_FALSE. */
static Value exact_rational_power(Mutator *m, Value z, Value power) {
    Value n = num_rat_numerator(power), d = num_rat_denominator(power);
    Value root;
    if (d == v_fixnum(2)) {
        root = num_sqrt(m, z);
        if (root == V_FAIL || !num_is_exact(root)) return root == V_FAIL ? V_FAIL : V_FALSE;
    } else {
        if (!is_fixnum(d) || num_sign(z) < 0) return V_FALSE;
        Value top = exact_root(m, num_rat_numerator(z), (uint64_t)fixnum(d));
        Value bottom = exact_root(m, num_rat_denominator(z), (uint64_t)fixnum(d));
        if (top == V_FALSE || bottom == V_FALSE) return V_FALSE;
        root = num_rat_new(m, top, bottom);
    }
    return integer_power(m, root, n);
}

/* Both real, POWER a flonum or a ratio. */
static Value real_power(Mutator *m, Value z, Value power) {
    double base = num_to_double(z), e = num_to_double(power);
    bool out_of_range = !is_flonum(z) && (isinf(base) || (base == 0 && z != v_fixnum(0)));
    if (out_of_range || (base < 0 && isfinite(base) && isfinite(e) && e != trunc(e)))
        return general_power(m, z, power);
    return v_flonum(m, pow(base, e));
}

Value num_expt(Mutator *m, Value z, Value power) {
    if (!is_number(z) || !is_number(power)) return num_wrong_type2(m, who, z, power, KIND_OTHER);
    if (num_is_exact_integer(power)) return integer_power(m, z, power);
    if (is_type(z, T_COMPLEX) || is_type(power, T_COMPLEX)) return general_power(m, z, power);
    if (is_type(power, T_RATNUM) && !is_flonum(z)) {
        Value exact = exact_rational_power(m, z, power);
        if (exact != V_FALSE) return exact;
    }
    return real_power(m, z, power);
}
