/* num_division.c: every kind of integer division for every pair of signs at every border, against
 * GMP's own; integer square roots; rounding and parts of ratios; the mixed cases with flonums. */
#include "num_rig.h"

static void check_divisions(const mpz_t a, const mpz_t b) {
    Value x = from_mpz(a), y = from_mpz(b), q, r;
    mpz_t want_q, want_r;
    mpz_init(want_q);
    mpz_init(want_r);
    mpz_tdiv_qr(want_q, want_r, a, b);
    bool good = num_divide(m, NUM_TRUNCATE, x, y, &q, &r, "truncate/");
    good = good && same_mpz(q, want_q) && same_mpz(r, want_r);
    good =
        good && same_mpz(num_quotient(m, x, y), want_q) && same_mpz(num_remainder(m, x, y), want_r);
    mpz_fdiv_qr(want_q, want_r, a, b);
    good = good && num_divide(m, NUM_FLOOR, x, y, &q, &r, "floor/");
    good = good && same_mpz(q, want_q) && same_mpz(r, want_r);
    good = good && same_mpz(num_floor_quotient(m, x, y), want_q) &&
           same_mpz(num_modulo(m, x, y), want_r);
    if (!CHECK(good)) gmp_fprintf(stderr, "    %Zd by %Zd\n", a, b);
    mpz_clear(want_q);
    mpz_clear(want_r);
}

static void test_all_borders(void) {
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "5",
                                          "7",
                                          "4294967296",
                                          "140737488355328",
                                          "576460752303423488",
                                          "1152921504606846975",
                                          "1152921504606846976",
                                          "1152921504606846977", /* 2^60 and beside it */
                                          "2305843009213693951",
                                          "2305843009213693952",
                                          "4611686018427387904",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "18446744073709551629",
                                          "340282366920938463463374607431768211455",
                                          "340282366920938463463374607431768211456",
                                          "1000000000000000000000000000000",
                                          "9999999999999999999999999999999999999999",
                                          "9999999999999999999999999999999999999997"};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    mpz_t a, b;
    mpz_init(a);
    mpz_init(b);
    for (int i = 0; i < 2 * COUNT; i++)
        for (int j = 0; j < 2 * COUNT; j++) {
            mpz_set_str(a, numbers[i / 2], 10);
            mpz_set_str(b, numbers[j / 2], 10);
            if (i & 1) mpz_neg(a, a);
            if (j & 1) mpz_neg(b, b);
            if (mpz_sgn(b)) check_divisions(a, b);
        }
    mpz_clear(a);
    mpz_clear(b);
    rig_forget();
}

static void test_random(void) {
    mpz_t a, b;
    mpz_init(a);
    mpz_init(b);
    for (int i = 0; i < 4000; i++) {
        random_integer(a, i % 3 ? 200 : 4000);
        do random_integer(b, i % 5 ? 130 : 2000);
        while (!mpz_sgn(b));
        check_divisions(a, b);
        if (i % 7 == 0) { /* without remainder */
            mpz_mul(a, a, b);
            check_divisions(a, b);
        }
    }
    mpz_clear(a);
    mpz_clear(b);
    rig_forget();
}

static void test_flonums(void) {
    CHECK_NUM(num_quotient(m, N("7.0"), F(-2)), "-3.0");
    CHECK_NUM(num_modulo(m, F(-7), N("2.0")), "1.0");
    CHECK_NUM(num_remainder(m, N("-7.0"), N("2.0")), "-1.0");
    CHECK_NUM(num_modulo(m, N("1e23"), F(7)), "1.0"); /* 99999999999999991611392 mod 7 */
    CHECK_NUM(num_quotient(m, N("7.5"), F(2)), "!WRONG_TYPE");
    CHECK_NUM(num_quotient(m, F(2), N("+inf.0")), "!WRONG_TYPE");
    CHECK_EQ(m->fail.position, 2);
    CHECK_NUM(num_modulo(m, F(2), F(0)), "!DIVIDE_BY_ZERO");
    CHECK_STR(m->fail.who, "modulo");
    CHECK_NUM(num_modulo(m, N("2.0"), N("0.0")), "!DIVIDE_BY_ZERO");
    CHECK_NUM(num_gcd(m, N("32.0"), F(-36)), "4.0");
    CHECK_NUM(num_lcm(m, N("32.0"), F(-36)), "288.0");
    CHECK_NUM(num_gcd(m, F(0), F(0)), "0");
    CHECK_NUM(num_lcm(m, F(0), F(5)), "0");
    CHECK_NUM(num_gcd(m, F(FIXNUM_MIN), F(FIXNUM_MIN)), "1152921504606846976");
    CHECK_NUM(num_gcd(m, N("-4611686018427387904"), N("1099511627776")), "1099511627776");
    CHECK(num_is_odd(N("3.0")) && !num_is_odd(N("-1e300")) && num_is_odd(N("-3")));
    CHECK(num_is_odd(N("100000000000000000000001")) && !num_is_odd(N("-100000000000000000000000")));
}

