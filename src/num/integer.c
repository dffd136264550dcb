/* integer.c: division in all its kinds, greatest common divisors, powers and integer square roots.
 *
 * The procedures of Scheme take flonums with integer values too. Those are made exact, the exact
 * operation is done, and the result is made inexact once: so even (modulo 1e300 7.0) has every
 * digit right, and there is one division only. */
#include "num/internal.h"

/* ---- exact division ---- */

static void divide_fixnums(Mutator *m, enum num_rounding mode, int64_t a, int64_t b, Value *q,
                           Value *r) {
    int64_t quotient = a / b, remainder = a % b;
    if (mode == NUM_FLOOR && remainder != 0 && (remainder < 0) != (b < 0)) {
        quotient--;
        remainder += b;
    }
    if (q) *q = num_from_int64(m, quotient); /* the smallest fixnum divided by -1 is a bignum */
    if (r) *r = v_fixnum(remainder);
}

/* Towards zero. |A| has at least as many limbs as |B|. The quotient is always delivered. */
static void divide_limbs(Mutator *m, const Int *a, const Int *b, Value *q, Value *r) {
    Object *remainder = num_big_new(m, b->size);
    Object *quotient = num_big_new(m, a->size - b->size + 1);
    mpn_tdiv_qr(quotient->slot, remainder->slot, 0, a->limbs, a->size, b->limbs, b->size);
    *q = num_big_finish(m, quotient, a->size - b->size + 1, a->negative != b->negative);
    *r = num_big_finish(m, remainder, b->size, a->negative);
}

void num_int_divide(Mutator *m, enum num_rounding mode, Value a, Value b, Value *q, Value *r) {
    if (both_fixnums(a, b)) {
        divide_fixnums(m, mode, fixnum(a), fixnum(b), q, r);
        return;
    }
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    Value quotient = v_fixnum(0), remainder = a;
    if (x.size >= y.size) divide_limbs(m, &x, &y, &quotient, &remainder);
    if (mode == NUM_FLOOR && remainder != v_fixnum(0) && x.negative != y.negative) {
        if (q) quotient = num_int_sub(m, quotient, v_fixnum(1));
        if (r) remainder = num_int_add(m, remainder, b);
    }
    if (q) *q = quotient;
    if (r) *r = remainder;
}

/* ---- arguments ---- */

/* V as an exact integer, *INEXACT set if it was a flonum; V_FAIL with WRONG_TYPE for anything else.
 */
static Value integer_argument(Mutator *m, Value v, const char *who, int position, bool *inexact) {
    if (likely(is_fixnum(v)) || num_is_bignum(v)) return v;
    if (!is_flonum(v) || !num_is_integer(v)) return num_wrong_type(m, who, position, v);
    *inexact = true;
    return num_exact_double(m, flonum(v));
}

static Value as_asked(Mutator *m, Value v, bool inexact) { return inexact ? num_inexact(m, v) : v; }

bool num_divide(Mutator *m, enum num_rounding mode, Value a, Value b, Value *q, Value *r,
                const char *who) {
    if (likely(both_fixnums(a, b) && b != v_fixnum(0))) {
        divide_fixnums(m, mode, fixnum(a), fixnum(b), q, r);
        return true;
    }
    bool inexact = false;
    Value x = integer_argument(m, a, who, 1, &inexact);
    if (x == V_FAIL) return false;
    Value y = integer_argument(m, b, who, 2, &inexact);
    if (y == V_FAIL) return false;
    if (y == v_fixnum(0)) {
        mutator_fail(m, ERR_DIVIDE_BY_ZERO, who, 2, a);
        return false;
    }
    num_int_divide(m, mode, x, y, q, r);
    if (q) *q = as_asked(m, *q, inexact);
    if (r) *r = as_asked(m, *r, inexact);
    return true;
}

Value num_quotient(Mutator *m, Value a, Value b) {
    Value q;
    return num_divide(m, NUM_TRUNCATE, a, b, &q, NULL, "quotient") ? q : V_FAIL;
}

Value num_remainder(Mutator *m, Value a, Value b) {
    Value r;
    return num_divide(m, NUM_TRUNCATE, a, b, NULL, &r, "remainder") ? r : V_FAIL;
}

Value num_modulo(Mutator *m, Value a, Value b) {
    Value r;
    return num_divide(m, NUM_FLOOR, a, b, NULL, &r, "modulo") ? r : V_FAIL;
}

