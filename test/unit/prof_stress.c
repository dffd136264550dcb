/* Real threads and real clocks: a ticker that beats, workers that poll, one thread that starts,
 * stops, resets and reads all the while. For the thread sanitizer; and two equal threads read
 * equal. */
#include <hone/prof.h>

#include "os/os.h"
#include "prof_check.h"

#define BEAT_NS 250000u

static uint64_t beats; /* atomic */
static bool ticker_stop, workers_stop;

static void *ticker(void *arg) {
    uint64_t next = os_mono_ns();
    while (!__atomic_load_n(&ticker_stop, __ATOMIC_RELAXED)) {
        os_sleep_until(next += BEAT_NS);
        __atomic_fetch_add(&beats, 1, __ATOMIC_RELAXED);
    }
    return arg;
}

typedef struct worker {
    hone_prof *prof;
    uintptr_t stack[3];
    uint64_t due;
    bool poked;
    hone_prof_ticks ticks;
    uint64_t cpu_ns; /* used until it stopped */
    uint64_t limit_ns;
    os_thread thread;
    const char *name;
} worker;

static void walk(void *host, void *thread, hone_prof_stack *out) {
    (void)host;
    worker *w = thread;
    for (int i = 0; i < 3; i++) hone_prof_stack_push(out, w->stack[i]);
}
static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
    (void)host;
    char name[32];
    snprintf(name, sizeof name, "f%lu", (unsigned long)address);
    hone_prof_emit(sink, &(hone_prof_frame){.name = name, .file = "s", .line = 1});
    return true;
}
static void wake(void *host, void *thread) {
    (void)host;
    __atomic_store_n(&((worker *)thread)->poked, true, __ATOMIC_RELAXED);
}

static void poll(worker *w) {
    bool poked = __atomic_load_n(&w->poked, __ATOMIC_RELAXED);
    uint64_t now = __atomic_load_n(&beats, __ATOMIC_RELAXED);
    if (!poked && now < __atomic_load_n(&w->due, __ATOMIC_RELAXED)) return;
    __atomic_store_n(&w->poked, false, __ATOMIC_RELAXED);
    hone_prof_ticks_fire(&w->ticks, HONE_PROF_ASK);
}

static void *work(void *arg) {
    worker *w = arg;
    hone_prof_device device = {.slot = &w->due, .clock = &beats};
    hone_prof_ticks_init(&w->ticks, &device);
    hone_prof_thread *t = hone_prof_thread_add(w->prof, w, &w->ticks, w->name);
    uint64_t start = os_thread_cpu_ns();
    volatile uint64_t sink = 0;
    for (bool done = false; !done;) {
        for (int i = 0; i < 256; i++) {
            for (int k = 0; k < 200; k++) sink += (uint64_t)k;
            poll(w);
        }
        done = w->limit_ns ? os_thread_cpu_ns() - start >= w->limit_ns
                           : __atomic_load_n(&workers_stop, __ATOMIC_RELAXED);
    }
    w->cpu_ns = os_thread_cpu_ns() - start;
    hone_prof_thread_remove(t);
    return arg;
}

static worker new_worker(hone_prof *p, uintptr_t leaf, const char *name, uint64_t limit_ns) {
    return (worker){.prof = p, .stack = {leaf, 2, 1}, .name = name, .limit_ns = limit_ns};
}

static hone_prof *new_prof(void) {
    return hone_prof_new(&(hone_prof_config){.walk = walk, .resolve = resolve, .wake = wake});
}

static void test_equal_threads(void) {
    enum { EACH_MS = 300 };
    hone_prof *p = new_prof();
    os_thread beat;
    os_thread_start(&beat, ticker, NULL, 0, true);
    worker a = new_worker(p, 10, "a", EACH_MS * 1000000ull);
    worker b = new_worker(p, 11, "b", EACH_MS * 1000000ull);
    CHECK_EQ(hone_prof_start(p, NULL), 0);
    os_thread_start(&a.thread, work, &a, 0, true);
    os_thread_start(&b.thread, work, &b, 0, true);
    os_thread_join(a.thread);
    os_thread_join(b.thread);
    hone_prof_stop(p);
    hone_prof_data *d = hone_prof_snapshot(p);
    double x = (double)proc_named(d, "f10").self, y = (double)proc_named(d, "f11").self;
    CHECK_NEAR(x / (x + y), 0.5, 0.02);
    CHECK_NEAR((x + y) / (double)(a.cpu_ns + b.cpu_ns), 1, 0.15); /* I5 */
    check_invariants(d);
    hone_prof_data_free(d);
    hone_prof_free(p);
    __atomic_store_n(&ticker_stop, true, __ATOMIC_RELAXED);
    os_thread_join(beat);
    __atomic_store_n(&ticker_stop, false, __ATOMIC_RELAXED);
}

static void *meddle(void *arg) {
    hone_prof *p = arg;
    for (int i = 0; i < 150; i++) {
        hone_prof_stats s;
        hone_prof_start(p,
                        &(hone_prof_options){.interval_ns = 50000, .depth = 1 + (unsigned)i % 4});
        os_sleep_ns(300000);
        hone_prof_get_stats(p, &s);
        hone_prof_account(p, NULL, HONE_PROF_COLLECTOR, 10);
        hone_prof_data_free(hone_prof_snapshot(p));
        if (i % 7 == 0) hone_prof_reset(p);
        if (i % 2) hone_prof_stop(p);
    }
    return arg;
}

static void test_meddling(void) {
    enum { WORKERS = 3, MEDDLERS = 2 };
    hone_prof *p = new_prof();
    os_thread beat, meddlers[MEDDLERS];
    worker workers[WORKERS];
    os_thread_start(&beat, ticker, NULL, 0, true);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = new_worker(p, 10 + (uintptr_t)i, "w", 0);
        os_thread_start(&workers[i].thread, work, &workers[i], 0, true);
    }
    for (int i = 0; i < MEDDLERS; i++) os_thread_start(&meddlers[i], meddle, p, 0, true);
    for (int i = 0; i < 50; i++) { /* threads that come and go */
        worker w = new_worker(p, 20, "short", 200000);
        os_thread_start(&w.thread, work, &w, 0, true);
        os_thread_join(w.thread);
    }
    for (int i = 0; i < MEDDLERS; i++) os_thread_join(meddlers[i]);
    __atomic_store_n(&workers_stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < WORKERS; i++) os_thread_join(workers[i].thread);
    hone_prof_data *d = hone_prof_snapshot(p);
    check_invariants(d);
    hone_prof_data_free(d);
    hone_prof_free(p);
    __atomic_store_n(&ticker_stop, true, __ATOMIC_RELAXED);
    os_thread_join(beat);
}

CHECK_MAIN(test_equal_threads, test_meddling)
