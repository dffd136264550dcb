/* What the writers of formats share. Private to prof. */
#ifndef HONE_PROF_RENDER_H
#define HONE_PROF_RENDER_H

#include "prof/data.h"

typedef unsigned long long prof_ull; /* for printf */

/* The rows of the table of formats; options are never NULL. */
typedef void prof_writer(const hone_prof_data *d, const hone_prof_report *options, void *buf);
prof_writer prof_write_text, prof_write_folded, prof_write_pprof, prof_write_speedscope,
    prof_write_csv, prof_write_scm, prof_write_html;

/* Takes the buffer's bytes. */
hone_prof_bytes prof_bytes(base_buf *b);

/* A text for a terminal or a line-wise format: control characters as \xHH. */
void prof_put_text(base_buf *b, const char *s);
/* The same of a name, with the middle left out where it is longer than a line. */
void prof_put_name(base_buf *b, const char *s);
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
/* What is known of the run as a whole, in a few lines. */
void prof_put_head(base_buf *b, const hone_prof_data *d);
/* `WORD: ` and the size of a profile that is compared, one line. */
void prof_put_side(base_buf *b, const char *word, const hone_prof_data *d);

/* ---- source texts; zero-initialised it is empty and ready ---- */

typedef struct prof_sources {
    base_strmap files; /* path -> base_buf * */
} prof_sources;
/* The text of a plain file, read once; its `at` is NULL where there is none to be had. */
const base_buf *prof_source_text(prof_sources *s, const char *path);
/* A line of it, without its end; NULL if there is none. The caller frees it. It may be no UTF-8. */
char *prof_source_line(prof_sources *s, const char *path, uint32_t line);
void prof_sources_free(prof_sources *s);

/* ---- paths ---- */

/* A step of a stack's path. Where rounds of a cycle were folded (a procedure that calls itself, or
 * several that call each other in turn), `levels` are the frames that the step stands for, and
 * `cycle` is at its first step how many steps a round has; else 1. */
typedef struct prof_step {
    uint32_t func, line, levels, cycle;
} prof_step;
typedef BASE_VEC(prof_step) prof_path;
/* Leaves the path of a sample in `out`, outermost frame first, inlined ones singly. fold: rounds of
 * cycles of up to 16 procedures become one, with the lines of the innermost round. */
void prof_sample_path(const hone_prof_data *d, const prof_sample *s, bool fold, prof_path *out);

/* Which procedures of two profiles belong together: numbers from 0 in both, count in *n. Each of
 * the two arrays has an item for each of the profile's functions; the caller frees them. */
void prof_pair_funcs(const hone_prof_data *before, const hone_prof_data *after,
                     uint32_t **before_number, uint32_t **after_number, size_t *n);

#endif
