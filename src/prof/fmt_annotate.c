/* Source files with the cost of each line beside it.
 *
 * A line counts once per sample, whatever procedures and inlined copies it belongs to, so the rows
 * are made here by file and line and not from the table of lines, which is by procedure. The
 * hottest lines are marked by a character, so that they are seen without colours as well. */
#include <stdio.h>
#include <stdlib.h>

#include "prof/render.h"

enum { CONTEXT = 4, LEAST_WIDTH = 10 };
#define HOTTEST 0.10 /* shares of a line that get the marks */
#define WARM    0.01

typedef struct cost {
    uint64_t self, total;
} cost;

typedef struct file_row {
    const char *path;
    uint64_t self;
    uint32_t last; /* the largest line with a cost */
} file_row;

typedef struct annotation {
    const hone_prof_data *d;
    const hone_prof_annotation *how;
    base_buf *b;
    BASE_VEC(file_row) files;
    BASE_VEC(cost) costs;
    BASE_VEC(uint32_t) stamps;
    base_map cost_of;    /* file and line -> number in costs */
    base_strmap file_of; /* path -> number + 1 */
    uint32_t *func_file; /* of a function: number of its file + 1 */
    prof_sources sources;
    bool is_counts;
    double unit; /* what amounts are divided by; 0: they are whole numbers */
    const char *unit_name;
    int width;
    double all;
} annotation;

/* ---- adding up ---- */

static void number_files(annotation *a) {
    const hone_prof_data *d = a->d;
    a->func_file = base_calloc(d->funcs.len + 1, sizeof *a->func_file);
    for (size_t f = 0; f < d->funcs.len; f++) {
        const char *path = d->funcs.at[f].pub.file;
        bool added;
        if (!*path) continue;
        void **at = base_strmap_at(&a->file_of, path, strlen(path), &added);
        if (added) {
            BASE_PUSH(&a->files, (file_row){.path = path});
            *at = (void *)a->files.len;
        }
        a->func_file[f] = (uint32_t)(uintptr_t)*at;
    }
}

/* The number of a line's cost; false where its file or line is unknown. */
static bool cost_of(annotation *a, const hone_prof_line *line, size_t *number) {
    uint32_t file = a->func_file[line->func];
    bool added;
    if (!file || !line->line) return false;
    uint64_t *at = base_map_at(&a->cost_of, (uint64_t)file << 32 | line->line, &added);
    if (added) {
        *at = a->costs.len;
        BASE_PUSH(&a->costs, (cost){0});
        BASE_PUSH(&a->stamps, 0);
        file_row *row = &a->files.at[file - 1];
        row->last = BASE_MAX(row->last, line->line);
    }
    *number = *at;
    return true;
}

static void add_sample(annotation *a, const prof_sample *s, uint32_t stamp) {
    uint64_t w = prof_value(a->d, s, a->d->info.main_value);
    size_t i;
    if (!w) return;
    if (s->depth && cost_of(a, prof_first_line(a->d, s, 0), &i)) {
        uint64_t *file = &a->files.at[a->func_file[prof_first_line(a->d, s, 0)->func] - 1].self;
        *file = base_sat_add(*file, w);
        a->costs.at[i].self = base_sat_add(a->costs.at[i].self, w);
    }
    PROF_EACH_LINE(a->d, s, line) {
        if (!cost_of(a, line, &i) || a->stamps.at[i] == stamp) continue;
        a->stamps.at[i] = stamp;
        a->costs.at[i].total = base_sat_add(a->costs.at[i].total, w);
    }
}

static cost cost_at(const annotation *a, size_t file, uint32_t line) {
    uint64_t *at = base_map_find(&a->cost_of, (uint64_t)(file + 1) << 32 | line);
    return at ? a->costs.at[*at] : (cost){0};
}

/* ---- writing ---- */

static const char *colour(const annotation *a, const char *code) {
    return a->how->colour ? code : "";
}

static int amount_text(const annotation *a, uint64_t value, char *out, size_t size) {
    return a->unit > 0 ? snprintf(out, size, "%.2f", (double)value / a->unit)
                       : snprintf(out, size, "%llu", (prof_ull)value);
}

static void put_amount(annotation *a, uint64_t value) {
    char text[40] = "";
    if (value) amount_text(a, value, text, sizeof text);
    base_buf_printf(a->b, "%*s", a->width, text);
}

static double share(const annotation *a, uint64_t value) {
    return a->all > 0 ? (double)value / a->all : 0;
}

static void put_row(annotation *a, size_t file, uint32_t line, const char *text) {
    cost c = cost_at(a, file, line);
    double self = share(a, c.self);
    const char *code = self >= HOTTEST ? "\033[1;31m" : self >= WARM ? "\033[33m" : "";
    if (!c.total) code = "\033[2m";
    base_buf_puts(a->b, colour(a, code));
    base_buf_putc(a->b, self >= HOTTEST ? '>' : self >= WARM ? '-' : ' ');
    put_amount(a, c.self);
    if (c.self)
        base_buf_printf(a->b, "%7.2f", 100 * self);
    else
        base_buf_fill(a->b, ' ', 7);
    if (!a->is_counts) put_amount(a, c.total);
    base_buf_printf(a->b, "%6u | ", line);
    for (const char *tab; (tab = strchr(text, '\t')); text = tab + 1) {
        char *part = base_strndup(text, (size_t)(tab - text));
        prof_put_text(a->b, part);
        base_buf_puts(a->b, "        ");
        free(part);
    }
    prof_put_text(a->b, text);
    base_buf_puts(a->b, colour(a, *code ? "\033[0m" : ""));
    base_buf_putc(a->b, '\n');
}

