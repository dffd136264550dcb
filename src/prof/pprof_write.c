/* Writing pprof: protobuf by protobuf-c, gzip by zlib. The output depends on the profile's contents
 * alone; the gzip header holds no time. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "prof/pprof.h"
#include "prof/render.h"

/* Everything lives in `mem`; message structs point to one another. */
typedef struct writer {
    const hone_prof_data *d;
    base_arena mem;
    base_strmap numbers; /* string -> number in the table + 1 */
    BASE_VEC(ProtobufCBinaryData) strings;
    BASE_VEC(int64_t) comments;
    Pprof__Profile profile;
} writer;

static int64_t string_number(writer *w, const char *s) {
    size_t len = strlen(s);
    bool added;
    void **at = base_strmap_at(&w->numbers, s, len, &added);
    if (added) {
        BASE_PUSH(&w->strings, (ProtobufCBinaryData){len, (uint8_t *)base_strmap_key(at)});
        *at = (void *)w->strings.len;
    }
    return (int64_t)(uintptr_t)*at - 1;
}

/* An array of n messages, and one of pointers to them, as protobuf-c wants it. */
static void *messages(writer *w, size_t n, size_t size, void *pointers_out) {
    char *items = base_arena_alloc(&w->mem, n * size);
    void **pointers = base_arena_alloc(&w->mem, n * sizeof *pointers);
    for (size_t i = 0; i < n; i++) pointers[i] = items + i * size;
    *(void ***)pointers_out = pointers;
    return items;
}

static Pprof__ValueType *value_type(writer *w, const char *type, const char *unit) {
    Pprof__ValueType *t = BASE_NEW(&w->mem, Pprof__ValueType);
    pprof__value_type__init(t);
    t->type = string_number(w, type);
    t->unit = string_number(w, unit);
    return t;
}

static void put_types(writer *w) {
    const hone_prof_info *info = &w->d->info;
    Pprof__Profile *p = &w->profile;
    p->n_sample_type = info->value_count;
    p->sample_type = BASE_NEW_ARRAY(&w->mem, Pprof__ValueType *, info->value_count);
    for (unsigned i = 0; i < info->value_count; i++)
        p->sample_type[i] = value_type(w, info->values[i].type, info->values[i].unit);
    const hone_prof_value_type *main = &info->values[info->main_value];
    p->default_sample_type = string_number(w, main->type);
    p->period_type = value_type(w, main->type, main->unit);
    p->period = (int64_t)BASE_MIN(info->period_ns, BASE_SAT_MAX);
    p->time_nanos = info->start_ns;
    p->duration_nanos = (int64_t)BASE_MIN(info->duration_ns, BASE_SAT_MAX);
}

static void put_functions(writer *w) {
    Pprof__Profile *p = &w->profile;
    size_t n = p->n_function = w->d->funcs.len;
    Pprof__Function *items = messages(w, n, sizeof *items, &p->function);
    for (size_t i = 0; i < n; i++) {
        const hone_prof_func *f = &w->d->funcs.at[i].pub;
        base_buf own = {0};
        base_buf_printf(&own, "%s@%u", f->name, f->column);
        pprof__function__init(&items[i]);
        items[i].id = i + 1;
        items[i].name = string_number(w, f->label);
        items[i].system_name = string_number(w, own.at);
        items[i].filename = string_number(w, f->file);
        items[i].start_line = f->line;
        base_buf_free(&own);
    }
}

static void put_lines(writer *w, Pprof__Location *l, const prof_span *span) {
    l->n_line = span->count;
    Pprof__Line *items = messages(w, span->count, sizeof *items, &l->line);
    for (uint32_t i = 0; i < span->count; i++) {
        const hone_prof_line *line = &w->d->lines.at[span->first + i];
        pprof__line__init(&items[i]);
        items[i].function_id = line->func + 1;
        items[i].line = line->line;
        items[i].column = line->column;
    }
}

static void put_locations(writer *w) {
    Pprof__Profile *p = &w->profile;
    size_t n = p->n_location = w->d->locations.len;
    Pprof__Location *items = messages(w, n, sizeof *items, &p->location);
    for (size_t i = 0; i < n; i++) {
        pprof__location__init(&items[i]);
        items[i].id = i + 1;
        items[i].mapping_id = 1;
        put_lines(w, &items[i], &w->d->locations.at[i]);
    }
    Pprof__Mapping *m = BASE_NEW(&w->mem, Pprof__Mapping);
    pprof__mapping__init(m);
    m->id = 1;
    m->filename = string_number(w, w->d->info.program);
    m->has_functions = m->has_filenames = m->has_line_numbers = m->has_inline_frames = true;
    p->n_mapping = 1;
    p->mapping = BASE_NEW(&w->mem, Pprof__Mapping *);
    p->mapping[0] = m;
}

