/* What the writers of formats share. Private to prof. */
#ifndef HONE_PROF_RENDER_H
#define HONE_PROF_RENDER_H

#include "prof/data.h"

typedef unsigned long long prof_ull; /* for printf */

/* The rows of the table of formats; options are never NULL. */
typedef void prof_writer(const hone_prof_data *d, const hone_prof_report *options, void *buf);
prof_writer prof_write_text, prof_write_folded, prof_write_pprof, prof_write_speedscope,
    prof_write_csv, prof_write_scm;

/* Takes the buffer's bytes. */
hone_prof_bytes prof_bytes(base_buf *b);

/* A text for a terminal or a line-wise format: control characters as \xHH. */
void prof_put_text(base_buf *b, const char *s);
/* `label  file:line`, leaving out what is unknown. */
void prof_put_place(base_buf *b, const char *label, const char *file, uint32_t line);
/* A main value in words: milliseconds for times, else the number and its unit. */
void prof_put_amount(base_buf *b, const hone_prof_data *d, uint64_t value);
/* A string in double quotes as JSON (`<` and U+2028 and U+2029 escaped, fit for a script element)
 * or as R7RS. */
void prof_put_json(base_buf *b, const char *s);
void prof_put_scm(base_buf *b, const char *s);
/* A field of a CSV file, quoted where RFC 4180 needs it. */
void prof_put_csv(base_buf *b, const char *s);

#endif
