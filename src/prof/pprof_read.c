/* Reading pprof, from this library or any other tool, damaged or hostile.
 *
 * Three doors keep bad input out. gunzip bounds the size and, by the checksum, catches every cut
 * and flipped bit of a gzipped file. The protobuf decoder runs on an allocator with a bound, since
 * a message of two bytes unpacks to a struct of a hundred. Then every number that refers to
 * something (strings, functions, locations) is checked before it is used. What passes becomes a
 * hone_prof_data; nothing is kept of what does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "prof/pprof.h"

#define MAX_BYTES  ((size_t)256 << 20) /* of a file, and of what it unpacks to */
#define MAX_MEMORY ((size_t)1 << 30)   /* for the decoded messages */

/* ---- gunzip ---- */

static bool is_gzip(const uint8_t *bytes, size_t len) {
    return len >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

/* One or more gzip members. NULL if all went well, else what is wrong. */
static const char *gunzip(const uint8_t *bytes, size_t len, base_buf *out) {
    enum { GZIP_WRAPPER = 16, CHUNK = 1 << 16 };
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len};
    if (inflateInit2(&z, MAX_WBITS + GZIP_WRAPPER) != Z_OK) base_oom(1 << 16);
    const char *why = NULL;
    int status = Z_OK;
    while (!why && !(status == Z_STREAM_END && !z.avail_in)) {
        if (status == Z_STREAM_END) inflateReset(&z);
        base_buf_fill(out, 0, CHUNK);
        z.next_out = (Bytef *)out->at + out->len - CHUNK;
        z.avail_out = CHUNK;
        status = inflate(&z, Z_NO_FLUSH);
        out->len -= z.avail_out;
        if (status == Z_BUF_ERROR || (status == Z_OK && !z.avail_in && z.avail_out))
            why = "it is cut off";
        else if (status != Z_OK && status != Z_STREAM_END)
            why = "the compressed data is damaged";
        else if (out->len > MAX_BYTES)
            why = "it unpacks to more than 256 MB";
    }
    inflateEnd(&z);
    return why;
}

/* ---- bounded memory for the decoder ---- */

static void *bounded_alloc(void *ctx, size_t size) {
    size_t *left = ctx, cost = size + 2 * sizeof(void *);
    if (cost < size || cost > *left) return NULL;
    *left -= cost;
    return malloc(size ? size : 1);
}

static void bounded_free(void *ctx, void *p) {
    (void)ctx;
    free(p);
}

/* ---- from messages to a profile ---- */

typedef struct reader {
    const char *name; /* for errors */
    hone_prof_error *error;
    const Pprof__Profile *p;
    char **strings; /* NUL-terminated copies of the table */
    hone_prof_data *d;
    base_map functions, locations; /* id -> index */
    base_strmap likes;             /* functions alike in all that shows: how many so far */
    hone_prof_info info;
    bool failed;
} reader;

static bool bad(reader *r, const char *what) {
    if (!r->failed)
        prof_fail(r->error, HONE_PROF_FORMAT, "%s: not a usable profile: %s", r->name, what);
    r->failed = true;
    return false;
}

static const char *text(reader *r, int64_t number) {
    if (number >= 0 && (uint64_t)number < r->p->n_string_table) return r->strings[number];
    bad(r, "a string that is not there");
    return "";
}

static void copy_strings(reader *r) {
    r->strings = base_calloc(r->p->n_string_table + 1, sizeof *r->strings);
    for (size_t i = 0; i < r->p->n_string_table; i++) {
        const ProtobufCBinaryData *s = &r->p->string_table[i];
        r->strings[i] = base_strndup((const char *)s->data, s->len);
    }
}

