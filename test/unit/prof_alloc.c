/* The allocation profile of the core: distances, weights, what lives, runs, threads. */
#include <hone/prof.h>

#include "check.h"

/* ---- a host: its stack is an array of addresses, an address is a number ---- */

static uintptr_t stack[8];
static unsigned depth;
static bool refuse;

static void walk(void *host, void *thread, hone_prof_stack *out) {
    (void)host, (void)thread;
    out->refused = refuse;
    for (unsigned i = depth; i-- > 0;)
        if (!hone_prof_stack_push(out, stack[i])) {
            out->truncated = true;
            hone_prof_stack_root(out, stack[0]);
            return;
        }
}

static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
    (void)host;
    char name[16];
    snprintf(name, sizeof name, "f%d", (int)address);
    hone_prof_emit(sink, &(hone_prof_frame){.name = name, .file = "x", .line = (uint32_t)address});
    return true;
}

typedef struct Host {
    hone_prof *p;
    hone_prof_ticks ticks[2];
    hone_prof_thread *thread[2];
    uint64_t fuel[2], run, interval;
} Host;

static void host_init(Host *h) {
    *h = (Host){
        .p = hone_prof_new(&(hone_prof_config){.walk = walk, .resolve = resolve, .program = "t"})};
    for (int i = 0; i < 2; i++) {
        hone_prof_ticks_init(&h->ticks[i], &(hone_prof_device){.slot = &h->fuel[i]});
        h->thread[i] = hone_prof_thread_add(h->p, h, &h->ticks[i], "worker");
    }
    refuse = false;
}
static void host_start(Host *h, uint64_t interval) {
    CHECK_EQ(hone_prof_alloc_start(h->p, &(hone_prof_alloc_options){.interval = interval}), 0);
    h->run = hone_prof_alloc_run(h->p, &h->interval);
}
static void host_free(Host *h) {
    for (int i = 0; i < 2; i++) hone_prof_thread_remove(h->thread[i]);
    hone_prof_free(h->p);
}

static void at(unsigned n, const uintptr_t *frames) {
    depth = n;
    memcpy(stack, frames, n * sizeof *frames);
}
#define AT(...) at(sizeof(uintptr_t[]){__VA_ARGS__} / sizeof(uintptr_t), (uintptr_t[]){__VA_ARGS__})

static void sampled(Host *h, int thread, uintptr_t object, uint64_t bytes) {
    hone_prof_alloc_record(h->thread[thread], h->run, &(hone_prof_alloc_object){object, bytes}, 1,
                           -1);
}

/* Value V of the samples whose innermost frame is NAME; NULL: all. */
static uint64_t value_of(const hone_prof_data *d, const char *name, int v) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample s;
        uint32_t lines;
        hone_prof_data_sample(d, i, &s);
        uint32_t f = hone_prof_data_location(d, s.locations[0], &lines)->func;
        if (!name || !strcmp(hone_prof_data_func(d, f)->name, name)) sum += s.values[v];
    }
    return sum;
}
enum { SAMPLES, OBJECTS, SPACE, LIVE_OBJECTS, LIVE_SPACE };

/* ---- distances ---- */

/* Exponential: mean and deviation are the interval, and a third exceeds it by e. */
static void test_distances(void) {
    enum { N = 200000 };
    uint64_t state = 1;
    for (uint64_t interval = 1000; interval <= 1 << 30; interval *= 64) {
        double sum = 0, squares = 0, beyond = 0;
        for (int i = 0; i < N; i++) {
            double x = (double)hone_prof_alloc_distance(&state, interval) / (double)interval;
            sum += x;
            squares += x * x;
            beyond += x > 1;
        }
        CHECK_NEAR(sum / N, 1, 0.015);
        CHECK_NEAR(squares / N, 2, 0.08);
        CHECK_NEAR(beyond / N, exp(-1), 0.006);
    }
    uint64_t a = 1, b = 2;
    CHECK(hone_prof_alloc_distance(&a, 1 << 20) != hone_prof_alloc_distance(&b, 1 << 20));
}

/* ---- weights ---- */

