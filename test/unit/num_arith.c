/* num_arith.c: sums, products, quotients and bits against GMP's own, borders of the fixnums,
 * contagion, failures. */
#include "num_rig.h"

/* ---- integers against mpz ---- */

typedef struct Ring {
    const char *name;
    Value (*ours)(Mutator *, Value, Value);
    void (*gmp)(mpz_ptr, mpz_srcptr, mpz_srcptr);
} Ring;

static Value our_and(Mutator *mu, Value a, Value b) { return num_bitwise(mu, NUM_AND, a, b); }
static Value our_ior(Mutator *mu, Value a, Value b) { return num_bitwise(mu, NUM_IOR, a, b); }
static Value our_xor(Mutator *mu, Value a, Value b) { return num_bitwise(mu, NUM_XOR, a, b); }

static const Ring rings[] = {
    {"+", num_add, mpz_add},   {"-", num_sub, mpz_sub},   {"*", num_mul, mpz_mul},
    {"gcd", num_gcd, mpz_gcd}, {"lcm", num_lcm, mpz_lcm}, {"and", our_and, mpz_and},
    {"ior", our_ior, mpz_ior}, {"xor", our_xor, mpz_xor},
};

static void check_rings(const mpz_t a, const mpz_t b) {
    mpz_t want;
    mpz_init(want);
    Value x = from_mpz(a), y = from_mpz(b);
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        rings[i].gmp(want, a, b);
        if (!CHECK(same_mpz(rings[i].ours(m, x, y), want)))
            gmp_fprintf(stderr, "    (%s %Zd %Zd)\n", rings[i].name, a, b);
    }
    mpz_clear(want);
}

static void test_random_integers(void) {
    mpz_t a, b;
    mpz_init(a);
    mpz_init(b);
    for (int i = 0; i < 3000; i++) {
        random_integer(a, i % 3 ? 130 : 3000);
        random_integer(b, i % 5 ? 130 : 3000);
        check_rings(a, b);
        check_rings(a, a);
    }
    mpz_clear(a);
    mpz_clear(b);
    rig_forget();
}

/* Every pair of numbers next to a power of two near the borders of fixnums and limbs. */
static void test_borders(void) {
    static const int powers[] = {0, 1, 30, 59, 60, 61, 62, 63, 64, 127, 128};
    enum { COUNT = sizeof powers / sizeof *powers * 6 };
    mpz_t z[COUNT];
    for (int i = 0; i < COUNT; i++) {
        mpz_init(z[i]);
        mpz_setbit(z[i], (mp_bitcnt_t)powers[i / 6]);
        if (i % 6 % 3 == 0) mpz_sub_ui(z[i], z[i], 1);
        if (i % 6 % 3 == 2) mpz_add_ui(z[i], z[i], 1);
        if (i % 6 >= 3) mpz_neg(z[i], z[i]);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) check_rings(z[i], z[j]);
    for (int i = 0; i < COUNT; i++) {
        mpz_t want;
        mpz_init(want);
        mpz_neg(want, z[i]);
        CHECK(same_mpz(num_neg(m, from_mpz(z[i])), want));
        mpz_abs(want, z[i]);
        CHECK(same_mpz(num_abs(m, from_mpz(z[i])), want));
        mpz_com(want, z[i]);
        CHECK(same_mpz(num_bitwise_not(m, from_mpz(z[i])), want));
        mpz_clear(want);
        mpz_clear(z[i]);
    }
    rig_forget();
}

static void test_shifts(void) {
    mpz_t z, want;
    mpz_init(z);
    mpz_init(want);
    for (int i = 0; i < 4000; i++) {
        random_integer(z, 300);
        int count = (int)(random_word() % 700) - 350;
        if (count >= 0)
            mpz_mul_2exp(want, z, (mp_bitcnt_t)count);
        else
            mpz_fdiv_q_2exp(want, z, (mp_bitcnt_t)-count);
        if (!CHECK(same_mpz(num_shift(m, from_mpz(z), F(count)), want)))
            gmp_fprintf(stderr, "    (arithmetic-shift %Zd %d)\n", z, count);
    }
    mpz_clear(z);
    mpz_clear(want);
    CHECK_NUM(num_shift(m, F(-1), F(-1000)), "-1");
    CHECK_NUM(num_shift(m, F(5), N("-100000000000000000000")), "0");
    CHECK_NUM(num_shift(m, F(0), N("100000000000000000000")), "0");
    CHECK_NUM(num_shift(m, F(1), N("100000000000000000000")), "!TOO_LARGE");
    CHECK_NUM(num_shift(m, F(1), F((int64_t)1 << 50)), "!TOO_LARGE");
    CHECK_NUM(num_shift(m, N("1.0"), F(1)), "!WRONG_TYPE");
    rig_forget();
}

