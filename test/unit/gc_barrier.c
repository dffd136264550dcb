/* The write barrier: every kind of owner, every pair of generations, several orders of collections.
 */
#include "gc_rig.h"

/* Root 0 holds the owner and root 1 the target while they are made. */
enum owner_kind { PAIR, VECTOR, LARGE, CONT, IMMOBILE, ROOT_WORD, OWNERS };
enum target_kind { T_A_PAIR, T_A_BYTEVECTOR, T_A_LARGE_VECTOR, TARGETS };

static Value make_owner(Rig *r, enum owner_kind kind) {
    switch (kind) {
    case PAIR: return gc_cons(&r->m, V_NIL, V_NIL);
    case VECTOR: return rig_vector(r, 7, V_NIL);
    case LARGE: return rig_vector(r, 6000, V_NIL);
    case CONT: return rig_cont(r, (Value[]){V_NIL, v_fixnum(1)}, 2, V_NIL);
    case IMMOBILE: return v_object(gc_immobile(&r->m, T_SYMBOL, 2));
    default: return V_NIL;
    }
}

static Value *field_of(Rig *r, enum owner_kind kind) {
    Value owner = r->root[0];
    switch (kind) {
    case PAIR: return &pair_of(owner)->cdr;
    case VECTOR: return &object_slots(owner)[6];
    case LARGE: return &object_slots(owner)[5555];
    case CONT: return &object_slots(owner)[2];
    case IMMOBILE: return &object_slots(owner)[1];
    default: return &r->global[3];
    }
}

static Value make_target(Rig *r, enum target_kind kind, int64_t id) {
    if (kind == T_A_PAIR) return gc_cons(&r->m, v_fixnum(id), V_TRUE);
    if (kind == T_A_LARGE_VECTOR) return rig_vector(r, 5000, v_fixnum(id));
    Object *o = gc_bytes(&r->m, T_BYTEVECTOR, 13, 0);
    memset(o->slot, (int)(id & 255), 13);
    return v_object(o);
}

static bool is_target(Value v, enum target_kind kind, int64_t id) {
    if (kind == T_A_PAIR) return is_pair(v) && car(v) == v_fixnum(id) && cdr(v) == V_TRUE;
    if (kind == T_A_LARGE_VECTOR)
        return is_vector(v) && object_size(v) == 5000 && object_slots(v)[4999] == v_fixnum(id);
    return is_bytevector(v) && object_size(v) == 13 && object_bytes(v)[12] == (id & 255);
}

static void age(Rig *r, int generation) {
    if (generation >= 1) gc_collect(r->heap, 0);
    if (generation >= 2) gc_collect(r->heap, 1);
}

static const char *const orders[] = {"0", "1", "2", "00", "01", "011", "012", "00102", "0000"};

static void one_case(Rig *r, enum owner_kind owner, int owner_age, enum target_kind target,
                     int target_age, bool owner_first, const char *order, int64_t id) {
    if (owner_first) {
        r->root[0] = make_owner(r, owner);
        age(r, owner_age);
    }
    r->root[1] = make_target(r, target, id);
    age(r, target_age);
    if (!owner_first) {
        r->root[0] = make_owner(r, owner);
        age(r, owner_age);
    }
    gc_write(&r->m, field_of(r, owner), r->root[1]);
    r->watched[0] = r->root[1];
    r->root[1] = V_NIL;
    for (const char *p = order; *p; p++) {
        gc_collect(r->heap, *p - '0');
        CHECK(is_target(*field_of(r, owner), target, id));
        CHECK(r->watched[0] == *field_of(r, owner));
    }
    gc_write(&r->m, field_of(r, owner), V_FALSE);
    gc_collect(r->heap, 2);
    CHECK(r->watched[0] == V_FALSE);
}

static void test_all_cases(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    int64_t id = 0;
    for (int owner = 0; owner < OWNERS; owner++)
        for (int target = 0; target < TARGETS; target++)
            for (int ages = 0; ages < 18; ages++)
                for (size_t i = 0; i < BASE_COUNT(orders); i++)
                    one_case(r, owner, ages % 3, target, ages / 3 % 3, ages < 9, orders[i], ++id);
    rig_free(r);
}

