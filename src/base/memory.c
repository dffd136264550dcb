/* Allocation that never fails, arenas, growable vectors. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void base_oom(size_t size) {
    fprintf(stderr, "hone: out of memory (%zu bytes asked)\n", size);
    _Exit(70);
}

void *base_alloc(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p) base_oom(size);
    return p;
}

static size_t checked_product(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) base_oom(SIZE_MAX);
    return bytes;
}

void *base_calloc(size_t count, size_t size) {
    size_t bytes = checked_product(count, size);
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) base_oom(bytes);
    return p;
}

void *base_resize(void *p, size_t count, size_t size) {
    size_t bytes = checked_product(count, size);
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q) base_oom(bytes);
    return q;
}

char *base_strndup(const char *s, size_t len) {
    char *copy = base_alloc(len + 1);
    if (len) memcpy(copy, s, len);
    copy[len] = 0;
    return copy;
}

char *base_strdup(const char *s) { return base_strndup(s, strlen(s)); }

void *base_vec_grow(void *at, size_t *cap, size_t need, size_t item_size) {
    size_t wanted = *cap < 8 ? 8 : *cap + *cap / 2;
    if (wanted < need) wanted = need;
    at = base_resize(at, wanted, item_size);
    *cap = wanted;
    return at;
}

/* ---- arena ---- */

struct base_arena_block {
    struct base_arena_block *older;
    size_t size;
    _Alignas(16) char bytes[];
};

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

static void arena_grow(base_arena *a, size_t need) {
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < need) size = need;
    struct base_arena_block *b = base_calloc(1, sizeof *b + size);
    b->older = a->blocks;
    b->size = size;
    a->blocks = b;
    a->next = b->bytes;
    a->end = b->bytes + size;
    a->total += sizeof *b + size;
}

void *base_arena_alloc(base_arena *a, size_t size) {
    if (size > SIZE_MAX / 2) base_oom(size);
    size_t rounded = (size + 15) & ~(size_t)15;
    if (!a->next || (size_t)(a->end - a->next) < rounded) arena_grow(a, rounded);
    void *p = a->next;
    a->next += rounded;
    return p;
}

char *base_arena_strndup(base_arena *a, const char *s, size_t len) {
    char *copy = base_arena_alloc(a, len + 1);
    if (len) memcpy(copy, s, len);
    return copy;
}

char *base_arena_strdup(base_arena *a, const char *s) {
    return base_arena_strndup(a, s, strlen(s));
}

char *base_arena_printf(base_arena *a, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *text = base_arena_alloc(a, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text;
}

void base_arena_free(base_arena *a) {
    for (struct base_arena_block *b = a->blocks; b;) {
        struct base_arena_block *older = b->older;
        free(b);
        b = older;
    }
    *a = (base_arena){0};
}
