/* sources.h: the sampler's sources in this process, for profile.c. */
#ifndef HONE_DRIVER_SOURCES_H
#define HONE_DRIVER_SOURCES_H

#include "driver/driver.h"
#include "hone/prof.h"

/* Fills in what the sources want of the host. */
void driver_source_hooks(hone_prof_config *config);
/* A run with this source may be about to begin. */
void driver_source_wanted(hone_prof_source s);
/* Pushes what the strike found, and gives the top of the frames below it. */
const Word *driver_push_leaf(const Thread *t, hone_prof_stack *out);
/* profile.c: pushes the frames below SP, the outermost ones of a deep stack as roots. */
void driver_push_frames(Thread *t, const Word *sp, hone_prof_stack *out);
/* What an address stands for, if it is of the kind; else NULL. */
const Site *driver_leaf_site(uintptr_t address);
const char *driver_wait_name(uintptr_t address);
bool driver_is_native(uintptr_t address);

#endif
