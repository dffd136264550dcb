/* num_functions.c: roots, powers, logarithms and the other functions beyond arithmetic. Expected
 * values: exact identities, the formulas of R7RS 6.2.6, and for the complex plane values on which
 * Chez Scheme 9.5 and Gambit agree. */
#include "num_rig.h"

/* Whether V is TEXT's number to a relative error of 1e-14 in each part, with the same signs. */
static bool near_part(Value v, Value want) {
    double a = num_to_double(v), b = num_to_double(want);
    return is_flonum(v) && signbit(a) == signbit(b) && fabs(a - b) <= 1e-14 * fabs(b);
}
static void check_near_number(Value v, const char *want, int line, const char *what) {
    Value w = N(want);
    bool good = v != V_FAIL && num_is_real(v) == num_is_real(w) &&
                near_part(num_real_part(m, v), num_real_part(m, w)) &&
                (num_is_real(w) || near_part(num_imag_part(m, v), num_imag_part(m, w)));
    if (!check_note(good, __FILE__, line, what))
        fprintf(stderr, "    have %s\n    want %s\n", text_of(v), want);
}
#define CHECK_LIKE(v, want) check_near_number((v), (want), __LINE__, #v)

/* ---- square roots ---- */

static void test_sqrt(void) {
    static const char *const rows[][2] = {
        {"0", "0"},
        {"16", "4"},
        {"1/4", "1/2"},
        {"-4", "+2i"},
        {"-1/9", "+1/3i"},
        {"-1", "+i"},
        {"4.0", "2.0"},
        {"2", "1.4142135623730951"},
        {"-2.0", "0.0+1.4142135623730951i"},
        {"-2", "0.0+1.4142135623730951i"},
        {"-0.0", "-0.0"},
        {"1/2", "0.7071067811865476"},
        {"-3+4i", "1+2i"},
        {"3-4i", "2-i"},
        {"+2i", "1+i"},
        {"+inf.0", "+inf.0"},
        {"1000000000000000000000000000000000000000000", "1000000000000000000000"},
        {"1208925819614629174706176/9", "1099511627776/3"},
        {"4503599761588225", "67108865"},
        {"4503599761588224", "67108865.0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_str(text_of(num_sqrt(m, N(rows[i][0]))), rows[i][1], __FILE__, __LINE__, rows[i][0]);
    CHECK_NUM(num_sqrt(m, V_NIL), "!WRONG_TYPE");
    Value big = num_expt(m, F(10), F(401)); /* beyond all doubles, its root is not */
    CHECK_LIKE(num_sqrt(m, big), "3.1622776601683794e200");
    CHECK_LIKE(num_sqrt(m, num_div(m, F(1), big)), "3.1622776601683794e-201");
    CHECK_NUM(num_sqrt(m, num_mul(m, big, F(10))), text_of(num_expt(m, F(10), F(201))));
    CHECK_NUM(num_sqrt(m, num_expt(m, F(10), F(2001))), "+inf.0");
}

/* Roots of exact numbers are correctly rounded: the square of the number half an ulp off lies on
 * the other side. */
static void test_sqrt_rounding(void) {
    mpq_t q, low, high;
    mpq_init(q);
    mpq_init(low);
    mpq_init(high);
    for (int i = 0; i < 2000; i++) {
        random_integer(mpq_numref(q), i % 2 ? 70 : 400);
        random_integer(mpq_denref(q), i % 3 ? 70 : 400);
        if (!mpz_sgn(mpq_numref(q)) || !mpz_sgn(mpq_denref(q))) continue;
        if (i % 4 == 0) mpz_set_ui(mpq_denref(q), 1);
        mpq_canonicalize(q);
        mpq_abs(q, q);
        Value root = num_sqrt(m, from_mpq(q));
        if (!is_flonum(root)) continue;
        double d = num_to_double(root), half = (nextafter(d, INFINITY) - d) / 2;
        mpq_set_d(low, half);
        mpq_set_d(high, d);
        mpq_sub(low, high, low);
        mpq_add(high, high, high);
        mpq_sub(high, high, low);
        mpq_mul(low, low, low);
        mpq_mul(high, high, high);
        CHECK(mpq_cmp(low, q) <= 0 && mpq_cmp(q, high) <= 0);
    }
    mpq_clear(q);
    mpq_clear(low);
    mpq_clear(high);
    rig_forget();
}

/* ---- powers ---- */

static void test_expt(void) {
    static const char *const rows[][3] = {{"0", "0", "1"},
                                          {"0.0", "0", "1"},
                                          {"0", "0.0", "1.0"},
                                          {"0", "5", "0"},
                                          {"0", "1/2", "0"},
                                          {"0", "-1", "!DIVIDE_BY_ZERO"},
                                          {"2", "10", "1024"},
                                          {"2", "-2", "1/4"},
                                          {"-2", "3", "-8"},
                                          {"-2", "-3", "-1/8"},
                                          {"2/3", "3", "8/27"},
                                          {"2/3", "-3", "27/8"},
                                          {"-2/3", "-3", "-27/8"},
                                          {"2", "0.5", "1.4142135623730951"},
                                          {"2.0", "3", "8.0"},
                                          {"2.0", "-1", "0.5"},
                                          {"-2.0", "3", "-8.0"},
                                          {"-0.0", "3", "-0.0"},
                                          {"-0.0", "-3", "-inf.0"},
                                          {"0.0", "2.5", "0.0"},
                                          {"1", "100000000000000000000000000000", "1"},
                                          {"-1", "100000000000000000000000000001", "-1"},
                                          {"-1", "-100000000000000000000000000000", "1"},
                                          {"0", "100000000000000000000000000000", "0"},
                                          {"2", "100000000000000000000000000000", "!TOO_LARGE"},
                                          {"10", "10000000000000", "!TOO_LARGE"},
                                          {"1/2", "100000000000000000000000000000", "!TOO_LARGE"},
                                          {"2", "-100000000000000000000000000000", "!TOO_LARGE"},
                                          {"-1.0", "9007199254740993", "-1.0"},
                                          {"2.0", "100000", "+inf.0"},
                                          {"4", "1/2", "2"},
                                          {"4", "-1/2", "1/2"},
                                          {"4", "3/2", "8"},
                                          {"27", "2/3", "9"},
                                          {"8/27", "1/3", "2/3"},
                                          {"-4", "1/2", "+2i"},
                                          {"2", "1/3", "1.2599210498948732"},
                                          {"+i", "2", "-1"},
                                          {"+i", "1000000000000", "1"},
                                          {"1+2i", "10", "237-3116i"},
                                          {"1+2i", "-3", "-11/125+2/125i"},
                                          {"+inf.0", "2", "+inf.0"},
                                          {"+nan.0", "0", "1"},
                                          {"5.0", "0.0", "1.0"},
                                          {"-8.0", "2.0", "64.0"},
                                          {"0", "+i", "!DIVIDE_BY_ZERO"},
                                          {"0", "1+i", "0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_str(text_of(num_expt(m, N(rows[i][0]), N(rows[i][1]))), rows[i][2], __FILE__,
                  __LINE__, rows[i][0]);
    CHECK_NUM(num_expt(m, F(10), num_expt(m, F(10), F(10))), "!TOO_LARGE");
    CHECK_STR(m->fail.who, "expt");
    CHECK_NUM(num_expt(m, F(2), V_NIL), "!WRONG_TYPE");
    CHECK_EQ(m->fail.position, 2);
    CHECK_LIKE(num_expt(m, N("-2.0"), N("0.3")), "0.7236485296064105+0.9960167529258122i");
    CHECK_LIKE(num_expt(m, N("-8"), N("1/3")), "1.0+1.7320508075688772i");
    CHECK_LIKE(num_expt(m, F(2), N("1+i")), "1.5384778027279442+1.2779225526272695i");
    CHECK_LIKE(num_expt(m, N("1.5+i"), N("2.5-i")), "5.001565830009328+6.058587223570961i");
    Value big = num_expt(m, F(10), F(400));
    double root = num_to_double(num_expt(m, big, N("0.5")));
    CHECK(fabs(root / 1e200 - 1) < 1e-12);
    mpz_t want;
    mpz_init(want);
    for (unsigned base = 2; base < 40; base++)
        for (unsigned power = 0; power < 70; power += 3) {
            mpz_ui_pow_ui(want, base, power);
            CHECK(same_mpz(num_expt(m, F(base), F(power)), want));
        }
    mpz_clear(want);
}

/* ---- logarithms ---- */

static void test_log(void) {
    CHECK_NUM(num_log(m, F(1)), "0");
    CHECK_NUM(num_log(m, F(0)), "-inf.0");
    CHECK_NUM(num_log(m, N("0.0")), "-inf.0");
    CHECK_LIKE(num_log(m, F(-1)), "0.0+3.141592653589793i");
    CHECK_LIKE(num_log(m, F(2)), "0.6931471805599453");
    CHECK_LIKE(num_log(m, num_expt(m, F(10), F(500))), "1151.2925464970228");
    CHECK_LIKE(num_log(m, num_expt(m, F(10), F(-500))), "-1151.2925464970228");
    CHECK_LIKE(num_log(m, num_neg(m, num_expt(m, F(10), F(500)))),
               "1151.2925464970228+3.141592653589793i");
    CHECK_LIKE(num_log(m, N("100000000000000000001/100000000000000000000")), "1e-20");
    CHECK_LIKE(num_log(m, N("99999999999999999999/100000000000000000000")), "-1e-20");
    CHECK_NUM(num_log_base(m, F(1000), F(10)), "3.0");
    CHECK_NUM(num_log_base(m, F(1024), F(2)), "10.0");
    CHECK_LIKE(num_log_base(m, F(7), F(3)), "1.7712437491614221");
    CHECK_LIKE(num_log_base(m, num_expt(m, F(2), F(5000)), F(2)), "5000.0");
    CHECK_NUM(num_log_base(m, F(5), F(1)), "!DIVIDE_BY_ZERO");
    CHECK_NUM(num_log(m, V_NIL), "!WRONG_TYPE");
}

/* ---- the plane ---- */

static void test_complex_functions(void) {
    static const char *const rows[][10] = {
        /* z, exp, log, sin, cos, tan, asin, acos, atan, sqrt */
        {"0.5+2.0i", "-0.6861101411498431+1.4991780090003948i",
         "0.7234594914681627+1.3258176636680326i", "1.8036926955321817+3.1828694483371494i",
         "3.3016373329140944-1.7388095044743164i", "0.030215987322877568+0.9799408499617381i",
         "0.22101863562288385+1.4657153519472905i", "1.3497776911720127-1.4657153519472905i",
         "1.421546861001807+0.5003700000525311i", "1.1317139242778695+0.8836155308755131i"},
        {"-1.5-0.5i", "0.1958151375780682-0.10697429720800304i",
         "0.45814536593707755-2.819842099193151i", "-1.1248012470579227-0.03686082371280446i",
         "0.07976510530654189-0.5197899547729212i", "-0.2551492218136517-2.1247991277429965i",
         "-1.1711572594583726-1.069311043158111i", "2.741953586253269+1.069311043158111i",
         "-1.0172219678978514-0.14694666622552977i", "0.2014185071985562-1.2411967672541266i"},
        {"3.0-4.0i", "-13.128783081462158+15.200784463067954i",
         "1.6094379124341003-0.9272952180016122i", "3.853738037919377+27.016813258003932i",
         "-27.034945603074224+3.851153334811777i", "-1.8734620462947847e-4-0.999355987381473i",
         "0.6339838656391766-2.305509031243477i", "0.9368124611557198+2.305509031243477i",
         "1.4483069952314644-0.15899719167999918i", "2.0-1.0i"}};
    static const enum num_function order[] = {NUM_SIN,  NUM_COS,  NUM_TAN,
                                              NUM_ASIN, NUM_ACOS, NUM_ATAN};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value z = N(rows[i][0]);
        CHECK_LIKE(num_function(m, NUM_EXP, z), rows[i][1]);
        CHECK_LIKE(num_log(m, z), rows[i][2]);
        for (int f = 0; f < 6; f++) CHECK_LIKE(num_function(m, order[f], z), rows[i][3 + f]);
        CHECK_LIKE(num_sqrt(m, z), rows[i][9]);
    }
}

static void test_real_functions(void) {
    CHECK_NUM(num_function(m, NUM_EXP, F(0)), "1");
    CHECK_NUM(num_function(m, NUM_EXP, F(1)), "2.718281828459045");
    CHECK_NUM(num_function(m, NUM_SIN, F(0)), "0");
    CHECK_NUM(num_function(m, NUM_COS, F(0)), "1");
    CHECK_NUM(num_function(m, NUM_ACOS, F(1)), "0");
    CHECK_NUM(num_function(m, NUM_ATAN, F(0)), "0");
    CHECK_NUM(num_function(m, NUM_ACOS, F(-1)), "3.141592653589793");
    CHECK_NUM(num_function(m, NUM_ATAN, N("+inf.0")), "1.5707963267948966");
    CHECK_NUM(num_function(m, NUM_EXP, num_expt(m, F(10), F(400))), "+inf.0");
    CHECK_NUM(num_function(m, NUM_SIN, V_NIL), "!WRONG_TYPE");
    CHECK_STR(m->fail.who, "sin");
    /* Outside -1 .. 1, by asin z = -i log(iz + sqrt(1 - z^2)) and acos z = pi/2 - asin z. */
    CHECK_LIKE(num_function(m, NUM_ASIN, F(2)), "1.5707963267948966-1.3169578969248166i");
    CHECK_LIKE(num_function(m, NUM_ASIN, F(-2)), "-1.5707963267948966+1.3169578969248166i");
    CHECK_LIKE(num_function(m, NUM_ACOS, F(2)), "0.0+1.3169578969248166i");
    CHECK_LIKE(num_function(m, NUM_ACOS, F(-2)), "3.141592653589793-1.3169578969248166i");
    CHECK_LIKE(num_make_polar(m, F(2), F(1)), "1.0806046117362795+1.682941969615793i");
    CHECK_NUM(num_make_polar(m, F(2), F(0)), "2");
}

/* The table of R7RS 6.2.6 for (atan y x). */
static void test_atan2(void) {
    static const char *const rows[][3] = {{"0.0", "1.0", "0.0"},
                                          {"-0.0", "1.0", "-0.0"},
                                          {"1", "1", "0.7853981633974483"},
                                          {"1", "0", "1.5707963267948966"},
                                          {"1", "-1", "2.356194490192345"},
                                          {"0", "-1", "3.141592653589793"},
                                          {"0.0", "-1.0", "3.141592653589793"},
                                          {"-0.0", "-1.0", "-3.141592653589793"},
                                          {"-1", "-1", "-2.356194490192345"},
                                          {"-1", "0", "-1.5707963267948966"},
                                          {"-1", "1", "-0.7853981633974483"},
                                          {"0", "1", "0"},
                                          {"0.0", "0.0", "0.0"},
                                          {"-0.0", "0.0", "-0.0"},
                                          {"0.0", "-0.0", "3.141592653589793"},
                                          {"-0.0", "-0.0", "-3.141592653589793"},
                                          {"0", "0", "!DIVIDE_BY_ZERO"},
                                          {"1/2", "-1/2", "2.356194490192345"},
                                          {"+i", "1", "!WRONG_TYPE"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_str(text_of(num_atan2(m, N(rows[i][0]), N(rows[i][1]))), rows[i][2], __FILE__,
                  __LINE__, rows[i][0]);
    Value big = num_expt(m, F(10), F(400));
    CHECK_NUM(num_atan2(m, big, big), "0.7853981633974483");
    CHECK_NUM(num_atan2(m, big, num_neg(m, big)), "2.356194490192345");
    CHECK_NUM(num_atan2(m, num_neg(m, big), F(0)), "-1.5707963267948966");
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_sqrt, test_sqrt_rounding, test_expt, test_log, test_complex_functions,
           test_real_functions, test_atan2)
