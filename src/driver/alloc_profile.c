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
#include "num/num.h"
#include "rt/string.h"

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

/* ---- for (hone profile) ---- */

static Value checked(Mutator *m, const char *who, int status) {
    return status ? mutator_fail_text(m, ERR_MISUSE, who, V_DEFAULT, "%s",
                                      hone_prof_status_text(status))
                  : V_UNSPEC;
}

PRIM_FN(prim_alloc_start) {
    (void)n;
    hone_prof_alloc_options o = {0};
    for (int i = 0; i < 2; i++)
        if (is_true(a[i]) && !(is_fixnum(a[i]) && fixnum(a[i]) > 0))
            return mutator_fail(m, ERR_RANGE, "sample-allocations!", i + 1, a[i]);
    if (is_true(a[0])) o.interval = (uint64_t)fixnum(a[0]);
    if (is_true(a[1])) o.depth = (unsigned)BASE_MIN(fixnum(a[1]), (int64_t)UINT32_MAX);
    int status = driver_alloc_start(&o);
    if (!status) follow(rt_thread(m)); /* what comes next is of the run already */
    return checked(m, "sample-allocations!", status);
}

PRIM_FN(prim_alloc_stop) {
    PRIM_UNUSED;
    return checked(m, "stop-sampling-allocations!", driver_alloc_stop());
}

PRIM_FN(prim_alloc_reset) {
    PRIM_UNUSED;
    return checked(m, "reset-allocations!", hone_prof_alloc_reset(driver_prof()));
}

PRIM_FN(prim_alloc_running) {
    PRIM_UNUSED;
    uint64_t interval;
    return v_bool(hone_prof_alloc_run(driver_prof(), &interval) != 0);
}

static Value string_or_false(Mutator *m, const char *s) {
    return s && s[0] ? rt_string_from_c(m, s) : V_FALSE;
}

typedef struct Count {
    uint64_t objects, bytes, live_objects, live_bytes;
} Count;

/* What each procedure has allocated itself. */
static Count *self_counts(const hone_prof_data *d) {
    Count *counts = base_calloc(hone_prof_data_funcs(d) + 1, sizeof *counts);
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample s;
        hone_prof_data_sample(d, i, &s);
        uint32_t lines;
        Count *c = &counts[hone_prof_data_location(d, s.locations[0], &lines)->func];
        c->objects += s.values[1];
        c->bytes += s.values[2];
        c->live_objects += s.values[3];
        c->live_bytes += s.values[4];
    }
    return counts;
}

PRIM_FN(prim_alloc_counts) {
    PRIM_UNUSED;
    hone_prof_data *d = driver_alloc_snapshot(false);
    Count *counts = self_counts(d);
    size_t count;
    hone_prof_proc *rows = hone_prof_procs(d, &count);
    Value list = V_NIL;
    for (size_t i = count; i-- > 0;) {
        const hone_prof_func *f = hone_prof_data_func(d, rows[i].func);
        const Count *c = &counts[rows[i].func];
        Value row[] = {rt_string_from_c(m, f->label),
                       string_or_false(m, f->file),
                       v_fixnum(f->line),
                       num_from_uint64(m, c->objects),
                       num_from_uint64(m, c->bytes),
                       num_from_uint64(m, rows[i].total),
                       num_from_uint64(m, c->live_objects),
                       num_from_uint64(m, c->live_bytes),
                       v_fixnum((int64_t)rows[i].self_samples)};
        Object *o = gc_object(m, T_VECTOR, BASE_COUNT(row));
        memcpy(o->slot, row, sizeof row);
        list = gc_cons(m, v_object(o), list);
    }
    free(rows);
    free(counts);
    hone_prof_data_free(d);
    return list;
}

PRIM_FN(prim_alloc_report) {
    (void)n;
    hone_prof_report o = {.top = is_fixnum(a[0]) ? (unsigned)fixnum(a[0]) : 0};
    hone_prof_data *d = driver_alloc_snapshot(is_true(a[1]));
    hone_prof_bytes text = hone_prof_report_text(d, &o);
    Value v = rt_string_new(m, text.at, text.len);
    free(text.at);
    hone_prof_data_free(d);
    return v;
}

PRIM_FN(prim_alloc_write) {
    (void)n;
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "write-allocations", 1, a[0]);
    char *path = rt_string_utf8(a[0], NULL);
    hone_prof_data *d = driver_alloc_snapshot(is_true(a[1]));
    hone_prof_error error;
    int status = hone_prof_save(d, path, NULL, NULL, &error);
    hone_prof_data_free(d);
    free(path);
    return status ? mutator_fail_text(m, ERR_FILE, "write-allocations", a[0], "%s", error.text)
                  : V_UNSPEC;
}

/* ---- tail calls ---- */

PRIM_FN(prim_record_tails) {
    (void)m, (void)n;
    bool was = vm_is_watched(VM_WATCH_TAILS);
    vm_set_watch(VM_WATCH_TAILS, is_true(a[0]));
    return v_bool(was);
}