static void put_text_label(writer *w, Pprof__Label *l, const char *key, const char *value) {
    l->key = string_number(w, key);
    l->str = string_number(w, value);
}

static void put_labels(writer *w, Pprof__Sample *to, const prof_sample *s) {
    Pprof__Label *items = messages(w, s->labels.count + 1, sizeof *items, &to->label);
    for (uint32_t i = 0; i <= s->labels.count; i++) pprof__label__init(&items[i]);
    if (*s->thread) put_text_label(w, &items[to->n_label++], "thread", s->thread);
    for (uint32_t i = 0; i < s->labels.count; i++) {
        const hone_prof_label *l = &w->d->labels.at[s->labels.first + i];
        Pprof__Label *item = &items[to->n_label++];
        if (l->value) {
            put_text_label(w, item, l->key, l->value);
        } else {
            item->key = string_number(w, l->key);
            item->num = l->number;
            item->num_unit = string_number(w, l->unit);
        }
    }
}

static void put_samples(writer *w) {
    Pprof__Profile *p = &w->profile;
    unsigned values = w->d->info.value_count;
    size_t n = p->n_sample = w->d->samples.len;
    Pprof__Sample *items = messages(w, n, sizeof *items, &p->sample);
    for (size_t i = 0; i < n; i++) {
        const prof_sample *s = &w->d->samples.at[i];
        Pprof__Sample *to = &items[i];
        pprof__sample__init(to);
        to->n_location_id = s->depth;
        to->location_id = BASE_NEW_ARRAY(&w->mem, uint64_t, s->depth);
        for (uint32_t k = 0; k < s->depth; k++)
            to->location_id[k] = w->d->stack.at[s->first + k] + 1;
        to->n_value = values;
        to->value = BASE_NEW_ARRAY(&w->mem, int64_t, values);
        for (unsigned v = 0; v < values; v++) to->value[v] = (int64_t)prof_value(w->d, s, v);
        put_labels(w, to, s);
    }
}

static void put_comment(writer *w, const char *text) {
    BASE_PUSH(&w->comments, string_number(w, text));
}

static void put_number(base_buf *b, const char *key, uint64_t value) {
    if (value) base_buf_printf(b, ";%s=%llu", key, (prof_ull)value);
}

static void put_comments(writer *w) {
    const hone_prof_info *info = &w->d->info;
    base_buf b = {0};
    base_buf_printf(&b, PROF_COMMENT "meaning=%s", info->meaning);
    put_comment(w, b.at);
    base_buf_clear(&b);
    base_buf_puts(&b, PROF_COMMENT "version=" PROF_VERSION);
    put_number(&b, "sources", info->sources);
    put_number(&b, "process_cpu_ns", info->process_cpu_ns);
    for (size_t i = 0; i < prof_stat_row_count; i++)
        put_number(&b, prof_stat_rows[i].name, prof_stat_get(&info->stats, i));
    put_comment(w, b.at);
    base_buf_free(&b);
}

static void gzip(const uint8_t *bytes, size_t len, base_buf *out) {
    enum { GZIP_WRAPPER = 16, MEMORY_LEVEL = 8, CHUNK = 1 << 16 };
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_WRAPPER, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        base_oom(1 << 18); /* the only way in which it fails */
    const size_t most = UINT_MAX / 2;
    for (int flush = Z_NO_FLUSH; flush != Z_FINISH;) {
        size_t part = len < most ? len : most;
        z.next_in = (Bytef *)bytes;
        z.avail_in = (uInt)part;
        bytes += part;
        len -= part;
        flush = len ? Z_NO_FLUSH : Z_FINISH;
        do {
            base_buf_fill(out, 0, CHUNK);
            z.next_out = (Bytef *)out->at + out->len - CHUNK;
            z.avail_out = CHUNK;
            deflate(&z, flush);
            out->len -= z.avail_out;
        } while (!z.avail_out);
    }
    deflateEnd(&z);
}

void prof_write_pprof(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    (void)options;
    writer w = {.d = d};
    pprof__profile__init(&w.profile);
    string_number(&w, ""); /* number 0, as the format wants it */
    put_types(&w);
    put_samples(&w);
    put_locations(&w);
    put_functions(&w);
    put_comments(&w);
    w.profile.n_comment = w.comments.len;
    w.profile.comment = w.comments.at;
    w.profile.n_string_table = w.strings.len;
    w.profile.string_table = w.strings.at;
    size_t len = pprof__profile__get_packed_size(&w.profile);
    uint8_t *packed = base_alloc(len);
    pprof__profile__pack(&w.profile, packed);
    gzip(packed, len, buf);
    free(packed);
    base_arena_free(&w.mem);
    base_strmap_free(&w.numbers);
    BASE_VEC_FREE(&w.strings);
    BASE_VEC_FREE(&w.comments);
}
