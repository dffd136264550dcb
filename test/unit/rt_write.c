/* Writing: labels, escapes, bars, deep data, limits. */
#include "rt_rig.h"

#define SHARED(v) text_of((v), RT_WRITE_SHARED, 0)

static void test_atoms(void) {
    CHECK_STR(W(V_TRUE), "#t");
    CHECK_STR(W(V_NIL), "()");
    CHECK_STR(W(N(-12)), "-12");
    CHECK_STR(W(N(0)), "0");
    CHECK_STR(W(N(FIXNUM_MIN)), "-1152921504606846976");
    CHECK_STR(W(N(FIXNUM_MAX)), "1152921504606846975");
    CHECK_STR(W(v_flonum(rig, -0.5)), "-0.5");
    CHECK_STR(W(S("a\"b\\c\n\t\x01λ\xc2\x85")), "\"a\\\"b\\\\c\\n\\t\\x1;λ\\x85;\"");
    CHECK_STR(D(S("a\"b")), "a\"b");
    CHECK_STR(W(C('a')), "#\\a");
    CHECK_STR(W(C(' ')), "#\\space");
    CHECK_STR(W(C(0)), "#\\null");
    CHECK_STR(W(C(0x7f)), "#\\delete");
    CHECK_STR(W(C(1)), "#\\x1");
    CHECK_STR(W(C(0x3bb)), "#\\λ");
    CHECK_STR(W(C(0x301)), "#\\x301");
    CHECK_STR(D(C(0x3bb)), "λ");
    CHECK_STR(W(CALL("bytevector", N(0), N(255))), "#u8(0 255)");
    CHECK_STR(W(CALL0("bytevector")), "#u8()");
    CHECK_STR(W(V_EOF), "#<eof>");
    CHECK_STR(W(V_UNSPEC), "#<unspecified>");
    CHECK_STR(W(CALL("values", N(1), N(2))), "#<values 1 2>");
}

static void test_symbols(void) {
    static const struct {
        const char *name, *written;
    } rows[] = {
        {"abc", "abc"},
        {"ABC", "ABC"},
        {"...", "..."},
        {"+", "+"},
        {"-", "-"},
        {"->x", "->x"},
        {"a#", "a#"},
        {"λ", "λ"},
        {"a.b", "a.b"},
        {"", "||"},
        {".", "|.|"},
        {".5", "|.5|"},
        {"+.5", "|+.5|"},
        {"-2", "|-2|"},
        {"1/2", "|1/2|"},
        {"+i", "|+i|"},
        {"-i", "|-i|"},
        {"+inf.0", "|+inf.0|"},
        {"1e3", "|1e3|"},
        {"a b", "|a b|"},
        {"a;b", "|a;b|"},
        {"a|b", "|a\\|b|"},
        {"a\\b", "|a\\\\b|"},
        {"(x", "|(x|"},
        {"a\nb", "|a\\nb|"},
        {"#foo", "|#foo|"},
        {"a\"b", "|a\"b|"},
        {"'x", "|'x|"},
        {"a\xc2\xa0", "|a\\xa0;|"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) CHECK_STR(W(Y(rows[i].name)), rows[i].written);
    CHECK_STR(D(Y("a b")), "a b");
}

static void test_compound(void) {
    Value l =
        L(N(1), CALL("cons", N(2), N(3)), V_NIL, CALL("vector", Y("a"), S("s"), CALL0("vector")));
    CHECK_STR(W(l), "(1 (2 . 3) () #(a \"s\" #()))");
    CHECK_STR(D(l), "(1 (2 . 3) () #(a s #()))");
    CHECK_STR(W(L(Y("quote"), Y("x"))), "(quote x)");
}

static void test_labels(void) {
    Value c = L(N(1), N(2));
    CALL("set-cdr!", cdr(c), c);
    CHECK_STR(W(c), "#0=(1 2 . #0#)");
    CHECK_STR(D(c), "#0=(1 2 . #0#)");
    Value v = CALL("vector", N(1), V_FALSE);
    CALL("vector-set!", v, N(1), v);
    CHECK_STR(W(v), "#0=#(1 #0#)");
    Value s = CALL("cons", N(1), N(2));
    CHECK_STR(W(L(s, s)), "((1 . 2) (1 . 2))");
    CHECK_STR(SHARED(L(s, s)), "(#0=(1 . 2) #0#)");
    CHECK_STR(W(L(c, s, s)), "(#0=(1 2 . #0#) (1 . 2) (1 . 2))");
    CHECK_STR(W(L(c, v)), "(#0=(1 2 . #0#) #1=#(1 #1#))");
    /* A tail that is labelled is written behind a dot. */
    Value t = CALL("cons", N(2), V_NIL);
    CALL("set-cdr!", t, t);
    CHECK_STR(W(CALL("cons", N(1), t)), "(1 . #0=(2 . #0#))");
    CHECK_STR(SHARED(CALL("cons", t, CALL("cons", N(1), t))), "(#0=(2 . #0#) 1 . #0#)");
    Value x = S("x");
    CHECK_STR(SHARED(L(x, x)), "(\"x\" \"x\")");
}

static void test_deep(void) {
    Value v = V_NIL;
    for (int i = 0; i < 1000000; i++) v = gc_cons(rig, v, V_NIL);
    CHECK_EQ((int64_t)strlen(W(v)), 2000002);
    Value w = V_NIL;
    for (int i = 0; i < 500000; i++) w = CALL("vector", w);
    CHECK_EQ((int64_t)strlen(W(w)), 1500002);
    CHECK_EQ((int64_t)strlen(W(CALL("make-list", N(300000), N(1)))), 600001);
    CHECK_EQ((int64_t)strlen(SHARED(v)), 2000002);
}

static void test_limit(void) {
    CHECK_STR(text_of(CALL("make-list", N(1000), N(1)), RT_WRITE, 10), "(1 1 1 1 1...");
    CHECK_STR(text_of(S("λλλλ"), RT_DISPLAY, 3), "λ...");
    CHECK_STR(text_of(L(N(1)), RT_WRITE, 10), "(1)");
}

static void test_condition(void) {
    mutator_fail(rig, ERR_WRONG_TYPE, "car", 1, N(5));
    CHECK_STR(W(rt_condition(rig)), "#<error-object kind: type message: \"car: argument 1 has the "
                                    "wrong type\" irritants: (5)>");
}

CHECK_MAIN(rig_start, test_atoms, test_symbols, test_compound, test_labels, test_deep, test_limit,
           test_condition)