static uint32_t clamp32(int64_t n) { return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

/* ---- the head: value types and comments ---- */

static int find_type(reader *r, const char *type) {
    for (unsigned i = 0; i < r->info.value_count; i++)
        if (!strcmp(text(r, r->p->sample_type[i]->type), type)) return (int)i;
    return -1;
}

/* Other tools count samples under other names; what counts samples has the unit "count" and a name
 * from this list. */
static int find_sample_value(reader *r) {
    static const char *const names[] = {"samples", "sample"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        int found = find_type(r, names[i]);
        if (found >= 0) return found;
    }
    return -1;
}

static bool read_types(reader *r) {
    size_t n = r->p->n_sample_type;
    if (!n || n > HONE_PROF_MAX_VALUES) return bad(r, "no or too many types of values");
    r->info.value_count = (unsigned)n;
    r->info.sample_value = find_sample_value(r);
    int main = r->p->default_sample_type ? find_type(r, text(r, r->p->default_sample_type)) : -1;
    r->info.main_value = main >= 0 ? (unsigned)main : (unsigned)n - 1;
    return !r->failed;
}

static void read_number(reader *r, const char *key, size_t key_len, uint64_t value) {
    for (size_t i = 0; i < prof_stat_row_count; i++)
        if (strlen(prof_stat_rows[i].name) == key_len &&
            !memcmp(prof_stat_rows[i].name, key, key_len))
            *prof_stat_at(&r->info.stats, i) = BASE_MIN(value, BASE_SAT_MAX);
    if (key_len == 7 && !memcmp(key, "sources", 7)) r->info.sources = clamp32((int64_t)value);
    if (key_len == 14 && !memcmp(key, "process_cpu_ns", 14)) r->info.process_cpu_ns = value;
}

/* KEY=VALUE of LEN bytes. */
static bool read_pair(reader *r, const char *pair, size_t len) {
    const char *equals = memchr(pair, '=', len);
    uint64_t number;
    if (!equals) return true;
    size_t key_len = (size_t)(equals - pair);
    char *value = base_strndup(equals + 1, len - key_len - 1);
    bool ok = true;
    if (key_len == 7 && !memcmp(pair, "version", 7)) {
        r->info.own = !strcmp(value, PROF_VERSION);
        ok = r->info.own || bad(r, "made by a newer version of Hone");
    } else if (base_parse_u64(value, 0, BASE_SAT_MAX, &number)) {
        read_number(r, pair, key_len, number);
    }
    free(value);
    return ok;
}

static bool read_comment(reader *r, const char *comment) {
    static const char meaning[] = PROF_COMMENT "meaning=";
    if (!strncmp(comment, meaning, sizeof meaning - 1)) {
        r->info.meaning = comment + sizeof meaning - 1;
        return true;
    }
    if (strncmp(comment, PROF_COMMENT, sizeof PROF_COMMENT - 1)) return true;
    for (const char *pair = comment + sizeof PROF_COMMENT - 1, *end; *pair; pair = end + !!*end) {
        end = strchrnul(pair, ';');
        if (!read_pair(r, pair, (size_t)(end - pair))) return false;
    }
    return true;
}

static bool read_head(reader *r) {
    const Pprof__Profile *p = r->p;
    if (!read_types(r)) return false;
    r->info.sources = 1;
    r->info.start_ns = p->time_nanos;
    r->info.duration_ns = p->duration_nanos > 0 ? (uint64_t)p->duration_nanos : 0;
    const char *unit = p->period_type ? text(r, p->period_type->unit) : "";
    bool known = !strcmp(unit, "nanoseconds") || !strcmp(unit, "bytes");
    r->info.period_ns = known && p->period > 0 ? (uint64_t)p->period : 0;
    for (size_t i = 0; i < p->n_comment; i++)
        if (!read_comment(r, text(r, p->comment[i]))) return false;
    if (p->n_mapping) {
        const char *name = text(r, p->mapping[0]->filename);
        r->info.program = r->info.own ? name : base_path_name(name);
    }
    if (r->failed) return false;
    hone_prof_value_type types[HONE_PROF_MAX_VALUES];
    for (unsigned i = 0; i < r->info.value_count; i++)
        types[i] = (hone_prof_value_type){text(r, p->sample_type[i]->type),
                                          text(r, p->sample_type[i]->unit)};
    r->info.values = types;
    if (!r->failed) r->d = hone_prof_data_new(&r->info);
    return !r->failed;
}

/* ---- functions and locations ---- */

/* How many functions came before that are alike in all that shows. Our own files hold such ones on
 * purpose; those of others may just repeat themselves, and are taken for one. */
static uint64_t number_among_likes(reader *r, const char *name, const char *file, uint32_t line,
                                   uint32_t column) {
    base_buf key = {0};
    if (!r->info.own) return 0;
    base_buf_add(&key, name, strlen(name) + 1);
    base_buf_add(&key, file, strlen(file) + 1);
    base_buf_printf(&key, "%u:%u", line, column);
    void **likes = base_strmap_at(&r->likes, key.at, key.len, NULL);
    base_buf_free(&key);
    uintptr_t number = (uintptr_t)*likes;
    *likes = (void *)(number + 1);
    return number;
}

/* Our own files keep name and column in system_name; see pprof.h. */
static char *own_name(reader *r, const Pprof__Function *f, uint32_t *column) {
    const char *name = text(r, f->name), *own = text(r, f->system_name);
    const char *at = strrchr(own, '@');
    uint64_t number = 0;
    bool ok = r->info.own && at && at > own && base_parse_u64(at + 1, 0, UINT32_MAX, &number);
    *column = ok ? (uint32_t)number : 0;
    return ok ? base_strndup(own, (size_t)(at - own)) : base_strdup(name);
}

static bool read_functions(reader *r) {
    for (size_t i = 0; i < r->p->n_function; i++) {
        const Pprof__Function *f = r->p->function[i];
        bool added;
        uint64_t *at = base_map_at(&r->functions, f->id, &added);
        if (!f->id || !added) return bad(r, "two functions with one number");
        uint32_t column;
        char *name = own_name(r, f, &column);
        const char *file = text(r, f->filename);
        uint32_t line = clamp32(f->start_line);
        uint64_t number = number_among_likes(r, name, file, line, column);
        *at = hone_prof_data_add_func(r->d, name, file, line, column, number);
        free(name);
    }
    return !r->failed;
}

/* A location without lines is code that the other tool could not name. */
static uint32_t nameless(reader *r, const Pprof__Location *l) {
    char name[32];
    snprintf(name, sizeof name, "0x%llx", (unsigned long long)l->address);
    const char *object = "";
    for (size_t i = 0; i < r->p->n_mapping; i++)
        if (r->p->mapping[i]->id == l->mapping_id) object = text(r, r->p->mapping[i]->filename);
    return hone_prof_data_add_func(r->d, name, object, 0, 0, 0);
}

static bool read_location(reader *r, const Pprof__Location *l) {
    BASE_VEC(hone_prof_line) lines = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < l->n_line; i++) {
        const Pprof__Line *line = l->line[i];
        const uint64_t *func = base_map_find(&r->functions, line->function_id);
        if (!func)
            ok = bad(r, "a line of a function that is not there");
        else
            BASE_PUSH(&lines, (hone_prof_line){(uint32_t)*func, clamp32(line->line),
                                               clamp32(line->column)});
    }
    if (ok && !lines.len) BASE_PUSH(&lines, (hone_prof_line){nameless(r, l), 0, 0});
    bool added = false;
    if (ok) {
        uint32_t index = hone_prof_data_add_location(r->d, lines.at, (uint32_t)lines.len);
        *base_map_at(&r->locations, l->id, &added) = index;
        if (!added || !l->id) ok = bad(r, "two locations with one number");
    }
    BASE_VEC_FREE(&lines);
    return ok;
}

