/* num_text.c: numbers from text and to text. The reference for reading is exact rational
 * arithmetic: a decimal was rounded rightly if it lies between the midpoints to the neighbouring
 * doubles. The reference for printing is reading by strtod: no decimal with fewer digits reads
 * back, and none with as many is nearer. */
#include "num_rig.h"

static uint64_t bits_of(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
static double from_bits(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* ---- reading ---- */

/* Sets Q to the decimal DIGITS * 10^EXPONENT. */
static void set_decimal(mpq_t q, const char *digits, long exponent) {
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    mpz_set_str(mpq_numref(q), digits, 10);
    mpz_set_ui(mpq_denref(q), 1);
    if (exponent >= 0)
        mpz_mul(mpq_numref(q), mpq_numref(q), power);
    else
        mpz_set(mpq_denref(q), power);
    mpq_canonicalize(q);
    mpz_clear(power);
}

/* The midpoint between the doubles with bits B and B+1; behind the greatest double stands 2^1024.
 */
static void set_midpoint(mpq_t q, uint64_t b) {
    mpq_t other;
    mpq_init(other);
    mpq_set_d(q, from_bits(b));
    if (isfinite(from_bits(b + 1))) {
        mpq_set_d(other, from_bits(b + 1));
    } else {
        mpq_set_ui(other, 1, 1);
        mpq_mul_2exp(other, other, 1024);
    }
    mpq_add(q, q, other);
    mpq_div_2exp(q, q, 1);
    mpq_clear(other);
}

/* Whether D >= 0 is Q > 0 correctly rounded, ties to even. */
static bool rounded_rightly(double d, const mpq_t q) {
    uint64_t b = bits_of(d);
    bool even = !(b & 1), right = true;
    mpq_t midpoint;
    mpq_init(midpoint);
    if (isfinite(d)) {
        set_midpoint(midpoint, b);
        int above = mpq_cmp(q, midpoint);
        right = above < 0 || (above == 0 && even);
    }
    if (right && b > 0) {
        set_midpoint(midpoint, b - 1);
        int below = mpq_cmp(q, midpoint);
        right = below > 0 || (below == 0 && even);
    }
    mpq_clear(midpoint);
    return right;
}

static void check_reading(const char *digits, long exponent) {
    char text[2000];
    mpq_t q;
    mpq_init(q);
    set_decimal(q, digits, exponent);
    snprintf(text, sizeof text, "%se%ld", digits, exponent);
    if (!CHECK(rounded_rightly(num_to_double(N(text)), q))) fprintf(stderr, "    %s\n", text);
    /* The same with the point elsewhere, and by way of an exact ratio, rounded by our own
     * arithmetic. */
    snprintf(text, sizeof text, "%.1s.%se%ld", digits, digits + 1,
             exponent + (long)strlen(digits) - 1);
    if (!CHECK(rounded_rightly(num_to_double(N(text)), q))) fprintf(stderr, "    %s\n", text);
    snprintf(text, sizeof text, "#e%se%ld", digits, exponent);
    if (!CHECK(rounded_rightly(num_to_double(N(text)), q))) fprintf(stderr, "    %s\n", text);
    mpq_clear(q);
}

static void test_reading_random(void) {
    for (int i = 0; i < 6000; i++) {
        char digits[1100];
        int length = i % 10 ? (int)(random_word() % 22) + 1 : (int)(random_word() % 800) + 1;
        for (int k = 0; k < length; k++) digits[k] = (char)('0' + random_word() % 10);
        digits[0] = (char)('1' + random_word() % 9);
        digits[length] = '\0';
        check_reading(digits, (long)(random_word() % 660) - 340 - length);
    }
    rig_forget();
}

/* Decimals that lie exactly between two doubles, and those one digit beside them: the hardest there
 * are. */
static void test_reading_midpoints(void) {
    mpq_t q;
    mpz_t power;
    mpq_init(q);
    mpz_init(power);
    for (int i = 0; i < 600; i++) {
        uint64_t b = bits_of(fabs(random_double()));
        if (i % 3 == 0) b &= ((uint64_t)1 << 53) - 1; /* subnormal or nearly */
        if (i % 3 == 1) b = (b & ~((uint64_t)0x7ff << 52)) | (uint64_t)(1023 + i % 80) << 52;
        if (i == 0) b = bits_of(1.7976931348623157e308);
        if (i == 3) b = 0;
        set_midpoint(q, b);
        mp_bitcnt_t twos = mpz_scan1(mpq_denref(q), 0); /* q = n / 2^k = n * 5^k / 10^k */
        mpz_ui_pow_ui(power, 5, twos);
        mpz_mul(mpq_numref(q), mpq_numref(q), power);
        for (int off = -1; off <= 1; off++) {
            mpz_set(power, mpq_numref(q));
            mpz_mul_ui(power, power, 10);
            if (off < 0) mpz_sub_ui(power, power, 1);
            if (off > 0) mpz_add_ui(power, power, 1);
            char *digits = mpz_get_str(NULL, 10, power);
            check_reading(digits, -(long)twos - 1);
            free(digits);
        }
    }
    mpq_clear(q);
    mpz_clear(power);
    rig_forget();
}

static void test_exact_values(void) {
    CHECK_NUM(num_exact(m, N("1e23")), "99999999999999991611392");
    CHECK_NUM(num_exact(m, N("1e-23")), "6805647338418769/680564733841876926926749214863536422912");
    CHECK_NUM(num_exact(m, N("9007199254740993.0")), "9007199254740992");
    CHECK_NUM(num_exact(m, N("9007199254740995.0")), "9007199254740996");
    CHECK_NUM(num_exact(m, N("-0.0")), "0");
    Value scale = num_expt(m, F(2), F(1074));
    CHECK_NUM(num_mul(m, num_exact(m, N("2.2250738585072011e-308")), scale), "4503599627370495");
    CHECK_NUM(num_mul(m, num_exact(m, N("2.225073858507201e-308")), scale), "4503599627370495");
    CHECK_NUM(num_mul(m, num_exact(m, N("4.9406564584124654e-324")), scale), "1");
    CHECK_NUM(num_mul(m, num_exact(m, N("2.4703282292062328e-324")), scale), "1");
    CHECK_NUM(N("2.4703282292062327e-324"), "0.0");
    CHECK_NUM(N("1.7976931348623159e308"), "+inf.0");
    CHECK_NUM(N("1.7976931348623158e308"), "1.7976931348623157e308");
    CHECK_NUM(N("1e400"), "+inf.0");
    CHECK_NUM(N("-1e400"), "-inf.0");
    CHECK_NUM(N("-1e-400"), "-0.0");
    CHECK_NUM(N("1e99999999999999999999999"), "+inf.0");
    CHECK_NUM(N("0e99999999999999999999999"), "0.0");
    CHECK_NUM(num_inexact(m, num_expt(m, F(10), F(23))), "1.0e23");
    CHECK_NUM(num_inexact(m, num_div(m, num_expt(m, F(10), F(700)), num_expt(m, F(10), F(699)))),
              "10.0");
    CHECK_NUM(num_inexact(m, N("9007199254740993")), "9007199254740992.0");
    CHECK_NUM(num_inexact(m, N("9007199254740993000000000000000000001/1000000000000000000000")),
              "9007199254740994.0");
}

static void test_ratios_to_doubles(void) {
    mpq_t q;
    mpq_init(q);
    for (int i = 0; i < 5000; i++) {
        random_integer(mpq_numref(q), i % 2 ? 1200 : 80);
        random_integer(mpq_denref(q), i % 3 ? 1200 : 80);
        mpz_abs(mpq_numref(q), mpq_numref(q));
        mpz_abs(mpq_denref(q), mpq_denref(q));
        if (!mpz_sgn(mpq_numref(q)) || !mpz_sgn(mpq_denref(q))) continue;
        mpq_canonicalize(q);
        if (!CHECK(rounded_rightly(num_to_double(from_mpq(q)), q)))
            gmp_fprintf(stderr, "    %Qd\n", q);
    }
    mpq_clear(q);
    rig_forget();
}

/* ---- printing ---- */

/* The digits of TEXT ("1.50e-3") as an integer without trailing zeros, and its exponent. */
static int64_t digits_of(const char *text, int *exponent, int *count) {
    int64_t digits = 0;
    bool point = false;
    *exponent = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.')
            point = true;
        else {
            digits = digits * 10 + (*text - '0');
            *exponent -= point;
        }
        if (digits > (int64_t)1 << 59) break; /* the zeros of a great whole number */
    }
    for (; *text && *text != 'e'; text++) {
        if (*text == '.')
            point = true;
        else if (!point)
            ++*exponent;
    }
    if (*text == 'e') *exponent += atoi(text + 1);
    while (digits && digits % 10 == 0) digits /= 10, ++*exponent;
    *count = snprintf(NULL, 0, "%" PRId64, digits);
    return digits;
}

static double value_of(int64_t digits, int exponent) {
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 "e%d", digits, exponent);
    return strtod(text, NULL);
}

