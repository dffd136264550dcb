/* Pairs, lists, vectors, bytevectors, characters, records: the edges of ranges, and failures with
 * the place of the argument at fault. */
#include "rt_rig.h"

static void test_lists(void) {
    Value l = L(N(1), N(2), N(3));
    CHECK_STR(W(CALL("reverse", l)), "(3 2 1)");
    CHECK_STR(W(CALL("append", l, L(N(4)), N(5))), "(1 2 3 4 . 5)");
    CHECK_STR(W(CALL0("append")), "()");
    CHECK(CALL("append", V_NIL, V_NIL, N(7)) == N(7));
    CHECK_STR(W(CALL("list-tail", l, N(2))), "(3)");
    CHECK(CALL("list-tail", l, N(3)) == V_NIL);
    CHECK(CALL("list-ref", l, N(2)) == N(3));
    FAILS(ERR_RANGE, 2, CALL("list-ref", l, N(3)));
    FAILS(ERR_RANGE, 2, CALL("list-tail", l, N(4)));
    FAILS(ERR_RANGE, 2, CALL("list-tail", l, N(-1)));
    CHECK_STR(W(CALL("cons*", N(1), N(2), l)), "(1 2 1 2 3)");
    CHECK_STR(W(CALL("list-copy", CALL("cons*", N(1), N(2), N(3)))), "(1 2 . 3)");
    CHECK(CALL("list-copy", N(3)) == N(3));
    CHECK_STR(W(CALL("make-list", N(2), N(9))), "(9 9)");
    CHECK_STR(W(CALL("iota", N(4), N(10), N(-3))), "(10 7 4 1)");
    CHECK_STR(W(CALL("append!", L(N(1)), V_NIL, L(N(2), N(3)))), "(1 2 3)");
    CHECK_STR(W(CALL("reverse!", L(N(1), N(2), N(3)))), "(3 2 1)");
    CHECK(CALL("length", l) == N(3));
    CHECK(CALL("memv", N(3), l) != V_FALSE);
    CHECK(CALL("memq", N(4), l) == V_FALSE);
    CHECK_STR(W(CALL("%assoc", S("b"), L(CALL("cons", S("a"), N(1)), CALL("cons", S("b"), N(2))))),
              "(\"b\" . 2)");
    FAILS(ERR_WRONG_TYPE, 2, CALL("assq", N(1), L(N(1))));
}

static void test_cxr(void) {
    Value l = L(N(1), L(N(2), N(3)), N(4), N(5));
    CHECK(CALL("car", l) == N(1));
    CHECK(CALL("cadddr", l) == N(5));
    CHECK(CALL("caadr", l) == N(2));
    CHECK(CALL("cadadr", l) == N(3));
    CHECK(CALL("cddadr", l) == V_NIL);
    FAILS(ERR_WRONG_TYPE, 1, CALL("caar", l));
    FAILS(ERR_WRONG_TYPE, 1, CALL("cdr", V_NIL));
}

static void test_circular_lists(void) {
    Value l = L(N(1), N(2), N(3));
    CALL("set-cdr!", CALL("cddr", l), l);
    CHECK(CALL("list?", l) == V_FALSE);
    FAILS(ERR_NOT_LIST, 1, CALL("length", l));
    FAILS(ERR_NOT_LIST, 1, CALL("reverse", l));
    FAILS(ERR_NOT_LIST, 2, CALL("append", V_NIL, l, V_NIL));
    FAILS(ERR_NOT_LIST, 2, CALL("memq", N(9), l));
    FAILS(ERR_NOT_LIST, 1, CALL("list-copy", l));
    FAILS(ERR_NOT_LIST, 1, CALL("last-pair", l));
    FAILS(ERR_NOT_LIST, 1, CALL("list->vector", l));
    FAILS(ERR_NOT_LIST, 1, CALL("length", CALL("cons", N(1), N(2))));
}