static void test_weights(void) {
    Host h;
    host_init(&h);
    host_start(&h, 1000);
    AT(1, 2);
    sampled(&h, 0, 0, 16);
    AT(1, 3);
    sampled(&h, 0, 0, 1000);
    AT(1, 4);
    sampled(&h, 0, 0, 100000); /* sure to be one: stands for itself */
    hone_prof_data *d = hone_prof_alloc_snapshot(h.p, false);
    double p16 = 1 - exp(-0.016), p1000 = 1 - exp(-1);
    CHECK_EQ_U(value_of(d, "f2", OBJECTS), (uint64_t)llround(1 / p16));
    CHECK_EQ_U(value_of(d, "f2", SPACE), (uint64_t)llround(16 / p16));
    CHECK_EQ_U(value_of(d, "f3", SPACE), (uint64_t)llround(1000 / p1000));
    CHECK_EQ_U(value_of(d, "f4", OBJECTS), 1);
    CHECK_EQ_U(value_of(d, "f4", SPACE), 100000);
    CHECK_EQ_U(value_of(d, NULL, SAMPLES), 3);
    const hone_prof_info *info = hone_prof_data_info(d);
    double variance = (1 - p16) * pow(16 / p16, 2) + (1 - p1000) * pow(1000 / p1000, 2);
    CHECK_NEAR((double)info->stats.alloc_error, sqrt(variance), 1.5);
    CHECK_STR(info->values[info->main_value].type, "alloc_space");
    CHECK_STR(info->values[info->main_value].unit, "bytes");
    CHECK_EQ_U(info->period_ns, 1000);
    hone_prof_data_free(d);
    d = hone_prof_alloc_snapshot(h.p, true);
    info = hone_prof_data_info(d);
    CHECK_STR(info->values[info->main_value].type, "inuse_space");
    hone_prof_data_free(d);
    host_free(&h);
}

/* ---- what lives ---- */

static bool alive(void *ctx, uintptr_t *object) {
    (void)ctx;
    *object += 1000; /* all move */
    return (*object & 1) == 0;
}

static void test_live(void) {
    Host h;
    host_init(&h);
    host_start(&h, 1);
    AT(1, 2);
    for (uintptr_t i = 1; i <= 10; i++) sampled(&h, 0, i, 1000);
    sampled(&h, 0, 0, 1000); /* taken for dead */
    hone_prof_data *d = hone_prof_alloc_snapshot(h.p, true);
    CHECK_EQ_U(value_of(d, "f2", LIVE_OBJECTS), 10);
    CHECK_EQ_U(value_of(d, "f2", OBJECTS), 11);
    hone_prof_data_free(d);
    for (int i = 0; i < 2;
         i++) { /* the odd ones die once; the others are asked by their new names */
        hone_prof_alloc_sweep(h.p, alive, NULL);
        d = hone_prof_alloc_snapshot(h.p, true);
        CHECK_EQ_U(value_of(d, "f2", LIVE_OBJECTS), 5);
        CHECK_EQ_U(value_of(d, "f2", LIVE_SPACE), 5000);
        CHECK_EQ_U(value_of(d, "f2", SPACE), 11000);
        hone_prof_data_free(d);
    }
    CHECK_EQ(hone_prof_alloc_stop(h.p), 0); /* what lives is followed on */
    d = hone_prof_alloc_snapshot(h.p, true);
    CHECK_EQ_U(value_of(d, "f2", LIVE_OBJECTS), 5);
    hone_prof_data_free(d);
    CHECK_EQ(hone_prof_alloc_reset(h.p), 0);
    hone_prof_alloc_sweep(h.p, alive, NULL);
    d = hone_prof_alloc_snapshot(h.p, true);
    CHECK_EQ_U(hone_prof_data_samples(d), 0);
    hone_prof_data_free(d);
    host_free(&h);
}

/* ---- runs ---- */

static void test_runs(void) {
    Host h;
    uint64_t interval;
    host_init(&h);
    CHECK_EQ_U(hone_prof_alloc_run(h.p, &interval), 0);
    hone_prof_data *d = hone_prof_alloc_snapshot(h.p, false);
    CHECK_EQ_U(hone_prof_data_samples(d), 0);
    hone_prof_data_free(d);
    CHECK_EQ(hone_prof_alloc_stop(h.p), HONE_PROF_STOPPED);
    CHECK_EQ(
        hone_prof_alloc_start(h.p, &(hone_prof_alloc_options){.interval = ((uint64_t)1 << 40) + 1}),
        HONE_PROF_BAD_ARGUMENT);
    host_start(&h, 0);
    CHECK_EQ_U(h.interval, 512 << 10);
    CHECK_EQ(hone_prof_alloc_start(h.p, NULL), HONE_PROF_ALREADY);
    CHECK_EQ(hone_prof_stop(h.p), HONE_PROF_STOPPED); /* the other profile is another matter */
    AT(1, 2);
    uint64_t first = h.run;
    CHECK_EQ(hone_prof_alloc_stop(h.p), 0);
    sampled(&h, 0, 0, 1 << 30); /* after the stop */
    host_start(&h, 4096);
    CHECK(h.run != first);
    hone_prof_alloc_record(h.thread[0], first, &(hone_prof_alloc_object){0, 1 << 30}, 1, -1);
    sampled(&h, 0, 0, 1 << 20);
    d = hone_prof_alloc_snapshot(h.p, false);
    CHECK_EQ_U(value_of(d, NULL, SPACE), 1 << 20);
    hone_prof_data_free(d);
    host_free(&h);
}

