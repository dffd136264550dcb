/* Strings of both widths, symbols, case. */
#include "rt_rig.h"

static Value copy(const char *text) { return CALL("string-copy", S(text)); }

static void test_widths(void) {
    Value s = copy("abcde");
    CALL("string-set!", s, N(1), C(0x3bb));
    CALL("string-set!", s, N(3), C(0x1f600));
    CHECK(CALL("string-length", s) == N(5));
    CHECK(CALL("string-ref", s, N(2)) == C('c'));
    CHECK(CALL("string-ref", s, N(3)) == C(0x1f600));
    CALL("string-set!", s, N(1), C('b'));
    CALL("string-set!", s, N(3), C('d'));
    CHECK(CALL("equal?", s, S("abcde")) == V_TRUE);
    CHECK(CALL("string-hash", s) == CALL("string-hash", S("abcde")));
    CHECK(CALL("string=?", s, S("abcde")) == V_TRUE);
    CHECK(CALL("string->symbol", s) == Y("abcde"));
    CHECK(CALL("bytevector-length", CALL("string->utf8", s)) == N(5));
    FAILS(ERR_RANGE, 2, CALL("string-set!", copy(""), N(0), C('a')));
    FAILS(ERR_RANGE, 2, CALL("string-ref", s, N(5)));
    CHECK(CALL("string-length", S("\xc2\x80\x7f")) == N(2));
    CHECK(!rt_data_wide(rt_string_data(S("é\xc3\xbf"))));
    CHECK(rt_data_wide(rt_string_data(S("Ā"))));
}

static void test_fill_and_copy(void) {
    Value t = CALL("make-string", N(3), C(0xe9));
    CALL("string-fill!", t, C('x'), N(1), N(2));
    CHECK_STR(W(t), "\"éxé\"");
    CALL("string-copy!", t, N(0), S("日本語"), N(1), N(3));
    CHECK_STR(W(t), "\"本語é\"");
    Value u = copy("aéb日c");
    CALL("string-copy!", u, N(1), u, N(0), N(4));
    CHECK_STR(W(u), "\"aaéb日\"");
    u = copy("aéb日c");
    CALL("string-copy!", u, N(0), u, N(1), N(5));
    CHECK_STR(W(u), "\"éb日cc\"");
    FAILS(ERR_RANGE, 2, CALL("string-copy!", u, N(4), S("abc")));
    Value symbol_name = CALL("symbol->string", Y("abc"));
    FAILS(ERR_IMMUTABLE, 1, CALL("string-set!", symbol_name, N(0), C('x')));
    FAILS(ERR_IMMUTABLE, 1, CALL("string-fill!", symbol_name, C('x')));
    FAILS(ERR_HEAP_LIMIT, 0, CALL("make-string", N((int64_t)1 << 50)));
}

static void test_parts(void) {
    CHECK_STR(W(CALL("substring", S("日本語テキスト"), N(2), N(5))), "\"語テキ\"");
    CHECK_STR(W(CALL("string-append", S("a"), S("é"), S("日"), S(""))), "\"aé日\"");
    CHECK_STR(W(CALL0("string-append")), "\"\"");
    CHECK_STR(W(CALL("%string-concatenate", L(S("x"), S("日"), S("y")))), "\"x日y\"");
    CHECK_STR(W(CALL("string->list", S("aé日"), N(1))), "(#\\é #\\日)");
    CHECK_STR(W(CALL("list->string", L(C('a'), C(0x65e5)))), "\"a日\"");
    CHECK(!rt_data_wide(rt_string_data(CALL("substring", S("日本ab"), N(2), N(4)))));
    CHECK(CALL("%string-search", S("na"), S("banana")) == N(2));
    CHECK(CALL("%string-search", S("na"), S("banana"), N(3)) == N(4));
    CHECK(CALL("%string-search", S("na"), S("banana"), N(3), N(5)) == V_FALSE);
    CHECK(CALL("%string-search", S("語"), S("日本語")) == N(2));
    CHECK(CALL("%string-search", S(""), S("日")) == N(0));
    FAILS(ERR_RANGE, 3, CALL("substring", S("abc"), N(1), N(4)));
    FAILS(ERR_RANGE, 2, CALL("substring", S("abc"), N(2), N(1)));
    FAILS(ERR_WRONG_TYPE, 2, CALL("string-append", S("a"), N(1)));
}

static void test_order(void) {
    CHECK(CALL("string<?", S("z"), S("é")) == V_TRUE);
    CHECK(CALL("string<?", S("abc"), S("abcd"), S("abd")) == V_TRUE);
    CHECK(CALL("string<?", S("abc"), S("abc")) == V_FALSE);
    CHECK(CALL("string<=?", S("abc"), S("abc"), S("日")) == V_TRUE);
    CHECK(CALL("string>?", S("日"), S("\xc3\xbf")) == V_TRUE);
    CHECK(CALL("string=?", S("日"), S("日"), S("月")) == V_FALSE);
}

static void test_case(void) {
    CHECK_STR(D(CALL("string-upcase", S("straße"))), "STRASSE");
    CHECK_STR(D(CALL("string-downcase", S("ΧΑΟΣ"))), "χαος");
    CHECK_STR(D(CALL("string-downcase", S("ΧΑΟΣΣ"))), "χαοσς");
    CHECK_STR(D(CALL("string-foldcase", S("ΧΑΟΣ"))), "χαοσ");
    CHECK_STR(D(CALL("string-upcase", S("aZ[`{1"))), "AZ[`{1");
    CHECK_STR(D(CALL("string-downcase", S("aZ[`{@"))), "az[`{@");
    CHECK(CALL("string-ci=?", S("Straße"), S("STRASSE")) == V_TRUE);
    CHECK(CALL("string-ci<?", S("a"), S("B")) == V_TRUE);
    CHECK(CALL("string-ci=?", S("ΧΑΟΣ"), S("χαος")) == V_TRUE);
    CHECK_STR(D(CALL("string-upcase", S(""))), "");
}

static void test_symbols(void) {
    CHECK(Y("abc") == Y("abc"));
    CHECK(Y("abc") != Y("abd"));
    CHECK_STR(rt_symbol_name(Y("λx")), "λx");
    CHECK_EQ((int64_t)rt_symbol_length(Y("λx")), 3);
    Value keep = V_NIL;
    for (int i = 0; i < 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "symbol-%d", i);
        Y(name);
    }
    Value before = Y("symbol-12345");
    rig_collect(&keep);
    CHECK(Y("symbol-12345") == before);
    CHECK_STR(D(CALL("symbol->string", before)), "symbol-12345");
}

static void test_system_text(void) {
    CHECK_STR(D(rt_string_from_system(rig, "a\xff"
                                           "b")),
              "a\xef\xbf\xbd"
              "b");
    CHECK_STR(D(rt_string_from_system(rig, "")), "");
}

CHECK_MAIN(rig_start, test_widths, test_fill_and_copy, test_parts, test_order, test_case,
           test_symbols, test_system_text)
