/* The sampler on a host driven by hand: clocks, ticks and stacks are plain variables. */
#include <hone/prof.h>

#include "base/base.h"
#include "prof_check.h"

#define MS 1000000u

typedef struct thread {
    uint64_t fuel, now, cpu; /* fuel: countdown, or with the clock `now` the reading to fire at */
    uintptr_t stack[4096];   /* innermost first */
    size_t depth;
    bool refuse, woken;
    uint64_t beat;
    uint32_t labels;
    hone_prof_ticks ticks;
    hone_prof_thread *prof;
} thread;

static uint64_t wall;
static int walks, resolves;

static void walk(void *host, void *host_thread, hone_prof_stack *out) {
    (void)host;
    const thread *t = host_thread;
    walks++;
    out->refused = t->refuse;
    out->beat_ns = t->beat;
    out->labels = t->labels;
    size_t i = 0;
    while (i < t->depth && hone_prof_stack_push(out, t->stack[i])) i++;
    if (i == t->depth) return;
    out->truncated = true;
    size_t roots = t->depth - i < out->root_max ? t->depth - i : out->root_max;
    for (size_t k = t->depth - roots; k < t->depth; k++) hone_prof_stack_root(out, t->stack[k]);
}

/* Address 1000 * f + line is in procedure f; f of 50 and above has `inner` inlined into it. */
static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
    (void)host;
    char name[16];
    uint32_t f = (uint32_t)(address / 1000), line = (uint32_t)(address % 1000);
    resolves++;
    if (f >= 100) return false;
    snprintf(name, sizeof name, "f%u", f);
    if (f >= 50)
        hone_prof_emit(sink, &(hone_prof_frame){
                                 .name = "inner", .file = "lib.scm", .line = 7, .func_line = 5});
    hone_prof_emit(
        sink, &(hone_prof_frame){.name = name, .file = "a.scm", .line = line, .func_line = f * 10});
    return true;
}

static void wake(void *host, void *host_thread) {
    (void)host;
    ((thread *)host_thread)->woken = true;
}
static uint64_t cpu_ns(void *host, void *host_thread) {
    (void)host;
    return ((thread *)host_thread)->cpu;
}
static uint64_t wall_ns(void *host) {
    (void)host;
    return wall;
}

static hone_prof *new_prof(void) {
    walks = resolves = 0;
    return hone_prof_new(&(hone_prof_config){.walk = walk,
                                             .resolve = resolve,
                                             .wake = wake,
                                             .cpu_ns = cpu_ns,
                                             .wall_ns = wall_ns,
                                             .process_cpu_ns = wall_ns,
                                             .program = "test"});
}

static thread *new_thread(hone_prof *p, const char *name) {
    thread *t = calloc(1, sizeof *t);
    hone_prof_ticks_init(&t->ticks, &(hone_prof_device){.slot = &t->fuel});
    t->prof = hone_prof_thread_add(p, t, &t->ticks, name);
    return t;
}

static void end_thread(thread *t) {
    hone_prof_thread_remove(t->prof);
    free(t);
}

/* Runs `ticks` ticks of `ns` CPU each; the wall goes twice as fast. Fires when the device does. */
static void run(thread *t, uint64_t ticks, uint64_t ns) {
    for (uint64_t i = 0; i < ticks; i++) {
        t->cpu += ns;
        wall += 2 * ns;
        bool due = t->ticks.device.clock ? ++t->now >= t->fuel : --t->fuel == 0;
        if (due || t->woken) {
            t->woken = false;
            hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK);
        }
    }
}

static void set_stack(thread *t, size_t depth, const uintptr_t *frames) {
    memcpy(t->stack, frames, depth * sizeof *frames);
    t->depth = depth;
}
#define STACK(t, ...)                                                                              \
    set_stack((t), sizeof((uintptr_t[]){__VA_ARGS__}) / sizeof(uintptr_t),                         \
              (uintptr_t[]){__VA_ARGS__})

static hone_prof_stats stats_of(hone_prof *p) {
    hone_prof_stats s;
    hone_prof_get_stats(p, &s);
    return s;
}

