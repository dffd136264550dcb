/* table.h: hash tables, for C code. Not synchronised; a race may lose entries but not harm the
 * process. */
#ifndef HONE_RT_TABLE_H
#define HONE_RT_TABLE_H

#include "gc/gc.h"

enum rt_table_kind { TABLE_EQ, TABLE_EQV, TABLE_EQUAL, TABLE_STRING, TABLE_KINDS };

Value rt_table_new(Mutator *m, enum rt_table_kind kind);
Value rt_table_get(Mutator *m, Value table, Value key, Value otherwise);
void rt_table_put(Mutator *m, Value table, Value key, Value value);
bool rt_table_remove(Mutator *m, Value table, Value key); /* whether it was there */
int64_t rt_table_count(Value table);
const char *rt_table_kind_name(Value table);

#endif
