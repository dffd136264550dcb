/* record.h: records and their types.
 *
 * A record is RECORD [rtd, field ...]. A type is a record too, of the base type: [base, name, field
 * names, parent]; the names are a vector of symbols, those of the parent first; the parent is a
 * type or #f. */
#ifndef HONE_RT_RECORD_H
#define HONE_RT_RECORD_H

#include "gc/gc.h"

/* Makes the base type. Once, before any other record; needs a heap. */
void rt_record_start(Mutator *m);
/* A type that never moves, for types known to C. FIELDS: names between single spaces. */
Value rt_rtd_new(Mutator *m, const char *name, const char *fields);

static inline Value rt_record_type(Value record) { return object_slots(record)[0]; }
bool rt_is_rtd(Value v);
Value rt_rtd_name(Value rtd);   /* a symbol */
Value rt_rtd_fields(Value rtd); /* a vector of symbols */
/* Whether X is a record of type RTD or of one that descends from it. */
bool rt_record_is_slow(Value x, Value rtd); /* X is a record */
static inline bool rt_record_is(Value x, Value rtd) {
    if (!is_record(x)) return false;
    return likely(rt_record_type(x) == rtd) || rt_record_is_slow(x, rtd);
}

#endif