static void test_weights_are_measured(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001, 2002);
    run(t, 100, MS);
    CHECK_EQ(walks, 0); /* not started */
    CHECK_EQ(hone_prof_start(p, NULL), HONE_PROF_OK);
    CHECK(t->woken);
    run(t, 4001, MS / 4); /* 1000.25 ms of CPU; the first tick begins the measuring */
    hone_prof_stats s = stats_of(p);
    CHECK(s.samples >= 790 && s.samples <= 1000);
    CHECK(s.cpu_ns > 998 * (uint64_t)MS && s.cpu_ns <= 1000 * (uint64_t)MS);
    CHECK_EQ_U(s.wall_ns, 2 * s.cpu_ns);
    CHECK(s.fires < 2 * s.samples + 10); /* C2 */
    /* A device ten times as coarse: fewer samples, the same time. */
    hone_prof_reset(p);
    run(t, 100, 10 * MS);
    s = stats_of(p);
    uint64_t coarse = s.samples;
    CHECK(coarse >= 95 && coarse <= 100); /* it takes a few to learn the new rate */
    CHECK_NEAR((double)s.cpu_ns, 1000.0 * MS, MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(samples_in(d), coarse);
    CHECK_EQ_U(main_total(d), s.cpu_ns);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

/* C2: ticks of very different sizes; most fires lead to a sample once the rate is learnt. */
static void test_demand_follows_rate(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    hone_prof_start(p, NULL);
    run(t, 200000, 100); /* 20 ms at 10000 ticks per ms */
    hone_prof_stats s = stats_of(p);
    CHECK(s.samples >= 15 && s.samples <= 20);
    CHECK(s.fires < 100);
    hone_prof_reset(p);
    run(t, 50000, 2000); /* the same program 20 times slower per tick: 100 ms */
    s = stats_of(p);
    CHECK(s.samples >= 70);
    CHECK(s.fires < 250);
    CHECK(s.cpu_ns > 97 * MS);
    end_thread(t);
    hone_prof_free(p);
}

/* Naps (many ticks of a beat device, no CPU) do not blind the sampler afterwards. */
static void test_naps(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    hone_prof_thread_remove(t->prof);
    hone_prof_ticks_init(&t->ticks, &(hone_prof_device){.slot = &t->fuel, .clock = &t->now});
    t->prof = hone_prof_thread_add(p, t, &t->ticks, "main");
    STACK(t, 1001);
    hone_prof_start(p, NULL);
    run(t, 100, MS / 4);
    for (int naps = 1; naps <= 1000; naps *= 10) {
        for (int i = 0; i < naps; i++) { /* one second each, then a safe point and a little work */
            t->now += 4000;
            t->cpu += MS / 100;
            hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK);
        }
        uint64_t before = stats_of(p).samples;
        run(t, 200, MS / 4);
        CHECK(stats_of(p).samples - before >= 25); /* of 50 ms, at most 10 ms unseen */
    }
    end_thread(t);
    hone_prof_free(p);
}

static void test_misuse(void) {
    CHECK(!hone_prof_new(&(hone_prof_config){0}));
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_STOPPED);
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.interval_ns = 1}), HONE_PROF_BAD_ARGUMENT);
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.depth = 1u << 20}), HONE_PROF_BAD_ARGUMENT);
    CHECK(!hone_prof_running(p));
    CHECK_EQ(hone_prof_start(p, NULL), HONE_PROF_OK);
    CHECK_EQ(hone_prof_start(p, NULL), HONE_PROF_ALREADY);
    CHECK(hone_prof_running(p));
    CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
    int before = walks;
    run(t, 1000, MS);
    CHECK_EQ(walks, before); /* nothing after a stop */
    CHECK(t->ticks.solo);    /* and the scheduler is free of it */
    int wrong = 0;
    for (int i = 0; i < 1000; i++) {
        wrong += hone_prof_start(p, NULL) != HONE_PROF_OK;
        run(t, (uint64_t)i % 3, MS);
        wrong += hone_prof_stop(p) != HONE_PROF_OK;
    }
    CHECK_EQ(wrong, 0);
    CHECK_STR(hone_prof_status_text(HONE_PROF_ALREADY), "the profiler is running already");
    end_thread(t);
    hone_prof_free(p);
    hone_prof_free(NULL);
}

