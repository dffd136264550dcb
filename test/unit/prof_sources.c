/* Sources of samples on a host driven by hand: strikes through the ring, waits, starting with
 * another source; and, with real ones, alarms, a fork, memory. */
#include <hone/prof.h>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "os/os.h"
#include "prof_check.h"

#define MS 1000000u

typedef struct thread {
    uint64_t fuel, cpu;
    uintptr_t stack[16], leaf; /* innermost first; the leaf is what a strike finds */
    size_t depth;
    bool refuse, device, struck_out;
    hone_prof_ticks ticks;
    hone_prof_thread *prof;
} thread;

static uint64_t wall;
static int captures;
static bool available = true;

static void walk(void *host, void *host_thread, hone_prof_stack *out) {
    (void)host;
    const thread *t = host_thread;
    out->refused = t->refuse;
    if (out->capture) {
        hone_prof_stack_push(out, out->capture->place[0]);
        out->labels = out->capture->labels;
    }
    for (size_t i = 0; i < t->depth && hone_prof_stack_push(out, t->stack[i]); i++) {
    }
}
static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
    (void)host;
    char name[16];
    snprintf(name, sizeof name, "f%u", (unsigned)address);
    hone_prof_emit(sink, &(hone_prof_frame){.name = name, .file = "a.scm", .line = 1});
    return true;
}
static uint64_t cpu_ns(void *host, void *host_thread) {
    (void)host;
    return ((thread *)host_thread)->cpu;
}
static uint64_t wall_ns(void *host) {
    (void)host;
    return wall;
}
static bool device_check(void *host, hone_prof_source s, uint64_t interval_ns, const char **event,
                         hone_prof_error *error) {
    (void)host, (void)interval_ns;
    *event = s == HONE_PROF_PERF ? "widgets" : NULL;
    snprintf(error->text, sizeof error->text, "set it to 2");
    return available;
}
static void device_start(void *host, void *host_thread, hone_prof_source s, uint64_t interval_ns) {
    (void)host, (void)s, (void)interval_ns;
    ((thread *)host_thread)->device = true;
}
static void device_stop(void *host, void *host_thread, bool last) {
    (void)host, (void)last;
    ((thread *)host_thread)->device = false;
}
static bool capture(void *host, void *host_thread, void *context, hone_prof_capture *out) {
    (void)host, (void)context;
    const thread *t = host_thread;
    captures++;
    out->place[0] = t->leaf;
    return !t->struck_out;
}
static thread *waiter;
static void waiting(void *host, hone_prof_waiting *list) {
    (void)host;
    uintptr_t frames[] = {77, 1};
    hone_prof_stack stack = {.frames = frames, .inner_max = 2, .inner = 2};
    if (waiter) hone_prof_waiting_add(list, waiter->prof, &stack, wall - 30 * MS);
    hone_prof_waiting_add(list, NULL, &stack, wall - 10 * MS); /* a parked fiber */
}

static hone_prof *new_prof(void) {
    captures = 0;
    available = true;
    waiter = NULL;
    return hone_prof_new(&(hone_prof_config){.walk = walk,
                                             .resolve = resolve,
                                             .cpu_ns = cpu_ns,
                                             .wall_ns = wall_ns,
                                             .process_cpu_ns = wall_ns,
                                             .device_check = device_check,
                                             .device_start = device_start,
                                             .device_stop = device_stop,
                                             .capture = capture,
                                             .waiting = waiting,
                                             .program = "test"});
}
static thread *new_thread(hone_prof *p) {
    thread *t = calloc(1, sizeof *t);
    hone_prof_ticks_init(&t->ticks, &(hone_prof_device){.slot = &t->fuel});
    t->prof = hone_prof_thread_add(p, t, &t->ticks, "main");
    t->stack[0] = 1;
    t->depth = 1;
    return t;
}
static void end_thread(thread *t) {
    hone_prof_thread_remove(t->prof);
    free(t);
}
static void start(hone_prof *p, thread *t, hone_prof_source s) {
    hone_prof_error e = {0};
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.source = s, .error = &e}), HONE_PROF_OK);
    hone_prof_ticks_fire(&t->ticks, 0); /* it notices */
}
/* Works for `ns` with this leaf, and is struck. */
static bool strike(thread *t, uintptr_t leaf, uint64_t ns) {
    t->leaf = leaf;
    t->cpu += ns;
    wall += ns;
    return hone_prof_strike(t->prof, NULL);
}
static void safepoint(thread *t) { hone_prof_ticks_fire(&t->ticks, 0); }
static hone_prof_stats stats_of(hone_prof *p) {
    hone_prof_stats s;
    hone_prof_get_stats(p, &s);
    return s;
}

