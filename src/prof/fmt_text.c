/* The report for people: facts of the run, the costliest procedures, threads, the call tree cut to
 * the paths that lead to those procedures, hot lines, and what could not be recorded. */
#include <stdio.h>
#include <stdlib.h>

#include "prof/render.h"
#include "prof/sampler.h"

enum { DEFAULT_TOP = 25, MAX_INDENT = 30, LEAST_WIDTH = 12 };
#define SMALLEST_BRANCH 0.005  /* share below which a branch of the cut tree is left out */
#define SMALLEST_ROW    0.0005 /* share of self below which a row is not worth printing unasked */

typedef struct report {
    const hone_prof_data *d;
    const hone_prof_report *options;
    base_buf *b;
    hone_prof_proc *procs;
    size_t proc_count, top;
    bool is_time, is_bytes, is_sampled, is_counts;
    double all;            /* of the main value */
    int width;             /* of a column of values */
    double unit;           /* what a column counts in; 0: single ones */
    const char *unit_name; /* "" */
    char self_title[16], total_title[16];
} report;

static double ms(uint64_t ns) { return (double)ns / 1e6; }

static void put_value(report *r, uint64_t value) {
    if (r->unit > 0)
        base_buf_printf(r->b, "%*.2f", r->width, (double)value / r->unit);
    else
        base_buf_printf(r->b, "%*llu", r->width, (prof_ull)value);
}

static double percent(const report *r, uint64_t value) {
    return r->all > 0 ? 100 * (double)value / r->all : 0;
}

/* ---- head ---- */

/* Of bytes: period_ns is one of bytes. */
static void put_byte_rates(report *r, uint64_t n) {
    const hone_prof_info *info = &r->d->info;
    base_buf_printf(r->b, "%llu samples", (prof_ull)n);
    if (n) {
        base_buf_puts(r->b, ", ");
        prof_put_amount(r->b, r->d, r->d->totals[info->main_value]);
    }
    if (info->duration_ns) base_buf_printf(r->b, " in %.2f ms", ms(info->duration_ns));
    base_buf_printf(r->b, "\none sample per %g KiB in the mean", (double)info->period_ns / 1024);
    if (info->stats.alloc_error)
        base_buf_printf(r->b, "; standard error of all that was allocated: %.2f %s",
                        (double)info->stats.alloc_error / r->unit, r->unit_name + 1);
    base_buf_putc(r->b, '\n');
}

static void put_rates(report *r) {
    const hone_prof_info *info = &r->d->info;
    uint64_t n = info->sample_value < 0 ? 0 : r->d->totals[info->sample_value];
    if (r->is_bytes) {
        put_byte_rates(r, n);
        return;
    }
    if (!n) {
        base_buf_puts(r->b, "0 samples (program used ");
        base_buf_printf(r->b, "%.0f ms of CPU; period %g ms)\n", ms(info->process_cpu_ns),
                        ms(info->period_ns));
        return;
    }
    base_buf_printf(r->b, "%llu samples, ", (prof_ull)n);
    prof_put_amount(r->b, r->d, r->d->totals[info->main_value]);
    if (info->duration_ns) base_buf_printf(r->b, " in %.2f ms", ms(info->duration_ns));
    if (info->process_cpu_ns)
        base_buf_printf(r->b, " (the process used %.2f ms of CPU)", ms(info->process_cpu_ns));
    base_buf_putc(r->b, '\n');
    if (info->period_ns && info->stats.samples)
        base_buf_printf(r->b, "one sample per %g ms asked, per %.3g ms achieved\n",
                        ms(info->period_ns), ms(info->stats.cpu_ns / info->stats.samples));
}

