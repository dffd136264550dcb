/* Limits, figures and growth: the heap limit, when collections happen, and that work grows no
 * faster than data. */
#include "gc_rig.h"

#include <sys/resource.h>
#include <sys/wait.h>

#define MIB ((size_t)1 << 20)

/* Conses onto root 0 until the limit is reported; gives the number of pairs. */
static int64_t fill_until_over(Rig *r, int64_t most) {
    for (int64_t i = 0; i < most; i++) {
        r->root[0] = gc_cons(&r->m, v_fixnum(i), r->root[0]);
        if (rig_poll(r)) return i;
    }
    return most;
}

static void test_over_limit(void) {
    Rig *r = rig_new((GcOptions){.heap_limit = 64 * MIB, .nursery_bytes = MIB});
    int64_t pairs = fill_until_over(r, 10000000);
    /* 63 MiB hold the list twice while it is copied; so half of it has found room. */
    CHECK(pairs >= 24 * (int64_t)MIB / 16 && pairs <= 33 * (int64_t)MIB / 16);
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK(s.peak_heap_bytes <= 68 * MIB);
    /* A handler has room to run ... */
    int64_t more = fill_until_over(r, 10000000);
    CHECK(more >= (int64_t)MIB / 16);
    /* ... and once the data are dropped all is as before. */
    r->root[0] = V_NIL;
    gc_collect(r->heap, -1);
    gc_collect(r->heap, 2);
    CHECK(!gc_over_limit(r->heap));
    int64_t again = fill_until_over(r, 10000000);
    CHECK(again >= pairs - pairs / 10 && again <= pairs + pairs / 10);
    rig_free(r);
}

/* A program that catches each report and goes on filling is stopped at a quarter above the limit.
 */
static void test_margin_ends(void) {
    Rig *r = rig_new((GcOptions){.heap_limit = 64 * MIB, .nursery_bytes = MIB});
    int64_t total = 0;
    for (int i = 0; i < 20; i++) total += fill_until_over(r, 10000000);
    /* After the margin every collection reports, so each round adds a nursery at most. */
    CHECK(total <= (40 + 20) * (int64_t)MIB / 16);
    rig_free(r);
}

static void test_can_allocate(void) {
    Rig *r = rig_new((GcOptions){.heap_limit = 64 * MIB, .nursery_bytes = MIB});
    CHECK(gc_can_allocate(&r->m, 8));
    CHECK(gc_can_allocate(&r->m, 32 * MIB));
    CHECK(!gc_can_allocate(&r->m, 65 * MIB));
    CHECK(!gc_can_allocate(&r->m, SIZE_MAX));
    CHECK(!gc_can_allocate(&r->m, SIZE_MAX - 7));
    r->root[0] = rig_vector(r, 40 * MIB / 8, V_NIL);
    gc_collect(r->heap, 2);
    CHECK(!gc_over_limit(r->heap));
    CHECK(!gc_can_allocate(&r->m, 32 * MIB));
    CHECK(gc_can_allocate(&r->m, 8 * MIB));
    r->root[0] = V_NIL;
    gc_collect(r->heap, 2);
    CHECK(gc_can_allocate(&r->m, 32 * MIB));
    gc_set_heap_limit(r->heap, 8 * MIB);
    CHECK(!gc_can_allocate(&r->m, 32 * MIB));
    gc_set_heap_limit(r->heap, 0);
    CHECK(gc_can_allocate(&r->m, 32 * MIB));
    rig_free(r);
}

/* Large objects alone pass the limit too. */
static void test_large_over_limit(void) {
    Rig *r = rig_new((GcOptions){.heap_limit = 64 * MIB, .nursery_bytes = MIB});
    int n = 0;
    for (bool over = false; n < 50 && !over; n++) {
        Value v = rig_vector(r, 2 * MIB / 8, V_NIL);
        object_slots(v)[0] = r->root[0];
        r->root[0] = v;
        over = rig_poll(r);
    }
    CHECK(n >= 28 && n <= 36);
    rig_free(r);
}

