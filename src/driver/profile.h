/* profile.h: the process's profile, for the driver's primitives. */
#ifndef HONE_DRIVER_PROFILE_H
#define HONE_DRIVER_PROFILE_H

#include "driver/driver.h"
#include "hone/prof.h"

hone_prof *driver_prof(void);             /* made, and every thread registered, at first need */
hone_prof_data *driver_snapshot(void);    /* of the samples; the caller frees it */
hone_prof_data *driver_line_counts(void); /* of the line counts; the caller frees it */
void driver_reset_counts(void);

/* Around expanding and compiling: the CPU time between the two is on an account of its own, not the
 * calling procedure's. */
uint64_t driver_compiling_begin(void);
void driver_compiling_end(Mutator *m, uint64_t began);

#endif
