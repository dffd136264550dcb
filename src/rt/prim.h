/* prim.h: the one table of primitives: procedures written in C.
 *
 * A primitive has the signature   Value f(Mutator *m, const Value *a, int n)   with N arguments
 * A[0..N-1], N within the row's limits. It follows the rules of gc/mutator.h. The rows stand in
 * rt/prims.def, which includes one file for each area. All rows are exported to Scheme by the
 * library (hone prim). */
#ifndef HONE_RT_PRIM_H
#define HONE_RT_PRIM_H

#include "gc/gc.h"

typedef Value (*PrimFn)(Mutator *m, const Value *a, int n);
#define PRIM_FN(name) Value name(Mutator *m, const Value *a, int n)
/* For bodies that need not all of the three. */
#define PRIM_UNUSED ((void)m, (void)a, (void)n)

enum prim_flags {
    PRIM_PURE = 1, /* no effect and depends on its arguments alone (mutable data may be read: not
                      foldable) */
    PRIM_FOLDABLE =
        2, /* pure, and constant arguments give a constant: may be computed when compiling */
    PRIM_ALLOCATES = 4,
    PRIM_BLOCKS = 8,     /* may block: marks its thread away */
    PRIM_LONG = 16,      /* may run long: time in it is charged to it by name */
    PRIM_PREDICATE = 32, /* returns #t or #f, never fails */
};

typedef struct Prim {
    const char *name; /* the Scheme name */
    PrimFn fn;
    int min_args, max_args; /* max -1: any number */
    unsigned flags;
    const char *doc; /* one line: what it returns, what it needs */
} Prim;

/* The index of each primitive, and the table itself, PRIM_COUNT rows. */
enum prim_id {
#define PRIM(cname, name, min, max, flags, doc) PRIM_##cname,
#include "rt/prims.def"
#undef PRIM
    PRIM_COUNT
};
extern const Prim rt_prims[];
/* The row of that Scheme name, or NULL. */
const Prim *rt_prim_find(const char *name);

/* Every row's function. */
#define PRIM(cname, name, min, max, flags, doc) PRIM_FN(cname);
#include "rt/prims.def"
#undef PRIM

#endif
