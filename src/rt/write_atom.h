/* write_atom.h: the text of values without parts. Private to rt/write*.c. */
#ifndef HONE_RT_WRITE_ATOM_H
#define HONE_RT_WRITE_ATOM_H

#include "rt/write.h"

void rt_write_atom(Mutator *m, base_buf *out, Value v, bool display);

#endif
