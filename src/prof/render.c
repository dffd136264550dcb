/* Quoting and amounts, shared by the formats; the table of formats; saving. */
#include "prof/render.h"

#include <stdlib.h>

hone_prof_bytes prof_bytes(base_buf *b) {
    size_t len = b->len;
    return (hone_prof_bytes){.at = base_buf_take(b), .len = len};
}

/* ---- quoting ---- */

static bool is_control(uint32_t cp) {
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x2028 || cp == 0x2029;
}

/* Calls for each code point of valid UTF-8 text. */
#define EACH_CODEPOINT(s, p, n, cp)                                                                \
    for (const char *p = (s), *end_ = p + strlen(p); p < end_; p += n)                             \
        if ((n = base_utf8_get(p, (size_t)(end_ - p), &cp)))

void prof_put_text(base_buf *b, const char *s) {
    uint32_t cp;
    unsigned n;
    EACH_CODEPOINT(s, p, n, cp) {
        if (is_control(cp))
            base_buf_printf(b, "\\x%x;", cp);
        else
            base_buf_utf8(b, cp); /* U+FFFD for what is none, as a source line may hold */
    }
}

void prof_put_json(base_buf *b, const char *s) {
    uint32_t cp;
    unsigned n;
    base_buf_putc(b, '"');
    EACH_CODEPOINT(s, p, n, cp) {
        if (cp == '"' || cp == '\\')
            base_buf_printf(b, "\\%c", (char)cp);
        else if (is_control(cp) || cp == '<')
            base_buf_printf(b, "\\u%04x", cp);
        else
            base_buf_utf8(b, cp);
    }
    base_buf_putc(b, '"');
}

void prof_put_scm(base_buf *b, const char *s) {
    static const char plain[] = "\"\\\n\t\r", escaped[] = "\"\\ntr";
    uint32_t cp;
    unsigned n;
    base_buf_putc(b, '"');
    EACH_CODEPOINT(s, p, n, cp) {
        const char *known = cp < 0x80 ? strchr(plain, (int)cp) : NULL;
        if (known)
            base_buf_printf(b, "\\%c", escaped[known - plain]);
        else if (is_control(cp))
            base_buf_printf(b, "\\x%x;", cp);
        else
            base_buf_add(b, p, n);
    }
    base_buf_putc(b, '"');
}

void prof_put_csv(base_buf *b, const char *s) {
    bool quote = strpbrk(s, ",\"\r\n") || *s == ' ' || (*s && s[strlen(s) - 1] == ' ');
    if (!quote) {
        base_buf_puts(b, s);
        return;
    }
    base_buf_putc(b, '"');
    for (; *s; s++) {
        if (*s == '"') base_buf_putc(b, '"');
        base_buf_putc(b, *s);
    }
    base_buf_putc(b, '"');
}

/* ---- amounts and places ---- */

/* The offset of code point N of valid UTF-8 text. */
static size_t offset_of(const char *s, size_t n) {
    size_t i = 0;
    for (; s[i] && n; n--) do
            i++;
        while ((s[i] & 0xC0) == 0x80);
    return i;
}

void prof_put_name(base_buf *b, const char *s) {
    enum { MOST = 100, HEAD = 60, TAIL = 39 };
    size_t n = base_utf8_count(s, strlen(s));
    if (n <= MOST) {
        prof_put_text(b, s);
        return;
    }
    char *head = base_strndup(s, offset_of(s, HEAD));
    prof_put_text(b, head);
    base_buf_puts(b, "\xe2\x80\xa6");
    prof_put_text(b, s + offset_of(s, n - TAIL));
    free(head);
}

void prof_put_place(base_buf *b, const char *label, const char *file, uint32_t line) {
    prof_put_name(b, label);
    if (!*file) return;
    base_buf_puts(b, "  ");
    prof_put_text(b, file);
    if (line) base_buf_printf(b, ":%u", line);
}

