/* list.h: lists, for C code. Private to rt/ and the rooms above. */
#ifndef HONE_RT_LIST_H
#define HONE_RT_LIST_H

#include "gc/gc.h"

int64_t rt_list_length(Value v); /* -1: not a proper list (circular ones included) */
/* The COUNT items as a list that ends in TAIL. */
Value rt_list(Mutator *m, const Value *items, int64_t count, Value tail);

#endif
