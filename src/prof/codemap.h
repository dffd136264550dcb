/* From frame addresses to places: each address is resolved once and kept. Private to prof. */
#ifndef HONE_PROF_CODEMAP_H
#define HONE_PROF_CODEMAP_H

#include <hone/prof.h>

#include "base/base.h"

typedef struct prof_site {
    hone_prof_frame *chain; /* innermost inlined procedure first; strings never NULL */
    uint32_t count;         /* at least 1 */
} prof_site;

/* Zero-initialised it is empty and ready. */
typedef struct prof_codemap {
    base_arena mem;
    base_map sites; /* address -> prof_site * */
} prof_codemap;

/* The site of an address, by the host's resolver at first. Valid as long as the map. */
const prof_site *prof_codemap_find(prof_codemap *m, const hone_prof_config *host,
                                   uintptr_t address);
void prof_codemap_free(prof_codemap *m);

#endif
