/* alloc_profile.c: the allocation profile's host: which thread samples, where in the program a
 * sample belongs, which sampled objects live.
 *
 * A thread starts and stops sampling by itself, at the safe point where it serves
 * REQUEST_ALLOCATION, by comparing the run that it samples for with the profile's. The collector
 * notes samples; the interpreter calls rt_on_allocation as soon as it knows where it stands: before
 * an instruction that allocates in line, behind a primitive, or at a safe point that the note
 * itself has asked for. So the stack is that of the allocation, and the primitive, if it was one,
 * is its leaf. */
#include "driver/profile.h"

#include <stdlib.h>

static hone_prof *profile; /* atomic; NULL until allocations were first sampled */

static void noted(Mutator *m) { rt_request(rt_thread(m), REQUEST_ALLOCATION); }

/* Records what T has noted, for its stack or for an account. */
static void record(Thread *t, int account) {
    size_t n;
    const GcSample *samples = gc_samples_take(&t->m, &n);
    hone_prof_thread *p = __atomic_load_n(&t->prof, __ATOMIC_ACQUIRE);
    if (!n || !p) return;
    hone_prof_alloc_object few[16], *objects = few;
    if (n > BASE_COUNT(few)) objects = base_calloc(n, sizeof *objects);
    for (size_t i = 0; i < n; i++)
        objects[i] = (hone_prof_alloc_object){samples[i].object, samples[i].bytes};
    hone_prof_alloc_record(p, t->alloc_run, objects, n, account);
    if (objects != few) free(objects);
}

/* Goes by the profile's run from here on. On T itself. */
static void follow(Thread *t) {
    hone_prof *p = __atomic_load_n(&profile, __ATOMIC_ACQUIRE);
    uint64_t interval, run = p ? hone_prof_alloc_run(p, &interval) : 0;
    if (run == t->alloc_run) return;
    t->alloc_run = run;
    if (run)
        gc_sampling_start(&t->m, interval, os_mono_ns() ^ (uint64_t)t->id << 48, noted);
    else
        gc_sampling_stop(&t->m);
}

static void on_allocation(Thread *t) {
    if (t->m.sampling) record(t, -1);
    follow(t);
}

void driver_alloc_thread(Thread *t) {
    if (__atomic_load_n(&profile, __ATOMIC_ACQUIRE)) rt_request(t, REQUEST_ALLOCATION);
}

void driver_alloc_compiled(Thread *t) {
    if (t->m.sampling) record(t, HONE_PROF_COMPILING);
}

static bool is_alive(void *context, uintptr_t *object) {
    Value v = *object;
    bool alive = gc_forwarded(context, &v);
    *object = v;
    return alive;
}

static void sweep(void *context, Collector *c) {
    (void)context;
    hone_prof *p = __atomic_load_n(&profile, __ATOMIC_ACQUIRE);
    if (p) hone_prof_alloc_sweep(p, is_alive, c);
}

void driver_alloc_init(void) {
    rt_on_allocation = on_allocation;
    rt_add_after_mark(sweep, NULL);
}

int driver_alloc_start(const hone_prof_alloc_options *options) {
    int status = hone_prof_alloc_start(driver_prof(), options);
    if (status) return status;
    __atomic_store_n(&profile, driver_prof(), __ATOMIC_RELEASE);
    vm_set_watch(VM_WATCH_ALLOCATIONS, true);
    rt_request_all(REQUEST_ALLOCATION);
    follow(rt_current()); /* what comes next is of the run already */
    return HONE_PROF_OK;
}

int driver_alloc_stop(void) {
    int status = hone_prof_alloc_stop(driver_prof());
    if (status) return status;
    vm_set_watch(VM_WATCH_ALLOCATIONS, false);
    rt_request_all(REQUEST_ALLOCATION);
    return HONE_PROF_OK;
}

bool driver_alloc_sampled(void) { return __atomic_load_n(&profile, __ATOMIC_ACQUIRE) != NULL; }

hone_prof_data *driver_alloc_snapshot(bool live) {
    return hone_prof_alloc_snapshot(driver_prof(), live);
}
