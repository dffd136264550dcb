/* Tables made of samples: procedures, lines, edges.
 *
 * "Once per sample" is what makes totals right under recursion: a procedure, line or edge that
 * occurs k times in one stack is credited once. A stamp per item, set to the number of the sample
 * that touched it last, does that in one pass with no clearing in between. All sums are exact
 * integers (saturating); shares are derived at the end.
 */
#include <math.h>
#include <stdlib.h>

#include "prof/data.h"

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

/* Standard error of a share p that n samples found: that of a binomial proportion. */
static double share_error(double p, uint64_t n) {
    if (!n) return 0;
    double q = p > 1 ? 1 : p;
    return sqrt(q * (1 - q) / (double)n);
}

static uint64_t all_samples(const hone_prof_data *d) {
    return d->info.sample_value < 0 ? 0 : d->totals[d->info.sample_value];
}

int hone_prof_data_choose(hone_prof_data *d, const char *type, hone_prof_error *error) {
    base_buf types = {0};
    for (unsigned v = 0; v < d->info.value_count; v++) {
        if (!strcmp(d->types[v].type, type)) {
            d->info.main_value = v;
            base_buf_free(&types);
            return HONE_PROF_OK;
        }
        base_buf_printf(&types, v ? ", %s" : "%s", d->types[v].type);
    }
    int status = prof_fail(error, HONE_PROF_BAD_ARGUMENT, "no value \"%s\"; there are %s", type,
                           base_buf_str(&types));
    base_buf_free(&types);
    return status;
}

/* ---- procedures ---- */

static int cmp_proc(const void *pa, const void *pb, void *ctx) {
    const hone_prof_data *d = ctx;
    const hone_prof_proc *a = pa, *b = pb;
    if (a->self != b->self) return a->self < b->self ? 1 : -1;
    if (a->total != b->total) return a->total < b->total ? 1 : -1;
    return strcmp(d->funcs.at[a->func].pub.label, d->funcs.at[b->func].pub.label);
}

static void credit_procs(const hone_prof_data *d, hone_prof_proc *rows) {
    uint32_t *stamp = base_calloc(d->funcs.len + 1, sizeof *stamp);
    for (uint32_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        uint64_t w = prof_value(d, s, d->info.main_value), n = prof_sample_count(d, s);
        if (s->depth) {
            hone_prof_proc *leaf = &rows[prof_first_line(d, s, 0)->func];
            leaf->self = base_sat_add(leaf->self, w);
            leaf->self_samples = base_sat_add(leaf->self_samples, n);
        }
        PROF_EACH_LINE(d, s, line) {
            if (stamp[line->func] == i + 1) continue;
            stamp[line->func] = i + 1;
            hone_prof_proc *row = &rows[line->func];
            row->total = base_sat_add(row->total, w);
            row->total_samples = base_sat_add(row->total_samples, n);
        }
    }
    free(stamp);
}

hone_prof_proc *hone_prof_procs(const hone_prof_data *d, size_t *count) {
    hone_prof_proc *rows = base_calloc(d->funcs.len + 1, sizeof *rows);
    uint64_t all = d->totals[d->info.main_value], n = all_samples(d);
    credit_procs(d, rows);
    size_t used = 0;
    for (uint32_t f = 0; f < d->funcs.len; f++) {
        hone_prof_proc row = rows[f];
        if (!row.total && !row.total_samples) continue;
        row.func = f;
        row.self_share = share(row.self, all);
        row.total_share = share(row.total, all);
        row.self_error = share_error(row.self_share, n);
        row.total_error = share_error(row.total_share, n);
        rows[used++] = row;
    }
    qsort_r(rows, used, sizeof *rows, cmp_proc, (void *)d);
    *count = used;
    return rows;
}

hone_prof_verdict hone_prof_is_hot(const hone_prof_data *d, const hone_prof_proc *row, double bound,
                                   uint64_t min_samples) {
    enum { DEFAULT_MIN = 100 };
    uint64_t n = all_samples(d);
    if (d->info.sample_value < 0) return row->self_share >= bound ? HONE_PROF_HOT : HONE_PROF_COLD;
    if (n < (min_samples ? min_samples : DEFAULT_MIN)) return HONE_PROF_UNKNOWN;
    if (fabs(row->self_share - bound) <= 2 * row->self_error) return HONE_PROF_UNKNOWN;
    return row->self_share >= bound ? HONE_PROF_HOT : HONE_PROF_COLD;
}