/* Whether A*10^EXPONENT is no farther from D than B*10^EXPONENT. */
static bool no_farther(int64_t a, int64_t b, int exponent, double d) {
    mpq_t x, y, z;
    char text[32];
    mpq_init(x);
    mpq_init(y);
    mpq_init(z);
    mpq_set_d(z, d);
    snprintf(text, sizeof text, "%" PRId64, a);
    set_decimal(x, text, exponent);
    snprintf(text, sizeof text, "%" PRId64, b);
    set_decimal(y, text, exponent);
    mpq_sub(x, x, z);
    mpq_sub(y, y, z);
    mpq_abs(x, x);
    mpq_abs(y, y);
    bool result = mpq_cmp(x, y) <= 0;
    mpq_clear(x);
    mpq_clear(y);
    mpq_clear(z);
    return result;
}

static void check_printing(double d) {
    char text[40];
    size_t length = num_format_double(d, text);
    bool good = length == strlen(text) && strpbrk(text, ".e");
    good = good && bits_of(num_to_double(N(text))) == bits_of(d);
    int exponent, count;
    int64_t digits = digits_of(text + (text[0] == '-'), &exponent, &count);
    double magnitude = fabs(d);
    for (int off = -1; off <= 1 && digits; off += 2) /* its neighbours */
        good = good && (value_of(digits + off, exponent) != magnitude ||
                        no_farther(digits, digits + off, exponent, magnitude));
    if (count > 1) /* all candidates with a digit less */
        for (int off = -1; off <= 1; off++)
            good = good && value_of(digits / 10 + off, exponent + 1) != magnitude;
    if (!CHECK(good)) fprintf(stderr, "    %a printed as %s\n", d, text);
}

