/* equal?: deep, shared and cyclic data. Hash tables: order, removal, collections, all kinds. */
#include "rt_rig.h"
#include "rt/table.h"

static bool equal(Value a, Value b) { return CALL("equal?", a, b) == V_TRUE; }

static Value circle(int n, Value item) {
    Value first = CALL("cons", item, V_NIL), l = first;
    for (int i = 1; i < n; i++) l = CALL("cons", item, l);
    CALL("set-cdr!", first, l);
    return l;
}

/* N pairs nested in their cars. */
static Value nest(int n, Value core) {
    for (int i = 0; i < n; i++) core = gc_cons(rig, core, V_NIL);
    return core;
}

/* A tree of depth N whose two halves are one object: 2^N leaves, N pairs. */
static Value doubled(int n) {
    Value v = N(1);
    for (int i = 0; i < n; i++) v = gc_cons(rig, v, v);
    return v;
}

static void test_plain(void) {
    CHECK(equal(L(N(1), S("a"), CALL("vector", C('x'), v_flonum(rig, 1.5))),
                L(N(1), S("a"), CALL("vector", C('x'), v_flonum(rig, 1.5)))));
    CHECK(!equal(L(N(1), N(2)), L(N(1), N(3))));
    CHECK(!equal(L(N(1), N(2)), L(N(1))));
    CHECK(!equal(CALL("vector", N(1)), L(N(1))));
    CHECK(!equal(N(2), v_flonum(rig, 2.0)));
    CHECK(!equal(v_flonum(rig, 0.0), v_flonum(rig, -0.0)));
    CHECK(equal(v_flonum(rig, 1e300), v_flonum(rig, 1e300)));
    CHECK(CALL("eqv?", v_flonum(rig, 1e300), v_flonum(rig, 1e300)) == V_TRUE);
    CHECK(CALL("eq?", S(""), S("")) == V_FALSE);
    CHECK(equal(CALL("bytevector", N(1), N(2)), CALL("bytevector", N(1), N(2))));
    CHECK(!equal(CALL("bytevector", N(1), N(2)), CALL("bytevector", N(1))));
    CHECK(equal(CALL0("vector"), CALL0("vector")));
    CHECK(!equal(L(CALL("vector", N(1), N(2))), L(CALL("vector", N(1), N(3)))));
    CHECK(!equal(L(S("a")), L(Y("a"))));
}

static void test_cycles(void) {
    CHECK(equal(circle(2, N(1)), circle(3, N(1))));
    CHECK(equal(circle(1, N(1)), circle(7, N(1))));
    CHECK(!equal(circle(2, N(1)), circle(3, N(2))));
    CHECK(!equal(circle(2, N(1)), L(N(1), N(1), N(1))));
    Value v = CALL("vector", N(1), V_FALSE), w = CALL("vector", N(1), V_FALSE);
    CALL("vector-set!", v, N(1), v);
    CALL("vector-set!", w, N(1), w);
    CHECK(equal(v, w));
    CALL("vector-set!", w, N(1), CALL("vector", N(1), w));
    CHECK(equal(v, w));
    CALL("vector-set!", w, N(0), N(2));
    CHECK(!equal(v, w));
}

static void test_large(void) {
    CHECK(equal(nest(1000000, N(1)), nest(1000000, N(1))));
    CHECK(!equal(nest(1000000, N(1)), nest(1000000, N(2))));
    CHECK(!equal(nest(1000000, N(1)), nest(999999, N(1))));
    CHECK(equal(doubled(60), doubled(60)));
    CHECK(equal(CALL("make-list", N(2000000), N(1)), CALL("make-list", N(2000000), N(1))));
    CHECK(equal(CALL("make-vector", N(2000000), N(1)), CALL("make-vector", N(2000000), N(1))));
}

static void test_kinds(void) {
    Value t = CALL("%make-table", Y("equal"));
    CALL("%table-set!", t, L(N(1), S("a")), N(1));
    CHECK(CALL("%table-ref", t, L(N(1), S("a")), N(0)) == N(1));
    CHECK(CALL("%table-ref", t, L(N(1), S("b")), N(0)) == N(0));
    Value q = CALL("%make-table", Y("eq"));
    Value s = S("key");
    CALL("%table-set!", q, s, N(1));
    CHECK(CALL("%table-ref", q, s, N(0)) == N(1));
    CHECK(CALL("%table-ref", q, S("key"), N(0)) == N(0));
    Value v = CALL("%make-table", Y("eqv"));
    CALL("%table-set!", v, v_flonum(rig, 1e300), N(1));
    CHECK(CALL("%table-ref", v, v_flonum(rig, 1e300), N(0)) == N(1));
    CHECK(CALL("%table-ref", v, N(2), N(0)) == N(0));
    Value x = CALL("%make-table", Y("string"));
    CALL("%table-set!", x, S("日"), N(1));
    CHECK(CALL("%table-ref", x, S("日"), N(0)) == N(1));
    FAILS(ERR_WRONG_TYPE, 2, CALL("%table-ref", x, N(1), N(0)));
    FAILS(ERR_WRONG_TYPE, 2, CALL("%table-set!", x, Y("a"), N(0)));
    FAILS(ERR_WRONG_TYPE, 1, CALL("%table-ref", N(1), N(1), N(0)));
    FAILS(ERR_RANGE, 1, CALL("%make-table", Y("none")));
    CHECK(CALL("%table-kind", x) == Y("string"));
    CHECK_STR(W(x), "#<hash-table string 1>");
}

