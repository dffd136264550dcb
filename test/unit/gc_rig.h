/* gc_rig.h: a run time small enough for tests of the collector: an array of roots, globals that are
 * only shown to collections of the oldest generation (so that the write barrier must remember
 * them), and CONT objects that own a slice of values outside the heap: [slice, slice length as
 * fixnum, value]. */
#ifndef TEST_GC_RIG_H
#define TEST_GC_RIG_H

#include "base/base.h"
#include "check.h"
#include "gc/gc.h"

#include <unistd.h>

enum { RIG_ROOTS = 64, RIG_GLOBALS = 16, RIG_WATCHED = 8 };

typedef struct Rig {
    Heap *heap;
    Mutator m;
    Value root[RIG_ROOTS];
    Value global[RIG_GLOBALS];
    Value watched[RIG_WATCHED]; /* weak: what died is set to V_FALSE */
    BASE_VEC(Value) conts;      /* weak: all CONT objects, to free their slices */
    bool wants;
    int requests, slices;
} Rig;

static void rig_scan_roots(void *context, Collector *c) {
    Rig *r = context;
    for (int i = 0; i < RIG_ROOTS; i++) gc_visit(c, &r->root[i]);
    if (collector_generation(c) == GC_GENERATIONS - 1)
        for (int i = 0; i < RIG_GLOBALS; i++) gc_visit(c, &r->global[i]);
}

static void rig_scan_cont(void *context, Collector *c, Object *o) {
    (void)context;
    Value *slice = raw_pointer(o->slot[0]);
    for (int64_t i = 0; i < fixnum(o->slot[1]); i++) gc_visit(c, &slice[i]);
}

static void rig_after_mark(void *context, Collector *c) {
    Rig *r = context;
    for (int i = 0; i < RIG_WATCHED; i++)
        if (!gc_forwarded(c, &r->watched[i])) r->watched[i] = V_FALSE;
    size_t n = 0;
    for (size_t i = 0; i < r->conts.len; i++) {
        Value v = r->conts.at[i];
        if (gc_forwarded(c, &v))
            r->conts.at[n++] = v;
        else {
            free(raw_pointer(object_slots(v)[0])); /* a dead object's words are still there */
            r->slices--;
        }
    }
    r->conts.len = n;
}

static void rig_request(void *context) {
    Rig *r = context;
    r->wants = true;
    r->requests++;
}

__attribute__((unused)) static Rig *rig_new(GcOptions options) {
    Rig *r = base_calloc(1, sizeof *r);
    GcHooks hooks = {r, rig_scan_roots, rig_scan_cont, rig_after_mark, rig_request};
    r->heap = gc_heap_new(&options, &hooks);
    if (!CHECK(r->heap != NULL)) exit(1);
    gc_mutator_init(&r->m, r->heap);
    for (int i = 0; i < RIG_ROOTS; i++) r->root[i] = V_NIL;
    for (int i = 0; i < RIG_GLOBALS; i++) r->global[i] = V_NIL;
    for (int i = 0; i < RIG_WATCHED; i++) r->watched[i] = V_FALSE;
    return r;
}

__attribute__((unused)) static void rig_free(Rig *r) {
    for (size_t i = 0; i < r->conts.len; i++) free(raw_pointer(object_slots(r->conts.at[i])[0]));
    BASE_VEC_FREE(&r->conts);
    gc_mutator_leave(&r->m);
    gc_heap_free(r->heap);
    free(r);
}

/* A safe point: true if it collected and the heap limit is passed. */
__attribute__((unused)) static bool rig_poll(Rig *r) {
    if (!r->wants && !gc_wants_collection(r->heap)) return false;
    r->wants = false;
    gc_collect(r->heap, -1);
    return gc_over_limit(r->heap);
}

__attribute__((unused)) static Value rig_vector(Rig *r, uint64_t words, Value fill) {
    Object *o = gc_object(&r->m, T_VECTOR, words);
    for (uint64_t i = 0; i < words; i++) o->slot[i] = fill;
    return v_object(o);
}

/* A CONT whose slice holds COUNT values. */
__attribute__((unused)) static Value rig_cont(Rig *r, const Value *values, int count, Value field) {
    Value *slice = base_alloc(sizeof(Value) * (size_t)count);
    memcpy(slice, values, sizeof(Value) * (size_t)count);
    Object *o = gc_object(&r->m, T_CONT, 3);
    o->slot[0] = (Word)(uintptr_t)slice;
    o->slot[1] = v_fixnum(count);
    o->slot[2] = field;
    BASE_PUSH(&r->conts, v_object(o));
    r->slices++;
    return v_object(o);
}

#endif