static void test_truncation(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    for (size_t i = 0; i < 1000; i++) t->stack[i] = 2000 + i % 10;
    t->stack[999] = 1001; /* the root */
    t->stack[0] = 3001;
    t->depth = 1000;
    hone_prof_start(p, &(hone_prof_options){.depth = 64, .root_depth = 8});
    run(t, 100, MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    uint64_t all = samples_in(d);
    CHECK(all >= 90);
    CHECK_EQ_U(stats_of(p).truncated, all);
    CHECK_EQ_U(proc_named(d, "f1").total_samples, all);
    CHECK_EQ_U(proc_named(d, "f2").total_samples, all);
    CHECK_EQ_U(proc_named(d, "f3").self_samples, all);
    CHECK_EQ_U(proc_named(d, "[truncated]").total_samples, all);
    hone_prof_sample s;
    hone_prof_data_sample(d, 0, &s);
    CHECK_EQ_U(s.depth, 64 + 1 + 8);
    uint32_t lines;
    const hone_prof_line *mark = hone_prof_data_location(d, s.locations[64], &lines);
    CHECK_STR(hone_prof_data_func(d, mark->func)->label, "[truncated]");
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "truncated          99 samples");
    free(text.at);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

/* C8: threads registered before, during and after the run; ended ones stay. */
static void test_threads(void) {
    hone_prof *p = new_prof();
    thread *a = new_thread(p, "worker"), *gone = new_thread(p, "gone");
    STACK(a, 1001);
    STACK(gone, 2001);
    hone_prof_start(p, NULL);
    thread *b = new_thread(p, "worker");
    CHECK(b->woken);
    STACK(b, 3001);
    for (int i = 0; i < 2000; i++) { /* side by side, equal CPU */
        run(a, 1, MS / 4);
        run(b, 1, MS / 4);
        run(gone, 1, MS / 4);
    }
    end_thread(gone);
    for (int i = 0; i < 1000; i++) { /* many short threads; bounded memory */
        thread *t = new_thread(p, "short");
        STACK(t, 4001);
        run(t, 3, MS);
        end_thread(t);
    }
    hone_prof_stop(p);
    thread *late = new_thread(p, "late");
    CHECK(!late->woken);
    run(late, 10, MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    uint64_t x = proc_named(d, "f1").self, y = proc_named(d, "f3").self;
    CHECK_NEAR((double)x / (double)(x + y), 0.5, 0.002);
    CHECK_EQ_U(proc_named(d, "f2").self_samples, proc_named(d, "f1").self_samples);
    CHECK_EQ_U(proc_named(d, "f4").self_samples, 2000);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "  worker\n");
    CHECK_HAS(text.at, "  worker#2\n");
    CHECK_HAS(text.at, "  gone\n");
    CHECK_HAS(text.at, "  ended threads\n");
    free(text.at);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(a);
    end_thread(b);
    end_thread(late);
    hone_prof_free(p);
}

static void test_losses(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    hone_prof_start(p, &(hone_prof_options){.max_nodes = 10});
    STACK(t, 1001, 1002);
    run(t, 11, MS);
    t->depth = 0; /* nothing to walk */
    run(t, 5, MS);
    for (uintptr_t i = 0; i < 20; i++) {
        STACK(t, 5000 + i, 4000 + i);
        run(t, 1, MS);
    }
    STACK(t, 1001, 1002); /* known stacks are still counted */
    run(t, 10, MS);
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.lost[HONE_PROF_LOST_NO_STACK], 5);
    CHECK_EQ_U(s.lost[HONE_PROF_LOST_TABLE_FULL], 17); /* 1 + 2 + 2 * 3 nodes fit in 10 */
    CHECK_EQ_U(s.lost_ns, 22 * (uint64_t)MS);
    CHECK_EQ_U(s.samples, 10 + 3 + 10);
    hone_prof_data *d = hone_prof_snapshot(p);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "22 samples of 22.00 ms, stack table full: 17, no frames: 5");
    free(text.at);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_refusal_keeps_the_weight(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    hone_prof_start(p, NULL);
    run(t, 2, MS);
    t->refuse = true;
    run(t, 5, MS);
    t->refuse = false;
    run(t, 1, MS);
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.samples, 2);
    CHECK_EQ_U(s.refused, 5);
    CHECK_EQ_U(s.cpu_ns, 7 * (uint64_t)MS);
    end_thread(t);
    hone_prof_free(p);
}