static void test_bits(void) {
    mpz_t z, other;
    mpz_init(z);
    mpz_init(other);
    for (int i = 0; i < 2000; i++) {
        random_integer(z, 200);
        Value v = from_mpz(z);
        if (mpz_sgn(z) < 0)
            mpz_com(other, z);
        else
            mpz_set(other, z);
        CHECK_EQ(fixnum(num_bit_count(m, v)), (int64_t)mpz_popcount(other));
        CHECK_EQ(fixnum(num_integer_length(m, v)),
                 mpz_sgn(other) ? (int64_t)mpz_sizeinbase(other, 2) : 0);
        CHECK_EQ(fixnum(num_first_set_bit(m, v)), mpz_sgn(z) ? (int64_t)mpz_scan1(z, 0) : -1);
        CHECK_EQ(num_is_bit_set(m, F(i % 210), v) == V_TRUE, mpz_tstbit(z, (mp_bitcnt_t)(i % 210)));
    }
    mpz_clear(z);
    mpz_clear(other);
    CHECK_NUM(num_bit_count(m, F(0)), "0");
    CHECK_NUM(num_is_bit_set(m, N("99999999999999999999999"), F(-1)), "#t");
    CHECK_NUM(num_is_bit_set(m, F(-1), F(1)), "!RANGE");
    rig_forget();
}

/* ---- ratios against mpq ---- */

static void test_ratios(void) {
    mpq_t a, b, want;
    mpq_init(a);
    mpq_init(b);
    mpq_init(want);
    for (int i = 0; i < 3000; i++) {
        mpq_t *const both[] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            unsigned bits = i % 2 ? 20 : 200;
            random_integer(mpq_numref(*both[k]), bits);
            do random_integer(mpq_denref(*both[k]), bits);
            while (mpz_sgn(mpq_denref(*both[k])) == 0);
            mpq_canonicalize(*both[k]);
        }
        Value x = from_mpq(a), y = from_mpq(b);
        mpq_add(want, a, b);
        CHECK(same_mpq(num_add(m, x, y), want));
        mpq_sub(want, a, b);
        CHECK(same_mpq(num_sub(m, x, y), want));
        mpq_mul(want, a, b);
        CHECK(same_mpq(num_mul(m, x, y), want));
        if (mpq_sgn(b)) {
            mpq_div(want, a, b);
            CHECK(same_mpq(num_div(m, x, y), want));
        } else {
            CHECK_NUM(num_div(m, x, y), "!DIVIDE_BY_ZERO");
        }
        int order = mpq_cmp(a, b);
        CHECK(num_less(m, x, y, "<") == v_bool(order < 0));
        CHECK(num_less_equal(m, x, y, "<=") == v_bool(order <= 0));
        CHECK(num_equal(m, x, y, "=") == v_bool(order == 0));
    }
    mpq_clear(a);
    mpq_clear(b);
    mpq_clear(want);
    CHECK_NUM(num_div(m, F(6), F(-4)), "-3/2");
    CHECK_NUM(num_div(m, F(FIXNUM_MIN), F(-1)), "1152921504606846976");
    CHECK_NUM(num_div(m, N("1/2"), N("-1/2")), "-1");
    rig_forget();
}

/* ---- mixing kinds ---- */

static void test_contagion(void) {
    CHECK_NUM(num_add(m, F(1), N("0.5")), "1.5");
    CHECK_NUM(num_add(m, N("1/2"), N("0.5")), "1.0");
    CHECK_NUM(num_mul(m, F(0), N("1.5")), "0.0");
    CHECK_NUM(num_mul(m, F(0), N("+inf.0")), "+nan.0");
    CHECK_NUM(num_sub(m, N("1e300"), N("1e300")), "0.0");
    CHECK_NUM(num_add(m, N("1e200"), N("1e-200")), "1.0e200"); /* both boxed */
    CHECK_NUM(num_mul(m, N("1e200"), N("1e200")), "+inf.0");
    CHECK_NUM(num_div(m, F(1), N("0.0")), "+inf.0");
    CHECK_NUM(num_div(m, F(1), N("-0.0")), "-inf.0");
    CHECK_NUM(num_div(m, N("1.0"), F(0)), "!DIVIDE_BY_ZERO");
    CHECK_NUM(num_neg(m, N("0.0")), "-0.0");
    CHECK_NUM(num_abs(m, N("-0.0")), "0.0");
    CHECK_NUM(num_max(m, F(1), N("2.0")), "2.0");
    CHECK_NUM(num_max(m, F(3), N("2.0")), "3.0");
    CHECK_NUM(num_min(m, F(3), N("2.0")), "2.0");
    CHECK_NUM(num_min(m, N("1/3"), N("1/2")), "1/3");
    CHECK_NUM(num_max(m, F(3), N("+nan.0")), "+nan.0");
    CHECK_NUM(num_min(m, N("+nan.0"), F(3)), "+nan.0");
    CHECK_NUM(num_max(m, N("9007199254740993"), N("9007199254740992.0")), "9007199254740992.0");
}

