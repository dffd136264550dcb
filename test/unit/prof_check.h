/* The one checker of a profile's invariants, called by every test that makes a profile.
 *
 *   I1  the sum of the folded counts = the samples reported = the sum of pprof's value = the tree's
 * root I2  for every procedure self <= total <= all; the self values add up to all, exactly I3
 * nothing negative, no NaN, no infinity, no share above 100 % I4  every folded line splits into
 * exactly the frames that the call tree has; every file is whole and can be read back
 *
 * Each format is read by a reader written here, from the format's own definition.
 */
#ifndef PROF_CHECK_H
#define PROF_CHECK_H

#include <hone/prof.h>

#include "base/base.h"
#include "check.h"

static hone_prof_bytes written(const hone_prof_data *d, const char *format) {
    return hone_prof_write(d, hone_prof_format_by_name(format), NULL);
}

static uint64_t samples_in(const hone_prof_data *d) {
    const hone_prof_info *info = hone_prof_data_info(d);
    return hone_prof_data_total(d, info->sample_value >= 0 ? (unsigned)info->sample_value
                                                           : info->main_value);
}

static uint64_t main_total(const hone_prof_data *d) {
    return hone_prof_data_total(d, hone_prof_data_info(d)->main_value);
}

/* ---- tables ---- */

static bool share_is_sound(double x) { return isfinite(x) && x >= 0 && x <= 1 + 1e-12; }