static bool is_near(const annotation *a, size_t file, uint32_t line) {
    uint32_t from = line > CONTEXT ? line - CONTEXT : 1;
    for (uint32_t l = from; l <= line + CONTEXT; l++)
        if (cost_at(a, file, l).total) return true;
    return false;
}

static void put_file_head(annotation *a, size_t file) {
    const file_row *f = &a->files.at[file];
    if (a->b->len) base_buf_putc(a->b, '\n');
    base_buf_puts(a->b, colour(a, "\033[1m"));
    prof_put_text(a->b, f->path);
    base_buf_printf(a->b, "%s: %.2f %% of all\n ", colour(a, "\033[0m"), 100 * share(a, f->self));
    if (a->is_counts) {
        base_buf_printf(a->b, "%*s      %%  line\n", a->width, "count");
        return;
    }
    char self[24], total[24];
    snprintf(self, sizeof self, "self%s", a->unit_name);
    snprintf(total, sizeof total, "total%s", a->unit_name);
    base_buf_printf(a->b, "%*s      %%%*s  line\n", a->width, self, a->width, total);
}

static void put_file(annotation *a, size_t file, bool whole) {
    const base_buf *source = prof_source_text(&a->sources, a->files.at[file].path);
    const char *at = source->at, *end = at + source->len;
    bool left_out = false;
    put_file_head(a, file);
    for (uint32_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        if (whole || is_near(a, file, line)) {
            char *text = base_strndup(at, len && at[len - 1] == '\r' ? len - 1 : len);
            if (left_out) base_buf_printf(a->b, "%*s\n", a->width + 1, "...");
            put_row(a, file, line, text);
            free(text);
        }
        left_out = !whole && !is_near(a, file, line);
        at += len + 1;
    }
}

/* ---- which files ---- */

static bool has_text(annotation *a, size_t file) {
    return prof_source_text(&a->sources, a->files.at[file].path)->at != NULL;
}

/* Whether a path is the one that is named, or ends in it. */
static bool is_named(const char *path, const char *name) {
    size_t n = strlen(path), m = strlen(name);
    if (m > n || strcmp(path + n - m, name) != 0) return false;
    return m == n || *name == '/' || path[n - m - 1] == '/';
}

static int put_named(annotation *a, const char *name, hone_prof_error *error) {
    bool found = false;
    for (size_t i = 0; i < a->files.len; i++) {
        if (!is_named(a->files.at[i].path, name) || !a->files.at[i].last) continue;
        found = true;
        if (!has_text(a, i))
            return prof_fail(error, HONE_PROF_IO, "%s: can not be read", a->files.at[i].path);
        put_file(a, i, true);
    }
    if (found) return HONE_PROF_OK;
    return prof_fail(error, HONE_PROF_BAD_ARGUMENT, "%s: no line of it is in the profile", name);
}

static int cmp_file(const void *pa, const void *pb, void *ctx) {
    const annotation *a = ctx;
    const file_row *x = &a->files.at[*(const size_t *)pa], *y = &a->files.at[*(const size_t *)pb];
    if (x->self != y->self) return x->self < y->self ? 1 : -1;
    return strcmp(x->path, y->path);
}

static void put_all(annotation *a) {
    size_t *order = base_calloc(a->files.len + 1, sizeof *order);
    for (size_t i = 0; i < a->files.len; i++) order[i] = i;
    qsort_r(order, a->files.len, sizeof *order, cmp_file, a);
    for (size_t i = 0; i < a->files.len; i++) {
        if (!a->files.at[order[i]].last) continue;
        if (has_text(a, order[i])) {
            put_file(a, order[i], false);
            continue;
        }
        if (!a->files.at[order[i]].self) continue; /* as Hone's own libraries, called through */
        put_file_head(a, order[i]);
        base_buf_puts(a->b, "  the file is not to be read here\n");
    }
    if (!a->b->len) base_buf_puts(a->b, "no line has a cost\n");
    free(order);
}

static void annotation_free(annotation *a) {
    BASE_VEC_FREE(&a->files);
    BASE_VEC_FREE(&a->costs);
    BASE_VEC_FREE(&a->stamps);
    base_map_free(&a->cost_of);
    base_strmap_free(&a->file_of);
    prof_sources_free(&a->sources);
    free(a->func_file);
}

int hone_prof_annotate(const hone_prof_data *d, const hone_prof_annotation *how,
                       hone_prof_bytes *out, hone_prof_error *error) {
    base_buf b = {0};
    annotation a = {.d = d, .how = how, .b = &b};
    uint64_t all = d->totals[d->info.main_value];
    char digits[40];
    int status = HONE_PROF_OK;
    const char *unit = d->types[d->info.main_value].unit;
    bool is_time = !strcmp(unit, "nanoseconds"), is_size = !strcmp(unit, "bytes");
    a.unit = is_time ? 1e6 : is_size ? 1024 : 0;
    a.unit_name = is_time ? " ms" : is_size ? " KiB" : "";
    a.is_counts = prof_is_counts(d);
    a.all = (double)all;
    a.width = BASE_MAX(amount_text(&a, all, digits, sizeof digits) + 1, LEAST_WIDTH);
    number_files(&a);
    for (size_t i = 0; i < d->samples.len; i++) add_sample(&a, &d->samples.at[i], (uint32_t)i + 1);
    for (size_t i = 0; i < how->file_count && !status; i++)
        status = put_named(&a, how->files[i], error);
    if (!how->file_count) put_all(&a);
    annotation_free(&a);
    if (status)
        base_buf_free(&b);
    else
        *out = prof_bytes(&b);
    return status;
}
