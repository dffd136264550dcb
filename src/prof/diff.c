/* Comparing two profiles by procedure.
 *
 * Procedures belong together by name and file; the line is left out, since an edit above a
 * procedure moves it. What is compared is the share of self time, so that runs of different length
 * compare. The noise floor is two standard errors of the difference of the two shares. A share of 0
 * or 1 has a standard error of 0 by the plain formula, which would make every procedure that was
 * seen once credible; so both shares are first drawn a little to the middle (two samples of each
 * kind are added, after Agresti and Coull).
 */
#include <math.h>
#include <stdlib.h>

#include "prof/data.h"
#include "prof/render.h"

static double variance(double p, uint64_t n) {
    double drawn = (p * (double)n + 2) / ((double)n + 4);
    return drawn * (1 - drawn) / ((double)n + 4);
}

static uint64_t sample_total(const hone_prof_data *d) {
    return d->info.sample_value < 0 ? 0 : d->totals[d->info.sample_value];
}

typedef struct table {
    BASE_VEC(hone_prof_change) rows;
    base_strmap of; /* name and file and number among likes -> index + 1 */
} table;

static size_t row_of(table *t, const hone_prof_data *d, uint32_t func, base_strmap *seen) {
    const hone_prof_func *f = &d->funcs.at[func].pub;
    base_buf key = {0};
    base_buf_add(&key, f->name, strlen(f->name) + 1);
    base_buf_puts(&key, f->file);
    /* Several of one name and file are paired in the order of their lines. */
    void **n = base_strmap_at(seen, key.at, key.len, NULL);
    *n = (void *)((uintptr_t)*n + 1);
    base_buf_printf(&key, "%c%lu", 0, (unsigned long)(uintptr_t)*n);
    bool added;
    void **at = base_strmap_at(&t->of, key.at, key.len, &added);
    base_buf_free(&key);
    if (added) {
        BASE_PUSH(&t->rows,
                  (hone_prof_change){.label = f->label, .file = f->file, .line = f->line});
        *at = (void *)t->rows.len;
    }
    return (uintptr_t)*at - 1;
}

/* Rows by function, zero for those without samples, so that pairing goes by line, not by weight. */
static hone_prof_proc *procs_by_func(const hone_prof_data *d) {
    size_t n;
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    hone_prof_proc *by_func = base_calloc(d->funcs.len + 1, sizeof *by_func);
    for (size_t i = 0; i < n; i++) by_func[rows[i].func] = rows[i];
    free(rows);
    return by_func;
}

static void add_side(table *t, const hone_prof_data *d, bool after) {
    hone_prof_proc *procs = procs_by_func(d);
    base_strmap seen = {0};
    for (uint32_t f = 0; f < d->funcs.len; f++) {
        size_t at = row_of(t, d, f, &seen);
        hone_prof_change *row = &t->rows.at[at];
        *(after ? &row->after : &row->before) = procs[f].self_share;
        *(after ? &row->after_total : &row->before_total) = procs[f].total_share;
        if (after) row->line = d->funcs.at[f].pub.line;
    }
    base_strmap_free(&seen);
    free(procs);
}

static uint32_t *numbers(table *t, const hone_prof_data *d) {
    uint32_t *number = base_calloc(d->funcs.len + 1, sizeof *number);
    base_strmap seen = {0};
    for (uint32_t f = 0; f < d->funcs.len; f++) number[f] = (uint32_t)row_of(t, d, f, &seen);
    base_strmap_free(&seen);
    return number;
}

void prof_pair_funcs(const hone_prof_data *before, const hone_prof_data *after,
                     uint32_t **before_number, uint32_t **after_number, size_t *n) {
    table t = {0};
    *after_number = numbers(&t, after);
    *before_number = numbers(&t, before);
    *n = t.rows.len;
    BASE_VEC_FREE(&t.rows);
    base_strmap_free(&t.of);
}

static int cmp_change(const void *pa, const void *pb) {
    const hone_prof_change *a = pa, *b = pb;
    double x = fabs(a->after - a->before), y = fabs(b->after - b->before);
    if (x != y) return x < y ? 1 : -1;
    int c = strcmp(a->label, b->label);
    return c ? c : strcmp(a->file, b->file);
}

hone_prof_change *hone_prof_diff(const hone_prof_data *before, const hone_prof_data *after,
                                 size_t *count) {
    table t = {0};
    add_side(&t, before, false);
    add_side(&t, after, true);
    uint64_t n = sample_total(before), m = sample_total(after);
    for (size_t i = 0; i < t.rows.len; i++) {
        hone_prof_change *row = &t.rows.at[i];
        bool sampled = before->info.sample_value >= 0;
        row->noise = sampled ? 2 * sqrt(variance(row->before, n) + variance(row->after, m)) : 0;
        row->credible = fabs(row->after - row->before) > row->noise;
    }
    BASE_RESERVE(&t.rows, 1);
    qsort(t.rows.at, t.rows.len, sizeof *t.rows.at, cmp_change);
    base_strmap_free(&t.of);
    *count = t.rows.len;
    return t.rows.at;
}

void prof_put_side(base_buf *b, const char *word, const hone_prof_data *d) {
    base_buf_printf(b, "%s: ", word);
    prof_put_amount(b, d, d->totals[d->info.main_value]);
    if (d->info.sample_value >= 0)
        base_buf_printf(b, ", %lu samples", (unsigned long)sample_total(d));
    base_buf_putc(b, '\n');
}

hone_prof_bytes hone_prof_diff_text(const hone_prof_data *before, const hone_prof_data *after,
                                    unsigned top) {
    size_t n, shown = 0, noisy = 0;
    hone_prof_change *rows = hone_prof_diff(before, after, &n);
    base_buf b = {0};
    prof_put_side(&b, "before", before);
    prof_put_side(&b, "after", after);
    base_buf_puts(&b, "\n  before %   after %    change   noise  procedure\n");
    for (size_t i = 0; i < n; i++) {
        const hone_prof_change *r = &rows[i];
        noisy += !r->credible && r->before != r->after;
        if (!r->credible || shown == (top ? top : 25)) continue;
        shown++;
        base_buf_printf(&b, "%10.2f%10.2f  %+8.2f%8.2f  ", 100 * r->before, 100 * r->after,
                        100 * (r->after - r->before), 100 * r->noise);
        prof_put_place(&b, r->label, r->file, r->line);
        base_buf_putc(&b, '\n');
    }
    if (!shown) base_buf_puts(&b, "  no change of share is above the noise\n");
    if (noisy) base_buf_printf(&b, "%zu smaller changes are within the noise\n", noisy);
    free(rows);
    return prof_bytes(&b);
}