/* The leaf is where the strike was, the weight the CPU time up to it; those that wait for one safe
 * point are walked there one by one, in order. */
static void test_strikes(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    CHECK(!hone_prof_strike(t->prof, NULL)); /* nothing runs: nothing is noted */
    start(p, t, HONE_PROF_SIGNAL);
    CHECK(t->device);
    CHECK(strike(t, 10, MS));
    CHECK(strike(t, 11, 2 * MS));
    CHECK(!strike(t, 12, MS / 4)); /* hardly run since: the next one counts it */
    t->struck_out = true;
    CHECK(!strike(t, 13, MS)); /* nor what the host does not want */
    t->struck_out = false;
    CHECK(strike(t, 14, MS));
    wall += 5 * MS;
    safepoint(t);
    CHECK_EQ_U(stats_of(p).samples, 3);
    CHECK_EQ_U(stats_of(p).skid_count, 3);
    /* 5 ms after the last, which came 2.25 ms after the one before, which came 2 ms after the first
     */
    CHECK_EQ_U(stats_of(p).skid_ns, (5 + 5 + 5 + 2 * 2 + 2) * MS + 2 * (MS / 4));
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(proc_named(d, "f10").self, MS);
    CHECK_EQ_U(proc_named(d, "f11").self, 2 * MS);
    CHECK_EQ_U(proc_named(d, "f14").self, 2 * MS + MS / 4);
    CHECK_EQ_U(proc_named(d, "f1").total_samples, 3);
    CHECK_HAS(hone_prof_data_info(d)->meaning, "timer signal");
    check_invariants(d);
    hone_prof_data_free(d);
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK(!t->device);
    int before = captures;
    CHECK(!strike(t, 15, MS)); /* late: the timer's signal was on its way */
    CHECK_EQ(captures, before);
    end_thread(t);
    hone_prof_free(p);
}

/* Equal strikes are one with their number; one too many loses its place, not its time. */
static void test_ring(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    start(p, t, HONE_PROF_SIGNAL);
    for (int i = 0; i < 1000; i++) strike(t, 10, MS);
    safepoint(t);
    CHECK_EQ_U(stats_of(p).samples, 1000);
    CHECK_EQ_U(stats_of(p).lost[HONE_PROF_LOST_RING_FULL], 0);
    for (uintptr_t i = 0; i < 100; i++) strike(t, 100 + i, MS);
    safepoint(t);
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.samples, 1100);
    CHECK_EQ_U(s.lost[HONE_PROF_LOST_RING_FULL], 100 - 32);
    CHECK_EQ_U(s.cpu_ns, (uint64_t)1100 * MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(proc_named(d, "f10").self_samples, 1000);
    CHECK_EQ_U(proc_named(d, "f131").self_samples, 1 + 68); /* the last place in the ring */
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

/* A walk that is refused keeps the time for the next one; what an account took is no sample's. */
static void test_refused(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    start(p, t, HONE_PROF_PERF);
    t->refuse = true;
    strike(t, 10, MS);
    safepoint(t);
    t->refuse = false;
    strike(t, 11, MS);
    hone_prof_account(p, t->prof, HONE_PROF_COLLECTOR, MS / 2);
    safepoint(t);
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.samples, 1);
    CHECK_EQ_U(s.cpu_ns, MS + MS / 2);
    CHECK_EQ_U(s.refused, 1);
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_HAS(hone_prof_data_info(d)->meaning, "(widgets)");
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_starting(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    hone_prof_error e;
    hone_prof_options signal = {.source = HONE_PROF_SIGNAL, .error = &e},
                      wall_source = {.source = HONE_PROF_WALL, .error = &e};
    available = false;
    CHECK_EQ(hone_prof_start(p, &signal), HONE_PROF_UNSUPPORTED);
    CHECK_HAS(e.text, "set it to 2");
    CHECK(!hone_prof_running(p));
    available = true;
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.source = HONE_PROF_SOURCE_COUNT}),
             HONE_PROF_BAD_ARGUMENT);
    CHECK_EQ(hone_prof_start(p, &signal), HONE_PROF_OK);
    CHECK_EQ(hone_prof_start(p, &wall_source), HONE_PROF_ALREADY);
    CHECK_HAS(e.text, "stop it first");
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_STOPPED);
    start(p, t, HONE_PROF_WALL); /* nothing was sampled: another source may come */
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    start(p, t, HONE_PROF_SIGNAL);
    strike(t, 10, MS);
    safepoint(t);
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK_EQ(hone_prof_start(p, &wall_source), HONE_PROF_MISMATCH);
    CHECK_HAS(e.text, "reset first");
    CHECK_EQ(hone_prof_start(p, NULL), HONE_PROF_OK); /* the source of the last run */
    safepoint(t);
    CHECK(strike(t, 10, MS));
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    hone_prof_reset(p);
    start(p, t, HONE_PROF_WALL);
    end_thread(t);
    hone_prof_free(p);
    hone_prof *bare = hone_prof_new(&(hone_prof_config){.walk = walk});
    CHECK_EQ(hone_prof_start(bare, &signal), HONE_PROF_UNSUPPORTED);
    hone_prof_free(bare);
}