static void test_printing(void) {
    for (int i = 0; i < 60000; i++) {
        check_printing(random_double());
        if (i % 1000 == 0) rig_forget();
    }
    for (int i = 0; i < 3000; i++) {
        check_printing(from_bits((uint64_t)i));                               /* the least */
        check_printing(from_bits(random_word() & (((uint64_t)1 << 52) - 1))); /* subnormals */
        check_printing((double)(random_word() >> (random_word() % 64)));
        check_printing((double)(int64_t)(random_word() % 2000000) / 100);
    }
    for (int e = -1074; e < 1024; e++) /* powers of two and their neighbours: uneven intervals */
        for (int off = -2; off <= 2; off++)
            if (ldexp(1, e) > 1e-323)
                check_printing(from_bits(bits_of(ldexp(1, e)) + (uint64_t)off));
    for (int e = -323; e < 309; e++)
        for (int off = -1; off <= 1; off++)
            check_printing(from_bits(bits_of(value_of(1, e)) + (uint64_t)off));
    rig_forget();
}

static void test_style(void) {
    static const char *const same[] = {"0.1",
                                       "0.3333333333333333",
                                       "1.448997445238699",
                                       "5.0e-324",
                                       "1.0e21",
                                       "1.0e22",
                                       "123456789012345680.0",
                                       "100.0",
                                       "1.0e100",
                                       "-0.0",
                                       "0.0",
                                       "0.30000000000000004",
                                       "4.35",
                                       "0.002",
                                       "1.7976931348623157e308",
                                       "100000000000000000000.0",
                                       "1.0e-7",
                                       "1.0e-10",
                                       "1.5e-10",
                                       "0.000001",
                                       "-1.25e-7",
                                       "+inf.0",
                                       "-inf.0",
                                       "+nan.0",
                                       "2.2250738585072014e-308",
                                       "9007199254740993",
                                       "-1/3",
                                       "+i",
                                       "-i",
                                       "1+i",
                                       "1-2/3i",
                                       "1.5-2.0i",
                                       "0.0+1.5i",
                                       "1.0+inf.0i",
                                       "+inf.0-inf.0i",
                                       "1.0+nan.0i",
                                       "-1152921504606846976",
                                       "1152921504606846975"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) CHECK_NUM(N(same[i]), same[i]);
    CHECK_NUM(N("+5"), "5");
    CHECK_NUM(N("-nan.0"), "+nan.0");
    CHECK_NUM(N("2e-3"), "0.002");
}

static void test_radices(void) {
    static const struct {
        const char *text;
        int radix;
    } rows[] = {{"ff", 16},
                {"-101", 2},
                {"777/10", 8},
                {"z", 36},
                {"-1000000000000000000000000000000000001", 2},
                {"deadbeefdeadbeefdeadbeef/5", 16},
                {"0", 7},
                {"a+bi", 16},
                {"1-101i", 2}};
    static const char *const decimal[] = {"255", "-5",           "511/8",
                                          "35",  "-68719476737", "68915718021581205938132336367/5",
                                          "0",   "10+11i",       "1-5i"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = num_format(m, N(decimal[i]), rows[i].radix);
        CHECK_STR(text, rows[i].text);
        free(text);
        int r = rows[i].radix;
        if (r == 2 || r == 8 || r == 16)
            CHECK_NUM(num_parse(m, rows[i].text, strlen(rows[i].text), r), decimal[i]);
    }
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < 2000; i++) {
        static const int radices[] = {2, 8, 10, 16};
        int radix = radices[i % 4];
        random_integer(z, 400);
        char *want = mpz_get_str(NULL, radix, z), *have = num_format(m, from_mpz(z), radix);
        CHECK_STR(have, want);
        CHECK(same_mpz(num_parse(m, want, strlen(want), radix), z));
        free(want);
        free(have);
    }
    mpz_clear(z);
    CHECK(num_format(m, N("1.5"), 2) == NULL && m->fail.code == ERR_RANGE);
    CHECK(num_format(m, F(1), 37) == NULL && m->fail.code == ERR_RANGE);
    CHECK(num_format(m, V_NIL, 10) == NULL && m->fail.code == ERR_WRONG_TYPE);
    rig_forget();
}

