/* num_prims.c: the numeric primitives: folding of arguments, chains of comparisons, which argument
 * a failure names, several values, and numbers in strings. */
#include "num_rig.h"
#include "rt/prim.h"
#include "rt/string.h"

/* FN applied to the numbers of the texts, a NULL behind the last. */
#define CALL(fn, ...) call(fn, (const char *const[]){__VA_ARGS__, NULL})
static Value call(PrimFn fn, const char *const *texts) {
    Value a[8];
    int n = 0;
    for (; texts[n]; n++) a[n] = !strcmp(texts[n], "x") ? V_NIL : N(texts[n]);
    return fn(m, a, n);
}
#define CHECK_FAILS(v, code_, position_)                                                           \
    do {                                                                                           \
        CHECK((v) == V_FAIL && m->fail.code == ERR_##code_);                                       \
        CHECK_EQ(m->fail.position, (position_));                                                   \
    } while (0)

static void test_folds(void) {
    Value none[1] = {F(0)};
    CHECK_NUM(prim_add(m, none, 0), "0");
    CHECK_NUM(prim_mul(m, none, 0), "1");
    CHECK_NUM(prim_gcd(m, none, 0), "0");
    CHECK_NUM(prim_lcm(m, none, 0), "1");
    CHECK_NUM(prim_bitwise_and(m, none, 0), "-1");
    CHECK_NUM(CALL(prim_add, "1", "2", "1/2"), "7/2");
    CHECK_NUM(CALL(prim_add, "-0.0"), "-0.0");
    CHECK_NUM(CALL(prim_sub, "3", "4", "5"), "-6");
    CHECK_NUM(CALL(prim_sub, "0.0"), "-0.0");
    CHECK_NUM(CALL(prim_div, "3", "4", "5"), "3/20");
    CHECK_NUM(CALL(prim_div, "3"), "1/3");
    CHECK_NUM(CALL(prim_max, "1", "3.0", "2"), "3.0");
    CHECK_NUM(CALL(prim_max, "3", "1.0", "2"), "3.0");
    CHECK_NUM(CALL(prim_min, "1/2", "1/3"), "1/3");
    CHECK_NUM(CALL(prim_gcd, "32", "-36"), "4");
    CHECK_NUM(CALL(prim_gcd, "-32"), "32");
    CHECK_NUM(CALL(prim_lcm, "32", "-36.0"), "288.0");
    CHECK_NUM(CALL(prim_bitwise_xor, "7", "5", "-1"), "-3");
    CHECK_NUM(CALL(prim_square, "-1/2"), "1/4");
    CHECK_NUM(CALL(prim_log, "8", "2"), "3.0");
    CHECK_NUM(CALL(prim_atan, "-1", "0"), "-1.5707963267948966");
}

static void test_blame(void) {
    CHECK_FAILS(CALL(prim_add, "x"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_add, "x", "1"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_add, "1", "x"), WRONG_TYPE, 2);
    CHECK_FAILS(CALL(prim_add, "1", "2", "3", "x"), WRONG_TYPE, 4);
    CHECK_FAILS(CALL(prim_div, "1", "2", "0"), DIVIDE_BY_ZERO, 3);
    CHECK_FAILS(CALL(prim_div, "0"), DIVIDE_BY_ZERO, 1);
    CHECK_FAILS(CALL(prim_max, "+i"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_num_lt, "x"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_num_lt, "2", "1", "x"), WRONG_TYPE, 3);
    CHECK_FAILS(CALL(prim_num_gt, "x", "1"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_num_gt, "1", "x"), WRONG_TYPE, 2);
    CHECK_FAILS(CALL(prim_gcd, "1", "2.5", "3"), WRONG_TYPE, 2);
    CHECK_FAILS(CALL(prim_bitwise_ior, "1", "1", "1.0"), WRONG_TYPE, 3);
    CHECK_FAILS(CALL(prim_exact_p, "x"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_odd_p, "1.5"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_positive_p, "+i"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_floor_div, "1", "0"), DIVIDE_BY_ZERO, 2);
    CHECK_STR(m->fail.who, "floor/");
    CHECK_FAILS(CALL(prim_square, "x"), WRONG_TYPE, 1);
    CHECK_FAILS(CALL(prim_exact_integer_sqrt, "-1"), RANGE, 1);
}

static void test_chains(void) {
    CHECK_NUM(CALL(prim_num_lt, "1", "2", "3"), "#t");
    CHECK_NUM(CALL(prim_num_lt, "1", "2", "2"), "#f");
    CHECK_NUM(CALL(prim_num_lt, "3", "2", "5"), "#f");
    CHECK_NUM(CALL(prim_num_le, "1", "2", "2.0"), "#t");
    CHECK_NUM(CALL(prim_num_gt, "3", "5/2", "2.0"), "#t");
    CHECK_NUM(CALL(prim_num_ge, "3", "3.0", "4"), "#f");
    CHECK_NUM(CALL(prim_num_eq, "1/2", "0.5", "1/2"), "#t");
    CHECK_NUM(CALL(prim_num_eq, "1+i", "1+i"), "#t");
    CHECK_NUM(CALL(prim_num_eq, "1", "1", "2"), "#f");
    CHECK_NUM(CALL(prim_num_eq, "+nan.0"), "#t");
    CHECK_NUM(CALL(prim_num_eq, "+nan.0", "+nan.0"), "#f");
    CHECK_NUM(CALL(prim_num_ge, "+nan.0", "1"), "#f");
}

static void test_values(void) {
    static const char *const rows[][6] = {/* R7RS 6.2.6: a, b, floor/, truncate/ */
                                          {"5", "2", "2", "1", "2", "1"},
                                          {"-5", "2", "-3", "1", "-2", "-1"},
                                          {"5", "-2", "-3", "-1", "-2", "1"},
                                          {"-5", "-2", "2", "-1", "2", "-1"},
                                          {"-5.0", "2", "-3.0", "1.0", "-2.0", "-1.0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Value down = CALL(prim_floor_div, rows[i][0], rows[i][1]);
        Value in = CALL(prim_truncate_div, rows[i][0], rows[i][1]);
        REQUIRE(is_type(down, T_VALUES) && object_size(down) == 2);
        REQUIRE(is_type(in, T_VALUES) && object_size(in) == 2);
        CHECK_NUM(object_slots(down)[0], rows[i][2]);
        CHECK_NUM(object_slots(down)[1], rows[i][3]);
        CHECK_NUM(object_slots(in)[0], rows[i][4]);
        CHECK_NUM(object_slots(in)[1], rows[i][5]);
    }
    Value root = CALL(prim_exact_integer_sqrt, "17");
    REQUIRE(is_type(root, T_VALUES));
    CHECK_NUM(object_slots(root)[0], "4");
    CHECK_NUM(object_slots(root)[1], "1");
}

static void test_strings(void) {
    Value a[2] = {N("255"), F(16)};
    char *text = rt_string_utf8(prim_number_to_string(m, a, 2), NULL);
    CHECK_STR(text, "ff");
    free(text);
    a[0] = N("1e21");
    text = rt_string_utf8(prim_number_to_string(m, a, 1), NULL);
    CHECK_STR(text, "1.0e21");
    free(text);
    CHECK_FAILS(prim_number_to_string(m, a, 2), RANGE, 2);
    a[1] = F(1);
    CHECK_FAILS(prim_number_to_string(m, a, 2), RANGE, 2);
    a[1] = F(16);
    a[0] = rt_string_from_c(m, "-fF");
    CHECK_NUM(prim_string_to_number(m, a, 2), "-255");
    CHECK_NUM(prim_string_to_number(m, a, 1), "#f");
    a[0] = rt_string_from_c(m, "1\xce\xbb");
    CHECK_NUM(prim_string_to_number(m, a, 1), "#f");
    a[1] = F(3);
    CHECK_FAILS(prim_string_to_number(m, a, 2), RANGE, 2);
    a[0] = F(3);
    CHECK_FAILS(prim_string_to_number(m, a, 1), WRONG_TYPE, 1);
}

static void start(void) { rig_start(); }
CHECK_MAIN(start, test_folds, test_blame, test_chains, test_values, test_strings)