/* Waits of any length: their sum is right within what chance allows, also where each is far shorter
 * than the interval; running and waiting add up to the time that went by. */
static void test_waits(void) {
    static const uint64_t lengths[] = {20000, 300000, 5000000};
    for (size_t i = 0; i < BASE_COUNT(lengths); i++) {
        hone_prof *p = new_prof();
        thread *t = new_thread(p);
        start(p, t, HONE_PROF_WALL);
        uint64_t began = wall, waited = 0, random = 1;
        for (int k = 0; k < 20000; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t run = 1000 + (random >> 33) % 100000;
            uint64_t wait = lengths[i] / 2 + (random >> 40) % lengths[i];
            t->cpu += run;
            wall += run;
            hone_prof_ticks_fire(&t->ticks, 1);
            wall += wait;
            waited += wait;
            hone_prof_waited(t->prof, 99, wall - wait, true);
        }
        t->cpu += 2 * MS;
        wall += 2 * MS;
        hone_prof_ticks_fire(&t->ticks, 1);
        hone_prof_data *d = hone_prof_snapshot(p);
        CHECK_EQ_U(hone_prof_data_info(d)->main_value, 2);
        hone_prof_data *own = hone_prof_filter(d, "thread", "main");
        double chance = lengths[i] < MS ? 4 * sqrt((double)waited * MS) : 0;
        CHECK_NEAR((double)proc_named(d, "f99").self, (double)waited, chance + 1);
        CHECK_NEAR((double)main_total(own), (double)(wall - began), chance + 5 * MS);
        check_invariants(d);
        hone_prof_data_free(own);
        hone_prof_data_free(d);
        end_thread(t);
        hone_prof_free(p);
    }
}

/* Who waits while a snapshot is taken is in it, and no longer in the next. */
static void test_still_waiting(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    wall += 100 * MS;
    start(p, t, HONE_PROF_WALL);
    wall += 20 * MS;
    waiter = t;
    for (int k = 0; k < 2; k++) {
        hone_prof_data *d = hone_prof_snapshot(p);
        CHECK_EQ_U(proc_named(d, "f77").self, 30 * MS); /* 20 since the start, and the fiber's 10 */
        CHECK_EQ_U(proc_named(d, "f77").self_samples, 2);
        CHECK_EQ_U(hone_prof_data_info(d)->stats.samples, 2);
        check_invariants(d);
        hone_prof_data_free(d);
    }
    end_thread(t);
    hone_prof_free(p);
}