static void put_head(report *r) {
    const hone_prof_info *info = &r->d->info;
    base_buf_puts(r->b, "Profile");
    if (*info->program) {
        base_buf_puts(r->b, " of ");
        prof_put_text(r->b, info->program);
    }
    if (*info->meaning) {
        base_buf_puts(r->b, ": ");
        prof_put_text(r->b, info->meaning);
    }
    base_buf_putc(r->b, '\n');
    if (info->sources > 1) base_buf_printf(r->b, "%u profiles added up\n", info->sources);
    if (r->is_sampled)
        put_rates(r);
    else {
        if (r->is_counts)
            base_buf_printf(r->b, "%llu executions of lines", (prof_ull)r->d->totals[0]);
        else
            prof_put_amount(r->b, r->d, r->d->totals[info->main_value]);
        base_buf_puts(r->b, " in all\n");
    }
}

/* ---- procedures and threads ---- */

static void put_procs(report *r) {
    if (!r->top) return;
    base_buf_printf(r->b, "\n%*s  self %%    err%*s total %%  samples  procedure\n", r->width,
                    r->self_title, r->width, r->total_title);
    for (size_t i = 0; i < r->top; i++) {
        const hone_prof_proc *p = &r->procs[i];
        const hone_prof_func *f = &r->d->funcs.at[p->func].pub;
        put_value(r, p->self);
        base_buf_printf(r->b, "%8.2f%7.2f", 100 * p->self_share, 100 * p->self_error);
        put_value(r, p->total);
        base_buf_printf(r->b, "%8.2f%9llu  ", 100 * p->total_share, (prof_ull)p->self_samples);
        prof_put_place(r->b, f->label, f->file, f->line);
        base_buf_putc(r->b, '\n');
    }
    if (r->proc_count > r->top)
        base_buf_printf(r->b, "  (and %zu procedures more, each with no more self %s)\n",
                        r->proc_count - r->top, r->is_time ? "time" : "cost");
}

/* One row for each thread, if there are several. Samples are sorted by thread. */
static void put_threads(report *r) {
    const hone_prof_data *d = r->d;
    base_buf rows = {0}, *out = r->b;
    size_t threads = 0;
    r->b = &rows;
    for (size_t from = 0, to; from < d->samples.len; from = to) {
        const char *name = d->samples.at[from].thread;
        uint64_t value = 0, n = 0;
        for (to = from; to < d->samples.len && d->samples.at[to].thread == name; to++) {
            value = base_sat_add(value, prof_value(d, &d->samples.at[to], d->info.main_value));
            n = base_sat_add(n, prof_sample_count(d, &d->samples.at[to]));
        }
        if (!*name) continue;
        threads++;
        put_value(r, value);
        base_buf_printf(r->b, "%8.2f%9llu  ", percent(r, value), (prof_ull)n);
        prof_put_text(r->b, name);
        base_buf_putc(r->b, '\n');
    }
    r->b = out;
    if (threads > 1)
        base_buf_printf(r->b, "\n%*s %7s  samples  thread\n%s", r->width, r->total_title, "%",
                        rows.at);
    base_buf_free(&rows);
}

/* ---- call tree ---- */

typedef struct cut_tree {
    hone_prof_node *nodes;
    size_t n;
    bool *wanted; /* the node is shown */
} cut_tree;

/* Marks the nodes on paths to the procedures of the table, small branches left out. */
static void mark_wanted(report *r, cut_tree *t) {
    bool *in_table = base_calloc(r->d->funcs.len + 1, sizeof *in_table);
    for (size_t i = 0; i < r->top; i++) in_table[r->procs[i].func] = true;
    for (size_t i = t->n; i-- > 1;) {
        bool big = (double)t->nodes[i].total >= SMALLEST_BRANCH * r->all;
        if (r->options->full_tree || (big && in_table[t->nodes[i].func])) t->wanted[i] = true;
        if (t->wanted[i]) t->wanted[t->nodes[i].parent] = true;
    }
    free(in_table);
}

static void put_node(report *r, const hone_prof_node *node) {
    uint32_t level = node->depth - 1;
    put_value(r, node->total);
    base_buf_printf(r->b, "%8.2f", percent(r, node->total));
    put_value(r, node->self);
    base_buf_fill(r->b, ' ', 2 + 2 * (size_t)BASE_MIN(level, MAX_INDENT));
    if (level > MAX_INDENT) base_buf_printf(r->b, "[%u] ", level);
    prof_put_name(r->b, r->d->funcs.at[node->func].pub.label);
    if (node->cycle > 1)
        base_buf_printf(r->b, " (begins a cycle of %u, up to %u levels)", node->cycle,
                        node->levels);
    else if (node->levels > 1)
        base_buf_printf(r->b, " (recursive, up to %u levels)", node->levels);
    base_buf_putc(r->b, '\n');
}

