/* equal.h: equivalence and the hashes that go with it. Nothing here allocates in the heap. */
#ifndef HONE_RT_EQUAL_H
#define HONE_RT_EQUAL_H

#include "num/num.h"

static inline bool rt_eqv(Value a, Value b) {
    return a == b ||
           (is_object(a) && is_object(b) && is_number(a) && is_number(b) && num_eqv(a, b));
}
/* equal? of R7RS: also ends on cyclic data, and takes constant C stack. */
bool rt_equal(Value a, Value b);

/* Hashes of 60 bits, for the three equivalences. *BY_ADDRESS is set to true, and never to false,
 * where the hash depends on the address of an object that can move: it then holds until the next
 * collection only. */
uint64_t rt_eq_hash(Value v, bool *by_address);
uint64_t rt_eqv_hash(Value v, bool *by_address);
uint64_t rt_equal_hash(Value v, bool *by_address);

#endif