/* The time of f77, who waits. */
static uint64_t waited(hone_prof *p) {
    hone_prof_data *d = hone_prof_snapshot(p);
    uint64_t ns = proc_named(d, "f77").self;
    CHECK_EQ_U(main_total(d), ns);
    check_invariants(d);
    hone_prof_data_free(d);
    return ns;
}

/* Who waits when the sampling stops has waited up to then, once, however the wait goes on. */
static void test_stopped_waiting(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    wall += 100 * MS;
    start(p, t, HONE_PROF_WALL);
    wall += 20 * MS;
    waiter = t;
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK_EQ_U(waited(p), 30 * MS); /* 20 since the start, and the fiber's 10 */
    CHECK_EQ_U(stats_of(p).samples, 2);
    wall += 50 * MS;
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_STOPPED);
    hone_prof_waited(t->prof, 77, wall - 80 * MS, true); /* over before the stop is noticed */
    hone_prof_waited(t->prof, 77, wall - 60 * MS, false);
    CHECK_EQ_U(waited(p), 30 * MS);
    /* Another run, which the thread does not notice, since it waits all the while. */
    CHECK_EQ(hone_prof_start(p, NULL), HONE_PROF_OK);
    wall += 5 * MS;
    CHECK_EQ_U(waited(p), (30 + 5 + 5) * MS);
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK_EQ_U(waited(p), (30 + 5 + 5) * MS);
    /* And one that it notices: what is over by then counts from there. */
    start(p, t, HONE_PROF_WALL);
    wall += 3 * MS;
    hone_prof_waited(t->prof, 77, wall - 90 * MS, true);
    hone_prof_waited(t->prof, 77, wall - 90 * MS, false);
    CHECK_EQ_U(stats_of(p).wall_ns, (40 + 3 + 3) * MS);
    waiter = NULL;
    hone_prof_reset(p);
    CHECK_EQ_U(stats_of(p).samples, 0);
    wall += 20 * MS;
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    CHECK_EQ_U(waited(p), 10 * MS); /* the fiber's: nobody else waits */
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.source = HONE_PROF_SIGNAL}),
             HONE_PROF_MISMATCH);
    hone_prof_reset(p);
    CHECK_EQ_U(waited(p), 0);
    end_thread(t);
    hone_prof_free(p);
}

/* Between the look of a stop and its end a wait may end: what was counted of it is not counted
 * again. */
static hone_prof *ending;
static thread *ends;
static void waiting_that_ends(void *host, hone_prof_waiting *list) {
    waiter = ends;
    waiting(host, list);
    waiter = NULL;
    wall += 2 * MS;
    hone_prof_waited(ends->prof, 77, wall - 32 * MS, true);
    hone_prof_waited(ends->prof, 77, wall - 12 * MS, false);
}
static void test_wait_ends_at_stop(void) {
    ending = hone_prof_new(&(hone_prof_config){.walk = walk,
                                               .resolve = resolve,
                                               .cpu_ns = cpu_ns,
                                               .wall_ns = wall_ns,
                                               .process_cpu_ns = wall_ns,
                                               .waiting = waiting_that_ends});
    ends = new_thread(ending);
    wall += 100 * MS;
    start(ending, ends, HONE_PROF_WALL);
    wall += 50 * MS;
    CHECK_EQ(hone_prof_stop(ending), HONE_PROF_OK);
    hone_prof_data *d = hone_prof_snapshot(ending);
    CHECK_EQ_U(main_total(d), (30 + 2 + 10 + 2) * MS);
    hone_prof_data_free(d);
    end_thread(ends);
    hone_prof_free(ending);
}

static size_t in_use(void) { return mallinfo2().uordblks; }

/* A million samples of few stacks take no more memory than a thousand; a thread takes at most 24 kB
 * beside its stacks. */
