/* num_compare.c: order and equality between exact and inexact numbers are those of the real
 * numbers; eqv? and hashing; the ways into C integers. */
#include "num_rig.h"

static bool equal(Value a, Value b) { return num_equal(m, a, b, "=") == V_TRUE; }
static bool less(Value a, Value b) { return num_less(m, a, b, "<") == V_TRUE; }
static bool less_equal(Value a, Value b) { return num_less_equal(m, a, b, "<=") == V_TRUE; }

/* ---- exact against inexact ---- */

static void check_pair(const mpq_t q, double d) {
    mpq_t other;
    mpq_init(other);
    mpq_set_d(other, d);
    int order = mpq_cmp(q, other);
    Value x = from_mpq(q), y = num_from_double(m, d);
    bool good = equal(x, y) == (order == 0) && equal(y, x) == (order == 0);
    good = good && less(x, y) == (order < 0) && less(y, x) == (order > 0);
    good = good && less_equal(x, y) == (order <= 0) && less_equal(y, x) == (order >= 0);
    if (!CHECK(good)) gmp_fprintf(stderr, "    %Qd and %a\n", q, d);
    mpq_clear(other);
}

/* Exact numbers at a double, and a hair's breadth beside it. */
static void test_close_pairs(void) {
    mpq_t q, hair;
    mpq_init(q);
    mpq_init(hair);
    for (int i = 0; i < 6000; i++) {
        double d =
            i % 2 ? random_double() : ldexp(random_double(), (int)(-ilogb(random_double()) / 8));
        if (i % 3 == 0) d = (double)(int64_t)random_word();
        if (i % 5 == 0) d = trunc(fmod(d, 0x1p60));
        if (!isfinite(d)) continue;
        mpq_set_d(q, d);
        check_pair(q, d);
        mpq_set_ui(hair, 1, 1);
        if (i % 4) mpq_div_2exp(hair, hair, (mp_bitcnt_t)(random_word() % 1200));
        mpq_add(q, q, hair);
        check_pair(q, d);
        mpq_add(hair, hair, hair);
        mpq_sub(q, q, hair);
        check_pair(q, d);
    }
    mpq_clear(q);
    mpq_clear(hair);
    rig_forget();
}

static void test_known_pairs(void) {
    CHECK(!equal(N("9007199254740993"), N("9007199254740992.0")));
    CHECK(less(N("9007199254740992.0"), N("9007199254740993")));
    CHECK(equal(N("9007199254740992"), N("9007199254740992.0")));
    CHECK(!equal(N("1/3"), N("0.3333333333333333")));
    CHECK(less(N("0.3333333333333333"), N("1/3")));
    CHECK(equal(N("1/4"), N("0.25")));
    CHECK(!equal(N("1/10"), N("0.1")));
    CHECK(equal(F(0), N("-0.0")) && equal(N("0.0"), N("-0.0")));
    CHECK(less(N("1e308"), num_expt(m, F(10), F(400))));
    CHECK(less(num_expt(m, F(10), F(400)), N("+inf.0")));
    CHECK(less(N("-inf.0"), num_neg(m, num_expt(m, F(10), F(400)))));
    CHECK(less(F(0), num_expt(m, F(10), F(-400))));
    CHECK(less(N("0.0"), num_expt(m, F(10), F(-400))));
    CHECK(less(num_expt(m, F(10), F(-400)), N("5e-324")));
    CHECK(!less(F(FIXNUM_MAX), num_from_double(m, 0x1p60 - 256)));
    CHECK(less(F(FIXNUM_MAX), num_from_double(m, 0x1p60)));
    const Value nan = N("+nan.0"),
                others[] = {nan, F(0), N("1/2"), N("1e400"), N("100000000000000000000")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        CHECK(!equal(nan, others[i]) && !less(nan, others[i]) && !less(others[i], nan));
        CHECK(!less_equal(nan, others[i]) && !less_equal(others[i], nan));
    }
}

/* ---- eqv? and hashing ---- */

