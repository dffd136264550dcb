/* What one profile has beyond an earlier one of the same run: the profile of the time between.
 *
 * Both are put into one new profile, the earlier one first, whose samples thereby get the first
 * places; then what they held is taken off there. So samples meet by the rules that merging has,
 * and what was not there earlier is simply new. */
#include <stdlib.h>

#include "prof/data.h"

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static void subtract_plain(hone_prof_info *to, const hone_prof_info *before) {
    for (size_t i = 0; i < prof_stat_row_count; i++) {
        uint64_t *at = prof_stat_at(&to->stats, i);
        *at = less(*at, prof_stat_get(&before->stats, i));
    }
    to->duration_ns = less(to->duration_ns, before->duration_ns);
    to->process_cpu_ns = less(to->process_cpu_ns, before->process_cpu_ns);
}

static bool is_left(hone_prof_data *to, const hone_prof_data *from, const prof_sample *s,
                    uint32_t *root, void *ctx) {
    (void)to, (void)root, (void)ctx;
    for (unsigned v = 0; v < from->info.value_count; v++)
        if (prof_value(from, s, v)) return true;
    return false;
}

hone_prof_data *hone_prof_subtract(const hone_prof_data *after, const hone_prof_data *before,
                                   int64_t start_ns) {
    hone_prof_data *both = hone_prof_data_new(&after->info);
    if (before) prof_add_samples(both, before, 1, NULL, NULL);
    size_t n = both->values.len;
    uint64_t *old = base_calloc(n + 1, sizeof *old);
    if (n) memcpy(old, both->values.at, n * sizeof *old);
    prof_add_samples(both, after, 1, NULL, NULL);
    for (size_t i = 0; i < n; i++) both->values.at[i] = less(both->values.at[i], 2 * old[i]);
    free(old);
    hone_prof_data *d = hone_prof_data_new(&after->info);
    prof_add_samples(d, both, 1, is_left, NULL);
    hone_prof_data_free(both);
    if (before) subtract_plain(&d->info, &before->info);
    if (start_ns) d->info.start_ns = start_ns;
    hone_prof_data_finish(d);
    return d;
}
