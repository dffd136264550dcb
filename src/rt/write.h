/* write.h: the external representation of values. */
#ifndef HONE_RT_WRITE_H
#define HONE_RT_WRITE_H

#include "base/base.h"
#include "gc/gc.h"

enum rt_write_mode {
    RT_WRITE,        /* as `write`: labels for cycles alone. `write-simple` is the same */
    RT_WRITE_SHARED, /* labels for all that occurs more than once */
    RT_DISPLAY,      /* as RT_WRITE, but strings and characters are themselves */
};

/* Appends the text of V. LIMIT > 0: stops after about so many bytes with "...". Takes constant C
 * stack and ends on cyclic data. May allocate in M's heap but never collects. */
void rt_write(Mutator *m, base_buf *out, Value v, enum rt_write_mode mode, size_t limit);
/* The text of a symbol as `write` gives it, with bars where it needs them. */
void rt_write_symbol(Mutator *m, base_buf *out, Value symbol);

/* The name of a procedure, or NULL; set by vm/, which knows what a procedure's code is. */
extern const char *(*rt_procedure_name)(Value procedure);

#endif