static void test_integer_sqrt(void) {
    mpz_t z, want_s, want_r;
    mpz_init(z);
    mpz_init(want_s);
    mpz_init(want_r);
    for (int i = 0; i < 2000; i++) {
        Value s, r;
        random_integer(z, i % 4 ? 140 : 3000);
        mpz_abs(z, z);
        if (i % 3 == 0) mpz_mul(z, z, z);
        if (i % 6 == 0 && mpz_sgn(z)) mpz_sub_ui(z, z, 1);
        mpz_sqrtrem(want_s, want_r, z);
        REQUIRE(num_exact_integer_sqrt(m, from_mpz(z), &s, &r));
        CHECK(same_mpz(s, want_s) && same_mpz(r, want_r));
    }
    Value s, r;
    REQUIRE(num_exact_integer_sqrt(m, num_expt(m, F(10), F(400)), &s, &r));
    CHECK(num_eqv(s, num_expt(m, F(10), F(200))) && r == F(0));
    CHECK(!num_exact_integer_sqrt(m, F(-1), &s, &r) && m->fail.code == ERR_RANGE);
    CHECK(!num_exact_integer_sqrt(m, N("4.0"), &s, &r) && m->fail.code == ERR_WRONG_TYPE);
    mpz_clear(z);
    mpz_clear(want_s);
    mpz_clear(want_r);
    rig_forget();
}

static void test_rounding(void) {
    static const struct {
        const char *number, *floor, *ceiling, *truncate, *round;
    } rows[] = {{"7/2", "3", "4", "3", "4"},
                {"5/2", "2", "3", "2", "2"},
                {"-7/2", "-4", "-3", "-3", "-4"},
                {"-5/2", "-3", "-2", "-2", "-2"},
                {"1/3", "0", "1", "0", "0"},
                {"-2/3", "-1", "0", "0", "-1"},
                {"-4.3", "-5.0", "-4.0", "-4.0", "-4.0"},
                {"3.5", "3.0", "4.0", "3.0", "4.0"},
                {"2.5", "2.0", "3.0", "2.0", "2.0"},
                {"-2.5", "-3.0", "-2.0", "-2.0", "-2.0"},
                {"-0.2", "-1.0", "-0.0", "-0.0", "-0.0"},
                {"7", "7", "7", "7", "7"},
                {"+inf.0", "+inf.0", "+inf.0", "+inf.0", "+inf.0"},
                {"100000000000000000000001/2", "50000000000000000000000", "50000000000000000000001",
                 "50000000000000000000000", "50000000000000000000000"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value v = N(rows[i].number);
        CHECK_NUM(num_round(m, NUM_FLOOR, v, "floor"), rows[i].floor);
        CHECK_NUM(num_round(m, NUM_CEILING, v, "ceiling"), rows[i].ceiling);
        CHECK_NUM(num_round(m, NUM_TRUNCATE, v, "truncate"), rows[i].truncate);
        CHECK_NUM(num_round(m, NUM_ROUND, v, "round"), rows[i].round);
    }
    CHECK_NUM(num_round(m, NUM_ROUND, N("+i"), "round"), "!WRONG_TYPE");
}

static void test_parts(void) {
    CHECK_NUM(num_numerator(m, N("6/4")), "3");
    CHECK_NUM(num_denominator(m, N("6/4")), "2");
    CHECK_NUM(num_denominator(m, F(0)), "1");
    CHECK_NUM(num_denominator(m, N("1.5")), "2.0");
    CHECK_NUM(num_numerator(m, N("-0.75")), "-3.0");
    CHECK_NUM(num_numerator(m, N("+inf.0")), "!WRONG_TYPE");
    CHECK_NUM(num_rationalize(m, N("3/10"), N("1/10")), "1/3"); /* R7RS 6.2.6 */
    CHECK_NUM(num_rationalize(m, N(".3"), N("1/10")), "0.3333333333333333");
    CHECK_NUM(num_rationalize(m, N("-3/10"), N("-1/10")), "-1/3");
    CHECK_NUM(num_rationalize(m, N("1/10"), N("3/10")), "0");
    CHECK_NUM(num_rationalize(m, N("5/2"), N("1/2")), "2");
    CHECK_NUM(num_rationalize(m, N("3141592653589793/1000000000000000"), N("1/1000000")),
              "355/113");
    CHECK_NUM(num_rationalize(m, N("+inf.0"), F(3)), "+inf.0");
    CHECK_NUM(num_rationalize(m, F(3), N("+inf.0")), "0.0");
    CHECK_NUM(num_rationalize(m, N("+inf.0"), N("+inf.0")), "+nan.0");
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_all_borders, test_random, test_flonums, test_integer_sqrt, test_rounding,
           test_parts)
