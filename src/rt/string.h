/* string.h: strings. A string is [data, length]; data is a STRDATA object of one byte a character
 * (Latin-1), or four with FLAG_WIDE. string-set! with a wider character replaces the data, so a
 * reader loads the data word once. */
#ifndef HONE_RT_STRING_H
#define HONE_RT_STRING_H

#include "gc/gc.h"

/* From UTF-8 text that is known to be valid. */
Value rt_string_new(Mutator *m, const char *utf8, size_t bytes);
Value rt_string_from_c(Mutator *m, const char *utf8); /* NUL-terminated */
/* From text of the system, NUL-terminated: what is no UTF-8 becomes U+FFFD. */
Value rt_string_from_system(Mutator *m, const char *text);
/* As UTF-8 in a malloc'd NUL-terminated buffer; *LENGTH (may be NULL) is its bytes without the NUL.
 */
char *rt_string_utf8(Value s, size_t *length);
static inline int64_t rt_string_length(Value s) { return fixnum(object_slots(s)[1]); }
static inline uint32_t rt_string_ref(Value s, int64_t i) { /* I is in range */
    Value data = __atomic_load_n(&object_slots(s)[0], __ATOMIC_RELAXED);
    if (object_of(data)->header & FLAG_WIDE) return ((const uint32_t *)object_bytes(data))[i];
    return object_bytes(data)[i];
}
/* An uninitialised string of LENGTH characters, wide or not. */
Value rt_string_alloc(Mutator *m, int64_t length, bool wide);
/* From COUNT code points, each a Unicode scalar value; as narrow as they allow. */
Value rt_string_from_codes(Mutator *m, const uint32_t *codes, int64_t count);
/* A fresh string of the characters START..END-1 of S, a valid range. */
Value rt_substring(Mutator *m, Value s, int64_t start, int64_t end);
/* Appends the characters START..END-1 of S as UTF-8. */
struct base_buf;
void rt_string_encode(struct base_buf *out, Value s, int64_t start, int64_t end);

/* The data of S, loaded once: what the functions below take, so that a racing string-set! cannot
 * change the width of what they work on. */
static inline Value rt_string_data(Value s) {
    return __atomic_load_n(&object_slots(s)[0], __ATOMIC_RELAXED);
}
static inline bool rt_data_wide(Value data) { return has_flag(data, FLAG_WIDE); }
static inline uint32_t rt_data_ref(Value data, int64_t i) {
    if (rt_data_wide(data)) return ((const uint32_t *)object_bytes(data))[i];
    return object_bytes(data)[i];
}
/* C fits the data's width. */
static inline void rt_data_set(Value data, int64_t i, uint32_t c) {
    if (rt_data_wide(data))
        ((uint32_t *)object_bytes(data))[i] = c;
    else
        object_bytes(data)[i] = (uint8_t)c;
}
/* Copies COUNT characters; the source fits the target's width; the two may be the same data and
 * overlap. */
void rt_data_copy(Value to, int64_t at, Value from, int64_t start, int64_t count);
/* The largest character of a range, 0 for an empty one. Exact only as far as 255 matters: narrow
 * data may give 255. */
uint32_t rt_data_widest(Value data, int64_t start, int64_t end);
/* Makes S able to hold C. */
void rt_string_widen(Mutator *m, Value s, uint32_t c);

/* Order by code points: negative, 0, positive. */
int rt_string_compare(Value a, Value b);
bool rt_string_equal(Value a, Value b);
uint64_t rt_string_hash(Value s); /* of the characters, whatever the width; 60 bits */

/* The symbol of that name; the same object each time, whichever thread asks. */
Value rt_intern(Mutator *m, const char *utf8, size_t bytes);
Value rt_intern_c(Mutator *m, const char *utf8);
/* A symbol's name as UTF-8, owned by the symbol table, NUL-terminated. */
const char *rt_symbol_name(Value symbol);
size_t rt_symbol_length(Value symbol); /* of that, in bytes */

#endif