static void test_complex(void) {
    CHECK_NUM(num_add(m, N("1+2i"), N("3-2i")), "4");
    CHECK_NUM(num_sub(m, N("1+2i"), N("1/2+i")), "1/2+i");
    CHECK_NUM(num_mul(m, N("1+2i"), N("3-4i")), "11+2i");
    CHECK_NUM(num_mul(m, N("+i"), N("+i")), "-1");
    CHECK_NUM(num_div(m, N("11+2i"), N("3-4i")), "1+2i");
    CHECK_NUM(num_div(m, F(1), N("+2i")), "-1/2i");
    CHECK_NUM(num_div(m, N("1+i"), F(2)), "1/2+1/2i");
    CHECK_NUM(num_div(m, N("1+i"), F(0)), "!DIVIDE_BY_ZERO");
    CHECK_NUM(num_mul(m, N("2.0"), N("1+2i")), "2.0+4.0i");
    CHECK_NUM(num_add(m, N("0.5"), N("1+2i")), "1.5+2.0i");
    CHECK_NUM(num_mul(m, N("1.5+2.0i"), N("1.5-2.0i")), "6.25+0.0i"); /* stays complex */
    CHECK_NUM(num_neg(m, N("1-2i")), "-1+2i");
    CHECK_NUM(num_make_rectangular(m, N("1.5"), F(0)), "1.5");
    CHECK_NUM(num_make_rectangular(m, F(1), N("0.0")), "1.0+0.0i");
    CHECK_NUM(num_magnitude(m, N("3-4i")), "5");
    CHECK_NUM(num_magnitude(m, N("3.0-4.0i")), "5.0");
    CHECK_NUM(num_magnitude(m, F(-7)), "7");
    CHECK_NUM(num_real_part(m, N("3-4i")), "3");
    CHECK_NUM(num_imag_part(m, N("3-4i")), "-4");
    CHECK_NUM(num_imag_part(m, N("3.5")), "0");
    CHECK_NUM(num_angle(m, F(5)), "0");
    CHECK_NUM(num_angle(m, F(-1)), "3.141592653589793");
    CHECK_NUM(num_angle(m, N("+i")), "1.5707963267948966");
    CHECK_NUM(num_equal(m, N("1+2i"), N("1.0+2.0i"), "="), "#t");
    CHECK_NUM(num_equal(m, F(1), N("1.0+0.0i"), "="), "#t");
    CHECK_NUM(num_less(m, F(1), N("+i"), "<"), "!WRONG_TYPE");
    CHECK_EQ(m->fail.position, 2);
}

static void test_failures(void) {
    CHECK_NUM(num_add(m, F(1), V_NIL), "!WRONG_TYPE");
    CHECK_STR(m->fail.who, "+");
    CHECK_EQ(m->fail.position, 2);
    CHECK(m->fail.irritant[0] == V_NIL);
    CHECK_NUM(num_mul(m, V_TRUE, F(1)), "!WRONG_TYPE");
    CHECK_EQ(m->fail.position, 1);
    CHECK_NUM(num_div(m, F(1), F(0)), "!DIVIDE_BY_ZERO");
    CHECK_NUM(num_div(m, V_NIL, F(0)), "!WRONG_TYPE");
    CHECK_NUM(num_neg(m, V_NIL), "!WRONG_TYPE");
    CHECK_NUM(num_equal(m, V_NIL, F(0), "="), "!WRONG_TYPE");
    CHECK_NUM(num_exact(m, N("+inf.0")), "!NOT_EXACT");
    CHECK_NUM(num_exact(m, N("-nan.0")), "!NOT_EXACT");
    CHECK_NUM(num_exact(m, N("1.0+inf.0i")), "!NOT_EXACT");
    CHECK_NUM(num_bitwise(m, NUM_AND, F(1), N("1.0")), "!WRONG_TYPE");
    CHECK_EQ(m->fail.position, 2);
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_random_integers, test_borders, test_shifts, test_bits, test_ratios,
           test_contagion, test_complex, test_failures)
