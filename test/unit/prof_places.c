/* Places: numbers for frames that a host knows by file and line alone. */
#include <hone/prof.h>

#include "check.h"

static hone_prof_places *places;

/* The profiler's snapshot is the only one to hand out a sink, so places are resolved through it:
 * one sample whose stack is what `stack` holds. */
static uintptr_t stack[8];
static unsigned depth;
static uint64_t cpu;

static void walk(void *host, void *thread, hone_prof_stack *out) {
    (void)host;
    (void)thread;
    for (unsigned i = 0; i < depth; i++) hone_prof_stack_push(out, stack[i]);
}
static uint64_t cpu_ns(void *host, void *thread) {
    (void)host;
    (void)thread;
    return cpu += 2000000;
}

static hone_prof_data *profile(void) {
    uint64_t fuel = 0;
    hone_prof_ticks ticks;
    hone_prof *p = hone_prof_new(&(hone_prof_config){
        .host = places, .walk = walk, .resolve = hone_prof_places_resolve, .cpu_ns = cpu_ns});
    hone_prof_ticks_init(&ticks, &(hone_prof_device){.slot = &fuel});
    hone_prof_thread *t = hone_prof_thread_add(p, NULL, &ticks, NULL);
    hone_prof_start(p, NULL);
    hone_prof_ticks_fire(&ticks, 0); /* notices the start */
    hone_prof_ticks_fire(&ticks, 1);
    hone_prof_data *d = hone_prof_snapshot(p);
    hone_prof_thread_remove(t);
    hone_prof_free(p);
    return d;
}

static const hone_prof_func *func_of(const hone_prof_data *d, uint32_t location) {
    uint32_t n;
    return hone_prof_data_func(d, hone_prof_data_location(d, location, &n)->func);
}

static void test_numbers(void) {
    bool named;
    places = hone_prof_places_new();
    hone_prof_frame f = {.file = "dir/a.x", .func_line = 3, .line = 4};
    uintptr_t first = hone_prof_place(places, &f, &named), other;
    CHECK(first != 0);
    CHECK(!named);
    char copy[] = "dir/a.x"; /* the text counts, not where it stands */
    f.file = copy;
    CHECK_EQ_U(hone_prof_place(places, &f, NULL), first);
    f.name = "late";
    CHECK_EQ_U(hone_prof_place(places, &f, &named), first);
    CHECK(named);
    f.name = "later";
    f.line = 5;
    other = hone_prof_place(places, &f, &named);
    CHECK(other != first);
    CHECK(named);
    f.func_id = 9;
    f.name = "";
    uintptr_t third = hone_prof_place(places, &f, &named);
    CHECK(third != other);
    CHECK(!named);
    stack[0] = first, stack[1] = other, stack[2] = third, depth = 3;
    hone_prof_data *d = profile();
    hone_prof_sample s;
    CHECK_EQ(hone_prof_data_samples(d), 1);
    hone_prof_data_sample(d, 0, &s);
    CHECK_EQ(s.depth, 3);
    const hone_prof_func *late = func_of(d, s.locations[0]);
    CHECK_STR(late->name, "late");
    CHECK_STR(late->file, "dir/a.x");
    CHECK_EQ(late->line, 3);
    CHECK(func_of(d, s.locations[1]) == late);
    CHECK_STR(func_of(d, s.locations[2])->name, "a.x:3");
    uint32_t n;
    CHECK_EQ(hone_prof_data_location(d, s.locations[1], &n)->line, 5);
    hone_prof_data_free(d);
    /* Once resolved, a name stays. */
    f.name = "too late";
    CHECK_EQ_U(hone_prof_place(places, &f, &named), third);
    CHECK(named);
    d = profile();
    hone_prof_data_sample(d, 0, &s);
    CHECK_STR(func_of(d, s.locations[2])->name, "a.x:3");
    hone_prof_data_free(d);
    hone_prof_places_free(places);
    hone_prof_places_free(NULL);
}

CHECK_MAIN(test_numbers)
