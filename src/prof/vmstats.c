/* Statistics of instructions: executions, time, and what followed what.
 *
 * Each thread counts in arrays of its own through the inlines of the header; nothing is shared on
 * that path. A dump adds up the living threads' arrays and those of the ended ones. Counters are
 * read while they are written, with relaxed atomics: a dump in the middle of a run may be off by
 * the instruction under way, never torn.
 *
 * The clock. Between two readings lies one whole cost of a reading, whoever is charged. That cost
 * is measured at the start (the least of many runs of readings, so that a preemption does not
 * enter) and taken off at the dump, once for each execution, never below zero.
 */
#include <stdlib.h>

#include "os/os.h"
#include "prof/render.h"

struct hone_prof_vmstats {
    char **names; /* n instructions, then m parts */
    uint32_t n, m;
    double clock_ns;
    os_mutex lock;
    hone_prof_vmcounts *threads; /* alive */
    hone_prof_vmcounts *ended;   /* sum of the ended; not in the list */
};

static double clock_cost(uint64_t (*now)(void)) {
    enum { RUNS = 32, READINGS = 64 };
    uint64_t least = UINT64_MAX;
    for (int r = 0; r < RUNS; r++) {
        uint64_t first = now(), last = first;
        for (int i = 0; i < READINGS; i++) last = now();
        if (last - first < least) least = last - first;
    }
    return (double)least / READINGS;
}

static size_t rows_of(const hone_prof_vmstats *s) { return (size_t)s->n + s->m; }

static hone_prof_vmcounts *new_counts(hone_prof_vmstats *s) {
    hone_prof_vmcounts *c = base_calloc(1, sizeof *c);
    c->count = base_calloc(rows_of(s), sizeof *c->count);
    c->ns = base_calloc(rows_of(s), sizeof *c->ns);
    c->pairs = base_calloc((size_t)s->n * s->n, sizeof *c->pairs);
    c->n = s->n;
    c->before = c->owner = UINT32_MAX;
    c->stats = s;
    return c;
}

static void free_counts(hone_prof_vmcounts *c) {
    free(c->count);
    free(c->ns);
    free(c->pairs);
    free(c);
}

hone_prof_vmstats *hone_prof_vmstats_new(const char *const *names, uint32_t n,
                                         const char *const *parts, uint32_t m,
                                         uint64_t (*now)(void)) {
    hone_prof_vmstats *s = base_calloc(1, sizeof *s);
    s->n = n;
    s->m = m;
    s->names = base_calloc(rows_of(s), sizeof *s->names);
    for (uint32_t i = 0; i < n; i++) s->names[i] = base_strdup(names[i]);
    for (uint32_t i = 0; i < m; i++) s->names[n + i] = base_strdup(parts[i]);
    s->clock_ns = clock_cost(now ? now : os_mono_ns);
    s->ended = new_counts(s);
    os_mutex_init(&s->lock);
    return s;
}

void hone_prof_vmstats_free(hone_prof_vmstats *s) {
    if (!s) return;
    for (size_t i = 0; i < rows_of(s); i++) free(s->names[i]);
    free(s->names);
    while (s->threads) {
        hone_prof_vmcounts *c = s->threads;
        s->threads = c->next;
        free_counts(c);
    }
    free_counts(s->ended);
    os_mutex_destroy(&s->lock);
    free(s);
}

hone_prof_vmcounts *hone_prof_vmstats_thread(hone_prof_vmstats *s) {
    hone_prof_vmcounts *c = new_counts(s);
    os_mutex_lock(&s->lock);
    c->next = s->threads;
    s->threads = c;
    os_mutex_unlock(&s->lock);
    return c;
}

static void add_array(uint64_t *to, const uint64_t *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = base_sat_add(to[i], __atomic_load_n(&from[i], __ATOMIC_RELAXED));
}

static void add_counts(hone_prof_vmcounts *to, const hone_prof_vmcounts *from) {
    size_t rows = rows_of(from->stats);
    add_array(to->count, from->count, rows);
    add_array(to->ns, from->ns, rows);
    add_array(to->pairs, from->pairs, (size_t)from->n * from->n);
}

void hone_prof_vmstats_thread_end(hone_prof_vmcounts *c) {
    hone_prof_vmstats *s = c->stats;
    os_mutex_lock(&s->lock);
    hone_prof_vmcounts **link = &s->threads;
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    if (!hone_prof_vm_dropped(c)) add_counts(s->ended, c);
    os_mutex_unlock(&s->lock);
    free_counts(c);
}

/* Counters are written by their thread alone, so those of living threads are not cleared but
 * dropped. */
