/* What the writer and the reader of pprof files agree on. Private to prof.
 *
 * A file holds more than pprof has fields for. That is kept in two comments, which other tools show
 * or ignore (each is a line of what they print, so they are few):
 *
 *   hone:meaning=TEXT
 *   hone:version=1;KEY=NUMBER;...    sources, process_cpu_ns, and the rows of prof_stat_rows but
 * zeros
 *
 * Where there is a version, the first mapping's name is the program's.
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
