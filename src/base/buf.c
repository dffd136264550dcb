/* The growing byte buffer. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

static void reserve(base_buf *b, size_t more) {
    if (more > SIZE_MAX / 4 - b->len) base_oom(more);
    size_t need = b->len + more + 1;
    if (b->cap >= need) return;
    size_t cap = b->cap ? b->cap * 2 : 64;
    if (cap < need) cap = need;
    b->at = base_resize(b->at, cap, 1);
    b->cap = cap;
}

void base_buf_add(base_buf *b, const void *bytes, size_t len) {
    reserve(b, len);
    if (len) memcpy(b->at + b->len, bytes, len);
    b->len += len;
    b->at[b->len] = 0;
}

void base_buf_puts(base_buf *b, const char *s) { base_buf_add(b, s, strlen(s)); }

void base_buf_putc(base_buf *b, char c) { base_buf_add(b, &c, 1); }

void base_buf_fill(base_buf *b, char c, size_t count) {
    reserve(b, count);
    memset(b->at + b->len, c, count);
    b->len += count;
    b->at[b->len] = 0;
}

void base_buf_vprintf(base_buf *b, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    if (len > 0) {
        reserve(b, (size_t)len);
        vsnprintf(b->at + b->len, (size_t)len + 1, fmt, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

void base_buf_printf(base_buf *b, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    base_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void base_buf_utf8(base_buf *b, uint32_t codepoint) {
    char bytes[4];
    base_buf_add(b, bytes, base_utf8_put(bytes, codepoint));
}

void base_buf_clear(base_buf *b) {
    b->len = 0;
    if (b->at) b->at[0] = 0;
}

const char *base_buf_str(const base_buf *b) { return b->at ? b->at : ""; }

char *base_buf_take(base_buf *b) {
    reserve(b, 0);
    char *bytes = b->at;
    bytes[b->len] = 0;
    *b = (base_buf){0};
    return bytes;
}

void base_buf_free(base_buf *b) {
    free(b->at);
    *b = (base_buf){0};
}