static void put_tree(report *r) {
    cut_tree t = {0};
    t.nodes = (r->options->full_tree ? hone_prof_tree_rounds : hone_prof_tree_folded)(r->d, &t.n);
    t.wanted = base_calloc(t.n, sizeof *t.wanted);
    mark_wanted(r, &t);
    if (t.n > 1) {
        base_buf_printf(r->b, "\n%*s total %%%*s  call tree%s\n", r->width, r->total_title,
                        r->width, r->self_title,
                        r->options->full_tree ? "" : " (paths to the procedures above)");
    }
    for (size_t i = 1; i < t.n; i++)
        if (t.wanted[i]) put_node(r, &t.nodes[i]);
    free(t.wanted);
    free(t.nodes);
}

/* ---- hot lines ---- */

static void put_source_line(report *r, prof_sources *sources, const char *file, uint32_t line) {
    char *text = prof_source_line(sources, file, line);
    if (!text) return;
    base_buf_puts(r->b, "  | ");
    prof_put_text(r->b, text + strspn(text, " \t"));
    free(text);
}

static void put_lines_head(report *r) {
    if (r->is_counts)
        base_buf_printf(r->b, "\n%*s       %%  line\n", r->width, "count");
    else
        base_buf_printf(r->b, "\n%*s  self %%%*s  line\n", r->width, r->self_title, r->width,
                        r->total_title);
}

static void put_lines(report *r) {
    size_t n, shown = 0, most = r->options->top ? r->options->top : DEFAULT_TOP;
    hone_prof_line_row *rows = hone_prof_lines(r->d, &n);
    prof_sources sources = {0};
    for (size_t i = 0; i < n && shown < most; i++) {
        const hone_prof_func *f = &r->d->funcs.at[rows[i].func].pub;
        if (!rows[i].self || !rows[i].line || !*f->file) continue;
        if (!shown++) put_lines_head(r);
        put_value(r, rows[i].self);
        base_buf_printf(r->b, "%8.2f", percent(r, rows[i].self));
        if (!r->is_counts) put_value(r, rows[i].total);
        base_buf_puts(r->b, "  ");
        prof_put_text(r->b, f->file);
        base_buf_printf(r->b, ":%u", rows[i].line);
        put_source_line(r, &sources, f->file, rows[i].line);
        base_buf_putc(r->b, '\n');
    }
    prof_sources_free(&sources);
    free(rows);
}

/* ---- what is no procedure's, and what was not recorded ---- */

/* Self time of procedures that stand for code without a source. */
static uint64_t native_time(const report *r) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->proc_count; i++) {
        const char *name = r->d->funcs.at[r->procs[i].func].pub.name;
        if (!strcmp(name, "native") || !strncmp(name, "native:", 7) || !strcmp(name, "[native]"))
            sum = base_sat_add(sum, r->procs[i].self);
    }
    return sum;
}

static void put_account(report *r, hone_prof_account_kind kind) {
    const hone_prof_stats *s = &r->d->info.stats;
    uint64_t ns = kind == HONE_PROF_NATIVE ? native_time(r) : s->account_ns[kind];
    base_buf_printf(r->b, "%-11s%10.2f ms", prof_accounts[kind].word, ms(ns));
    if (s->account_count[kind])
        base_buf_printf(r->b, "  %llu times", (prof_ull)s->account_count[kind]);
    base_buf_putc(r->b, '\n');
}

