/* The folded format: one line per stack. See <hone/prof.h> for its exact form. */
#include <stdlib.h>

#include "prof/render.h"

static void put_name(base_buf *b, const char *s) {
    size_t len = strlen(s);
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        unsigned n = base_utf8_get(s + i, len - i, &cp);
        bool escape = cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == ';' || cp == '%' ||
                      cp == 0x2028 || cp == 0x2029;
        for (unsigned k = 0; k < n; k++) {
            if (escape)
                base_buf_printf(b, "%%%02X", (unsigned char)s[i + k]);
            else
                base_buf_putc(b, s[i + k]);
        }
        i += n;
    }
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void hone_prof_unfold(char *name) {
    char *to = name;
    for (const char *p = name; *p; p++) {
        if (*p == '%' && hex(p[1]) >= 0 && hex(p[2]) >= 0) {
            *to++ = (char)(hex(p[1]) * 16 + hex(p[2]));
            p += 2;
        } else {
            *to++ = *p;
        }
    }
    *to = 0;
}

static int cmp_line(const void *a, const void *b, void *text) {
    const char *t = text;
    return strcmp(t + *(const size_t *)a, t + *(const size_t *)b);
}

/* The tree's paths as lines in any order, each ended by a NUL; their starts in `starts`. */
typedef BASE_VEC(size_t) offsets;
static void put_lines(const hone_prof_data *d, base_buf *text, offsets *starts) {
    size_t n;
    hone_prof_node *nodes = hone_prof_tree(d, &n);
    bool by_value = d->info.sample_value < 0 || !strcmp(d->types[d->info.main_value].unit, "bytes");
    /* The nodes come depth first, so the names of the current path can be kept in one buffer;
     * ends[depth] is the length of the path up to there. */
    base_buf path = {0};
    offsets ends = {0};
    BASE_PUSH(&ends, 0);
    for (size_t i = 1; i < n; i++) {
        const hone_prof_node *node = &nodes[i];
        uint64_t count = by_value ? node->self : node->self_samples;
        ends.len = node->depth;
        path.len = ends.at[node->depth - 1];
        if (path.len) base_buf_putc(&path, ';');
        put_name(&path, d->funcs.at[node->func].pub.label);
        BASE_PUSH(&ends, path.len);
        if (!count) continue;
        BASE_PUSH(starts, text->len);
        base_buf_add(text, path.at, path.len);
        base_buf_printf(text, " %llu%c", (prof_ull)count, 0);
    }
    BASE_VEC_FREE(&ends);
    base_buf_free(&path);
    free(nodes);
}

void prof_write_folded(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    (void)options;
    base_buf text = {0};
    offsets starts = {0};
    put_lines(d, &text, &starts);
    if (starts.len) qsort_r(starts.at, starts.len, sizeof *starts.at, cmp_line, text.at);
    for (size_t i = 0; i < starts.len; i++) {
        base_buf_puts(buf, text.at + starts.at[i]);
        base_buf_putc(buf, '\n');
    }
    BASE_VEC_FREE(&starts);
    base_buf_free(&text);
}