/* ---- samples ---- */

typedef BASE_VEC(hone_prof_label) label_list;

static bool read_labels(reader *r, const Pprof__Sample *s, const char **thread, label_list *to) {
    for (size_t i = 0; i < s->n_label; i++) {
        const Pprof__Label *l = s->label[i];
        const char *key = text(r, l->key);
        if (!strcmp(key, "thread") && l->str)
            *thread = text(r, l->str);
        else if (l->str)
            BASE_PUSH(to, (hone_prof_label){.key = key, .value = text(r, l->str)});
        else
            BASE_PUSH(
                to, (hone_prof_label){.key = key, .number = l->num, .unit = text(r, l->num_unit)});
    }
    return !r->failed;
}

static bool read_stack(reader *r, const Pprof__Sample *s, uint32_t *stack) {
    for (size_t k = 0; k < s->n_location_id; k++) {
        const uint64_t *at = base_map_find(&r->locations, s->location_id[k]);
        if (!at) return bad(r, "a sample at a location that is not there");
        stack[k] = (uint32_t)*at;
    }
    return true;
}

static bool read_sample(reader *r, const Pprof__Sample *s) {
    uint64_t values[HONE_PROF_MAX_VALUES];
    const char *thread = "";
    label_list labels = {0};
    if (s->n_value != r->info.value_count) return bad(r, "a sample with a wrong number of values");
    for (size_t v = 0; v < s->n_value; v++) {
        if (s->value[v] < 0) return bad(r, "a negative value (a difference of two profiles?)");
        values[v] = (uint64_t)s->value[v];
    }
    if (s->n_location_id > UINT32_MAX) return bad(r, "a stack too deep");
    uint32_t *stack = base_calloc(s->n_location_id, sizeof *stack);
    bool ok = read_labels(r, s, &thread, &labels) && read_stack(r, s, stack);
    if (ok)
        hone_prof_data_add_sample(r->d, stack, (uint32_t)s->n_location_id, values, thread,
                                  labels.at, (uint32_t)labels.len);
    BASE_VEC_FREE(&labels);
    free(stack);
    return ok;
}