void hone_prof_vmstats_reset(hone_prof_vmstats *s) {
    os_mutex_lock(&s->lock);
    for (hone_prof_vmcounts *c = s->threads; c; c = c->next)
        __atomic_store_n(&c->dropped, true, __ATOMIC_RELEASE);
    free_counts(s->ended);
    s->ended = new_counts(s);
    os_mutex_unlock(&s->lock);
}

/* The sum of all threads; freed by free_counts. */
static hone_prof_vmcounts *sum(hone_prof_vmstats *s) {
    hone_prof_vmcounts *all = new_counts(s);
    os_mutex_lock(&s->lock);
    add_counts(all, s->ended);
    for (hone_prof_vmcounts *c = s->threads; c; c = c->next)
        if (!hone_prof_vm_dropped(c)) add_counts(all, c);
    os_mutex_unlock(&s->lock);
    return all;
}

static hone_prof_vmrow *make_rows(const hone_prof_vmstats *s, const hone_prof_vmcounts *all) {
    hone_prof_vmrow *rows = base_calloc(rows_of(s), sizeof *rows);
    for (size_t i = 0; i < rows_of(s); i++) {
        double clock = (double)all->count[i] * s->clock_ns;
        uint64_t cost = clock >= (double)BASE_SAT_MAX ? BASE_SAT_MAX : (uint64_t)clock;
        hone_prof_vmrow *r = &rows[i];
        r->name = s->names[i];
        r->part = i >= s->n;
        r->count = all->count[i];
        r->total_ns = all->ns[i] > cost ? all->ns[i] - cost : 0;
        r->average_ns = r->count ? (double)r->total_ns / (double)r->count : 0;
    }
    return rows;
}

hone_prof_vmrow *hone_prof_vmstats_rows(hone_prof_vmstats *s, size_t *count) {
    hone_prof_vmcounts *all = sum(s);
    hone_prof_vmrow *rows = make_rows(s, all);
    free_counts(all);
    *count = rows_of(s);
    return rows;
}

uint64_t hone_prof_vmstats_pair(hone_prof_vmstats *s, uint32_t before, uint32_t after) {
    hone_prof_vmcounts *all = sum(s);
    uint64_t n = all->pairs[(size_t)before * s->n + after];
    free_counts(all);
    return n;
}

double hone_prof_vmstats_clock_ns(const hone_prof_vmstats *s) { return s->clock_ns; }

/* ---- dumps ---- */

static void dump_csv(const hone_prof_vmstats *s, const hone_prof_vmcounts *all,
                     hone_prof_vmrow *rows, base_buf *b) {
    base_buf_puts(b, "name,kind,count,total ns,average ns\n");
    for (size_t i = 0; i < rows_of(s); i++) {
        prof_put_csv(b, rows[i].name);
        base_buf_printf(b, ",%s,%llu,%llu,%.2f\n", rows[i].part ? "part" : "instruction",
                        (prof_ull)rows[i].count, (prof_ull)rows[i].total_ns, rows[i].average_ns);
    }
    base_buf_printf(b, "(one reading of the clock; taken off above),clock,,,%.2f\n", s->clock_ns);
    base_buf_puts(b, "\nbefore,after,count,,\n");
    for (size_t i = 0; i < (size_t)s->n * s->n; i++) {
        if (!all->pairs[i]) continue;
        prof_put_csv(b, s->names[i / s->n]);
        base_buf_putc(b, ',');
        prof_put_csv(b, s->names[i % s->n]);
        base_buf_printf(b, ",%llu,,\n", (prof_ull)all->pairs[i]);
    }
}

static const char scm_head[] =
    ";; Statistics of the virtual machine, as one datum: an association list.\n"
    ";;   clock-ns      what one reading of the clock costs; it is taken off below\n"
    ";;   instructions  (name count total-ns average-ns ((next count) ...)), where `next` is each\n"
    ";;                 instruction that came right after this one, and how often\n"
    ";;   parts         (name count total-ns average-ns): what is no instruction\n";

static void put_scm_row(const hone_prof_vmrow *r, base_buf *b) {
    base_buf_puts(b, "\n  (");
    prof_put_scm(b, r->name);
    base_buf_printf(b, " %llu %llu %.2f", (prof_ull)r->count, (prof_ull)r->total_ns, r->average_ns);
}

static void dump_scm(const hone_prof_vmstats *s, const hone_prof_vmcounts *all,
                     hone_prof_vmrow *rows, base_buf *b) {
    base_buf_printf(b, "%s((hone-vm-statistics . 1)\n (clock-ns . %.2f)\n (instructions", scm_head,
                    s->clock_ns);
    for (uint32_t i = 0; i < s->n; i++) {
        put_scm_row(&rows[i], b);
        base_buf_puts(b, " (");
        const char *between = "";
        for (uint32_t j = 0; j < s->n; j++) {
            uint64_t n = all->pairs[(size_t)i * s->n + j];
            if (!n) continue;
            base_buf_printf(b, "%s(", between);
            prof_put_scm(b, s->names[j]);
            base_buf_printf(b, " %llu)", (prof_ull)n);
            between = " ";
        }
        base_buf_puts(b, "))");
    }
    base_buf_puts(b, ")\n (parts");
    for (uint32_t i = 0; i < s->m; i++) {
        put_scm_row(&rows[s->n + i], b);
        base_buf_putc(b, ')');
    }
    base_buf_puts(b, "))\n");
}

