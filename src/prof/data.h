/* The profile as data. Private to prof; everyone else goes through <hone/prof.h>.
 *
 * While being built, functions, locations and samples are found again through hash maps, so that
 * equal ones are one. hone_prof_data_finish drops the maps and puts everything into an order that
 * depends on the contents alone: two profiles that hold the same are the same, index by index.
 */
#ifndef HONE_PROF_DATA_H
#define HONE_PROF_DATA_H

#include <hone/prof.h>

#include "base/base.h"

/* The procedure that stands where frames were left out of a stack. */
#define PROF_TRUNCATED_NAME "[truncated]"

typedef struct prof_func {
    hone_prof_func pub;
    uint64_t id; /* tells apart what is alike in all else */
} prof_func;

typedef struct prof_span {
    uint32_t first, count;
} prof_span;

typedef struct prof_sample {
    size_t first; /* of `depth` items in stack */
    uint32_t depth;
    uint32_t values; /* number in values: values.at[values * value_count] */
    const char *thread;
    prof_span labels; /* equal ones are one span */
} prof_sample;

struct hone_prof_data {
    hone_prof_info info;
    hone_prof_value_type types[HONE_PROF_MAX_VALUES];
    base_strmap strings; /* interned: equal strings are one pointer */
    BASE_VEC(prof_func) funcs;
    BASE_VEC(prof_span) locations; /* spans of lines */
    BASE_VEC(hone_prof_line) lines;
    BASE_VEC(prof_sample) samples;
    BASE_VEC(hone_prof_label) labels;
    BASE_VEC(uint32_t) stack;
    BASE_VEC(uint64_t) values;
    base_strmap func_of, location_of, labels_of,
        sample_of; /* only while building; value: index + 1 */
    uint64_t totals[HONE_PROF_MAX_VALUES];
    bool finished;
};

/* Whether it holds executions of lines (hone_prof_data_from_counts) and no stacks. */
bool prof_is_counts(const hone_prof_data *d);

/* The one copy of a string in `d`; NULL counts as "", and what is no UTF-8 becomes U+FFFD, so that
 * every format can rely on valid text. */
const char *prof_intern(hone_prof_data *d, const char *s);

/* The rows of hone_prof_stats that files hold, by name: one table for all who read or write them.
 */
typedef struct prof_stat_row {
    const char *name;
    size_t offset; /* of a uint64_t in hone_prof_stats */
} prof_stat_row;
extern const prof_stat_row prof_stat_rows[];
extern const size_t prof_stat_row_count;
static inline uint64_t *prof_stat_at(hone_prof_stats *s, size_t row) {
    return (uint64_t *)((char *)s + prof_stat_rows[row].offset);
}
static inline uint64_t prof_stat_get(const hone_prof_stats *s, size_t row) {
    return *(const uint64_t *)((const char *)s + prof_stat_rows[row].offset);
}

/* Adds the samples of `from`, with what they need, to `to`, which has the same types of values,
 * each value times `weight`. choose, where given, is asked for each: false leaves it out; it may
 * set *root to a location of to's, which then goes outermost. */
typedef bool prof_chooser(hone_prof_data *to, const hone_prof_data *from, const prof_sample *s,
                          uint32_t *root, void *ctx);
void prof_add_samples(hone_prof_data *to, const hone_prof_data *from, double weight,
                      prof_chooser *choose, void *ctx);

/* Fills an error (NULL allowed) and gives the status back. */
int prof_fail(hone_prof_error *e, int status, const char *fmt, ...) BASE_PRINTF(3, 4);

static inline uint64_t prof_value(const hone_prof_data *d, const prof_sample *s, unsigned v) {
    return d->values.at[(size_t)s->values * d->info.value_count + v];
}
/* Number of samples that a sample stands for, 0 if the profile does not count any. */
static inline uint64_t prof_sample_count(const hone_prof_data *d, const prof_sample *s) {
    return d->info.sample_value < 0 ? 0 : prof_value(d, s, (unsigned)d->info.sample_value);
}

/* A loop over the lines of a sample, inlined ones singly, innermost first. `break` leaves only one
 * location. */
#define PROF_EACH_LINE(d, s, line)                                                                 \
    for (uint32_t prof_i = 0; prof_i < (s)->depth; prof_i++)                                       \
        for (const hone_prof_line *                                                                \
                 line = prof_first_line((d), (s), prof_i),                                         \
                *prof_end = line + (d)->locations.at[(d)->stack.at[(s)->first + prof_i]].count;    \
             line < prof_end; line++)
static inline const hone_prof_line *prof_first_line(const hone_prof_data *d, const prof_sample *s,
                                                    uint32_t i) {
    return d->lines.at + d->locations.at[d->stack.at[s->first + i]].first;
}

#endif
