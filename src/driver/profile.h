/* profile.h: the process's profile, for the driver's primitives. */
#ifndef HONE_DRIVER_PROFILE_H
#define HONE_DRIVER_PROFILE_H

#include "driver/driver.h"
#include "hone/prof.h"

hone_prof *driver_prof(void);             /* made, and every thread registered, at first need */
hone_prof_data *driver_line_counts(void); /* of the line counts; the caller frees it */
void driver_reset_counts(void);
const char *driver_program_name(void);
/* The place S, with its procedure's name put into NAME, which the frame refers to. */
hone_prof_frame driver_site_frame(const Site *s, base_buf *name);

/* sampling.c: the sampler as the program has it for itself; see hone_prof_start and so on. What the
 * server samples beside it does not show. */
int driver_sample_start(const hone_prof_options *options);
int driver_sample_stop(void);
int driver_sample_reset(void);
bool driver_sample_running(void);
hone_prof_data *driver_snapshot(void); /* of the samples; the caller frees it */

/* ---- alloc_profile.c: the allocation profile, with a start and stop of its own ---- */
int driver_alloc_start(
    const hone_prof_alloc_options *options); /* on a thread of Hone; a hone_prof_status */
int driver_alloc_stop(void);
/* Of what was allocated; LIVE: of what lives of it. Any thread may call it; the caller frees it. */
hone_prof_data *driver_alloc_snapshot(bool live);
bool driver_alloc_sampled(void);     /* allocations were sampled at some time. Any thread */
void driver_alloc_init(void);        /* once, at the start */
void driver_alloc_thread(Thread *t); /* T begins; on itself */
void driver_alloc_compiled(
    Thread *t); /* T's allocations so far since the last call are the compiler's */

/* Around expanding and compiling: the CPU time between the two is on an account of its own, not the
 * calling procedure's. */
uint64_t driver_compiling_begin(void);
void driver_compiling_end(Mutator *m, uint64_t began);

#endif
