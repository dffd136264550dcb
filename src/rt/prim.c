/* The table of primitives. */
#include "rt/prim.h"

const Prim rt_prims[] = {
#define PRIM(cname, name, min, max, flags, doc) {name, cname, min, max, flags, doc},
#include "rt/prims.def"
#undef PRIM
};

const Prim *rt_prim_find(const char *name) {
    for (int i = 0; i < PRIM_COUNT; i++)
        if (!strcmp(rt_prims[i].name, name)) return &rt_prims[i];
    return NULL;
}
