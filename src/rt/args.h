/* args.h: how primitives look at their arguments. Private to rt/. */
#ifndef HONE_RT_ARGS_H
#define HONE_RT_ARGS_H

#include "gc/gc.h"

/* Fails the primitive unless TEST holds of its argument number POS (from 1). */
#define ARG_CHECK(test, who, pos)                                                                  \
    do {                                                                                           \
        if (unlikely(!(test))) return mutator_fail(m, ERR_WRONG_TYPE, (who), (pos), a[(pos) - 1]); \
    } while (0)

/* Whether argument number POS (from 1) was given. */
static inline bool arg_given(const Value *a, int n, int pos) {
    return n >= pos && a[pos - 1] != V_DEFAULT;
}

/* Argument number POS as an index in 0..LIMIT-1. On false the failure is noted. */
static inline bool arg_index(Mutator *m, const char *who, const Value *a, int pos, int64_t limit,
                             int64_t *out) {
    Value v = a[pos - 1];
    if (unlikely(!is_fixnum(v))) {
        mutator_fail(m, ERR_WRONG_TYPE, who, pos, v);
        return false;
    }
    *out = fixnum(v);
    if (likely((uint64_t)*out < (uint64_t)limit)) return true;
    mutator_fail(m, ERR_RANGE, who, pos, v);
    return false;
}

/* The optional arguments start and end, numbers POS and POS+1, of something of LENGTH parts; those
 * not given are 0 and LENGTH. On false the failure is noted. */
static inline bool arg_range(Mutator *m, const char *who, const Value *a, int n, int pos,
                             int64_t length, int64_t *start, int64_t *end) {
    *start = 0;
    *end = length;
    if (arg_given(a, n, pos + 1) && !arg_index(m, who, a, pos + 1, length + 1, end)) return false;
    return !arg_given(a, n, pos) || arg_index(m, who, a, pos, *end + 1, start);
}

/* Argument number POS as a count of things of BYTES bytes each that the heap may hold. On false the
 * failure is noted: what no machine could hold is refused here, since an allocation itself never
 * fails. */
bool rt_arg_count(Mutator *m, const char *who, const Value *a, int pos, unsigned bytes,
                  int64_t *out);
/* The same test for a size computed by the primitive itself. */
bool rt_room(Mutator *m, const char *who, uint64_t bytes);

#endif
