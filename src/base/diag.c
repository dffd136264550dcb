/* Diagnostics: `FILE:LINE:COL: error: TEXT`, the source line, a caret. */
#include "base/base.h"

enum { SHOWN = 100 }; /* columns of a source line that are shown */

void base_pos_print(base_buf *out, base_pos pos) {
    base_buf_puts(out, pos.file ? pos.file : "?");
    if (pos.line) base_buf_printf(out, ":%u", pos.line);
    if (pos.line && pos.column) base_buf_printf(out, ":%u", pos.column);
}

bool base_source_line(const char *text, size_t len, uint32_t line, const char **start,
                      size_t *line_len) {
    const char *p = text, *end = text + len;
    for (uint32_t i = 1; line && p <= end; i++) {
        const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        const char *stop = nl ? nl : end;
        if (i == line) {
            if (!nl && p == end && i > 1) return false; /* behind the last newline */
            *start = p;
            *line_len = (size_t)(stop - p);
            if (*line_len && p[*line_len - 1] == '\r') --*line_len;
            return true;
        }
        if (!nl) return false;
        p = nl + 1;
    }
    return false;
}

/* Appends code points `from` up to `to` of a line, made harmless for a terminal; as_blank turns
 * each into the blanks that are as wide. */
static void put_span(base_buf *out, const char *line, size_t len, size_t from, size_t to,
                     bool as_blank) {
    size_t index = 0;
    for (size_t i = 0; i < len && index < to; index++) {
        uint32_t cp;
        unsigned n = base_utf8_get(line + i, len - i, &cp);
        if (index >= from) {
            bool harmless =
                cp == '\t' || (cp >= 0x20 && !(cp >= 0x7F && cp < 0xA0) && cp != BASE_UTF8_BAD);
            if (as_blank && cp == '\t')
                base_buf_putc(out, '\t');
            else if (as_blank)
                base_buf_fill(out, ' ', harmless ? base_utf8_width(line + i, n) : 1);
            else if (harmless)
                base_buf_add(out, line + i, n);
            else
                base_buf_utf8(out, 0xFFFD);
        }
        i += n;
    }
}

static void put_line_and_caret(base_buf *out, const char *line, size_t len, uint32_t column) {
    size_t chars = base_utf8_count(line, len), at = column ? column - 1 : 0;
    if (at > chars) at = chars;
    size_t from = at > SHOWN * 3 / 4 ? at - SHOWN * 3 / 4 : 0, to = from + SHOWN;
    const char *before = from ? "..." : "";
    base_buf_printf(out, "  %s", before);
    put_span(out, line, len, from, to, false);
    base_buf_puts(out, to < chars ? "...\n" : "\n");
    if (!column) return;
    base_buf_fill(out, ' ', 2 + strlen(before));
    put_span(out, line, len, from, at, true);
    base_buf_puts(out, "^\n");
}

void base_diag(base_buf *out, base_pos pos, const char *kind, const char *text, const char *source,
               size_t source_len) {
    base_pos_print(out, pos);
    base_buf_printf(out, ": %s: %s\n", kind, text);
    const char *line;
    size_t len;
    if (source && base_source_line(source, source_len, pos.line, &line, &len))
        put_line_and_caret(out, line, len, pos.column);
}