static int cmp_row(const void *pa, const void *pb) {
    const hone_prof_vmrow *a = pa, *b = pb;
    if (a->total_ns != b->total_ns) return a->total_ns < b->total_ns ? 1 : -1;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* The costliest `top` rows, for people; sorts them. */
static void put_table(const hone_prof_vmstats *s, hone_prof_vmrow *rows, size_t top, base_buf *b) {
    uint64_t executions = 0;
    for (size_t i = 0; i < s->n; i++) executions = base_sat_add(executions, rows[i].count);
    qsort(rows, rows_of(s), sizeof *rows, cmp_row);
    base_buf_printf(b,
                    "%llu instructions; times without the clock's own cost, %.1f ns a reading\n\n",
                    (prof_ull)executions, s->clock_ns);
    base_buf_puts(b, "    total ms  average ns         count  instruction or part\n");
    for (size_t i = 0; i < rows_of(s) && i < top; i++) {
        if (!rows[i].count) continue;
        base_buf_printf(b, "%12.2f%12.1f%14llu  ", (double)rows[i].total_ns / 1e6,
                        rows[i].average_ns, (prof_ull)rows[i].count);
        prof_put_text(b, rows[i].name);
        base_buf_puts(b, rows[i].part ? " (part)\n" : "\n");
    }
}

static void dump_text(const hone_prof_vmstats *s, const hone_prof_vmcounts *all,
                      hone_prof_vmrow *rows, base_buf *b) {
    (void)all;
    put_table(s, rows, rows_of(s), b);
}

typedef struct dumper {
    const char *name, *extension;
    void (*dump)(const hone_prof_vmstats *, const hone_prof_vmcounts *, hone_prof_vmrow *,
                 base_buf *);
} dumper;
static const dumper dumpers[] = {
    {"csv", ".csv", dump_csv}, {"scheme", ".scm", dump_scm}, {"text", ".txt", dump_text}};

static const dumper *dumper_by_name(const char *name) {
    for (size_t i = 0; i < BASE_COUNT(dumpers); i++)
        if (!strcmp(name, dumpers[i].name)) return &dumpers[i];
    return NULL;
}

static const dumper *dumper_by_path(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < BASE_COUNT(dumpers); i++)
        if (!strcmp(dot, dumpers[i].extension)) return &dumpers[i];
    return NULL;
}

static int unknown_format(const char *what, hone_prof_error *error) {
    return prof_fail(error, HONE_PROF_UNSUPPORTED,
                     "%s: no format of instruction statistics; there are .csv, .scm and .txt",
                     what);
}

int hone_prof_vmstats_check_path(const char *path, hone_prof_error *error) {
    return dumper_by_path(path) ? HONE_PROF_OK : unknown_format(path, error);
}

static hone_prof_bytes dump(hone_prof_vmstats *s, const dumper *d) {
    base_buf b = {0};
    hone_prof_vmcounts *all = sum(s);
    hone_prof_vmrow *rows = make_rows(s, all);
    d->dump(s, all, rows, &b);
    free(rows);
    free_counts(all);
    return prof_bytes(&b);
}

hone_prof_bytes hone_prof_vmstats_dump(hone_prof_vmstats *s, const char *format) {
    const dumper *d = dumper_by_name(format);
    return d ? dump(s, d) : (hone_prof_bytes){0};
}

int hone_prof_vmstats_save(hone_prof_vmstats *s, const char *path, const char *format,
                           hone_prof_error *error) {
    const dumper *d = format ? dumper_by_name(format) : dumper_by_path(path);
    if (!d) return unknown_format(format ? format : path, error);
    hone_prof_bytes bytes = dump(s, d);
    char *why = NULL;
    bool ok = base_file_write(path, bytes.at, bytes.len, &why);
    free(bytes.at);
    int status = ok ? HONE_PROF_OK : prof_fail(error, HONE_PROF_IO, "%s", why);
    free(why);
    return status;
}

hone_prof_bytes hone_prof_vmstats_text(hone_prof_vmstats *s, unsigned top) {
    enum { DEFAULT_TOP = 25 };
    size_t n;
    hone_prof_vmrow *rows = hone_prof_vmstats_rows(s, &n);
    base_buf b = {0};
    put_table(s, rows, top ? top : DEFAULT_TOP, &b);
    free(rows);
    return prof_bytes(&b);
}
