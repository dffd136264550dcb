/* Views of a profile: the tree of rounds, source files annotated, the report's rows and columns,
 * the choice of a value, pages. */
#include <hone/prof.h>

#include <unistd.h>

#include "prof_check.h"

static const hone_prof_value_type types[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
static const hone_prof_value_type heap[] = {
    {"samples", "count"}, {"alloc_space", "bytes"}, {"inuse_space", "bytes"}};

static hone_prof_data *new_data(const hone_prof_value_type *values, unsigned count) {
    return hone_prof_data_new(&(hone_prof_info){.program = "p.scm",
                                                .meaning = "for a test",
                                                .values = values,
                                                .value_count = count,
                                                .main_value = 1,
                                                .sample_value = 0,
                                                .sources = 1,
                                                .own = true});
}

/* A sample of a stack given from the root, each frame as NAME or NAME@LINE, all in one file. */
static void add(hone_prof_data *d, const char *file, const char *stack, const uint64_t *values) {
    uint32_t *at = NULL, depth = 0, n = 1;
    char *copy = strdup(stack), *rest = copy;
    for (const char *p = stack; *p; p++) n += *p == ';';
    at = calloc(n, sizeof *at);
    for (char *frame; (frame = strsep(&rest, ";"));) {
        char *line = strchr(frame, '@');
        if (line) *line++ = 0;
        hone_prof_line l = {hone_prof_data_add_func(d, frame, file, 1, 0, 0),
                            line ? (uint32_t)atoi(line) : 1, 0};
        at[n - ++depth] = hone_prof_data_add_location(d, &l, 1);
    }
    hone_prof_data_add_sample(d, at, depth, values, "main", NULL, 0);
    free(copy);
    free(at);
}
static void add_ms(hone_prof_data *d, const char *file, const char *stack, uint64_t n) {
    add(d, file, stack, (uint64_t[]){n, n * 1000000});
}

static hone_prof_node *path_node(const hone_prof_data *d, hone_prof_node *t, size_t n,
                                 const char *path) {
    char *copy = strdup(path), *rest = copy;
    uint32_t node = 0;
    for (char *frame; (frame = strsep(&rest, ";")) && (node = tree_child(d, t, n, node, frame));) {
    }
    free(copy);
    return node ? &t[node] : NULL;
}

/* ---- rounds ---- */

static void test_rounds(void) {
    hone_prof_data *d = new_data(types, 2);
    add_ms(d, "f", "main;a;b;a;b;a;b;c", 4); /* three rounds of two */
    add_ms(d, "f", "main;a;b;c", 2);
    add_ms(d, "f", "main;a;a;a;a;b;c", 1);     /* one that calls itself, then a round */
    add_ms(d, "f", "main;x;y;z;x;y;z;x;y", 3); /* the third round is not whole */
    hone_prof_data_finish(d);
    size_t n;
    hone_prof_node *t = hone_prof_tree_rounds(d, &n);
    CHECK_EQ_U(n, 1 + 1 + 3 + 3 + 2);
    CHECK_EQ_U(t[0].total, 10000000);
    hone_prof_node *a = path_node(d, t, n, "main;a"), *c = path_node(d, t, n, "main;a;b;c");
    hone_prof_node *x = path_node(d, t, n, "main;x"), *y = path_node(d, t, n, "main;x;y;z;x;y");
    if (CHECK(a && c && x && y)) {
        CHECK_EQ_U(a->total_samples, 7);
        CHECK_EQ_U(a->levels, 4);
        CHECK_EQ_U(a->cycle, 2);
        CHECK_EQ_U(c->self_samples, 7);
        CHECK_EQ_U(x->levels, 2);
        CHECK_EQ_U(x->cycle, 3);
        CHECK_EQ_U(y->self_samples, 3);
        CHECK_EQ_U(y->levels, 1);
    }
    free(t);
    check_invariants(d);
    hone_prof_data_free(d);
}

/* A stack of 200,000 frames of two procedures has four nodes, and its page opens at once. */
static void test_deep(void) {
    enum { DEPTH = 200000 };
    hone_prof_data *d = new_data(types, 2);
    uint32_t *at = calloc(DEPTH, sizeof *at), of[2];
    for (uint32_t i = 0; i < 2; i++) {
        hone_prof_line l = {hone_prof_data_add_func(d, i ? "odd" : "even", "f", 1, 0, 0), 1, 0};
        of[i] = hone_prof_data_add_location(d, &l, 1);
    }
    for (uint32_t i = 0; i < DEPTH; i++) at[i] = of[i % 2];
    hone_prof_data_add_sample(d, at, DEPTH, (uint64_t[]){1, 1000000}, "", NULL, 0);
    free(at);
    hone_prof_data_finish(d);
    size_t n;
    hone_prof_node *t = hone_prof_tree_rounds(d, &n);
    CHECK_EQ_U(n, 3);
    CHECK_EQ_U(t[1].levels, DEPTH / 2);
    CHECK_EQ_U(t[1].cycle, 2);
    free(t);
    hone_prof_bytes text = hone_prof_report_text(d, &(hone_prof_report){.full_tree = true});
    CHECK(text.len < 4000);
    CHECK(strstr(text.at, "begins a cycle of 2, up to 100000 levels"));
    free(text.at);
    check_page(d);
    hone_prof_data_free(d);
}

/* ---- annotation ---- */

static char source[64];

static void write_source(void) {
    snprintf(source, sizeof source, "/tmp/hone-views-%d.scm", (int)getpid());
    FILE *f = fopen(source, "w");
    for (int line = 1; line <= 40; line++)
        fprintf(f, "(line %d)%s\n", line, line == 3 ? "\t; tab\033" : "");
    fclose(f);
}

static char *annotated(const hone_prof_data *d, bool colour, const char *file) {
    hone_prof_annotation how = {.files = &file, .file_count = file != NULL, .colour = colour};
    hone_prof_bytes out = {0};
    hone_prof_error e = {0};
    int status = hone_prof_annotate(d, &how, &out, &e);
    if (status) CHECK(e.text[0] && !out.at);
    return out.at;
}

static hone_prof_data *annotated_profile(void) {
    hone_prof_data *d = new_data(types, 2);
    add_ms(d, source, "main@3;f@5;f@5;g@20", 60); /* line 5 twice: counts once */
    add_ms(d, source, "main@3;f@5", 35);
    add_ms(d, source, "main@3", 5);
    add_ms(d, "/nowhere/x.scm", "lost@2", 100);
    hone_prof_data_finish(d);
    return d;
}

static void test_annotate(void) {
    write_source();
    hone_prof_data *d = annotated_profile();
    char *text = annotated(d, false, NULL);
    if (CHECK(text)) {
        CHECK(strstr(text, ": 50.00 % of all\n"));
        CHECK(strstr(text, ">     60.00  30.00     60.00    20 | (line 20)\n"));
        CHECK(strstr(text, ">     35.00  17.50     95.00     5 | (line 5)\n"));
        CHECK(strstr(text, "-      5.00   2.50    100.00     3 | (line 3)        ; tab\\x1b;\n"));
        CHECK(strstr(text, "                                 4 | (line 4)\n"));
        CHECK(strstr(text, "\n        ...\n"));
        CHECK(!strstr(text, "(line 12)") && !strstr(text, "(line 30)") && !strchr(text, '\033'));
        CHECK(strstr(text, "/nowhere/x.scm: 50.00 % of all\n") && strstr(text, "not to be read"));
    }
    free(text);
    text = annotated(d, true, strrchr(source, '/') + 1);
    if (CHECK(text)) {
        CHECK(strstr(text, "\033[1;31m>     60.00  30.00     60.00    20 | (line 20)\033[0m\n"));
        CHECK(strstr(text, "(line 12)") && strstr(text, "(line 40)") && !strstr(text, "nowhere"));
    }
    free(text);
    CHECK(!annotated(d, false, "ews.scm"));
    CHECK(!annotated(d, false, "/nowhere/x.scm"));
    CHECK(!annotated(d, false, ""));
    hone_prof_data_free(d);
}

static void test_annotate_counts(void) {
    hone_prof_count counts[] = {
        {{.name = "f", .file = source, .line = 7, .func_line = 7}, 12345678901},
        {{.name = "g", .file = source, .line = 7, .func_line = 7}, 9},
        {{.name = "f", .file = source, .line = 9, .func_line = 7}, 1}};
    hone_prof_data *d = hone_prof_data_from_counts("p.scm", counts, 3);
    char *text = annotated(d, false, NULL);
    if (CHECK(text)) {
        CHECK(strstr(text, "> 12345678910 100.00     7 | (line 7)\n"));
        CHECK(strstr(text, "            1   0.00     9 | (line 9)\n"));
    }
    free(text);
    hone_prof_data_free(d);
    unlink(source);
}

/* ---- the report ---- */

static void test_rows(void) {
    hone_prof_data *d = new_data(types, 2);
    char *name = calloc(1, 4001);
    memset(name, 'n', 4000);
    name[2000] = '|';
    add_ms(d, "f", "main;run;loop;inner", 90);
    add_ms(d, "f", "main;run;loop", 9);
    add_ms(d, "f", name, 1);
    hone_prof_data_finish(d);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK(strstr(text.at, "  inner  f:1\n") && strstr(text.at, "  loop  f:1\n"));
    CHECK(!strstr(text.at, "  main  f:1\n") && strstr(text.at, "(and 2 procedures more"));
    CHECK(strstr(text.at, "n\xe2\x80\xa6n") && !strchr(text.at, '|'));
    for (const char *line = text.at; line && *line; line = strchr(line + 1, '\n'))
        CHECK(strcspn(line + 1, "\n") < 180);
    free(text.at);
    text = hone_prof_report_text(d, &(hone_prof_report){.top = 9});
    CHECK(strstr(text.at, "  main  f:1\n"));
    free(text.at);
    free(name);
    hone_prof_data_free(d);
}

/* Numbers of any size keep a space between the columns. */
static void test_columns(void) {
    hone_prof_data *d = new_data(heap, 3);
    add(d, "f", "main;alloc", (uint64_t[]){7, INT64_MAX / 2, 5120});
    add(d, "f", "main", (uint64_t[]){1, 1, 2048});
    hone_prof_data_finish(d);
    hone_prof_bytes text = hone_prof_report_text(d, NULL);
    CHECK(strstr(text.at, " 4398046511104.00  100.00   0.00  4398046511104.00  100.00"));
    free(text.at);
    hone_prof_error e;
    CHECK_EQ(hone_prof_data_choose(d, "inuse_space", &e), HONE_PROF_OK);
    text = hone_prof_report_text(d, NULL);
    CHECK(strstr(text.at, "        5.00   71.43"));
    free(text.at);
    CHECK_EQ(hone_prof_data_choose(d, "cpu", &e), HONE_PROF_BAD_ARGUMENT);
    CHECK(strstr(e.text, "samples, alloc_space, inuse_space"));
    hone_prof_data_free(d);
}

/* ---- pages ---- */

static void test_diff_page(void) {
    hone_prof_data *a = new_data(types, 2), *b = new_data(types, 2), *c = new_data(heap, 3);
    add_ms(a, "f", "main;old", 10);
    for (int i = 0; i < 40; i++) { /* more procedures than a table's first size */
        char name[20];
        snprintf(name, sizeof name, "main;p%d", i);
        add_ms(b, "f", name, 10);
    }
    add(c, "f", "main;alloc", (uint64_t[]){1, 2, 3});
    hone_prof_data_finish(a);
    hone_prof_data_finish(b);
    hone_prof_data_finish(c);
    const hone_prof_data *pairs[][2] = {{a, b}, {b, a}, {a, c}, {c, c}};
    for (size_t i = 0; i < BASE_COUNT(pairs); i++) {
        hone_prof_bytes page =
            hone_prof_diff_html(pairs[i][0], pairs[i][1], &(hone_prof_report){0});
        if (!hone_prof_has_page(NULL)) CHECK(strstr(page.at, "\"sides\":2"));
        free(page.at);
        hone_prof_bytes text = hone_prof_diff_text(pairs[i][0], pairs[i][1], 0);
        CHECK(text.len);
        free(text.at);
    }
    hone_prof_data_free(a);
    hone_prof_data_free(b);
    hone_prof_data_free(c);
}

CHECK_MAIN(test_rounds, test_deep, test_annotate, test_annotate_counts, test_rows, test_columns,
           test_diff_page)