static void test_eqv(void) {
    static const char *const different[] = {"0",
                                            "0.0",
                                            "-0.0",
                                            "1",
                                            "1.0",
                                            "1/2",
                                            "0.5",
                                            "-1/2",
                                            "1e300",
                                            "1e-300",
                                            "+inf.0",
                                            "-inf.0",
                                            "+nan.0",
                                            "+i",
                                            "+1.0i",
                                            "1+i",
                                            "1152921504606846976",
                                            "-1152921504606846976",
                                            "100000000000000000000000000000000000000",
                                            "1/100000000000000000000000000000000000000",
                                            "1.0+0.0i",
                                            "1.0-0.0i"};
    enum { COUNT = sizeof different / sizeof *different };
    int collisions = 0;
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            Value a = N(different[i]), b = N(different[j]); /* two objects also where i == j */
            if (!CHECK(num_eqv(a, b) == (i == j)))
                fprintf(stderr, "    %s and %s\n", different[i], different[j]);
            if (i == j) CHECK(num_hash(a) == num_hash(b));
            collisions += i < j && num_hash(a) == num_hash(b);
        }
    CHECK_EQ(collisions, 0);
    CHECK(!num_eqv(F(1), V_TRUE) && !num_eqv(V_NIL, F(0)));
    CHECK(num_eqv(N("-nan.0"), N("+nan.0")) && num_hash(N("-nan.0")) == num_hash(N("+nan.0")));
    CHECK(num_eqv(num_sub(m, N("+inf.0"), N("+inf.0")), N("+nan.0")));
}

/* Hashes of near numbers spread over the low bits, which tables use. */
static void test_hash_spread(void) {
    int used_integers = 0, used_doubles = 0;
    bool integers[1024] = {false}, doubles[1024] = {false};
    for (int i = 0; i < 1024; i++) {
        integers[num_hash(F(i * 1024)) & 1023] = true;
        doubles[num_hash(num_from_double(m, i)) & 1023] = true;
    }
    for (int i = 0; i < 1024; i++) {
        used_integers += integers[i];
        used_doubles += doubles[i];
    }
    CHECK(used_integers > 580 &&
          used_doubles > 580); /* random hashes fill 1 - 1/e of the places: 647 */
}

/* ---- C integers ---- */

static void test_int64(void) {
    static const int64_t numbers[] = {
        0, 1, -1, FIXNUM_MAX, FIXNUM_MIN, FIXNUM_MAX + 1, FIXNUM_MIN - 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int64_t back;
        Value v = num_from_int64(m, numbers[i]);
        CHECK(num_to_int64(v, &back));
        CHECK_EQ(back, numbers[i]);
        CHECK(is_fixnum(v) == fits_fixnum(numbers[i]));
    }
    int64_t unused;
    CHECK(!num_to_int64(N("9223372036854775808"), &unused));
    CHECK(!num_to_int64(N("-9223372036854775809"), &unused));
    CHECK(!num_to_int64(N("1.0"), &unused) && !num_to_int64(V_NIL, &unused));
    CHECK_NUM(num_from_uint64(m, UINT64_MAX), "18446744073709551615");
}

static void test_kinds(void) {
    CHECK(num_is_integer(N("5.0")) && !num_is_exact_integer(N("5.0")) &&
          !num_is_integer(N("+inf.0")));
    CHECK(!num_is_rational(N("+inf.0")) && !num_is_rational(N("+nan.0")) &&
          num_is_rational(N("1.5")));
    CHECK(num_is_real(N("+nan.0")) && !num_is_real(N("-2.5+0.0i")) && num_is_real(N("-2.5+0i")));
    CHECK(num_is_exact(N("1+2i")) && !num_is_exact(N("1.0+2i")) && !num_is_exact(N("1e300")));
    CHECK(!num_is_finite(N("1.0+inf.0i")) && num_is_infinite(N("1.0+inf.0i")) &&
          num_is_nan(N("+nan.0+5.0i")));
    CHECK(num_is_zero(N("-0.0")) && num_is_zero(N("0.0+0.0i")) && !num_is_zero(N("0.0+1.0i")));
    CHECK(!num_is_real(V_NIL) && !num_is_integer(V_TRUE) && !num_is_exact_rational(V_EOF) &&
          !is_number(V_FALSE));
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_close_pairs, test_known_pairs, test_eqv, test_hash_spread, test_int64,
           test_kinds)