/* ---- stacks that are none, deep ones, accounts, threads of one name ---- */

static void test_stacks(void) {
    Host h;
    host_init(&h);
    CHECK_EQ(hone_prof_alloc_start(
                 h.p, &(hone_prof_alloc_options){.interval = 1, .depth = 2, .root_depth = 1}),
             0);
    h.run = hone_prof_alloc_run(h.p, &h.interval);
    AT(1, 2, 3, 4);
    sampled(&h, 0, 0, 64);
    sampled(&h, 1, 0, 32);
    refuse = true;
    sampled(&h, 0, 0, 100);
    refuse = false;
    hone_prof_alloc_record(h.thread[0], h.run, &(hone_prof_alloc_object){0, 200}, 1,
                           HONE_PROF_COMPILING);
    hone_prof_data *d = hone_prof_alloc_snapshot(h.p, false);
    CHECK_EQ_U(value_of(d, "f4", SPACE), 96);
    CHECK_EQ_U(value_of(d, "[native]", SPACE), 100);
    CHECK_EQ_U(value_of(d, "[compiling]", SPACE), 200);
    CHECK_EQ_U(hone_prof_data_info(d)->stats.truncated, 2);
    int seen[2] = {0};
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample s;
        hone_prof_data_sample(d, i, &s);
        seen[0] += !strcmp(s.thread, "worker");
        seen[1] += !strcmp(s.thread, "worker#2");
        if (s.values[SPACE] == 64) CHECK_EQ_U(s.depth, 4); /* f4 f3 [truncated] f1 */
    }
    CHECK_EQ(seen[0], 3);
    CHECK_EQ(seen[1], 1);
    /* Through a file and back. */
    hone_prof_bytes file = hone_prof_write(d, hone_prof_format_by_name("pprof"), NULL);
    hone_prof_data *back;
    hone_prof_error error;
    REQUIRE(hone_prof_data_parse(file.at, file.len, "mem", &back, &error) == 0);
    CHECK_EQ_U(value_of(back, NULL, SPACE), 396);
    CHECK_EQ_U(hone_prof_data_info(back)->stats.samples, 4);
    CHECK_STR(hone_prof_data_info(back)->values[hone_prof_data_info(back)->main_value].type,
              "alloc_space");
    /* Folded stacks of bytes weigh bytes. */
    hone_prof_bytes folded = hone_prof_write(back, hone_prof_format_by_name("folded"), NULL);
    CHECK_HAS(folded.at, "f1;[truncated];f3;f4 96\n");
    free(folded.at);
    free(file.at);
    hone_prof_data_free(back);
    hone_prof_data_free(d);
    host_free(&h);
}

/* The estimate of a sum is unbiased, and its error is as large as it says: of 300 estimates, those
 * within one error of the truth are about two thirds, and their mean is near it. */
static void test_unbiased(void) {
    enum { RUNS = 300, OBJECTS_EACH = 3000, INTERVAL = 4096 };
    static const uint64_t sizes[] = {16, 48, 1024, 6000};
    Host h;
    host_init(&h);
    uint64_t state = 42;
    double truth = 0, sum = 0, errors = 0;
    int near = 0;
    for (int i = 0; i < OBJECTS_EACH; i++) truth += (double)sizes[i % 4];
    AT(1, 2);
    for (int r = 0; r < RUNS; r++) {
        CHECK_EQ(hone_prof_alloc_reset(h.p), 0);
        host_start(&h, INTERVAL);
        uint64_t left = hone_prof_alloc_distance(&state, INTERVAL);
        for (int i = 0; i < OBJECTS_EACH; i++) {
            uint64_t bytes = sizes[i % 4];
            if (bytes > left) {
                sampled(&h, 0, 0, bytes);
                left = hone_prof_alloc_distance(&state, INTERVAL);
            } else
                left -= bytes;
        }
        hone_prof_alloc_stop(h.p);
        hone_prof_data *d = hone_prof_alloc_snapshot(h.p, false);
        double estimate = (double)value_of(d, "f2", SPACE);
        double error = (double)hone_prof_data_info(d)->stats.alloc_error;
        sum += estimate;
        errors += error;
        near += fabs(estimate - truth) <= error;
        hone_prof_data_free(d);
    }
    CHECK(fabs(sum / RUNS - truth) < 4 * errors / RUNS / sqrt(RUNS));
    CHECK_NEAR((double)near / RUNS, 0.683, 0.11);
    host_free(&h);
}

CHECK_MAIN(test_distances, test_weights, test_live, test_runs, test_stacks, test_unbiased)