void prof_put_amount(base_buf *b, const hone_prof_data *d, uint64_t value) {
    const hone_prof_value_type *t = &d->types[d->info.main_value];
    if (!strcmp(t->unit, "nanoseconds"))
        base_buf_printf(b, "%.2f ms of %s time", (double)value / 1e6, t->type);
    else if (!strcmp(t->unit, "bytes"))
        base_buf_printf(b, "%.2f %s of %s", (double)value / (value >> 20 ? 1 << 20 : 1 << 10),
                        value >> 20 ? "MiB" : "KiB", t->type);
    else
        base_buf_printf(b, "%llu %s (%s)", (prof_ull)value, t->type, t->unit);
}

/* ---- the table of formats ---- */

static const hone_prof_format formats[] = {
    {"text", {".txt"}, "table of procedures, call tree, hot lines, for people", prof_write_text},
    {"folded", {".folded", ".ticks"}, "one line per stack, for flame graphs", prof_write_folded},
    {"pprof", {".pb.gz", ".pprof"}, "for go tool pprof, hone report, servers", prof_write_pprof},
    {"speedscope", {".json"}, "for speedscope.app", prof_write_speedscope},
    {"html", {".html", ".htm"}, "a page with a flame graph, for a browser", prof_write_html},
    {"csv", {".csv"}, "table of procedures, for a spreadsheet", prof_write_csv},
    {"scm", {".scm"}, "all of it as one datum", prof_write_scm},
};

const hone_prof_format *hone_prof_formats(size_t *count) {
    *count = BASE_COUNT(formats);
    return formats;
}

const hone_prof_format *hone_prof_format_by_name(const char *name) {
    for (size_t i = 0; i < BASE_COUNT(formats); i++)
        if (!strcmp(formats[i].name, name)) return &formats[i];
    return NULL;
}

const hone_prof_format *hone_prof_format_by_path(const char *path) {
    size_t len = strlen(path);
    for (size_t i = 0; i < BASE_COUNT(formats); i++)
        for (const char *const *e = formats[i].extensions; *e; e++)
            if (len > strlen(*e) && !strcmp(path + len - strlen(*e), *e)) return &formats[i];
    return NULL;
}

static const hone_prof_report defaults;

hone_prof_bytes hone_prof_write(const hone_prof_data *d, const hone_prof_format *format,
                                const hone_prof_report *options) {
    base_buf b = {0};
    format->write(d, options ? options : &defaults, &b);
    return prof_bytes(&b);
}

hone_prof_bytes hone_prof_report_text(const hone_prof_data *d, const hone_prof_report *options) {
    return hone_prof_write(d, hone_prof_format_by_name("text"), options);
}

int hone_prof_check_path(const char *path, hone_prof_error *error) {
    const hone_prof_format *known_format = hone_prof_format_by_path(path);
    if (known_format)
        return known_format->write == prof_write_html ? hone_prof_has_page(error) : HONE_PROF_OK;
    base_buf known = {0};
    for (size_t i = 0; i < BASE_COUNT(formats); i++)
        for (const char *const *e = formats[i].extensions; *e; e++)
            base_buf_printf(&known, "%s%s", known.len ? ", " : "", *e);
    int status = prof_fail(error, HONE_PROF_UNSUPPORTED,
                           "%s: no profile format has this extension; there are %s", path,
                           base_buf_str(&known));
    base_buf_free(&known);
    return status;
}

int hone_prof_save(const hone_prof_data *d, const char *path, const hone_prof_format *format,
                   const hone_prof_report *options, hone_prof_error *error) {
    static const hone_prof_report everything = {
        .top = UINT32_MAX, .full_tree = true, .lines = true};
    if (!format) format = hone_prof_format_by_path(path);
    if (!format) return hone_prof_check_path(path, error);
    if (format->write == prof_write_html && hone_prof_has_page(error)) return HONE_PROF_UNSUPPORTED;
    hone_prof_bytes bytes = hone_prof_write(d, format, options ? options : &everything);
    char *why = NULL;
    bool ok = base_file_write(path, bytes.at, bytes.len, &why);
    free(bytes.at);
    int status = ok ? HONE_PROF_OK : prof_fail(error, HONE_PROF_IO, "%s", why);
    free(why);
    return status;
}