static bool read_all(reader *r) {
    const Pprof__Profile *p = r->p;
    if (!p->n_string_table || p->string_table[0].len)
        return bad(r, "its table of strings is wrong");
    copy_strings(r);
    if (!read_head(r) || !read_functions(r)) return false;
    for (size_t i = 0; i < p->n_location; i++)
        if (!read_location(r, p->location[i])) return false;
    for (size_t i = 0; i < p->n_sample; i++)
        if (!read_sample(r, p->sample[i])) return false;
    hone_prof_data_finish(r->d);
    return true;
}

static int decode(const uint8_t *bytes, size_t len, const char *name, hone_prof_data **out,
                  hone_prof_error *error) {
    size_t left = MAX_MEMORY;
    ProtobufCAllocator memory = {bounded_alloc, bounded_free, &left};
    Pprof__Profile *p = pprof__profile__unpack(&memory, len, bytes);
    if (!p)
        return prof_fail(error, HONE_PROF_FORMAT, "%s: not a pprof profile, or a damaged one",
                         name);
    reader r = {.name = name, .error = error, .p = p};
    bool ok = read_all(&r);
    for (size_t i = 0; r.strings && i < p->n_string_table; i++) free(r.strings[i]);
    free(r.strings);
    base_map_free(&r.functions);
    base_map_free(&r.locations);
    base_strmap_free(&r.likes);
    pprof__profile__free_unpacked(p, &memory);
    if (ok)
        *out = r.d;
    else
        hone_prof_data_free(r.d);
    return ok ? HONE_PROF_OK : HONE_PROF_FORMAT;
}

int hone_prof_data_parse(const void *bytes, size_t len, const char *name, hone_prof_data **out,
                         hone_prof_error *error) {
    *out = NULL;
    if (len > MAX_BYTES) return prof_fail(error, HONE_PROF_FORMAT, "%s: larger than 256 MB", name);
    if (!len) return prof_fail(error, HONE_PROF_FORMAT, "%s: an empty file, no profile", name);
    if (!is_gzip(bytes, len)) return decode(bytes, len, name, out, error);
    base_buf plain = {0};
    const char *why = gunzip(bytes, len, &plain);
    int status = why ? prof_fail(error, HONE_PROF_FORMAT, "%s: damaged profile: %s", name, why)
                     : decode((uint8_t *)plain.at, plain.len, name, out, error);
    base_buf_free(&plain);
    return status;
}

int hone_prof_data_read(const char *path, hone_prof_data **out, hone_prof_error *error) {
    base_buf bytes;
    char *why = NULL;
    *out = NULL;
    if (!base_file_read(path, MAX_BYTES, &bytes, &why)) {
        prof_fail(error, HONE_PROF_IO, "%s", why);
        free(why);
        return HONE_PROF_IO;
    }
    int status = hone_prof_data_parse(bytes.at, bytes.len, path, out, error);
    base_buf_free(&bytes);
    return status;
}
