/* Building a profile, and bringing it into its one order. */
#include "prof/data.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- status and statistics: tables ---- */

const char *hone_prof_status_text(int status) {
    switch (status) {
#define HONE_PROF_ROW(name, value, text)                                                           \
    case value: return text;
        HONE_PROF_STATUSES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
    }
    return "unknown status";
}

static const char *const sources[] = {
#define HONE_PROF_ROW(name, word, meaning) word,
    HONE_PROF_SOURCES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
};

const char *hone_prof_source_word(hone_prof_source s) { return sources[s]; }

bool hone_prof_source_named(const char *word, hone_prof_source *out) {
    for (int i = 0; i < HONE_PROF_SOURCE_COUNT; i++) {
        if (strcmp(word, sources[i])) continue;
        *out = (hone_prof_source)i;
        return true;
    }
    return false;
}

int prof_fail(hone_prof_error *e, int status, const char *fmt, ...) {
    if (!e) return status;
    va_list ap;
    va_start(ap, fmt);
    e->status = status;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    return status;
}

#define PLAIN(field) {#field, offsetof(hone_prof_stats, field)},
const prof_stat_row prof_stat_rows[] = {
    PLAIN(samples) PLAIN(cpu_ns) PLAIN(wall_ns) PLAIN(fires) PLAIN(refused) PLAIN(truncated)
        PLAIN(label_overflow) PLAIN(lost_ns) PLAIN(skid_ns) PLAIN(skid_count) PLAIN(alloc_error)
#define HONE_PROF_ROW(name, word)                                                                  \
    {"lost: " word, offsetof(hone_prof_stats, lost) + HONE_PROF_##name * sizeof(uint64_t)},
            HONE_PROF_LOSSES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
#define HONE_PROF_ROW(name, word, cpu)                                                             \
    {word "_ns", offsetof(hone_prof_stats, account_ns) + HONE_PROF_##name * sizeof(uint64_t)},     \
        {word "_count",                                                                            \
         offsetof(hone_prof_stats, account_count) + HONE_PROF_##name * sizeof(uint64_t)},
                HONE_PROF_ACCOUNTS(HONE_PROF_ROW)
#undef HONE_PROF_ROW
};
const size_t prof_stat_row_count = BASE_COUNT(prof_stat_rows);

/* ---- building ---- */

static char *made_valid(const char *s, size_t len) {
    base_buf b = {0};
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        i += base_utf8_get(s + i, len - i, &cp);
        base_buf_utf8(&b, cp); /* U+FFFD for what is none */
    }
    return base_buf_take(&b);
}

const char *prof_intern(hone_prof_data *d, const char *s) {
    if (!s) s = "";
    if (!base_utf8_valid(s, strlen(s), NULL)) {
        char *valid = made_valid(s, strlen(s));
        const char *mine = prof_intern(d, valid);
        free(valid);
        return mine;
    }
    return base_strmap_key(base_strmap_at(&d->strings, s, strlen(s), NULL));
}

hone_prof_data *hone_prof_data_new(const hone_prof_info *info) {
    hone_prof_data *d = base_calloc(1, sizeof *d);
    d->info = *info;
    d->info.program = prof_intern(d, info->program);
    d->info.meaning = prof_intern(d, info->meaning);
    for (unsigned i = 0; i < info->value_count; i++)
        d->types[i] = (hone_prof_value_type){prof_intern(d, info->values[i].type),
                                             prof_intern(d, info->values[i].unit)};
    d->info.values = d->types;
    return d;
}

void hone_prof_data_free(hone_prof_data *d) {
    if (!d) return;
    base_strmap_free(&d->func_of);
    base_strmap_free(&d->location_of);
    base_strmap_free(&d->labels_of);
    base_strmap_free(&d->sample_of);
    base_strmap_free(&d->strings);
    BASE_VEC_FREE(&d->funcs);
    BASE_VEC_FREE(&d->locations);
    BASE_VEC_FREE(&d->lines);
    BASE_VEC_FREE(&d->samples);
    BASE_VEC_FREE(&d->labels);
    BASE_VEC_FREE(&d->stack);
    BASE_VEC_FREE(&d->values);
    free(d);
}

uint32_t hone_prof_data_add_func(hone_prof_data *d, const char *name, const char *file,
                                 uint32_t line, uint32_t column, uint64_t id) {
    hone_prof_func f = {.name = prof_intern(d, name && *name ? name : "?"),
                        .file = prof_intern(d, file),
                        .line = line,
                        .column = column};
    /* Interned strings are equal as pointers, so the key is plain words. */
    uint64_t key[] = {(uintptr_t)f.name, (uintptr_t)f.file, (uint64_t)line << 32 | column, id};
    bool added;
    void **at = base_strmap_at(&d->func_of, (const char *)key, sizeof key, &added);
    if (added) {
        BASE_PUSH(&d->funcs, (prof_func){.pub = f, .id = id});
        *at = (void *)d->funcs.len;
    }
    return (uint32_t)(uintptr_t)*at - 1;
}

uint32_t hone_prof_data_add_location(hone_prof_data *d, const hone_prof_line *lines,
                                     uint32_t count) {
    bool added;
    void **at = base_strmap_at(&d->location_of, (const char *)lines, count * sizeof *lines, &added);
    if (added) {
        BASE_PUSH(&d->locations, (prof_span){(uint32_t)d->lines.len, count});
        for (uint32_t i = 0; i < count; i++) BASE_PUSH(&d->lines, lines[i]);
        *at = (void *)d->locations.len;
    }
    return (uint32_t)(uintptr_t)*at - 1;
}

static int cmp_label(const void *pa, const void *pb) {
    const hone_prof_label *a = pa, *b = pb;
    int c = strcmp(a->key, b->key);
    if (!c) c = (a->value != NULL) - (b->value != NULL);
    if (!c && a->value) c = strcmp(a->value, b->value);
    if (!c) c = a->number < b->number ? -1 : a->number > b->number;
    return c ? c : strcmp(a->unit, b->unit);
}

/* Interned strings are equal as pointers, so equal sets are equal as bytes. An empty text is no
 * label: pprof can not tell it from none. */
static prof_span add_labels(hone_prof_data *d, const hone_prof_label *labels, uint32_t count) {
    hone_prof_label *set = base_calloc(count, sizeof *set);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const hone_prof_label *l = &labels[i];
        if (!*l->key || (l->value && !*l->value)) continue;
        set[n++] = (hone_prof_label){.key = prof_intern(d, l->key),
                                     .value = l->value ? prof_intern(d, l->value) : NULL,
                                     .number = l->value ? 0 : l->number,
                                     .unit = prof_intern(d, l->value ? NULL : l->unit)};
    }
    if (n) qsort(set, n, sizeof *set, cmp_label);
    bool added = false;
    void **at =
        n ? base_strmap_at(&d->labels_of, (const char *)set, n * sizeof *set, &added) : NULL;
    if (added) {
        *at = (void *)d->labels.len;
        for (uint32_t i = 0; i < n; i++) BASE_PUSH(&d->labels, set[i]);
    }
    free(set);
    return (prof_span){at ? (uint32_t)(uintptr_t)*at : 0, n};
}

static prof_sample *new_sample(hone_prof_data *d, const uint32_t *locations, uint32_t depth) {
    unsigned n = d->info.value_count;
    prof_sample s = {.first = d->stack.len, .depth = depth, .values = (uint32_t)d->samples.len};
    BASE_RESERVE(&d->stack, d->stack.len + depth);
    if (depth) memcpy(d->stack.at + d->stack.len, locations, depth * sizeof *locations);
    d->stack.len += depth;
    for (unsigned v = 0; v < n; v++) BASE_PUSH(&d->values, 0);
    BASE_PUSH(&d->samples, s);
    return &d->samples.at[d->samples.len - 1];
}

void hone_prof_data_add_sample(hone_prof_data *d, const uint32_t *locations, uint32_t depth,
                               const uint64_t *values, const char *thread,
                               const hone_prof_label *labels, uint32_t label_count) {
    const char *name = prof_intern(d, thread);
    prof_span set = add_labels(d, labels, label_count);
    uint64_t head[] = {(uintptr_t)name, (uint64_t)set.first << 32 | set.count};
    base_buf key = {0};
    base_buf_add(&key, head, sizeof head);
    base_buf_add(&key, locations, depth * sizeof *locations);
    bool added;
    void **at = base_strmap_at(&d->sample_of, key.at, key.len, &added);
    base_buf_free(&key);
    if (added) {
        prof_sample *s = new_sample(d, locations, depth);
        s->thread = name;
        s->labels = set;
        *at = (void *)d->samples.len;
    }
    uint64_t *to = d->values.at + ((uintptr_t)*at - 1) * d->info.value_count;
    for (unsigned v = 0; v < d->info.value_count; v++) {
        to[v] = base_sat_add(to[v], BASE_MIN(values[v], BASE_SAT_MAX));
        d->totals[v] = base_sat_add(d->totals[v], BASE_MIN(values[v], BASE_SAT_MAX));
    }
}

/* ---- labels: names made unique ---- */

/* The name with ever more of its place, as `how` grows; from 3 on with a number. */
static char *label_text(const hone_prof_func *f, unsigned how) {
    base_buf b = {0};
    base_buf_puts(&b, f->name);
    if (how >= 1) base_buf_printf(&b, "@%s", how == 2 ? f->file : base_path_name(f->file));
    if (how >= 1 && f->line) base_buf_printf(&b, ":%u", f->line);
    if (how >= 2 && f->column) base_buf_printf(&b, ":%u", f->column);
    if (how >= 3) base_buf_printf(&b, "#%u", how - 1);
    return base_buf_take(&b);
}

/* Counts for each candidate of degree `how` the functions that would get it. */
static void count_labels(hone_prof_data *d, base_strmap *uses, unsigned how) {
    for (size_t i = 0; i < d->funcs.len; i++) {
        char *text = label_text(&d->funcs.at[i].pub, how);
        void **n = base_strmap_at(uses, text, strlen(text), NULL);
        *n = (void *)((uintptr_t)*n + 1);
        free(text);
    }
}

/* Gives out the labels of one degree to those functions for which it tells them apart. */
static size_t give_labels(hone_prof_data *d, base_strmap *taken, unsigned how) {
    base_strmap uses = {0};
    size_t without = 0;
    if (how < 3) count_labels(d, &uses, how);
    for (size_t i = 0; i < d->funcs.len; i++) {
        hone_prof_func *f = &d->funcs.at[i].pub;
        if (f->label) continue;
        char *text = label_text(f, how);
        size_t len = strlen(text);
        void **n = how < 3 ? base_strmap_find(&uses, text, len) : NULL;
        bool added = false;
        if (how >= 3 || (uintptr_t)*n == 1) base_strmap_at(taken, text, len, &added);
        if (added)
            f->label = prof_intern(d, text);
        else
            without++;
        free(text);
    }
    base_strmap_free(&uses);
    return without;
}

static void make_labels(hone_prof_data *d) {
    base_strmap taken = {0};
    for (unsigned how = 0; give_labels(d, &taken, how); how++) {
    }
    base_strmap_free(&taken);
}

/* ---- the one order ---- */

static int cmp_u64(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int cmp_func(const void *pa, const void *pb, void *ctx) {
    const hone_prof_data *d = ctx;
    uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
    const prof_func *a = &d->funcs.at[ia], *b = &d->funcs.at[ib];
    int c = strcmp(a->pub.name, b->pub.name);
    if (!c) c = strcmp(a->pub.file, b->pub.file);
    if (!c) c = cmp_u64(a->pub.line, b->pub.line);
    if (!c) c = cmp_u64(a->pub.column, b->pub.column);
    return c ? c : cmp_u64(ia, ib);
}

static int cmp_location(const void *pa, const void *pb, void *ctx) {
    const hone_prof_data *d = ctx;
    const prof_span *a = &d->locations.at[*(const uint32_t *)pa];
    const prof_span *b = &d->locations.at[*(const uint32_t *)pb];
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        const hone_prof_line *x = &d->lines.at[a->first + i], *y = &d->lines.at[b->first + i];
        int c = cmp_u64(x->func, y->func);
        if (!c) c = cmp_u64(x->line, y->line);
        if (!c) c = cmp_u64(x->column, y->column);
        if (c) return c;
    }
    return cmp_u64(a->count, b->count);
}

static int cmp_labels(const hone_prof_data *d, prof_span a, prof_span b) {
    int c = 0;
    for (uint32_t i = 0; !c && i < a.count && i < b.count; i++)
        c = cmp_label(&d->labels.at[a.first + i], &d->labels.at[b.first + i]);
    return c ? c : cmp_u64(a.count, b.count);
}

/* By thread, labels, then from the root inwards. */
static int cmp_sample(const void *pa, const void *pb, void *ctx) {
    const hone_prof_data *d = ctx;
    const prof_sample *a = &d->samples.at[*(const uint32_t *)pa];
    const prof_sample *b = &d->samples.at[*(const uint32_t *)pb];
    int c = strcmp(a->thread, b->thread);
    if (!c) c = cmp_labels(d, a->labels, b->labels);
    for (uint32_t i = 1; !c && i <= a->depth && i <= b->depth; i++)
        c = cmp_u64(d->stack.at[a->first + a->depth - i], d->stack.at[b->first + b->depth - i]);
    return c ? c : cmp_u64(a->depth, b->depth);
}

/* order[new] = old, sorted. */
static uint32_t *sorted(hone_prof_data *d, size_t n,
                        int (*cmp)(const void *, const void *, void *)) {
    uint32_t *order = base_calloc(n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    qsort_r(order, n, sizeof *order, cmp, d);
    return order;
}

/* Puts items into the order, which is freed; gives the inverse, new_of[old]. */
static uint32_t *apply(uint32_t *order, void *items, size_t n, size_t size) {
    uint32_t *new_of = base_calloc(n + 1, sizeof *new_of);
    char *copy = base_calloc(n + 1, size);
    for (size_t i = 0; i < n; i++) {
        new_of[order[i]] = (uint32_t)i;
        memcpy(copy + i * size, (char *)items + order[i] * size, size);
    }
    if (n) memcpy(items, copy, n * size);
    free(copy);
    free(order);
    return new_of;
}

static void sort_all(hone_prof_data *d) {
    uint32_t *order = sorted(d, d->funcs.len, cmp_func);
    uint32_t *new_of = apply(order, d->funcs.at, d->funcs.len, sizeof *d->funcs.at);
    for (size_t i = 0; i < d->lines.len; i++) d->lines.at[i].func = new_of[d->lines.at[i].func];
    free(new_of);
    order = sorted(d, d->locations.len, cmp_location);
    new_of = apply(order, d->locations.at, d->locations.len, sizeof *d->locations.at);
    for (size_t i = 0; i < d->stack.len; i++) d->stack.at[i] = new_of[d->stack.at[i]];
    free(new_of);
    order = sorted(d, d->samples.len, cmp_sample);
    free(apply(order, d->samples.at, d->samples.len, sizeof *d->samples.at));
}

/* Functions alike in all that shows are told apart by their number among their likes, so that those
 * of two profiles, or of one written and read again, meet. */
static void number_likes(hone_prof_data *d) {
    for (size_t i = 0; i < d->funcs.len; i++) {
        prof_func *f = &d->funcs.at[i], *before = f - 1;
        bool like = i && before->pub.name == f->pub.name && before->pub.file == f->pub.file &&
                    before->pub.line == f->pub.line && before->pub.column == f->pub.column;
        f->id = like ? before->id + 1 : 0;
    }
}

void hone_prof_data_finish(hone_prof_data *d) {
    base_strmap_free(&d->func_of);
    base_strmap_free(&d->location_of);
    base_strmap_free(&d->labels_of);
    base_strmap_free(&d->sample_of);
    sort_all(d);
    number_likes(d);
    make_labels(d);
    d->finished = true;
}

/* ---- looking at it ---- */

const hone_prof_info *hone_prof_data_info(const hone_prof_data *d) { return &d->info; }
uint32_t hone_prof_data_funcs(const hone_prof_data *d) { return (uint32_t)d->funcs.len; }
const hone_prof_func *hone_prof_data_func(const hone_prof_data *d, uint32_t i) {
    return &d->funcs.at[i].pub;
}
uint32_t hone_prof_data_locations(const hone_prof_data *d) { return (uint32_t)d->locations.len; }
const hone_prof_line *hone_prof_data_location(const hone_prof_data *d, uint32_t i,
                                              uint32_t *count) {
    *count = d->locations.at[i].count;
    return d->lines.at + d->locations.at[i].first;
}
uint32_t hone_prof_data_samples(const hone_prof_data *d) { return (uint32_t)d->samples.len; }
void hone_prof_data_sample(const hone_prof_data *d, uint32_t i, hone_prof_sample *out) {
    const prof_sample *s = &d->samples.at[i];
    *out = (hone_prof_sample){.locations = d->stack.at + s->first,
                              .depth = s->depth,
                              .values = d->values.at + (size_t)s->values * d->info.value_count,
                              .thread = s->thread,
                              .labels = d->labels.at ? d->labels.at + s->labels.first : NULL,
                              .label_count = s->labels.count};
}
uint64_t hone_prof_data_total(const hone_prof_data *d, unsigned value) { return d->totals[value]; }

/* ---- execution counts ---- */

static const hone_prof_value_type count_type = {"count", "count"};

bool prof_is_counts(const hone_prof_data *d) {
    return d->info.value_count == 1 && d->info.sample_value < 0 &&
           !strcmp(d->types[0].type, count_type.type);
}

hone_prof_data *hone_prof_data_from_counts(const char *program, const hone_prof_count *counts,
                                           size_t n) {
    hone_prof_data *d =
        hone_prof_data_new(&(hone_prof_info){.program = program,
                                             .meaning = "executions of each line, counted",
                                             .values = &count_type,
                                             .value_count = 1,
                                             .sample_value = -1,
                                             .sources = 1,
                                             .own = true});
    for (size_t i = 0; i < n; i++) {
        const hone_prof_frame *f = &counts[i].place;
        uint32_t func =
            hone_prof_data_add_func(d, f->name, f->file, f->func_line, f->func_column, f->func_id);
        hone_prof_line line = {func, f->line, f->column};
        uint32_t location = hone_prof_data_add_location(d, &line, 1);
        hone_prof_data_add_sample(d, &location, 1, &counts[i].count, "", NULL, 0);
    }
    hone_prof_data_finish(d);
    return d;
}
