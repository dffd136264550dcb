/* Tags, immediates, headers and the two tables of this room. */
#include "check.h"
#include "value/errors.h"
#include "value/value.h"

static uint64_t state = 1;
static uint64_t random_word(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void test_fixnums(void) {
    const int64_t edges[] = {0, 1, -1, FIXNUM_MAX, FIXNUM_MIN, 123456789, -987654321};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        CHECK(is_fixnum(v_fixnum(edges[i])) && fits_fixnum(edges[i]));
        CHECK_EQ(fixnum(v_fixnum(edges[i])), edges[i]);
        CHECK(!is_heap(v_fixnum(edges[i])) && !is_immediate_flonum(v_fixnum(edges[i])));
    }
    CHECK_EQ(FIXNUM_MAX, 1152921504606846975);
    CHECK_EQ(FIXNUM_MIN, -1152921504606846976);
    CHECK(!fits_fixnum(FIXNUM_MAX + 1) && !fits_fixnum(FIXNUM_MIN - 1));
    CHECK(both_fixnums(v_fixnum(1), v_fixnum(-1)));
    CHECK(!both_fixnums(v_fixnum(1), V_NIL) && !both_fixnums(V_TRUE, v_fixnum(0)));
}

static void test_characters(void) {
    for (uint32_t c = 0; c <= 0x10ffff; c += c < 300 ? 1 : 977) {
        if (!is_char(v_char(c)) || char_code(v_char(c)) != c) CHECK(c == 0xffffffff);
        if (is_fixnum(v_char(c)) || is_heap(v_char(c))) CHECK(c == 0xffffffff);
    }
    CHECK(is_char(v_char(0x10ffff)) && char_code(v_char(0x10ffff)) == 0x10ffff);
    CHECK(!is_char(V_NIL) && !is_char(V_TRUE) && !is_char(v_fixnum(0x0e)));
}

static void test_constants(void) {
    const Value all[] = {V_FALSE,   V_TRUE,      V_NIL,  V_UNSPEC, V_EOF,    V_DEFAULT,
                         V_UNBOUND, V_UNDEFINED, V_FAIL, V_EMPTY,  V_DELETED};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(TAG_OF(all[i]) == TAG_IMMEDIATE && !is_char(all[i]) && !is_number(all[i]));
        for (size_t j = 0; j < i; j++) CHECK(all[i] != all[j]);
        CHECK(is_true(all[i]) == (i != 0));
    }
    CHECK(v_bool(true) == V_TRUE && v_bool(false) == V_FALSE);
}

/* The intervals that the encoding promises, stated with exponents of two. */
static bool promised(double d) {
    double a = fabs(d);
    return a < 0x1p-767 || (a >= 0x1p-255 && a < 0x1p257);
}

static bool round_trips(double d) {
    Value v = flonum_word(d);
    if (is_immediate_flonum(v) != promised(d)) return false;
    if (!promised(d)) return true;
    double back = immediate_flonum(v);
    return memcmp(&back, &d, 8) == 0 && is_flonum(v) && is_number(v) && !is_fixnum(v) &&
           !is_heap(v);
}

static void test_flonums(void) {
    const double edges[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.1,
                            0x1p-255,
                            2.0,
                            0x1p257,
                            0x1p256,
                            0x1p-767,
                            0x1p-768,
                            0x1p-256,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            5e-324,
                            1.7976931348623157e308,
                            -0x1p-255,
                            -0x1p256,
                            1e-300,
                            1e300,
                            3.141592653589793};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) CHECK(round_trips(edges[i]));
    bool all = true;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = random_word();
        double d;
        memcpy(&d, &bits, 8);
        all &= round_trips(d);
    }
    CHECK(all);
}

static void test_headers(void) {
    for (int t = 0; t < T_COUNT; t++) {
        Word h = make_header(t, 123456789012, FLAG_IMMUTABLE | FLAG_GC);
        CHECK(TAG_OF(h) == TAG_HEADER);
        CHECK_EQ(header_type(h), t);
        CHECK_EQ_U(header_size(h), 123456789012);
        CHECK(h & FLAG_IMMUTABLE && h & FLAG_GC && !(h & FLAG_WIDE));
        Word object[2] = {h, V_NIL};
        CHECK(is_type(v_object((Object *)object), t));
        CHECK(!is_type(v_object((Object *)object), (t + 1) % T_COUNT));
    }
}

static void test_pairs(void) {
    _Alignas(16) Pair p = {v_fixnum(1), V_NIL};
    Value v = v_pair(&p);
    CHECK(is_pair(v) && is_heap(v) && !is_object(v) && !is_number(v));
    CHECK(pair_of(v) == &p && car(v) == v_fixnum(1) && cdr(v) == V_NIL);
    CHECK(!is_pair(V_NIL) && !is_vector(v));
}

static void test_type_names(void) {
    for (int t = 0; t < T_COUNT; t++) CHECK(value_type_name(t) && *value_type_name(t));
    CHECK_STR(value_type_name(T_PROC), "procedure");
    CHECK_STR(value_type_name(T_BYTEVECTOR), "bytevector");
}

/* Each message only uses places that the essay in errors.def names. */
static void test_errors(void) {
    for (int e = 1; e < ERR_COUNT; e++) {
        CHECK(*value_error_kind(e) && *value_error_message(e));
        for (const char *p = value_error_message(e); (p = strchr(p, '%')); p++)
            CHECK(strchr("w12nm", p[1]) && p[1]);
    }
    CHECK_STR(value_error_kind(ERR_FILE), "file");
    CHECK_STR(value_error_kind(ERR_WRONG_TYPE), "type");
    CHECK_STR(value_error_message(ERR_DIVIDE_BY_ZERO), "%w: division by zero");
    CHECK_STR(value_error_kind(ERR_NONE), "none");
}

CHECK_MAIN(test_fixnums, test_characters, test_constants, test_flonums, test_headers, test_pairs,
           test_type_names, test_errors)
