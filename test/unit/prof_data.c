/* Profiles as data: totals under recursion, labels, tables, merge, diff, counts, saturation. */
#include <hone/prof.h>

#include "prof_check.h"

static const hone_prof_value_type types[] = {
    {"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};

static hone_prof_data *new_data(const char *program) {
    return hone_prof_data_new(&(hone_prof_info){.program = program,
                                                .meaning = "for a test",
                                                .values = types,
                                                .value_count = 3,
                                                .main_value = 1,
                                                .sample_value = 0,
                                                .sources = 1,
                                                .period_ns = 1000000,
                                                .own = true});
}

/* Adds `n` samples of 1 ms for a stack given as "root;middle;leaf"; a name may have `@LINE`, the
 * procedure's line. */
static void add(hone_prof_data *d, const char *stack, uint64_t n) {
    uint32_t locations[512], depth = 0;
    char *copy = strdup(stack), *rest = copy;
    for (char *frame; (frame = strsep(&rest, ";"));) {
        char *at = strchr(frame, '@');
        uint32_t line = at ? (uint32_t)atoi(at + 1) : 1;
        if (at) *at = 0;
        hone_prof_line l = {hone_prof_data_add_func(d, frame, "dir/p.scm", line, 0, 0), line + 1,
                            0};
        locations[511 - depth++] = hone_prof_data_add_location(d, &l, 1);
    }
    uint64_t values[] = {n, n * 1000000, 2 * n * 1000000};
    hone_prof_data_add_sample(d, locations + 512 - depth, depth, values, "main", NULL, 0);
    free(copy);
}

static hone_prof_data *make(const char *program, const char *const *stacks, const uint64_t *counts,
                            size_t n) {
    hone_prof_data *d = new_data(program);
    for (size_t i = 0; i < n; i++) add(d, stacks[i], counts[i]);
    hone_prof_data_finish(d);
    return d;
}
#define MAKE(program, counts, ...)                                                                 \
    make(program, (const char *const[]){__VA_ARGS__}, (const uint64_t[])counts,                    \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define N(...) {__VA_ARGS__}

static uint64_t samples_of(const hone_prof_data *d, const char *label) {
    return proc_named(d, label).total_samples;
}

/* Recursion, direct and mutual, counts once. */
static void test_recursion(void) {
    hone_prof_data *d =
        MAKE("p", N(30, 20, 40, 10), "main;part-a;down;down;down;spin", "main;part-a;down;spin",
             "main;part-b;ping;pong;ping;pong;spin", "main;part-b;ping;pong");
    CHECK_EQ_U(samples_of(d, "main"), 100);
    CHECK_EQ_U(samples_of(d, "down"), 50);
    CHECK_EQ_U(samples_of(d, "part-a"), 50);
    CHECK_EQ_U(samples_of(d, "ping"), 50);
    CHECK_EQ_U(samples_of(d, "pong"), 50);
    CHECK_EQ_U(proc_named(d, "spin").self_samples, 90);
    CHECK_EQ_U(proc_named(d, "pong").self_samples, 10);
    CHECK_NEAR(proc_named(d, "down").total_share, 0.5, 1e-12);
    CHECK_NEAR(proc_named(d, "spin").self_error, sqrt(0.9 * 0.1 / 100), 1e-12);
    size_t n;
    hone_prof_edge *edges = hone_prof_edges(d, &n);
    uint64_t down_down = 0, ping_pong = 0;
    for (size_t i = 0; i < n; i++) {
        const char *caller = hone_prof_data_func(d, edges[i].caller)->label;
        const char *callee = hone_prof_data_func(d, edges[i].callee)->label;
        if (!strcmp(caller, "down") && !strcmp(callee, "down")) down_down = edges[i].samples;
        if (!strcmp(caller, "ping") && !strcmp(callee, "pong")) ping_pong = edges[i].samples;
    }
    CHECK_EQ_U(down_down, 30); /* twice in a stack, counted once */
    CHECK_EQ_U(ping_pong, 50);
    free(edges);
    check_invariants(d);
    hone_prof_data_free(d);
}

/* Procedures of one name at different places are different rows; one procedure at many lines is one
 * row. */
static void test_labels(void) {
    hone_prof_data *d = new_data("p");
    add(d, "cheap;loop@2", 10);
    add(d, "dear;loop@3", 90);
    add(d, "loop", 1);
    hone_prof_line l = {hone_prof_data_add_func(d, "cheap", "dir/p.scm", 1, 0, 0), 77, 0};
    uint32_t location = hone_prof_data_add_location(d, &l, 1);
    hone_prof_data_add_sample(d, &location, 1, (uint64_t[]){5, 5000000, 0}, "main", NULL, 0);
    hone_prof_data_add_func(d, "same", "x", 1, 0, 1); /* alike but for the host's number */
    hone_prof_data_add_func(d, "same", "x", 1, 0, 2);
    hone_prof_data_add_func(d, "col", "x", 1, 3, 0);
    hone_prof_data_add_func(d, "col", "x", 1, 5, 0);
    hone_prof_data_add_func(d, "dup", "a/x", 1, 0, 0);
    hone_prof_data_add_func(d, "dup", "b/x", 1, 0, 0);
    hone_prof_data_add_func(d, "loop@p.scm:2", "", 0, 0, 0); /* a name that looks like a label */
    hone_prof_data_finish(d);
    CHECK_EQ_U(samples_of(d, "loop@p.scm:3"), 90);
    CHECK_EQ_U(samples_of(d, "cheap"), 15);
    CHECK_EQ_U(proc_named(d, "cheap").self_samples, 5);
    base_strmap seen = {0};
    int twice = 0, found = 0;
    static const char *const expected[] = {"col@x:1:3",    "col@x:1:5",    "dup@a/x:1", "dup@b/x:1",
                                           "loop@p.scm:1", "loop@p.scm:3", "cheap",     "dear"};
    for (uint32_t i = 0; i < hone_prof_data_funcs(d); i++) {
        const char *label = hone_prof_data_func(d, i)->label;
        bool added;
        base_strmap_at(&seen, label, strlen(label), &added);
        twice += !added;
        for (size_t k = 0; k < BASE_COUNT(expected); k++) found += !strcmp(label, expected[k]);
    }
    CHECK_EQ(twice, 0);
    CHECK_EQ(found, (int)BASE_COUNT(expected));
    base_strmap_free(&seen);
    check_invariants(d);
    hone_prof_data_free(d);
}

static void test_deep_tree(void) {
    enum { DEEP = 200000 };
    hone_prof_data *d = new_data("p");
    uint32_t *stack = malloc(DEEP * sizeof *stack);
    hone_prof_line l = {hone_prof_data_add_func(d, "deep", "f", 1, 0, 0), 1, 0};
    for (uint32_t i = 0; i < DEEP; i++) stack[i] = hone_prof_data_add_location(d, &l, 1);
    hone_prof_data_add_sample(d, stack, DEEP, (uint64_t[]){3, 3000000, 0}, "main", NULL, 0);
    hone_prof_data_finish(d);
    size_t n;
    hone_prof_node *t = hone_prof_tree(d, &n);
    CHECK_EQ_U(n, DEEP + 1);
    CHECK_EQ_U(t[DEEP].self_samples, 3);
    CHECK_EQ_U(t[0].total, 3000000);
    free(t);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "deep (recursive, up to 200000 levels)");
    free(text.at);
    free(stack);
    hone_prof_data_free(d);
}

static const hone_prof_node *node_named(const hone_prof_data *d, const hone_prof_node *t, size_t n,
                                        const char *name) {
    for (size_t i = 1; i < n; i++)
        if (!strcmp(hone_prof_data_func(d, t[i].func)->label, name)) return &t[i];
    return NULL;
}

/* main, ping, pong, ping, pong, ping: 4; main, ping, pong: 2; main, ping, leaf: 1. */
static void test_folded_tree(void) {
    hone_prof_data *d = new_data("p");
    uint32_t at[4]; /* main, ping, pong, leaf */
    static const char *const names[] = {"main", "ping", "pong", "leaf"};
    for (uint32_t i = 0; i < 4; i++) {
        hone_prof_line l = {hone_prof_data_add_func(d, names[i], "f", i + 1, 0, 0), i + 1, 0};
        at[i] = hone_prof_data_add_location(d, &l, 1);
    }
    uint32_t deep[] = {at[1], at[2], at[1], at[2], at[1], at[0]};
    uint32_t once[] = {at[2], at[1], at[0]}, leaf[] = {at[3], at[1], at[0]};
    hone_prof_data_add_sample(d, deep, 6, (uint64_t[]){4, 4000, 0}, "main", NULL, 0);
    hone_prof_data_add_sample(d, once, 3, (uint64_t[]){2, 2000, 0}, "main", NULL, 0);
    hone_prof_data_add_sample(d, leaf, 3, (uint64_t[]){1, 1000, 0}, "main", NULL, 0);
    hone_prof_data_finish(d);
    size_t n;
    hone_prof_node *t = hone_prof_tree_folded(d, &n);
    CHECK_EQ_U(n, 5);
    const hone_prof_node *ping = node_named(d, t, n, "ping"), *pong = node_named(d, t, n, "pong");
    CHECK_EQ_U(t[0].total, 7000);
    CHECK_EQ_U(ping->self, 4000);
    CHECK_EQ_U(ping->total, 7000);
    CHECK_EQ_U(ping->levels, 3);
    CHECK_EQ_U(pong->self, 2000);
    CHECK_EQ_U(pong->total, 6000); /* once for each stack that it is in */
    CHECK_EQ_U(pong->levels, 1);
    CHECK(&t[pong->parent] == ping);
    CHECK_EQ_U(node_named(d, t, n, "leaf")->total_samples, 1);
    free(t);
    hone_prof_data_free(d);
}

static void test_saturation(void) {
    hone_prof_data *d = new_data("p");
    uint32_t f = hone_prof_data_add_func(d, "f", "", 0, 0, 0);
    hone_prof_line l = {f, 0, 0};
    uint32_t location = hone_prof_data_add_location(d, &l, 1);
    hone_prof_data_add_sample(d, &location, 1, (uint64_t[]){(1ull << 32) - 2, INT64_MAX - 1, 0}, "",
                              NULL, 0);
    hone_prof_data_add_sample(d, &location, 1, (uint64_t[]){5, 5, UINT64_MAX}, "", NULL, 0);
    hone_prof_data_finish(d);
    CHECK_EQ_U(hone_prof_data_total(d, 0), (1ull << 32) + 3);
    CHECK_EQ_U(hone_prof_data_total(d, 1), INT64_MAX);
    CHECK_EQ_U(hone_prof_data_total(d, 2), INT64_MAX);
    hone_prof_data *sum = NULL;
    CHECK_EQ(hone_prof_merge((const hone_prof_data *const[]){d, d}, NULL, 2, false, &sum, NULL), 0);
    CHECK_EQ_U(hone_prof_data_total(sum, 0), 2 * ((1ull << 32) + 3));
    CHECK_EQ_U(hone_prof_data_total(sum, 1), INT64_MAX);
    check_invariants(sum);
    hone_prof_data_free(sum);
    hone_prof_data_free(d);
}

static hone_prof_data *merge2(const hone_prof_data *a, const hone_prof_data *b) {
    hone_prof_data *sum = NULL;
    hone_prof_error e;
    CHECK_EQ(hone_prof_merge((const hone_prof_data *const[]){a, b}, NULL, 2, false, &sum, &e), 0);
    return sum;
}

static bool same_file(const hone_prof_data *a, const hone_prof_data *b) {
    hone_prof_bytes x = written(a, "pprof"), y = written(b, "pprof");
    bool same = equal_bytes(x, y);
    free(x.at);
    free(y.at);
    return same;
}

static void test_merge(void) {
    hone_prof_data *a = MAKE("p", N(3, 4), "m;x;y", "m;x");
    hone_prof_data *b = MAKE("p", N(5, 1, 7), "m;x", "z@4;y", "z@9");
    hone_prof_data *other = MAKE("q", N(1), "m"), *empty = new_data("p"), *sum = NULL;
    hone_prof_data_finish(empty);
    hone_prof_data *ab = merge2(a, b), *ba = merge2(b, a), *aa = merge2(a, a);
    hone_prof_data *ab_a = merge2(ab, a), *a_ba = merge2(a, ba), *ae = merge2(a, empty);
    CHECK(same_file(ab, ba));
    CHECK(same_file(ab_a, a_ba));
    CHECK_EQ_U(samples_in(ab), 20);
    CHECK_EQ_U(samples_of(ab, "x"), 12);
    CHECK_EQ_U(samples_of(aa, "y"), 6);
    CHECK_EQ_U(samples_in(ae), 7);
    CHECK_EQ_U(hone_prof_data_info(ab_a)->sources, 3);
    check_invariants(ab_a);
    hone_prof_error e;
    const hone_prof_data *two[] = {a, other};
    CHECK_EQ(hone_prof_merge(two, NULL, 2, false, &sum, &e), HONE_PROF_MISMATCH);
    CHECK_HAS(e.text, "\"p\" and \"q\"");
    CHECK(!sum);
    CHECK_EQ(hone_prof_merge(two, (double[]){0.5, 3}, 2, true, &sum, &e), 0);
    CHECK_STR(hone_prof_data_info(sum)->program, "p + q");
    CHECK_EQ_U(hone_prof_data_total(sum, 1), 3500000 + 3000000);
    hone_prof_data_free(sum);
    CHECK_EQ(hone_prof_merge(two, (double[]){-1, 1}, 2, true, &sum, &e), HONE_PROF_BAD_ARGUMENT);
    CHECK_EQ(hone_prof_merge(two, NULL, 0, true, &sum, &e), HONE_PROF_BAD_ARGUMENT);
    hone_prof_data *all[] = {a, b, other, empty, ab, ba, aa, ab_a, a_ba, ae};
    for (size_t i = 0; i < BASE_COUNT(all); i++) hone_prof_data_free(all[i]);
}

static void test_many_merged(void) {
    enum { MANY = 500 };
    hone_prof_data *a = MAKE("p", N(3, 4), "m;x;y", "m;x"), *sum = NULL;
    const hone_prof_data *all[MANY];
    for (int i = 0; i < MANY; i++) all[i] = a;
    CHECK_EQ(hone_prof_merge(all, NULL, MANY, false, &sum, NULL), 0);
    CHECK_EQ_U(samples_in(sum), 7 * MANY);
    hone_prof_data_free(sum);
    hone_prof_data_free(a);
}

static void test_diff(void) {
    hone_prof_data *a = MAKE("p", N(5000, 4000, 1000), "m;slow", "m;other", "m;small");
    hone_prof_data *b =
        MAKE("p", N(8000, 4000, 1010, 1), "m;slow@40", "m;other", "m;small", "m;new");
    size_t n;
    hone_prof_change *rows = hone_prof_diff(a, b, &n);
    CHECK_EQ_U(n, 5);
    CHECK_STR(rows[0].label, "slow"); /* paired though its line moved */
    CHECK_NEAR(rows[0].before, 0.5, 1e-9);
    CHECK_NEAR(rows[0].after, 8000.0 / 13011, 1e-9);
    CHECK_EQ_U(rows[0].line, 40);
    CHECK(rows[0].credible);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(rows[i].label, "new")) CHECK(!rows[i].credible && rows[i].noise > 0);
    free(rows);
    hone_prof_bytes text = hone_prof_diff_text(a, b, 0);
    CHECK_HAS(text.at, "slow  dir/p.scm:40");
    CHECK_HAS(text.at, "within the noise");
    free(text.at);
    text = hone_prof_diff_text(a, a, 0);
    CHECK_HAS(text.at, "no change of share is above the noise");
    free(text.at);
    hone_prof_data_free(a);
    hone_prof_data_free(b);
}

static void test_hot(void) {
    hone_prof_data *few = MAKE("p", N(9, 1), "m;hot", "m;cold");
    hone_prof_data *many = MAKE("p", N(9000, 1000, 30), "m;hot", "m;edge", "m;cold");
    hone_prof_proc row = proc_named(few, "hot");
    CHECK_EQ(hone_prof_is_hot(few, &row, 0.1, 0), HONE_PROF_UNKNOWN);
    CHECK_EQ(hone_prof_is_hot(few, &row, 0.1, 10), HONE_PROF_HOT);
    row = proc_named(many, "hot");
    CHECK_EQ(hone_prof_is_hot(many, &row, 0.1, 0), HONE_PROF_HOT);
    row = proc_named(many, "edge");
    CHECK_EQ(hone_prof_is_hot(many, &row, 0.1, 0), HONE_PROF_UNKNOWN);
    row = proc_named(many, "cold");
    CHECK_EQ(hone_prof_is_hot(many, &row, 0.1, 0), HONE_PROF_COLD);
    hone_prof_data_free(few);
    hone_prof_data_free(many);
}

static void test_counts(void) {
    hone_prof_count counts[] = {
        {{.name = "f", .file = "a.scm", .line = 2, .func_line = 1}, 3000000000},
        {{.name = "f", .file = "a.scm", .line = 3, .func_line = 1}, 7},
        {{.name = "g", .file = "a.scm", .line = 9, .func_line = 8}, 5},
        {{.name = "g", .file = "a.scm", .line = 10, .func_line = 8}, 0}};
    hone_prof_data *d = hone_prof_data_from_counts("p", counts, 4);
    CHECK_EQ_U(main_total(d), 3000000012);
    CHECK_EQ_U(proc_named(d, "f").self, 3000000007);
    size_t n;
    hone_prof_line_row *lines = hone_prof_lines(d, &n);
    CHECK_EQ_U(n, 4);
    CHECK_EQ_U(lines[0].line, 2);
    CHECK_EQ_U(lines[0].self, 3000000000);
    free(lines);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK_HAS(text.at, "3000000012 executions of lines in all");
    CHECK_HAS(text.at, "  3000000000  100.00  a.scm:2\n           7    0.00  a.scm:3\n");
    free(text.at);
    hone_prof_bytes csv = hone_prof_write(d, hone_prof_format_by_name("csv"), NULL);
    CHECK(!strcmp(csv.at, "file,line,procedure,count\na.scm,2,f,3000000000\na.scm,3,f,7\n"
                          "a.scm,9,g,5\na.scm,10,g,0\n"));
    free(csv.at);
    check_invariants(d);
    hone_prof_data *nothing = hone_prof_data_from_counts("p", NULL, 0);
    check_invariants(nothing);
    hone_prof_data_free(nothing);
    hone_prof_data_free(d);
}

/* One part of a profile by label, and all of it below a root for each value. */
static void test_filter_and_split(void) {
    static const hone_prof_label x = {.key = "request", .value = "x"},
                                 y = {.key = "request", .value = "y"},
                                 seven = {.key = "size", .number = 7};
    hone_prof_data *d = new_data("p");
    hone_prof_line f = {hone_prof_data_add_func(d, "f", "a", 1, 0, 0), 1, 0},
                   g = {hone_prof_data_add_func(d, "g", "a", 2, 0, 0), 2, 0};
    uint32_t stack[] = {hone_prof_data_add_location(d, &g, 1),
                        hone_prof_data_add_location(d, &f, 1)};
    hone_prof_data_add_sample(d, stack, 2, (uint64_t[]){3, 300, 0}, "main", &x, 1);
    hone_prof_data_add_sample(d, stack, 2, (uint64_t[]){4, 400, 0}, "other", &x, 1);
    hone_prof_data_add_sample(d, stack, 2, (uint64_t[]){5, 500, 0}, "main", &y, 1);
    hone_prof_data_add_sample(d, stack + 1, 1, (uint64_t[]){6, 600, 0}, "main", NULL, 0);
    hone_prof_data_add_sample(d, stack + 1, 1, (uint64_t[]){7, 700, 0}, "main", &seven, 1);
    hone_prof_data_finish(d);
    CHECK_EQ_U(hone_prof_data_samples(d), 5);
    const struct {
        const char *key, *value;
        uint64_t samples;
        uint32_t funcs;
    } parts[] = {{"request", "x", 7, 2}, {"request", "y", 5, 2}, {"thread", "main", 21, 2},
                 {"size", "7", 7, 1},    {"request", "z", 0, 0}, {"Request", "x", 0, 0}};
    for (size_t i = 0; i < BASE_COUNT(parts); i++) {
        hone_prof_data *part = hone_prof_filter(d, parts[i].key, parts[i].value);
        CHECK_EQ_U(samples_in(part), parts[i].samples);
        CHECK_EQ_U(hone_prof_data_funcs(part), parts[i].funcs);
        check_invariants(part);
        hone_prof_data_free(part);
    }
    hone_prof_data *split = hone_prof_split(d, "request");
    CHECK_EQ_U(samples_in(split), 25);
    CHECK_EQ_U(proc_named(split, "[request: x]").total_samples, 7);
    CHECK_EQ_U(proc_named(split, "[request: y]").total_samples, 5);
    CHECK_EQ_U(proc_named(split, "[no request]").total_samples, 13);
    CHECK_EQ_U(proc_named(split, "[no request]").self_samples, 0);
    CHECK_EQ_U(proc_named(split, "f").total_samples, 25);
    check_invariants(split);
    hone_prof_data_free(split);
    hone_prof_data_free(d);
}

/* What was added between two snapshots: of stacks that were there, of new ones, of none. */
static void test_subtract(void) {
    hone_prof_data *before = MAKE("p", N(30, 5, 7), "main;a", "main;b", "main;gone");
    hone_prof_data *after = MAKE("p", N(30, 25, 4), "main;a", "main;b", "main;new;a");
    hone_prof_data *d = hone_prof_subtract(after, before, 123);
    CHECK_EQ_U(hone_prof_data_samples(d), 2);
    CHECK_EQ_U(samples_of(d, "b"), 20);
    CHECK_EQ_U(samples_of(d, "a"), 4);
    CHECK_EQ_U(samples_of(d, "main"), 24);
    CHECK_EQ_U(hone_prof_data_total(d, 1), 24000000);
    CHECK_EQ((long)hone_prof_data_info(d)->start_ns, 123);
    check_invariants(d);
    hone_prof_data *nothing = hone_prof_subtract(after, after, 0);
    CHECK_EQ_U(hone_prof_data_samples(nothing), 0);
    CHECK_EQ_U(hone_prof_data_total(nothing, 0), 0);
    hone_prof_data *all = hone_prof_subtract(after, NULL, 0);
    CHECK_EQ_U(hone_prof_data_total(all, 0), 59);
    hone_prof_data *sum;
    CHECK_EQ(
        hone_prof_merge((const hone_prof_data *const[]){d, nothing}, NULL, 2, false, &sum, NULL),
        0);
    CHECK_EQ_U(hone_prof_data_total(sum, 0), 24);
    hone_prof_data_free(before);
    hone_prof_data_free(after);
    hone_prof_data_free(d);
    hone_prof_data_free(nothing);
    hone_prof_data_free(all);
    hone_prof_data_free(sum);
}

CHECK_MAIN(test_filter_and_split, test_recursion, test_labels, test_deep_tree, test_folded_tree,
           test_saturation, test_merge, test_many_merged, test_subtract, test_diff, test_hot,
           test_counts)
