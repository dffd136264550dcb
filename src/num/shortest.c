/* shortest.c: the shortest decimal that reads back as a given double, and among those the closest.
 *
 * The method is Raffaello Giulietti's Schubfach ("The Schubfach way to render doubles", 2020). The
 * decimals of interest lie in the interval of all reals that round to the double. For k the largest
 * with 10^k no longer than that interval, the interval holds one or more multiples of 10^k, and at
 * most one multiple of 10^(k+1), which is the shorter one: so looking at the two multiples of
 * 10^(k+1) and the two of 10^k around the double is enough. Interval bounds are scaled by 10^-k
 * with a 128-bit approximation of that power, from above, and rounded to odd: the paper proves that
 * every comparison made below then comes out as with exact numbers.
 *
 * The powers are computed by GMP when first needed and kept: most programs print within a few
 * orders of magnitude, and a table that is computed cannot be mistyped. Threads may compute the
 * same entry at once; both store the same words. */
#include "num/internal.h"
#include <stdatomic.h>

typedef struct Power {
    _Atomic uint64_t high,
        low; /* high is stored last; its top bit is always set, so 0 is "not there" */
} Power;

enum { LEAST_POWER = -292, GREATEST_POWER = 324 };
static Power powers[GREATEST_POWER - LEAST_POWER + 1];

/* 10^K * 2^-r rounded up, r chosen so that the result has 128 bits. */
static void compute_power(Power *p, int k) {
    mpz_t x, y;
    mpz_init(x);
    mpz_init(y);
    mpz_ui_pow_ui(x, 10, (unsigned long)abs(k));
    mp_bitcnt_t bits = mpz_sizeinbase(x, 2);
    if (k < 0) {
        mpz_setbit(y, 127 + bits);
        mpz_cdiv_q(x, y, x);
    } else if (bits <= 128) {
        mpz_mul_2exp(x, x, 128 - bits);
    } else {
        mpz_cdiv_q_2exp(x, x, bits - 128);
    }
    atomic_store_explicit(&p->low, mpz_getlimbn(x, 0), memory_order_relaxed);
    atomic_store_explicit(&p->high, mpz_getlimbn(x, 1), memory_order_release);
    mpz_clear(x);
    mpz_clear(y);
}

static const Power *power_of_ten(int k) {
    Power *p = &powers[k - LEAST_POWER];
    if (unlikely(!atomic_load_explicit(&p->high, memory_order_acquire))) compute_power(p, k);
    return p;
}

/* The product of the power and X, without its 128 lowest bits, and odd if those were not (nearly)
 * zero. */
static uint64_t scale_to_odd(const Power *p, uint64_t x) {
    unsigned __int128 low = (unsigned __int128)p->low * x;
    unsigned __int128 high = (unsigned __int128)p->high * x + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* floor of log10(2^e), of log10(3/4 * 2^e), and of log2(10^e): multiplications that are exact for
 * |e| below 1500. */
static int floor_log10_pow2(int e) { return (e * 1262611) >> 22; }
static int floor_log10_three_quarters_pow2(int e) { return (e * 1262611 - 524031) >> 22; }
static int floor_log2_pow10(int e) { return (e * 1741647) >> 19; }

/* The double is C * 2^Q; NARROW if the double below is nearer than the one above. */
static Decimal schubfach(uint64_t c, int q, bool narrow) {
    int k = narrow ? floor_log10_three_quarters_pow2(q) : floor_log10_pow2(q);
    int h = q + floor_log2_pow10(-k) + 1;
    const Power *p = power_of_ten(-k);
    uint64_t middle = scale_to_odd(p, (4 * c) << h); /* four times the scaled value */
    uint64_t low = scale_to_odd(p, (4 * c - 2 + narrow) << h) + (c & 1);
    uint64_t high = scale_to_odd(p, (4 * c + 2) << h) - (c & 1); /* ends belong to even doubles */
    uint64_t s = middle / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;
        if (below != above) return (Decimal){tens + above, k + 1};
    }
    bool below = low <= 4 * s, above = 4 * s + 4 <= high;
    if (below != above) return (Decimal){s + above, k};
    uint64_t half = 4 * s + 2;
    return (Decimal){s + (middle > half || (middle == half && (s & 1))), k};
}

static Decimal without_trailing_zeros(Decimal d) {
    if (d.digits == 0) return (Decimal){0, 0};
    while (d.digits % 100 == 0) {
        d.digits /= 100;
        d.exponent += 2;
    }
    if (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

Decimal num_shortest(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t c = biased ? fraction | (uint64_t)1 << 52 : fraction;
    int q = (biased ? biased : 1) - 1075;
    if (c == 0) return (Decimal){0, 0};
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) /* a small integer */
        return without_trailing_zeros((Decimal){c >> -q, 0});
    return without_trailing_zeros(schubfach(c, q, fraction == 0 && biased > 1));
}