/* A chain old -> young -> younger, made by stores alone, survives collections of each kind. */
static void test_chain(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    r->root[0] = gc_cons(&r->m, V_NIL, V_NIL);
    age(r, 2);
    r->root[1] = r->root[0];
    for (int64_t i = 0; i < 3000; i++) {
        Value next = gc_cons(&r->m, v_fixnum(i), V_NIL);
        gc_write(&r->m, &pair_of(r->root[1])->cdr, next);
        r->root[1] = next;
        if (i % 50 == 0) gc_collect(r->heap, (int)(i / 50 % 7 == 6 ? 2 : i / 50 % 3 == 2));
    }
    int64_t n = 0;
    for (Value p = cdr(r->root[0]); p != V_NIL; p = cdr(p)) CHECK(car(p) == v_fixnum(n++));
    CHECK_EQ(n, 3000);
    rig_free(r);
}

static uint64_t scanned(Rig *r) {
    GcStats s;
    gc_stats(r->heap, &s);
    return s.bytes_scanned;
}

/* Filling a large vector with fresh pairs: each collection looks at what was stored since the last
 * one, not at the whole 8 MB. */
static void test_large_vector_fill(void) {
    enum { COUNT = 1000000, BATCH = 10000 };
    Rig *r = rig_new((GcOptions){0});
    r->root[0] = rig_vector(r, COUNT, V_NIL);
    age(r, 2);
    uint64_t before = scanned(r);
    for (int64_t i = 0; i < COUNT; i++) {
        Value fresh = gc_cons(&r->m, v_fixnum(i), V_NIL);
        gc_write(&r->m, &object_slots(r->root[0])[i], fresh);
        if (i % BATCH == BATCH - 1) gc_collect(r->heap, 0);
    }
    /* 8 bytes a slot and 16 a pair, and a card more at the ends of each batch. */
    uint64_t expected = 24 * (uint64_t)COUNT + COUNT / BATCH * 2 * 512;
    CHECK(scanned(r) - before <= expected);
    bool right = true;
    for (int64_t i = 0; i < COUNT; i++) right &= car(object_slots(r->root[0])[i]) == v_fixnum(i);
    CHECK(right);
    rig_free(r);
}

/* Stores into the same places again and again take no memory and little work. */
static void test_same_slot(void) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = 1 << 20});
    r->root[0] = gc_cons(&r->m, V_NIL, V_NIL);
    age(r, 2);
    uint64_t before = scanned(r);
    for (int64_t i = 0; i < 3000000; i++) {
        Value fresh = gc_cons(&r->m, v_fixnum(i), V_NIL);
        gc_write(&r->m, &pair_of(r->root[0])->car, fresh);
        gc_write(&r->m, &r->global[i % 3], fresh);
        rig_poll(r);
    }
    CHECK(car(car(r->root[0])) == v_fixnum(2999999));
    CHECK(car(r->global[2]) == v_fixnum(2999999));
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK(s.collections[0] >= 40 && s.collections[0] <= 60); /* 48 MB through 1 MB */
    CHECK(scanned(r) - before <= s.collections[0] * 1024);
    CHECK(s.peak_heap_bytes <= 4 << 20);
    rig_free(r);
}

static void test_forget_roots(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    Value *cells = base_alloc(1000 * sizeof *cells);
    for (int i = 0; i < 1000; i++) {
        cells[i] = V_NIL;
        gc_write(&r->m, &cells[i], gc_cons(&r->m, v_fixnum(i), V_NIL));
    }
    gc_collect(r->heap, 0);
    CHECK(car(cells[999]) == v_fixnum(999));
    gc_forget_roots(r->heap, cells, 1000 * sizeof *cells);
    memset(cells, 0xff, 1000 * sizeof *cells); /* a visit would now be a fault */
    free(cells);
    gc_collect(r->heap, 0);
    gc_collect(r->heap, 2);
    rig_free(r);
}

CHECK_MAIN(test_all_cases, test_chain, test_large_vector_fill, test_same_slot, test_forget_roots)