static void put_losses(report *r) {
    static const char *const words[] = {
#define HONE_PROF_ROW(name, word) word,
        HONE_PROF_LOSSES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
    };
    const hone_prof_stats *s = &r->d->info.stats;
    uint64_t lost = 0;
    for (int i = 0; i < HONE_PROF_LOSS_COUNT; i++) lost = base_sat_add(lost, s->lost[i]);
    base_buf_printf(r->b, "%-11s%10llu samples\n", "truncated", (prof_ull)s->truncated);
    base_buf_printf(r->b, "%-11s%10llu samples", "lost", (prof_ull)lost);
    if (lost && r->is_time) base_buf_printf(r->b, " of %.2f ms", ms(s->lost_ns));
    for (int i = 0; i < HONE_PROF_LOSS_COUNT; i++)
        if (s->lost[i]) base_buf_printf(r->b, ", %s: %llu", words[i], (prof_ull)s->lost[i]);
    base_buf_putc(r->b, '\n');
}

static void put_facts(report *r) {
    const hone_prof_stats *s = &r->d->info.stats;
    base_buf_putc(r->b, '\n');
    if (r->is_bytes) {
        put_losses(r);
        return;
    }
    for (int k = 0; k < HONE_PROF_ACCOUNT_COUNT; k++) put_account(r, (hone_prof_account_kind)k);
    put_losses(r);
    base_buf_printf(r->b, "%-11s%10llu taken\n", "samples", (prof_ull)s->samples);
    if (s->skid_count)
        base_buf_printf(r->b, "%-11s%10.3f ms from timer to safe point\n", "mean skid",
                        ms(s->skid_ns) / (double)s->skid_count);
    else
        base_buf_printf(r->b, "%-11s%10s\n", "mean skid", "unknown");
}

/* Rows of the table: as many as were asked for, else those that are worth one. */
static size_t rows_shown(const report *r) {
    if (r->options->top) return BASE_MIN(r->proc_count, r->options->top);
    size_t n = 0;
    while (n < r->proc_count && n < DEFAULT_TOP && r->procs[n].self &&
           r->procs[n].self_share >= SMALLEST_ROW)
        n++;
    return n;
}

/* What the columns count in. */
static void choose_unit(report *r) {
    enum { KIB = 1 << 10, MIB = 1 << 20, MOST_KIB = 100 };
    bool many = r->all >= (double)MIB * MOST_KIB;
    r->unit = r->is_time ? 1e6 : !r->is_bytes ? 0 : many ? MIB : KIB;
    r->unit_name = r->is_time ? " ms" : !r->is_bytes ? "" : many ? " MiB" : " KiB";
    snprintf(r->self_title, sizeof r->self_title, "self%s", r->unit_name);
    snprintf(r->total_title, sizeof r->total_title, "total%s", r->unit_name);
}

static report report_of(const hone_prof_data *d, const hone_prof_report *options, base_buf *b) {
    report r = {.d = d, .options = options, .b = b};
    uint64_t all = d->totals[d->info.main_value];
    char digits[32];
    r.is_time = !strcmp(d->types[d->info.main_value].unit, "nanoseconds");
    r.is_bytes = !strcmp(d->types[d->info.main_value].unit, "bytes");
    r.is_counts = prof_is_counts(d);
    r.is_sampled = d->info.sample_value >= 0;
    r.all = (double)all;
    choose_unit(&r);
    int width = r.unit > 0 ? snprintf(digits, sizeof digits, "%.2f", r.all / r.unit)
                           : snprintf(digits, sizeof digits, "%llu", (prof_ull)all);
    r.width = BASE_MAX(width + 2, LEAST_WIDTH);
    return r;
}

void prof_put_head(base_buf *b, const hone_prof_data *d) {
    report r = report_of(d, NULL, b);
    put_head(&r);
}

void prof_write_text(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    report r = report_of(d, options, buf);
    r.procs = hone_prof_procs(d, &r.proc_count);
    r.top = rows_shown(&r);
    put_head(&r);
    if (!r.is_counts) {
        put_procs(&r);
        put_threads(&r);
        if (!options->no_tree) put_tree(&r);
    }
    if (options->lines || r.is_counts) put_lines(&r);
    if (r.is_sampled && d->info.own) put_facts(&r);
    free(r.procs);
}