/* ---- lines ---- */

typedef struct line_table {
    BASE_VEC(hone_prof_line_row) rows;
    BASE_VEC(uint32_t) stamp;
    base_map of; /* func and line -> index */
} line_table;

static size_t line_row(line_table *t, const hone_prof_line *line) {
    bool added;
    uint64_t *at = base_map_at(&t->of, (uint64_t)line->func << 32 | line->line, &added);
    if (added) {
        *at = t->rows.len;
        BASE_PUSH(&t->rows, (hone_prof_line_row){.func = line->func, .line = line->line});
        BASE_PUSH(&t->stamp, 0);
    }
    return *at;
}

static int cmp_line(const void *pa, const void *pb) {
    const hone_prof_line_row *a = pa, *b = pb;
    if (a->self != b->self) return a->self < b->self ? 1 : -1;
    if (a->total != b->total) return a->total < b->total ? 1 : -1;
    if (a->func != b->func) return a->func < b->func ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

hone_prof_line_row *hone_prof_lines(const hone_prof_data *d, size_t *count) {
    line_table t = {0};
    for (uint32_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        uint64_t w = prof_value(d, s, d->info.main_value), n = prof_sample_count(d, s);
        if (s->depth) {
            size_t r = line_row(&t, prof_first_line(d, s, 0));
            hone_prof_line_row *leaf = &t.rows.at[r];
            leaf->self = base_sat_add(leaf->self, w);
            leaf->self_samples = base_sat_add(leaf->self_samples, n);
        }
        PROF_EACH_LINE(d, s, line) {
            size_t r = line_row(&t, line);
            if (t.stamp.at[r] == i + 1) continue;
            t.stamp.at[r] = i + 1;
            t.rows.at[r].total = base_sat_add(t.rows.at[r].total, w);
            t.rows.at[r].total_samples = base_sat_add(t.rows.at[r].total_samples, n);
        }
    }
    BASE_RESERVE(&t.rows, 1);
    qsort(t.rows.at, t.rows.len, sizeof *t.rows.at, cmp_line);
    BASE_VEC_FREE(&t.stamp);
    base_map_free(&t.of);
    *count = t.rows.len;
    return t.rows.at;
}

/* ---- edges ---- */

typedef struct edge_table {
    BASE_VEC(hone_prof_edge) rows;
    BASE_VEC(uint32_t) stamp;
    base_map of; /* caller and callee -> index */
} edge_table;

static void credit_edge(edge_table *t, uint32_t caller, uint32_t callee, uint32_t sample,
                        uint64_t w, uint64_t n) {
    bool added;
    uint64_t *at = base_map_at(&t->of, (uint64_t)caller << 32 | callee, &added);
    if (added) {
        *at = t->rows.len;
        BASE_PUSH(&t->rows, (hone_prof_edge){.caller = caller, .callee = callee});
        BASE_PUSH(&t->stamp, 0);
    }
    if (t->stamp.at[*at] == sample) return;
    t->stamp.at[*at] = sample;
    hone_prof_edge *row = &t->rows.at[*at];
    row->weight = base_sat_add(row->weight, w);
    row->samples = base_sat_add(row->samples, n);
}

static int cmp_edge(const void *pa, const void *pb) {
    const hone_prof_edge *a = pa, *b = pb;
    if (a->caller != b->caller) return a->caller < b->caller ? -1 : 1;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

hone_prof_edge *hone_prof_edges(const hone_prof_data *d, size_t *count) {
    edge_table t = {0};
    for (uint32_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        uint64_t w = prof_value(d, s, d->info.main_value), n = prof_sample_count(d, s);
        uint32_t callee = UINT32_MAX;
        PROF_EACH_LINE(d, s, line) {
            if (callee != UINT32_MAX) credit_edge(&t, line->func, callee, i + 1, w, n);
            callee = line->func;
        }
    }
    BASE_RESERVE(&t.rows, 1);
    qsort(t.rows.at, t.rows.len, sizeof *t.rows.at, cmp_edge);
    BASE_VEC_FREE(&t.stamp);
    base_map_free(&t.of);
    *count = t.rows.len;
    return t.rows.at;
}