static void test_accounts(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    hone_prof_account(p, NULL, HONE_PROF_COLLECTOR, 5 * MS); /* not running: ignored */
    hone_prof_start(p, NULL);
    run(t, 11, MS);
    t->cpu += 30 * MS; /* a collection, in this thread */
    hone_prof_account(p, t->prof, HONE_PROF_COLLECTOR, 30 * MS);
    run(t, 10, MS);
    hone_prof_account(p, NULL, HONE_PROF_IDLE, 100 * MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(proc_named(d, "f1").self, 20 * MS);
    CHECK_EQ_U(proc_named(d, "[collector]").self, 30 * MS);
    CHECK_EQ_U(main_total(d), 50 * MS);
    CHECK_EQ_U(samples_in(d), 20);
    CHECK_EQ_U(hone_prof_data_info(d)->stats.account_count[HONE_PROF_COLLECTOR], 1);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "collector       30.00 ms  1 times");
    CHECK_HAS(text.at, "idle           100.00 ms  1 times");
    free(text.at);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_skid(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    hone_prof_start(p, NULL);
    for (int i = 0; i < 11; i++) {
        t->beat = wall + 2 * MS - MS / 2; /* half a ms before the safe point */
        run(t, 1, MS);
    }
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.skid_count, 10);
    CHECK_EQ_U(s.skid_ns, 5 * MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "mean skid       0.500 ms");
    free(text.at);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_resolving(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    t->labels = hone_prof_labels(p, 0, "request", "GET /x");
    hone_prof_start(p, NULL);
    STACK(t, 50009, 1003);
    run(t, 5, MS);
    STACK(t, 400000, 1004); /* unknown to the host, and no symbol there */
    run(t, 5, MS);
    STACK(t, (uintptr_t)&malloc, 1004);
    run(t, 5, MS);
    hone_prof_data *d = hone_prof_snapshot(p);
    int before = resolves;
    CHECK_EQ(before, 5);
    hone_prof_data_free(hone_prof_snapshot(p));
    CHECK_EQ(resolves, before); /* each address once */
    CHECK_EQ_U(proc_named(d, "inner").self_samples, 4);
    CHECK_EQ_U(proc_named(d, "f50").self_samples, 0);
    CHECK_EQ_U(proc_named(d, "f50").total_samples, 4);
    CHECK_EQ_U(proc_named(d, "native").self_samples, 5);
    CHECK_EQ_U(proc_named(d, "f1").total_samples, 14); /* at two lines, one row */
    size_t n, native = 0;
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    for (size_t i = 0; i < n; i++)
        native += !strncmp(hone_prof_data_func(d, rows[i].func)->name, "native:", 7);
    CHECK_EQ_U(native, 1);
    free(rows);
    hone_prof_sample s;
    hone_prof_data_sample(d, 0, &s);
    CHECK_EQ_U(s.label_count, 1);
    CHECK_STR(s.labels[0].key, "request");
    CHECK_STR(s.labels[0].value, "GET /x");
    CHECK_STR(s.thread, "main");
    hone_prof_line_row *lines = hone_prof_lines(d, &n);
    CHECK_EQ_U(n, 6); /* inner:7, f50:9, f1:3, f1:4, native, native:malloc */
    free(lines);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_empty(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    STACK(t, 1001);
    hone_prof_start(p, NULL);
    run(t, 1, MS);
    hone_prof_stop(p);
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(samples_in(d), 0);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "0 samples (program used 2 ms of CPU; period 1 ms)");
    free(text.at);
    hone_prof_bytes folded = written(d, "folded");
    CHECK_STR(folded.at, "");
    free(folded.at);
    check_invariants(d);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

/* A bound beyond 32 bits is one. */
static void test_wide_bound(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    CHECK_EQ(hone_prof_start(p, &(hone_prof_options){.max_nodes = (size_t)1 << 32}), 0);
    STACK(t, 1001, 1002);
    run(t, 11, MS);
    CHECK_EQ_U(stats_of(p).lost[HONE_PROF_LOST_TABLE_FULL], 0);
    CHECK_EQ_U(stats_of(p).samples, 10);
    end_thread(t);
    hone_prof_free(p);
}

/* Memory grows with distinct stacks, not with samples; the shared outer part is stored once. */
static void test_table_growth(void) {
    hone_prof *p = new_prof();
    thread *t = new_thread(p, "main");
    hone_prof_start(p, &(hone_prof_options){.depth = 40, .max_nodes = 2000});
    uint32_t rnd = 1;
    for (int i = 0; i < 20000; i++) {
        t->depth = 30;
        for (int k = 0; k < 30; k++) t->stack[k] = 1000 * (uintptr_t)(k + 1);
        rnd = rnd * 1103515245 + 12345;
        t->stack[0] = 1000 + (rnd >> 16) % 500;
        run(t, 1, MS);
    }
    hone_prof_stats s = stats_of(p);
    CHECK_EQ_U(s.samples, 19999);
    CHECK_EQ_U(s.lost[HONE_PROF_LOST_TABLE_FULL], 0); /* 29 shared + 500 leaves */
    hone_prof_data *d = hone_prof_snapshot(p);
    CHECK_EQ_U(hone_prof_data_samples(d), 500);
    CHECK_EQ_U(samples_in(d), 19999);
    hone_prof_data_free(d);
    end_thread(t);
    hone_prof_free(p);
}

static void test_two_instances(void) {
    hone_prof *p = new_prof(), *q = new_prof();
    thread *a = new_thread(p, "a"), *b = new_thread(q, "b");
    STACK(a, 1001);
    STACK(b, 2001);
    hone_prof_start(p, NULL);
    run(a, 11, MS);
    run(b, 11, MS);
    hone_prof_start(q, NULL);
    hone_prof_stop(p);
    run(a, 6, MS);
    run(b, 6, MS);
    CHECK_EQ_U(stats_of(p).samples, 10);
    CHECK_EQ_U(stats_of(q).samples, 5);
    end_thread(a);
    end_thread(b);
    hone_prof_free(p);
    hone_prof_free(q);
}

/* A set is known by its contents; one too many leaves the set as it was, and is counted. */
static void test_label_sets(void) {
    hone_prof *p = new_prof();
    uint32_t a = hone_prof_labels(p, 0, "a", "1"), b = hone_prof_labels(p, 0, "b", "2");
    uint32_t ab = hone_prof_labels(p, a, "b", "2");
    CHECK(a && b && ab && a != b && ab != a && ab != b);
    CHECK_EQ_U(hone_prof_labels(p, b, "a", "1"), ab);
    CHECK_EQ_U(hone_prof_labels(p, ab, "a", NULL), b);
    CHECK_EQ_U(hone_prof_labels(p, ab, "b", ""), a);
    CHECK_EQ_U(hone_prof_labels(p, a, "a", NULL), 0);
    CHECK_EQ_U(hone_prof_labels(p, ab, "a", "1"), ab);
    CHECK_EQ_U(hone_prof_labels(p, a, "thread", "x"), a);
    CHECK_EQ_U(hone_prof_labels(p, 999999, "a", "1"), a);
    thread *t = new_thread(p, "main");
    hone_prof_start(p, NULL);
    STACK(t, 1001);
    static const struct {
        uint32_t turns;
        const char *b;
    } plan[] = {{3, "2"}, {5, "3"}, {2, "2"}};
    for (size_t i = 0; i < BASE_COUNT(plan); i++) {
        t->labels = hone_prof_labels(p, a, "b", plan[i].b);
        run(t, plan[i].turns, MS);
    }
    hone_prof_data *d = hone_prof_snapshot(p), *part = hone_prof_filter(d, "b", "3");
    CHECK_EQ_U(hone_prof_data_samples(d), 2);
    CHECK_EQ_U(samples_in(part), 5);
    check_invariants(d);
    hone_prof_data_free(part);
    hone_prof_data_free(d);
    char text[16];
    for (int i = 0; i < HONE_PROF_MAX_LABEL_SETS + 10; i++) {
        snprintf(text, sizeof text, "%d", i);
        hone_prof_labels(p, a, "number", text);
    }
    CHECK_EQ_U(hone_prof_labels(p, a, "another", "one"), a);
    CHECK_EQ_U(hone_prof_labels(p, a, "b", "2"), ab); /* known ones still are */
    CHECK(stats_of(p).label_overflow >= 10);
    end_thread(t);
    hone_prof_free(p);
}

CHECK_MAIN(test_label_sets, test_weights_are_measured, test_demand_follows_rate, test_naps,
           test_misuse, test_truncation, test_threads, test_losses, test_refusal_keeps_the_weight,
           test_accounts, test_skid, test_resolving, test_empty, test_wide_bound, test_table_growth,
           test_two_instances)