static void test_vectors(void) {
    Value v = CALL("vector", N(1), N(2), N(3), N(4), N(5));
    CALL("vector-copy!", v, N(1), v, N(0), N(4));
    CHECK_STR(W(v), "#(1 1 2 3 4)");
    CALL("vector-copy!", v, N(0), v, N(1), N(5));
    CHECK_STR(W(v), "#(1 2 3 4 4)");
    FAILS(ERR_RANGE, 2, CALL("vector-copy!", v, N(3), v, N(0), N(3)));
    FAILS(ERR_RANGE, 5, CALL("vector-copy!", v, N(0), v, N(0), N(6)));
    FAILS(ERR_RANGE, 4, CALL("vector-copy!", v, N(0), v, N(3), N(2)));
    CHECK_STR(W(CALL("vector->list", v, N(3))), "(4 4)");
    CHECK_STR(W(CALL("vector-copy", v, N(5))), "#()");
    FAILS(ERR_RANGE, 2, CALL("vector-copy", v, N(6)));
    FAILS(ERR_RANGE, 2, CALL("vector-ref", v, N(5)));
    FAILS(ERR_RANGE, 2, CALL("vector-ref", v, N(-1)));
    FAILS(ERR_WRONG_TYPE, 1, CALL("vector-ref", V_NIL, N(0)));
    CHECK_STR(W(CALL("vector-append", v, CALL0("vector"), CALL("vector", N(9)))), "#(1 2 3 4 4 9)");
    CALL("vector-fill!", v, N(0), N(1), N(3));
    CHECK_STR(W(v), "#(1 0 0 4 4)");
    object_of(v)->header |= FLAG_IMMUTABLE;
    FAILS(ERR_IMMUTABLE, 1, CALL("vector-set!", v, N(0), N(0)));
    FAILS(ERR_IMMUTABLE, 1, CALL("vector-fill!", v, N(0)));
    FAILS(ERR_HEAP_LIMIT, 0, CALL("make-vector", N((int64_t)1 << 50)));
    FAILS(ERR_RANGE, 1, CALL("make-vector", N(-1)));
    CHECK_STR(W(CALL("vector->string", CALL("vector", C('a'), C(0x3bb)))), "\"aλ\"");
    CHECK_STR(W(CALL("string->vector", S("aλb"), N(1))), "#(#\\λ #\\b)");
}

static void test_bytevectors(void) {
    Value b = CALL("bytevector", N(1), N(2), N(3), N(4), N(5));
    CALL("bytevector-copy!", b, N(1), b, N(0), N(4));
    CHECK_STR(W(b), "#u8(1 1 2 3 4)");
    CALL("bytevector-copy!", b, N(0), b, N(1), N(5));
    CHECK_STR(W(b), "#u8(1 2 3 4 4)");
    FAILS(ERR_WRONG_TYPE, 3, CALL("bytevector-u8-set!", b, N(0), N(256)));
    FAILS(ERR_RANGE, 2, CALL("bytevector-u8-ref", b, N(5)));
    CHECK_STR(W(CALL("utf8->string", CALL("bytevector", N(0xce), N(0xbb), N(0x41)), N(0), N(2))),
              "\"λ\"");
    FAILS(ERR_DECODE, 1, CALL("utf8->string", CALL("bytevector", N(0xce), N(0x41))));
    CHECK_STR(W(CALL("string->utf8", S("aλ\U0001F600"), N(1))), "#u8(206 187 240 159 152 128)");
    CHECK_STR(W(CALL("bytevector-append", CALL("bytevector", N(1)), CALL0("bytevector"), b)),
              "#u8(1 1 2 3 4 4)");
}

