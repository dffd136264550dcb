/* string.h: strings. A string is [data, length]; data is a STRDATA object of one byte a character (Latin-1), or four with
 * FLAG_WIDE. string-set! with a wider character replaces the data, so a reader loads the data word once. */
#ifndef HONE_RT_STRING_H
#define HONE_RT_STRING_H

#include "gc/gc.h"

/* From UTF-8 text that is known to be valid. */
Value rt_string_new(Mutator *m, const char *utf8, size_t bytes);
Value rt_string_from_c(Mutator *m, const char *utf8); /* NUL-terminated */
/* As UTF-8 in a malloc'd NUL-terminated buffer; *LENGTH (may be NULL) is its bytes without the NUL. */
char *rt_string_utf8(Value s, size_t *length);
static inline int64_t rt_string_length(Value s) { return fixnum(object_slots(s)[1]); }
static inline uint32_t rt_string_ref(Value s, int64_t i) { /* I is in range */
    Value data = __atomic_load_n(&object_slots(s)[0], __ATOMIC_RELAXED);
    if (object_of(data)->header & FLAG_WIDE) return ((const uint32_t *)object_bytes(data))[i];
    return object_bytes(data)[i];
}
/* An uninitialised string of LENGTH characters, wide or not. */
Value rt_string_alloc(Mutator *m, int64_t length, bool wide);

/* The symbol of that name; the same object each time, whichever thread asks. */
Value rt_intern(Mutator *m, const char *utf8, size_t bytes);
Value rt_intern_c(Mutator *m, const char *utf8);
/* A symbol's name as UTF-8, owned by the symbol table, NUL-terminated. */
const char *rt_symbol_name(Value symbol);

#endif