static void test_syntax(void) {
    static const char *const rows[][2] = {{"#xFF", "255"},
                                          {"#XfF", "255"},
                                          {"#b-101", "-5"},
                                          {"#o17", "15"},
                                          {"#d10", "10"},
                                          {"#e1.5", "3/2"},
                                          {"#i1/2", "0.5"},
                                          {"#x#e10", "16"},
                                          {"#E#X10", "16"},
                                          {"#i#x10", "16.0"},
                                          {"#e1e3", "1000"},
                                          {"#e-.25", "-1/4"},
                                          {"#e1.2e-3", "3/2500"},
                                          {".5", "0.5"},
                                          {"5.", "5.0"},
                                          {"-.5e1", "-5.0"},
                                          {"1E3", "1000.0"},
                                          {"+INF.0", "+inf.0"},
                                          {"1e+2", "100.0"},
                                          {"6/4", "3/2"},
                                          {"-6/3", "-2"},
                                          {"0/5", "0"},
                                          {"+I", "+i"},
                                          {"1+I", "1+i"},
                                          {"#x1+ai", "1+10i"},
                                          {"1@0", "1"},
                                          {"0@1", "0"},
                                          {"-2.5i", "0.0-2.5i"},
                                          {"-2.5e0i", "0.0-2.5i"},
                                          {"+inf.0i", "0.0+inf.0i"},
                                          {"#i1+2i", "1.0+2.0i"},
                                          {"#e1.5+.5i", "3/2+1/2i"},
                                          {"1/2-3/4i", "1/2-3/4i"},
                                          {"1+0i", "1"},
                                          {"1+0.0i", "1.0+0.0i"},
                                          {"#xe", "14"},
                                          {"#x-1/f", "-1/15"},
                                          {"00012", "12"},
                                          {"-0", "0"},
                                          {"#e1@0", "1"},
                                          {"", 0},
                                          {"+", 0},
                                          {"-", 0},
                                          {".", 0},
                                          {"...", 0},
                                          {"1+", 0},
                                          {"i", 0},
                                          {"1i", 0},
                                          {"e1", 0},
                                          {"1e", 0},
                                          {"1e+", 0},
                                          {"1/0", 0},
                                          {"1/", 0},
                                          {"/2", 0},
                                          {"1//2", 0},
                                          {"1/2.0", 0},
                                          {"1.2.3", 0},
                                          {"#", 0},
                                          {"#x", 0},
                                          {"#q1", 0},
                                          {"#x#x1", 0},
                                          {"#e#i1", 0},
                                          {"#b2", 0},
                                          {"#o8", 0},
                                          {"#xg", 0},
                                          {"#x1.5", 0},
                                          {"#b1e1", 0},
                                          {"#e+inf.0", 0},
                                          {"#e+nan.0", 0},
                                          {"inf.0", 0},
                                          {"+inf.", 0},
                                          {"+inf.00", 0},
                                          {"1@", 0},
                                          {"1@2@3", 0},
                                          {"1+2", 0},
                                          {"1+2i3", 0},
                                          {"1+i+i", 0},
                                          {"++1", 0},
                                          {"+-1", 0},
                                          {"1 ", 0},
                                          {" 1", 0},
                                          {"1_000", 0},
                                          {"0x10", 0},
                                          {"1e1.5", 0},
                                          {"#e1e99999999", 0},
                                          {"\xc3\xa9", 0},
                                          {"1\xc2\xa0", 0},
                                          {"1/-2", 0},
                                          {"+ii", 0},
                                          {"--i", 0},
                                          {"abc", 0},
                                          {"-", 0},
                                          {"1e10i", 0},
                                          {"1/2/3", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *want = rows[i][1] ? rows[i][1] : "#f";
        check_str(text_of(num_parse(m, rows[i][0], strlen(rows[i][0]), 10)), want, __FILE__,
                  __LINE__, rows[i][0]);
    }
    CHECK(num_parse(m, "1\0", 2, 10) == V_FALSE);
    CHECK(num_parse(m, "12", 1, 10) == F(1)); /* the length counts, not a terminator */
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_reading_random, test_reading_midpoints, test_exact_values,
           test_ratios_to_doubles, test_printing, test_style, test_radices, test_syntax)