static void test_chars(void) {
    FAILS(ERR_RANGE, 1, CALL("integer->char", N(0xd800)));
    FAILS(ERR_RANGE, 1, CALL("integer->char", N(0x110000)));
    CHECK(CALL("integer->char", N(0x10ffff)) == C(0x10ffff));
    CHECK(CALL("char-upcase", C(0xe9)) == C(0xc9));
    CHECK(CALL("char-upcase", C(0xdf)) == C(0xdf)); /* sharp s has no simple upper case */
    CHECK(CALL("char-downcase", C(0x3a3)) == C(0x3c3));
    CHECK(CALL("char-foldcase", C(0x3c2)) == C(0x3c3)); /* final sigma folds to sigma */
    CHECK(CALL("char-foldcase", C(0x1e9e)) == C(0xdf)); /* CaseFolding.txt, status S */
    CHECK(CALL("char-foldcase", C(0x130)) == C(0x130));
    CHECK(CALL("char-alphabetic?", C(0x3bb)) == V_TRUE);
    CHECK(CALL("char-alphabetic?", C('[')) == V_FALSE);
    CHECK(CALL("char-numeric?", C(0x664)) == V_TRUE); /* Arabic-Indic digit four */
    CHECK(CALL("digit-value", C(0x664)) == N(4));
    CHECK(CALL("digit-value", C(0xbd)) == V_FALSE); /* one half is no digit */
    CHECK(CALL("char-whitespace?", C(0x2003)) == V_TRUE);
    CHECK(CALL("char<?", C('a'), C('b'), C('b')) == V_FALSE);
    CHECK(CALL("char-ci=?", C('a'), C('A'), C('a')) == V_TRUE);
    FAILS(ERR_WRONG_TYPE, 3, CALL("char=?", C('a'), C('b'), N(1)));
}

static void test_records(void) {
    Value base = CALL("%make-rtd", Y("<shape>"), CALL("vector", Y("name")), V_FALSE);
    Value point = CALL("%make-rtd", Y("point"), CALL("vector", Y("x"), Y("y")), base);
    Value other = CALL("%make-rtd", Y("other"), CALL0("vector"), V_FALSE);
    CHECK_STR(W(CALL("%rtd-fields", point)), "#(name x y)");
    Value p = CALL("%record", point, S("p"), N(1), N(2));
    CHECK(CALL("%record-is?", p, point) == V_TRUE);
    CHECK(CALL("%record-is?", p, base) == V_TRUE);
    CHECK(CALL("%record-is?", p, other) == V_FALSE);
    CHECK(CALL("%record-is?", N(1), point) == V_FALSE);
    CHECK(CALL("%record-ref", p, base, N(0), Y("shape-name")) != V_FAIL);
    CHECK(CALL("%record-ref", p, point, N(2), Y("point-y")) == N(2));
    CALL("%record-set!", p, point, N(1), N(7), Y("set-point-x!"));
    CHECK_STR(W(p), "#<point name: \"p\" x: 7 y: 2>");
    CHECK_STR(W(CALL("%record", base, N(1))), "#<shape name: 1>");
    CHECK_STR(W(base), "#<record-type shape>");
    FAILS(ERR_WRONG_TYPE, 1,
          CALL("%record-ref", CALL("%record", other), point, N(0), Y("point-x")));
    CHECK_STR(rig->fail.who, "point-x");
    FAILS(ERR_ARITY, 0, CALL("%record", point, N(1)));
}

static void test_values(void) {
    Value none = CALL0("values"), two = CALL("values", N(1), N(2));
    CHECK(CALL("values", N(5)) == N(5));
    CHECK(CALL("%values-list", none) == V_NIL);
    CHECK_STR(W(CALL("%values-list", two, N(2))), "(1 2)");
    CHECK_STR(W(CALL("%values-list", N(5), N(1))), "(5)");
    FAILS(ERR_MISUSE, 0, CALL("%values-list", two, N(3)));
    CHECK(CALL("%values-ref", two, N(1), N(2)) == N(2));
    CHECK(CALL("%values-ref", N(5), N(0), N(1)) == N(5));
    FAILS(ERR_MISUSE, 0, CALL("%values-ref", two, N(0), N(3)));
    FAILS(ERR_MISUSE, 0, CALL("%values-ref", N(5), N(0), N(2)));
}

CHECK_MAIN(rig_start, test_lists, test_cxr, test_circular_lists, test_vectors, test_bytevectors,
           test_chars, test_records, test_values)