/* Primitives allocate far beyond the nursery between two safe points; the memory is given back. */
static void test_no_collection_in_primitive(void) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = MIB, .verify = true});
    Value list = V_NIL;
    for (int64_t i = 0; i < 2000000; i++) list = gc_cons(&r->m, v_fixnum(i), list);
    CHECK_EQ_U(gc_epoch(r->heap), 0);
    CHECK(r->wants && gc_wants_collection(r->heap));
    int64_t n = 2000000;
    for (Value p = list; p != V_NIL; p = cdr(p)) n -= car(p) == v_fixnum(n - 1);
    CHECK_EQ(n, 0);
    rig_poll(r);
    CHECK_EQ_U(gc_epoch(r->heap), 1);
    CHECK(!gc_wants_collection(r->heap));
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK(s.heap_bytes < MIB && s.peak_heap_bytes > 30 * MIB);
    rig_free(r);
}

static void test_figures(void) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = MIB});
    CHECK_EQ_U(mutator_allocated(&r->m), 0);
    for (int i = 0; i < 1000; i++) gc_cons(&r->m, V_NIL, V_NIL);
    CHECK_EQ_U(mutator_allocated(&r->m), 16000);
    rig_vector(r, 9999, V_NIL);
    CHECK_EQ_U(mutator_allocated(&r->m), 16000 + 80000);
    r->root[0] = gc_cons(&r->m, V_NIL, V_NIL);
    gc_collect(r->heap, 0);
    CHECK_EQ_U(mutator_allocated(&r->m), 16000 + 80000 + 16);
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK_EQ_U(s.bytes_allocated, 16000 + 80000 + 16);
    CHECK_EQ_U(s.bytes_copied, 16);
    CHECK_EQ_U(s.live_bytes, 16);
    CHECK_EQ_U(s.collections[0], 1);
    CHECK(s.nanoseconds > 0);
    CHECK_EQ_U(gc_epoch(r->heap), 1);
    rig_free(r);
}

/* Builds COUNT pairs that all live and gives the bytes that the collector copied for them. */
static uint64_t copied_for(int64_t count) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = MIB});
    for (int64_t i = 0; i < count; i++) {
        r->root[0] = gc_cons(&r->m, v_fixnum(i), r->root[0]);
        rig_poll(r);
    }
    GcStats s;
    gc_stats(r->heap, &s);
    rig_free(r);
    return s.bytes_copied;
}

/* Twice the live data, about twice the copying: the old generation is collected as it doubles. */
static void test_growth(void) {
    uint64_t small = copied_for(1000000), big = copied_for(8000000);
    CHECK(big <= 12 * small); /* 8 times the data */
    CHECK(small >= 2 * 15000000);
    CHECK(big <= (uint64_t)8000000 * 16 * 6);
}

/* Dead data of the old generation are noticed without anyone asking. */
static void test_old_garbage_goes(void) {
    Rig *r = rig_new((GcOptions){.nursery_bytes = MIB});
    for (int round = 0; round < 40; round++) {
        r->root[0] = V_NIL;
        for (int64_t i = 0; i < 500000; i++) { /* 8 MB that live for a while */
            r->root[0] = gc_cons(&r->m, v_fixnum(i), r->root[0]);
            rig_poll(r);
        }
    }
    GcStats s;
    gc_stats(r->heap, &s);
    CHECK(s.collections[2] >= 2);
    CHECK(s.peak_heap_bytes < 80 * MIB);
    rig_free(r);
}

/* Where the process may have little address space the heap reserves less and works all the same. */
static void test_little_address_space(void) {
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    pid_t child = fork();
    if (child == 0) {
        struct rlimit two_gib = {2048 * MIB, 2048 * MIB};
        if (setrlimit(RLIMIT_AS, &two_gib)) _exit(2);
        Rig *r = rig_new((GcOptions){.heap_limit = 64 * MIB});
        fill_until_over(r, 3000000);
        _exit(is_pair(r->root[0]) ? 0 : 3);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
#endif
}

CHECK_MAIN(test_over_limit, test_margin_ends, test_can_allocate, test_large_over_limit,
           test_no_collection_in_primitive, test_figures, test_growth, test_old_garbage_goes,
           test_little_address_space)
