/* chars.c: the characters of a text or port, one at a time, and where they stand.
 *
 * In a whole text a column is counted only when somebody asks: it is the distance from the line's
 * start less the continuation bytes passed on that line. Bytes below 0x80 take the short way. */
#include "read/internal.h"

#include <stdarg.h>
#include <stdio.h>

static int32_t decode(const Reader *r, unsigned *used) {
    uint32_t c;
    *used = base_utf8_get(r->cur, (size_t)(r->end - r->cur), &c);
    return c == BASE_UTF8_BAD ? CHAR_BAD : (int32_t)c;
}

int32_t read_peek_char(Reader *r) {
    unsigned used;
    if (r->port) return r->peek(r->port);
    if (r->cur == r->end) return CHAR_END;
    if ((signed char)*r->cur >= 0) return *r->cur;
    return decode(r, &used);
}

static int32_t take_from_port(Reader *r) {
    int32_t c = r->next(r->port);
    if (c == '\n') {
        r->line++;
        r->column = 1;
    } else if (c >= 0)
        r->column++;
    return c;
}

int32_t read_take_char(Reader *r) {
    if (r->port) return take_from_port(r);
    if (r->cur == r->end) return CHAR_END;
    if ((signed char)*r->cur >= 0) {
        int32_t c = (unsigned char)*r->cur++;
        if (c == '\n') {
            r->line++;
            r->line_start = r->cur;
            r->continuation = 0;
        }
        return c;
    }
    unsigned used;
    int32_t c = decode(r, &used);
    if (c != CHAR_BAD) {
        r->cur += used;
        r->continuation += used - 1;
    }
    return c;
}

SrcPos read_here(const Reader *r) {
    uint32_t column =
        r->port ? r->column : (uint32_t)(r->cur - r->line_start) - r->continuation + 1;
    return (SrcPos){r->file, r->line, column};
}

bool read_is_space(int32_t c) {
    if (c <= 0x20) return c == ' ' || (c >= 9 && c <= 13);
    if (c < 0x85) return false;
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
           c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

const bool read_ascii_delimiter[128] = {
    ['\t'] = 1, ['\n'] = 1, ['\v'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1,
    ['('] = 1,  [')'] = 1,  ['"'] = 1,  [';'] = 1,  ['|'] = 1,  ['\''] = 1,
    ['`'] = 1,  [','] = 1,  ['['] = 1,  [']'] = 1,  ['{'] = 1,  ['}'] = 1,
};

bool read_is_delimiter(int32_t c) {
    if (c >= 0 && c < 128) return read_ascii_delimiter[c];
    return c < 0 || read_is_space(c);
}

void read_fail(Reader *r, SrcPos pos, const SrcPos *opened, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    vsnprintf(r->error->message, sizeof r->error->message, format, ap);
    va_end(ap);
    r->error->pos = pos;
    if (opened) r->error->opened = *opened;
    longjmp(r->failed, 1);
}

void read_fail_incomplete(Reader *r, const char *what, SrcPos opened) {
    r->error->incomplete = true;
    read_fail(r, read_here(r), &opened, "the text ends inside %s", what);
}

void read_fail_char(Reader *r, int32_t c) {
    read_fail(r, read_here(r), NULL, "%s",
              c == CHAR_BAD ? "invalid UTF-8" : "the port cannot be read");
}