static void check_procs(const hone_prof_data *d) {
    size_t n;
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    uint64_t self = 0, samples = 0, all = main_total(d);
    int wrong = 0;
    for (size_t i = 0; i < n; i++) {
        const hone_prof_proc *r = &rows[i];
        wrong += r->self > r->total || r->total > all || r->total > INT64_MAX;
        wrong += r->self_samples > r->total_samples;
        wrong += !share_is_sound(r->self_share) || !share_is_sound(r->total_share);
        wrong += !isfinite(r->self_error) || r->self_error < 0 || r->self_error > 0.5;
        wrong += i && rows[i - 1].self < r->self;
        for (size_t k = 0; k < i; k++) wrong += rows[k].func == r->func;
        self = base_sat_add(self, r->self);
        samples = base_sat_add(samples, r->self_samples);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ_U(self, all);
    if (hone_prof_data_info(d)->sample_value >= 0) CHECK_EQ_U(samples, samples_in(d));
    free(rows);
}

static void check_one_tree(const hone_prof_data *d, hone_prof_node *t, size_t n) {
    uint64_t *below = calloc(n, sizeof *below);
    uint32_t *children = calloc(n, sizeof *children);
    int wrong = 0;
    CHECK_EQ_U(t[0].total, main_total(d));
    if (hone_prof_data_info(d)->sample_value >= 0) CHECK_EQ_U(t[0].total_samples, samples_in(d));
    for (size_t i = n; i-- > 0;) {
        below[i] = base_sat_add(below[i], t[i].self);
        wrong += below[i] != t[i].total || children[i] != t[i].children;
        if (!i) break;
        wrong += t[i].parent >= i || t[i].depth != t[t[i].parent].depth + 1;
        below[t[i].parent] = base_sat_add(below[t[i].parent], below[i]);
        children[t[i].parent]++;
    }
    CHECK_EQ(wrong, 0);
    free(below);
    free(children);
    free(t);
}

static void check_tree(const hone_prof_data *d) {
    size_t n, rounds;
    hone_prof_node *whole = hone_prof_tree(d, &n);
    hone_prof_node *folded = hone_prof_tree_rounds(d, &rounds);
    CHECK(rounds <= n);
    check_one_tree(d, whole, n);
    check_one_tree(d, folded, rounds);
}

/* ---- folded ---- */

/* The child of `node` with that label, or 0. */
static uint32_t tree_child(const hone_prof_data *d, const hone_prof_node *t, size_t n,
                           uint32_t node, const char *label) {
    for (uint32_t i = node + 1; i < n && t[i].depth > t[node].depth; i++)
        if (t[i].parent == node && !strcmp(hone_prof_data_func(d, t[i].func)->label, label))
            return i;
    return 0;
}

/* Follows one folded line through the tree; gives the node it ends at. Credits each procedure of
 * the line once in totals[]. */
static uint32_t follow(const hone_prof_data *d, const hone_prof_node *t, size_t n, char *path,
                       uint64_t count, uint64_t *totals) {
    uint32_t node = 0;
    bool *seen = calloc(hone_prof_data_funcs(d) + 1, sizeof *seen);
    for (char *frame = path, *next; frame; frame = next) {
        next = strchr(frame, ';');
        if (next) *next++ = 0;
        hone_prof_unfold(frame);
        node = tree_child(d, t, n, node, frame);
        if (!node) break;
        if (!seen[t[node].func]) totals[t[node].func] = base_sat_add(totals[t[node].func], count);
        seen[t[node].func] = true;
    }
    free(seen);
    return node;
}

static void check_folded(const hone_prof_data *d) {
    hone_prof_bytes folded = written(d, "folded");
    size_t n, procs, lines = 0, nodes = 0;
    hone_prof_node *t = hone_prof_tree(d, &n);
    uint64_t *totals = calloc(hone_prof_data_funcs(d) + 1, sizeof *totals), sum = 0;
    bool by_samples = hone_prof_data_info(d)->sample_value >= 0;
    int wrong = 0;
    char *previous = NULL;
    for (char *line = folded.at, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        *end = 0;
        char *copy = strdup(line), *space = strrchr(line, ' ');
        wrong += previous && strcmp(previous, copy) >= 0; /* sorted, no line twice */
        free(previous);
        previous = copy;
        if (!CHECK(space)) break;
        *space = 0;
        uint64_t count = strtoull(space + 1, NULL, 10);
        uint32_t node = follow(d, t, n, line, count, totals);
        wrong += !node || count != (by_samples ? t[node].self_samples : t[node].self) || !count;
        sum = base_sat_add(sum, count);
    }
    for (size_t i = 0; i < n; i++) nodes += (by_samples ? t[i].self_samples : t[i].self) > 0;
    hone_prof_proc *rows = hone_prof_procs(d, &procs);
    for (size_t i = 0; i < procs; i++)
        wrong += totals[rows[i].func] != (by_samples ? rows[i].total_samples : rows[i].total);
    CHECK_EQ(wrong, 0);
    CHECK_EQ_U(sum, samples_in(d));
    CHECK_EQ_U(lines, nodes);
    free(previous);
    free(rows);
    free(totals);
    free(t);
    free(folded.at);
}

/* ---- pprof ---- */

static bool equal_bytes(hone_prof_bytes a, hone_prof_bytes b) {
    return a.len == b.len && !memcmp(a.at, b.at, a.len);
}

static void check_pprof(const hone_prof_data *d) {
    static const char *const others[] = {"pprof",      "folded", "csv", "scm",
                                         "speedscope", "html",   "text"};
    hone_prof_bytes file = written(d, "pprof");
    hone_prof_error e = {0};
    hone_prof_data *back = NULL;
    CHECK_EQ(hone_prof_data_parse(file.at, file.len, "back", &back, &e), HONE_PROF_OK);
    if (!CHECK(back)) fprintf(stderr, "    %s\n", e.text);
    for (size_t i = 0; back && i < BASE_COUNT(others); i++) {
        hone_prof_bytes a = written(d, others[i]), b = written(back, others[i]);
        if (!CHECK(equal_bytes(a, b)))
            fprintf(stderr, "    %s differs after a round trip:\n%.4000s\n---\n%.4000s\n",
                    others[i], a.at, b.at);
        free(a.at);
        free(b.at);
    }
    if (back) CHECK_EQ_U(samples_in(back), samples_in(d));
    hone_prof_data_free(back);
    free(file.at);
}

/* ---- JSON (RFC 8259): a checker of the grammar that also adds up one array ---- */

typedef struct json {
    const char *p;
    bool bad;
    uint64_t weights, weight_count, stacks; /* of the arrays "weights" and "samples" */
} json;

static void json_space(json *j) { j->p += strspn(j->p, " \t\n\r"); }

static void json_string(json *j, base_buf *out) {
    if (*j->p++ != '"') j->bad = true;
    while (!j->bad && *j->p != '"') {
        unsigned char c = (unsigned char)*j->p++;
        if (c < 0x20) j->bad = true;
        if (c != '\\') {
            base_buf_putc(out, (char)c);
            continue;
        }
        char kind = *j->p++;
        if (kind == 'u') {
            char digits[5] = {0};
            for (int i = 0; i < 4 && !j->bad; i++) {
                digits[i] = *j->p++;
                if (!strchr("0123456789abcdefABCDEF", digits[i]) || !digits[i]) j->bad = true;
            }
            base_buf_utf8(out, (uint32_t)strtoul(digits, NULL, 16));
        } else if (strchr("\"\\/bfnrt", kind) && kind) {
            base_buf_putc(out, kind);
        } else {
            j->bad = true;
        }
    }
    j->p++;
}

static void json_value(json *j, const char *key, int depth);

static void json_members(json *j, char close, const char *key, int depth) {
    bool object = close == '}';
    j->p++;
    json_space(j);
    if (*j->p == close) {
        j->p++;
        return;
    }
    for (;;) {
        base_buf name = {0};
        if (object) {
            json_space(j);
            json_string(j, &name);
            json_space(j);
            if (*j->p++ != ':') j->bad = true;
        }
        if (!object && !strcmp(key, "samples")) j->stacks++;
        json_value(j,
                   object                    ? base_buf_str(&name)
                   : !strcmp(key, "weights") ? "weight"
                                             : "",
                   depth);
        base_buf_free(&name);
        json_space(j);
        if (j->bad || *j->p == close) break;
        if (*j->p++ != ',') j->bad = true;
    }
    j->p++;
}

static void json_value(json *j, const char *key, int depth) {
    json_space(j);
    if (j->bad || depth > 50) {
        j->bad = true;
    } else if (*j->p == '{') {
        json_members(j, '}', key, depth + 1);
    } else if (*j->p == '[') {
        json_members(j, ']', key, depth + 1);
    } else if (*j->p == '"') {
        base_buf text = {0};
        json_string(j, &text);
        base_buf_free(&text);
    } else {
        if (*j->p == '-') j->p++;
        size_t digits = strspn(j->p, "0123456789");
        if (!digits) j->bad = true;
        if (!strcmp(key, "weight")) {
            j->weights = base_sat_add(j->weights, strtoull(j->p, NULL, 10));
            j->weight_count++;
        }
        j->p += digits;
    }
}

static void check_speedscope(const hone_prof_data *d) {
    hone_prof_bytes file = written(d, "speedscope");
    json j = {.p = file.at};
    json_value(&j, "", 0);
    json_space(&j);
    CHECK(!j.bad && !*j.p && base_utf8_valid(file.at, file.len, NULL));
    CHECK_EQ_U(j.weights, main_total(d));
    CHECK_EQ_U(j.weight_count, hone_prof_data_samples(d));
    CHECK_EQ_U(j.stacks, hone_prof_data_samples(d));
    free(file.at);
}

/* ---- the page: its data are JSON, in a script element that nothing in them ends ---- */

static void check_page(const hone_prof_data *d) {
    hone_prof_bytes file = written(d, "html");
    char *data = strstr(file.at, "id=\"profile\">"), *end = data ? strstr(data, "</script") : NULL;
    if (CHECK(end)) {
        *end = 0;
        json j = {.p = data + strlen("id=\"profile\">")};
        CHECK(!strstr(j.p, "<!--"));
        json_value(&j, "", 0);
        json_space(&j);
        CHECK(!j.bad && !*j.p);
    }
    free(file.at);
}

/* ---- CSV (RFC 4180) ---- */

/* Reads one field into out; gives what ended it: ',' '\n' or 0. */
static char csv_field(const char **p, base_buf *out) {
    base_buf_clear(out);
    if (**p == '"') {
        for (++*p; **p && !(**p == '"' && (*p)[1] != '"'); ++*p) {
            if (**p == '"') ++*p;
            base_buf_putc(out, **p);
        }
        if (**p) ++*p;
    } else {
        size_t len = strcspn(*p, ",\n\"");
        base_buf_add(out, *p, len);
        *p += len;
    }
    return *(*p)++;
}

/* The table of procedures; counts of lines have another one. */
static void check_csv(const hone_prof_data *d) {
    enum { COLUMNS = 12, SELF = 4 };
    hone_prof_bytes file = written(d, "csv");
    size_t n, row = 0;
    hone_prof_proc *procs = hone_prof_procs(d, &n);
    base_buf field = {0};
    int wrong = 0;
    uint64_t self = 0;
    for (const char *p = file.at; *p; row++)
        for (int column = 0;; column++) {
            char end = csv_field(&p, &field);
            const char *text = base_buf_str(&field);
            if (row && column == 0)
                wrong +=
                    row > n || strcmp(text, hone_prof_data_func(d, procs[row - 1].func)->label);
            if (row && column == SELF) self = base_sat_add(self, strtoull(text, NULL, 10));
            if (row && column > SELF) wrong += strspn(text, "0123456789.") != strlen(text);
            if (end == ',') continue;
            wrong += column != COLUMNS - 1 || end != '\n';
            break;
        }
    CHECK_EQ(wrong, 0);
    CHECK_EQ_U(row, n + 1);
    CHECK_EQ_U(self, main_total(d));
    base_buf_free(&field);
    free(procs);
    free(file.at);
}

/* ---- Scheme: one datum, brackets and strings whole (R7RS 7.1.2) ---- */

static void check_datum(const char *text) {
    int depth = 0, data = 0;
    bool bad = false;
    for (const char *p = text; *p && !bad; p++) {
        if (*p == ';')
            p += strcspn(p, "\n");
        else if (*p == '(')
            data += depth++ == 0;
        else if (*p == ')')
            bad = --depth < 0;
        else if (*p == '"') {
            while (*++p != '"' && !bad) {
                bad = (unsigned char)*p < 0x20;
                if (*p != '\\') continue;
                if (*++p == 'x') {
                    p += 1 + strspn(p + 1, "0123456789abcdef");
                    bad = *p != ';';
                } else {
                    bad = !strchr("\"\\ntr", *p);
                }
            }
        } else {
            bad = depth == 0 && !strchr(" \n", *p);
        }
        if (!*p) break;
    }
    CHECK(!bad && depth == 0 && data == 1);
}

static void check_scm(const hone_prof_data *d) {
    hone_prof_bytes file = written(d, "scm");
    check_datum(file.at);
    free(file.at);
}

/* ---- text: no NaN, no infinity, no control characters ---- */

static void check_text(const hone_prof_data *d) {
    hone_prof_report all = {.top = UINT32_MAX, .full_tree = true, .lines = true};
    hone_prof_bytes text = hone_prof_report_text(d, &all);
    int wrong = 0;
    for (const char *p = text.at; *p; p++) wrong += (unsigned char)*p < 0x20 && *p != '\n';
    CHECK_EQ(wrong, 0);
    CHECK(!strstr(text.at, "  nan") && !strstr(text.at, "  inf"));
    CHECK(base_utf8_valid(text.at, text.len, NULL));
    free(text.at);
}

__attribute__((unused)) static void check_invariants(const hone_prof_data *d) {
    check_procs(d);
    check_tree(d);
    check_folded(d);
    check_pprof(d);
    check_speedscope(d);
    if (!hone_prof_has_page(NULL)) check_page(d);
    if (strcmp(hone_prof_data_info(d)->values[0].type, "count")) check_csv(d);
    check_scm(d);
    check_text(d);
}

/* The row of a procedure by its label; all zero if there is none. */
__attribute__((unused)) static hone_prof_proc proc_named(const hone_prof_data *d,
                                                         const char *label) {
    size_t n;
    hone_prof_proc *rows = hone_prof_procs(d, &n), row = {0};
    for (size_t i = 0; i < n; i++)
        if (!strcmp(hone_prof_data_func(d, rows[i].func)->label, label)) row = rows[i];
    free(rows);
    return row;
}

#endif
