/* Allocation sampling: which objects are noted. That each object is chosen on its own, with the
 * probability 1 - exp(-s / interval), is held against that formula; the bounds are five standard
 * deviations. */
#include "gc_rig.h"

static int notes;
static void noted(Mutator *m) {
    (void)m;
    notes++;
}

static bool within(double seen, double mean, double variance) {
    bool ok = fabs(seen - mean) <= 5 * sqrt(variance) + 1;
    if (!ok) fprintf(stderr, "    seen %g, mean %g, deviation %g\n", seen, mean, sqrt(variance));
    return ok;
}

/* Of COUNT objects of BYTES, sampled every INTERVAL bytes, as many are noted as should be. */
static void check_share(Rig *r, size_t bytes, int count, uint64_t interval) {
    double p = -expm1(-(double)bytes / (double)interval);
    size_t sampled = 0, n;
    gc_sampling_start(&r->m, interval, 12345 + bytes, noted);
    for (int i = 0; i < count; i++) {
        if (bytes == 16)
            gc_cons(&r->m, V_NIL, V_NIL);
        else
            rig_vector(r, bytes / 8 - 1, V_NIL);
        const GcSample *s = gc_samples_take(&r->m, &n);
        for (size_t k = 0; k < n; k++) CHECK_EQ_U(s[k].bytes, bytes);
        sampled += n;
        rig_poll(r);
    }
    gc_sampling_stop(&r->m);
    CHECK(within((double)sampled, count * p, count * p * (1 - p)));
}

static void test_shares(void) {
    Rig *r = rig_new((GcOptions){0});
    check_share(r, 16, 400000, 4096);
    check_share(r, 16, 400000, 16);
    check_share(r, 800, 50000, 4096);
    check_share(r, 4096, 20000, 4096);
    check_share(r, 40000, 3000, 65536); /* large objects */
    check_share(r, 80000, 3000, 8192);
    rig_free(r);
}

/* Small and large ones by turns do not disturb one another. */
static void test_mixed(void) {
    enum { COUNT = 4000, SMALL = 48, LARGE = 50000, INTERVAL = 20000 };
    Rig *r = rig_new((GcOptions){0});
    int small = 0, large = 0;
    size_t n;
    gc_sampling_start(&r->m, INTERVAL, 99, noted);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 10; k++) rig_vector(r, SMALL / 8 - 1, V_NIL);
        rig_vector(r, LARGE / 8 - 1, V_NIL);
        const GcSample *s = gc_samples_take(&r->m, &n);
        for (size_t k = 0; k < n; k++) *(s[k].bytes == SMALL ? &small : &large) += 1;
        rig_poll(r);
    }
    double p = -expm1(-(double)SMALL / INTERVAL), q = -expm1(-(double)LARGE / INTERVAL);
    CHECK(within(small, COUNT * 10 * p, COUNT * 10 * p * (1 - p)));
    CHECK(within(large, COUNT * q, COUNT * q * (1 - q)));
    rig_free(r);
}

/* What is counted does not depend on whether it is sampled. */
static void test_count(void) {
    Rig *r = rig_new((GcOptions){0});
    gc_sampling_start(&r->m, 64, 7, noted);
    for (int i = 0; i < 1000; i++) gc_cons(&r->m, V_NIL, V_NIL);
    CHECK_EQ_U(mutator_allocated(&r->m), 16000);
    gc_sampling_stop(&r->m);
    for (int i = 0; i < 1000; i++) gc_cons(&r->m, V_NIL, V_NIL);
    CHECK_EQ_U(mutator_allocated(&r->m), 32000);
    CHECK(!r->m.sampling && r->m.alloc_limit == r->m.chunk_end);
    rig_free(r);
}

/* The references: pairs and objects told apart, moved ones followed, those across a collection that
 * came before they were taken unknown. */
static void test_objects(void) {
    Rig *r = rig_new((GcOptions){0});
    size_t n;
    gc_sampling_start(&r->m, 1, 3, noted); /* every object */
    Value pair = gc_cons(&r->m, v_fixnum(1), V_NIL), vector = rig_vector(r, 3, V_NIL);
    const GcSample *s = gc_samples_take(&r->m, &n);
    REQUIRE(n == 2);
    CHECK(s[0].object == pair && s[1].object == vector);
    CHECK(!gc_samples_take(&r->m, &n) || n == 0);
    r->root[0] = gc_cons(&r->m, v_fixnum(2), V_NIL);
    gc_collect(r->heap, 0);
    s = gc_samples_take(&r->m, &n);
    REQUIRE(n == 1);
    CHECK_EQ_U(s[0].object, 0);
    CHECK_EQ_U(s[0].bytes, 16);
    rig_free(r);
}

/* gc_make_room decides on the object before it is made, once. */
static void test_make_room(void) {
    enum { COUNT = 100000, INTERVAL = 1000 };
    Rig *r = rig_new((GcOptions){0});
    size_t n, sampled = 0;
    int wrong = 0;
    notes = 0;
    gc_sampling_start(&r->m, INTERVAL, 5, noted);
    for (int i = 0; i < COUNT; i++) {
        if (!gc_has_room(&r->m, 16)) gc_make_room(&r->m, 16, TAG_PAIR);
        const GcSample *s = gc_samples_take(&r->m, &n);
        Value expected = n ? s[0].object : 0;
        wrong += !gc_has_room(&r->m, 16) || n > 1;
        Value v = gc_cons(&r->m, V_NIL, V_NIL);
        wrong += n && v != expected;
        wrong += gc_has_samples(&r->m);
        sampled += n;
        rig_poll(r);
    }
    double p = -expm1(-16.0 / INTERVAL);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(notes, 0); /* its caller looks by itself */
    CHECK(within((double)sampled, COUNT * p, COUNT * p * (1 - p)));
    rig_free(r);
}

/* Starting again, stopping twice, leaving while it is on. */
static void test_turns(void) {
    Rig *r = rig_new((GcOptions){.stress = true, .poison = true, .verify = true});
    size_t n;
    for (int i = 0; i < 200; i++) {
        gc_sampling_start(&r->m, (uint64_t)1 << (i % 20), (uint64_t)i, noted);
        for (int k = 0; k < 50; k++) r->root[k] = gc_cons(&r->m, v_fixnum(k), r->root[k]);
        if (i % 3) gc_samples_take(&r->m, &n);
        if (i % 4) rig_poll(r);
        if (i % 5 == 0) {
            gc_sampling_stop(&r->m);
            gc_sampling_stop(&r->m);
            CHECK(!gc_has_samples(&r->m));
            gc_samples_take(&r->m, &n);
            CHECK_EQ_U(n, 0);
        }
    }
    rig_free(r);
}

CHECK_MAIN(test_shares, test_mixed, test_count, test_objects, test_make_room, test_turns)