Value num_floor_quotient(Mutator *m, Value a, Value b) {
    Value q;
    return num_divide(m, NUM_FLOOR, a, b, &q, NULL, "floor-quotient") ? q : V_FAIL;
}

Value num_int_exact_quotient(Mutator *m, Value a, Value b) {
    if (b == v_fixnum(1)) return a;
    if (both_fixnums(a, b)) return num_from_int64(m, fixnum(a) / fixnum(b));
    return num_int_by_mpz(m, mpz_divexact, a, b);
}

/* ---- greatest common divisor ---- */

static uint64_t gcd_words(uint64_t a, uint64_t b) {
    if (a == 0 || b == 0) return a | b;
    int twos = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    while (b != 0) {
        b >>= __builtin_ctzll(b);
        if (a > b) {
            uint64_t swap = a;
            a = b;
            b = swap;
        }
        b -= a;
    }
    return a << twos;
}

Value num_int_gcd(Mutator *m, Value a, Value b) {
    if (!both_fixnums(a, b)) return num_int_by_mpz(m, mpz_gcd, a, b);
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    return num_from_uint64(m, gcd_words(x.small, y.small));
}

Value num_gcd(Mutator *m, Value a, Value b) {
    bool inexact = false;
    Value x = integer_argument(m, a, "gcd", 1, &inexact);
    if (x == V_FAIL) return V_FAIL;
    Value y = integer_argument(m, b, "gcd", 2, &inexact);
    if (y == V_FAIL) return V_FAIL;
    return as_asked(m, num_int_gcd(m, x, y), inexact);
}

static Value absolute(Mutator *m, Value a) {
    return a != V_FAIL && num_int_sign(a) < 0 ? num_int_neg(m, a) : a;
}

Value num_lcm(Mutator *m, Value a, Value b) {
    bool inexact = false;
    Value x = integer_argument(m, a, "lcm", 1, &inexact);
    if (x == V_FAIL) return V_FAIL;
    Value y = integer_argument(m, b, "lcm", 2, &inexact);
    if (y == V_FAIL) return V_FAIL;
    Value product = v_fixnum(0);
    if (x != v_fixnum(0) && y != v_fixnum(0)) {
        Value rest = num_int_exact_quotient(m, x, num_int_gcd(m, x, y));
        product = absolute(m, num_int_mul(m, rest, y));
    }
    return product == V_FAIL ? V_FAIL : as_asked(m, product, inexact);
}

/* ---- powers and roots ---- */

Value num_int_power(Mutator *m, Value a, uint64_t n, const char *who) {
    if (a == V_FAIL) return V_FAIL;
    if (n == 0) return v_fixnum(1);
    if (a == v_fixnum(0) || a == v_fixnum(1) || n == 1) return a;
    if (a == v_fixnum(-1)) return v_fixnum(n & 1 ? -1 : 1);
    if (a == v_fixnum(2) && n < INT64_MAX) return num_int_shift(m, v_fixnum(1), (int64_t)n, who);
    Int x;
    num_view(a, &x);
    /* The result has more than (length - 1) * n bits, and at most length * n. */
    uint64_t least;
    if (__builtin_mul_overflow((uint64_t)num_bit_length(&x) - 1, n, &least) ||
        least / 64 >= (uint64_t)num_max_limbs())
        return mutator_fail(m, ERR_TOO_LARGE, who, 0, V_DEFAULT);
    mpz_t base, result;
    mpz_init(result);
    mpz_pow_ui(result, num_mpz(&x, base), n);
    Value v = num_from_mpz(m, result);
    mpz_clear(result);
    return v;
}

bool num_exact_integer_sqrt(Mutator *m, Value a, Value *s, Value *r) {
    static const char who[] = "exact-integer-sqrt";
    if (!num_is_exact_integer(a)) {
        num_wrong_type(m, who, 1, a);
        return false;
    }
    if (num_int_sign(a) < 0) {
        mutator_fail(m, ERR_RANGE, who, 1, a);
        return false;
    }
    Int x;
    mpz_t z, root, rest;
    num_view(a, &x);
    mpz_init(root);
    mpz_init(rest);
    mpz_sqrtrem(root, rest, num_mpz(&x, z));
    *s = num_from_mpz(m, root);
    *r = num_from_mpz(m, rest);
    mpz_clear(root);
    mpz_clear(rest);
    return true;
}

bool num_is_odd(Value v) {
    if (is_fixnum(v)) return fixnum(v) & 1;
    if (is_flonum(v)) return fmod(flonum(v), 2.0) != 0;
    Int i;
    num_view(v, &i);
    return i.limbs[0] & 1;
}