static void test_order(void) {
    Value t = CALL("%make-table", Y("eqv"));
    for (int i = 0; i < 1000; i++) CALL("%table-set!", t, N(i * 7), N(i));
    for (int i = 0; i < 1000; i++)
        if (i % 10) CHECK(CALL("%table-delete!", t, N(i * 7)) == V_TRUE);
    CHECK(CALL("%table-delete!", t, N(7)) == V_FALSE);
    CHECK(CALL("%table-count", t) == N(100));
    for (int i = 0; i < 3; i++) CALL("%table-set!", t, N(-i), N(i));
    Value keys = CALL("%table-keys", t);
    CHECK(CALL("length", keys) == N(102));
    CHECK(car(keys) == N(0));
    CHECK(car(cdr(keys)) == N(70));
    CHECK(car(CALL("last-pair", keys)) == N(-2));
    CHECK(CALL("%table-ref", t, N(0), V_FALSE) == N(0));
    Value u = CALL("%table-copy", t);
    CALL("%table-set!", u, N(70), Y("changed"));
    CHECK(CALL("%table-ref", t, N(70), V_FALSE) == N(10));
    CHECK(car(cdr(CALL("%table-values", u))) == Y("changed"));
    CALL("%table-clear!", t);
    CHECK(CALL("%table->alist", t) == V_NIL);
    CHECK(CALL("%table-count", u) == N(102));
}

/* Keys that move: found again after each collection. The table is compared with an association
 * list. */
static void test_collections(void) {
    Value t = CALL("%make-table", Y("eq")), keys = V_NIL;
    for (int i = 0; i < 500; i++) {
        Value key = CALL("cons", N(i), V_NIL);
        keys = CALL("cons", key, keys);
        CALL("%table-set!", t, key, N(i));
    }
    Value both = CALL("cons", t, keys);
    for (int round = 0; round < 4; round++) {
        rig_collect(&both);
        t = car(both);
        int found = 0;
        for (Value l = cdr(both); is_pair(l); l = cdr(l))
            found += CALL("%table-ref", t, car(l), V_FALSE) == car(car(l));
        CHECK_EQ(found, 500);
        Value dropped = car(cdr(both));
        CALL("%table-set!", t, dropped, car(dropped));
        CHECK(CALL("%table-count", t) == N(500));
    }
}

static void test_random(void) {
    enum { KEYS = 300 };
    int64_t model[KEYS];
    for (int i = 0; i < KEYS; i++) model[i] = -1;
    Value t = CALL("%make-table", Y("string"));
    uint64_t seed = 12345;
    int count = 0;
    for (int step = 0; step < 20000; step++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int k = (int)(seed >> 33) % KEYS;
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        if ((seed >> 60) < 9) {
            count += model[k] < 0;
            model[k] = step;
            CALL("%table-set!", t, S(name), N(step));
        } else {
            CHECK(CALL("%table-delete!", t, S(name)) == v_bool(model[k] >= 0));
            count -= model[k] >= 0;
            model[k] = -1;
        }
        if (step % 1000 == 0) rig_collect(&t);
    }
    CHECK(CALL("%table-count", t) == N(count));
    for (int k = 0; k < KEYS; k++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        CHECK(CALL("%table-ref", t, S(name), N(-1)) == N(model[k]));
    }
}

static void test_hash(void) {
    CHECK(CALL("hash", L(N(1), S("a"))) == CALL("hash", L(N(1), S("a"))));
    CHECK(CALL("hash", L(N(1), S("a"))) != CALL("hash", L(N(1), S("b"))));
    Value h = CALL("hash", S("abc"), N(10));
    CHECK(fixnum(h) >= 0 && fixnum(h) < 10);
    CHECK(CALL("hash", CALL0("open-output-string")) == CALL("hash", CALL0("open-output-string")));
    CHECK(is_fixnum(CALL("hash", circle(3, N(1)))));
    CHECK(is_fixnum(CALL("hash", nest(1000000, N(1)))));
    FAILS(ERR_WRONG_TYPE, 2, CALL("hash", S("abc"), N(0)));
}

CHECK_MAIN(rig_start, test_plain, test_cycles, test_large, test_kinds, test_order, test_collections,
           test_random, test_hash)
