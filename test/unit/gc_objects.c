/* What becomes of each kind of object: sizes, large and immobile objects, deep structures,
 * continuations. */
#include "gc_rig.h"

static Value bytes_of(Rig *r, enum heap_type type, uint64_t n, unsigned flags) {
    Object *o = gc_bytes(&r->m, type, n, flags);
    for (uint64_t i = 0; i < n; i++) object_bytes(v_object(o))[i] = (uint8_t)(i * 7 + n);
    return v_object(o);
}

static bool bytes_right(Value v, uint64_t n) {
    if (object_size(v) != n) return false;
    for (uint64_t i = 0; i < n; i++)
        if (object_bytes(v)[i] != (uint8_t)(i * 7 + n)) return false;
    return true;
}

/* Payloads that look like pointers are not touched; every size around a word is kept; so are flags.
 */
static void test_bytes(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    for (uint64_t n = 0; n < 40; n++)
        r->root[n] = bytes_of(r, T_BYTEVECTOR, n, n % 2 ? FLAG_IMMUTABLE : 0);
    r->root[40] = bytes_of(r, T_STRDATA, 80, FLAG_WIDE);
    r->root[41] = bytes_of(r, T_BIGNUM, 16, FLAG_NEGATIVE);
    Value victim = gc_cons(&r->m, V_NIL, V_NIL);
    Object *lure = gc_bytes(&r->m, T_BYTEVECTOR, 8, 0);
    memcpy(lure->slot, &victim, 8);
    r->root[42] = v_object(lure);
    r->watched[0] = victim;
    for (int i = 0; i < 4; i++) gc_collect(r->heap, i % 3);
    for (uint64_t n = 0; n < 40; n++) {
        CHECK(is_bytevector(r->root[n]) && bytes_right(r->root[n], n));
        CHECK(has_flag(r->root[n], FLAG_IMMUTABLE) == (n % 2 == 1));
    }
    CHECK(is_type(r->root[40], T_STRDATA) && has_flag(r->root[40], FLAG_WIDE));
    CHECK(is_type(r->root[41], T_BIGNUM) && has_flag(r->root[41], FLAG_NEGATIVE));
    CHECK(object_slots(r->root[42])[0] == victim);
    CHECK(r->watched[0] == V_FALSE);
    rig_free(r);
}

static void test_empty(void) {
    Rig *r = rig_new((GcOptions){.stress = true, .verify = true, .poison = true});
    r->root[0] = rig_vector(r, 0, V_NIL);
    r->root[1] = v_object(gc_object(&r->m, T_VALUES, 0));
    r->root[2] = r->root[0];
    for (int i = 0; i < 20; i++) rig_poll(r);
    CHECK(is_vector(r->root[0]) && object_size(r->root[0]) == 0);
    CHECK(is_type(r->root[1], T_VALUES) && r->root[0] == r->root[2]);
    rig_free(r);
}

/* Raw pointers and immediates of every kind pass through WORDS objects unchanged. */
static void test_words(void) {
    static long outside;
    const Value words[] = {
        v_fixnum(FIXNUM_MIN),      v_fixnum(FIXNUM_MAX), v_char(0x10ffff),   V_DELETED,
        flonum_word(1.5),          flonum_word(-1e70),   flonum_word(1e-70), 0,
        (Word)(uintptr_t)&outside, flonum_word(-0.0)};
    Rig *r = rig_new((GcOptions){.verify = true});
    Object *o = gc_object(&r->m, T_RECORD, BASE_COUNT(words));
    memcpy(o->slot, words, sizeof words);
    r->root[0] = v_object(o);
    for (int i = 0; i < 5; i++) gc_collect(r->heap, i % 3);
    CHECK(memcmp(object_slots(r->root[0]), words, sizeof words) == 0);
    rig_free(r);
}

/* Large objects stay where they are, of whichever generation; dead ones make room. */
static void test_large(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    Value limit = rig_vector(r, GC_LARGE_BYTES / 8 - 1, V_NIL), over = rig_vector(r, 4096, V_NIL);
    CHECK(gc_in_nursery(r->heap, object_of(limit)));
    CHECK(!gc_in_nursery(r->heap, object_of(over)));
    CHECK_EQ(gc_generation_of(r->heap, over), 0);
    object_slots(over)[4095] = gc_cons(&r->m, v_fixnum(5), over);
    r->root[0] = over;
    r->root[1] = bytes_of(r, T_BYTEVECTOR, 100001, 0);
    Value at = r->root[1];
    for (int g = 0; g < 3; g++) {
        gc_collect(r->heap, g);
        CHECK(r->root[0] == over && r->root[1] == at && bytes_right(at, 100001));
        CHECK(car(object_slots(over)[4095]) == v_fixnum(5));
        CHECK(cdr(object_slots(over)[4095]) == over);
        CHECK_EQ(gc_generation_of(r->heap, over), g < 2 ? g + 1 : 2);
    }
    r->watched[0] = over;
    r->root[0] = V_NIL;
    gc_collect(r->heap, 1);
    CHECK(r->watched[0] == over); /* of generation 2 */
    gc_collect(r->heap, 2);
    CHECK(r->watched[0] == V_FALSE);
    rig_free(r);
}

