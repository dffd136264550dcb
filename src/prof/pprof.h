/* What the writer and the reader of pprof files agree on. Private to prof.
 *
 * A file holds more than pprof has fields for. That is kept in comments of the form
 * `hone:KEY=VALUE`, which other tools show or ignore:
 *
 *   hone:version=1, program, meaning, sources, process_cpu_ns, and each row of prof_stat_rows.
 *
 * A function's name is its label, so that tools which look at names alone keep procedures apart;
 * its own name and column are in system_name, as `NAME@COLUMN`.
 */
#ifndef HONE_PROF_PPROF_H
#define HONE_PROF_PPROF_H

#include "prof/profile.pb-c.h"
#include "prof/data.h"

#define PROF_COMMENT "hone:"
#define PROF_VERSION "1"

#endif