static void test_memory(void) {
    enum { THREADS = 50 };
    static const hone_prof_source sources[] = {HONE_PROF_SAFEPOINT, HONE_PROF_SIGNAL};
    if (!in_use()) return; /* a sanitizer's allocator, which does not tell */
    for (size_t s = 0; s < BASE_COUNT(sources); s++) {
        hone_prof *p = new_prof();
        thread *t = new_thread(p);
        start(p, t, sources[s]);
        size_t settled = 0;
        for (int k = 0; k < 1000000; k++) {
            if (k == 1000) settled = in_use();
            t->stack[0] = 1 + (uintptr_t)k % 7;
            if (sources[s] == HONE_PROF_SIGNAL)
                strike(t, 100 + (uintptr_t)k % 11, MS);
            else
                t->cpu += MS, wall += MS;
            hone_prof_ticks_fire(&t->ticks, 1);
        }
        CHECK(stats_of(p).samples >= 999999);
        CHECK_EQ_U(in_use(), settled);
        thread *more[THREADS];
        size_t before = in_use();
        for (int k = 0; k < THREADS; k++) {
            more[k] = new_thread(p);
            safepoint(more[k]);
            if (sources[s] == HONE_PROF_SIGNAL)
                strike(more[k], 100, MS);
            else
                more[k]->cpu += MS;
            hone_prof_ticks_fire(&more[k]->ticks, 1);
        }
        size_t each = (in_use() - before) / THREADS - sizeof(thread);
        CHECK(each <= 24 * 1024);
        for (int k = 0; k < THREADS; k++) end_thread(more[k]);
        end_thread(t);
        hone_prof_free(p);
    }
}

/* ---- real alarms ---- */

static volatile int struck;
static void count_strike(void *context) {
    (void)context;
    struck++;
}
static void burn(uint64_t ns) {
    for (uint64_t until = os_thread_cpu_ns() + ns; os_thread_cpu_ns() < until;) {
    }
}

static void test_alarms(void) {
    const char *event;
    char why[300];
    os_alarm_catch(count_strike);
    for (int kind = OS_ALARM_TIMER; kind <= OS_ALARM_PERF; kind++) {
        os_alarm a = {0};
        if (!os_alarm_check((os_alarm_kind)kind, MS, &event, why, sizeof why)) {
            CHECK(kind == OS_ALARM_PERF && why[0]);
            continue;
        }
        CHECK(event[0]);
        CHECK(os_alarm_start(&a, (os_alarm_kind)kind, MS));
        struck = 0;
        burn(100 * MS);
        CHECK(struck > 20);
        uint64_t before = os_mono_ns();
        os_sleep_ns(20 * MS); /* is not cut short */
        CHECK(os_mono_ns() - before >= 20 * MS);
        os_alarm_pause(&a);
        int paused = struck;
        if (kind == OS_ALARM_TIMER) {
            burn(10 * MS);
            CHECK(struck <= paused + 1);
        }
        os_alarm_resume(&a);
        burn(20 * MS);
        CHECK(struck > paused);
        pid_t child = fork();
        if (!child) { /* has no alarm */
            struck = 0;
            burn(20 * MS);
            _exit(struck > 0);
        }
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
        os_alarm_silence(&a);
        paused = struck;
        burn(10 * MS);
        CHECK(struck <= paused + 1);
        os_alarm_end(&a);
    }
}

/* The child of a fork starts with an instance that is stopped and empty, and usable. */
static void test_fork(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p);
    start(p, t, HONE_PROF_SIGNAL);
    strike(t, 10, MS);
    safepoint(t);
    pid_t child = fork();
    if (!child) {
        hone_prof_forked(p);
        bool right =
            !hone_prof_running(p) && !stats_of(p).samples && !hone_prof_strike(t->prof, NULL);
        hone_prof_data *d = hone_prof_snapshot(p);
        right = right && main_total(d) == 0 && hone_prof_start(p, NULL) == HONE_PROF_OK;
        safepoint(t);
        strike(t, 11, MS);
        safepoint(t);
        _exit(!(right && stats_of(p).samples == 1));
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK(hone_prof_running(p));
    CHECK_EQ_U(stats_of(p).samples, 1);
    end_thread(t);
    hone_prof_free(p);
}

CHECK_MAIN(test_strikes, test_ring, test_refused, test_starting, test_waits, test_still_waiting,
           test_stopped_waiting, test_wait_ends_at_stop, test_memory, test_alarms, test_fork)