/* A gigabyte of dead large objects, a few alive at a time, lives in little memory. */
static void test_large_reuse(void) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = 1 << 20});
    for (uint64_t i = 0; i < 6000; i++) {
        r->root[i % 8] =
            bytes_of(r, T_BYTEVECTOR, 40000 + i % 13 * 25000 + (i % 100 ? 0 : 4 << 20), 0);
        rig_poll(r);
    }
    CHECK(bytes_right(r->root[5999 % 8], 40000 + 5999 % 13 * 25000));
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK(s.bytes_allocated > 1u << 30);
    CHECK(s.peak_heap_bytes < 64 << 20);
    rig_free(r);
}

static void test_immobile(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    Object *symbols[3000];
    for (int i = 0; i < 3000; i++) {
        symbols[i] = gc_immobile(&r->m, T_SYMBOL, 2);
        CHECK(symbols[i]->slot[0] == v_fixnum(0));
        symbols[i]->slot[0] = gc_cons(&r->m, v_fixnum(i), V_NIL);
        symbols[i]->slot[1] = v_fixnum(i);
        if (i % 500 == 0) gc_collect(r->heap, i / 500 % 3);
    }
    for (int g = 0; g < 5; g++) gc_collect(r->heap, g % 3);
    for (int i = 0; i < 3000; i++) {
        CHECK(symbols[i]->header == make_header(T_SYMBOL, 2, 0));
        CHECK(car(symbols[i]->slot[0]) == v_fixnum(i) && symbols[i]->slot[1] == v_fixnum(i));
    }
    CHECK_EQ(gc_generation_of(r->heap, v_object(symbols[0])), GC_GENERATIONS);
    CHECK_EQ(gc_generation_of(r->heap, v_fixnum(3)), GC_GENERATIONS);
    rig_free(r);
}

/* Ten million pairs in a row, by cdr and by car: the collector does not recur. */
static void test_deep(void) {
    enum { DEPTH = 10000000 };
    Rig *r = rig_new((GcOptions){0});
    for (int64_t i = 0; i < DEPTH; i++) {
        if (i % 2)
            r->root[0] = gc_cons(&r->m, v_fixnum(i), r->root[0]);
        else
            r->root[0] = gc_cons(&r->m, r->root[0], v_fixnum(i));
        rig_poll(r);
    }
    gc_collect(r->heap, 2);
    bool right = true;
    Value p = r->root[0];
    for (int64_t i = DEPTH - 1; i >= 0; i--) {
        right &= (i % 2 ? car(p) : cdr(p)) == v_fixnum(i);
        p = i % 2 ? cdr(p) : car(p);
    }
    CHECK(right && p == V_NIL);
    rig_free(r);
}

/* What a continuation's frames refer to lives as long as it does, in each generation; then its
 * slice is freed. */
static void test_cont(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    Value frames[3] = {gc_cons(&r->m, v_fixnum(1), V_NIL), v_fixnum(2), rig_vector(r, 3, V_TRUE)};
    r->root[0] = rig_cont(r, frames, 3, V_NIL);
    object_slots(r->root[0])[2] = r->root[0];
    for (int i = 0; i < 6; i++) {
        gc_collect(r->heap, i % 3);
        Value *slice = raw_pointer(object_slots(r->root[0])[0]);
        CHECK(car(slice[0]) == v_fixnum(1) && slice[1] == v_fixnum(2));
        CHECK(is_vector(slice[2]) && object_slots(slice[2])[2] == V_TRUE);
        CHECK(object_slots(r->root[0])[2] == r->root[0]);
    }
    CHECK_EQ(r->slices, 1);
    r->root[0] = V_NIL;
    gc_collect(r->heap, 2);
    CHECK_EQ(r->slices, 0);
    rig_free(r);
}

static void test_large_cont(void) {
    Rig *r = rig_new((GcOptions){.verify = true, .poison = true});
    Value *slice = base_alloc(sizeof *slice);
    *slice = gc_cons(&r->m, v_fixnum(9), V_NIL);
    Object *o = gc_object(&r->m, T_CONT, 6000);
    for (int i = 0; i < 6000; i++) o->slot[i] = V_NIL;
    o->slot[0] = (Word)(uintptr_t)slice;
    o->slot[1] = v_fixnum(1);
    r->root[0] = v_object(o);
    for (int i = 0; i < 4; i++) {
        gc_collect(r->heap, i % 3);
        CHECK(car(*slice) == v_fixnum(9));
    }
    free(slice);
    o->slot[1] = v_fixnum(0);
    rig_free(r);
}

static void test_flonums(void) {
    Rig *r = rig_new((GcOptions){.verify = true});
    const double hard[] = {1e300, -1e-100, INFINITY, -INFINITY, 0x1p257};
    for (size_t i = 0; i < BASE_COUNT(hard); i++) r->root[i] = v_flonum(&r->m, hard[i]);
    r->root[10] = v_flonum(&r->m, NAN);
    r->root[11] = v_flonum(&r->m, 0.1);
    gc_collect(r->heap, 2);
    for (size_t i = 0; i < BASE_COUNT(hard); i++) {
        CHECK(is_type(r->root[i], T_FLONUM));
        CHECK(is_flonum(r->root[i]) && is_number(r->root[i]) && flonum(r->root[i]) == hard[i]);
    }
    CHECK(isnan(flonum(r->root[10])));
    CHECK(is_immediate_flonum(r->root[11]) && flonum(r->root[11]) == 0.1);
    rig_free(r);
}

CHECK_MAIN(test_bytes, test_empty, test_words, test_large, test_large_reuse, test_immobile,
           test_deep, test_cont, test_large_cont, test_flonums)
