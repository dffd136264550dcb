/* Adding profiles up. The result depends on the set of inputs only: sums commute, and finish brings
 * everything into the one order. */
#include <math.h>
#include <stdlib.h>

#include "prof/data.h"

static uint64_t weighted(uint64_t value, double weight) {
    if (weight == 1) return value;
    double w = (double)value * weight;
    return w >= (double)BASE_SAT_MAX ? BASE_SAT_MAX : (uint64_t)llround(w);
}

static void add_plain(hone_prof_info *to, const hone_prof_info *from, double weight) {
    for (size_t i = 0; i < prof_stat_row_count; i++) {
        uint64_t *sum = prof_stat_at(&to->stats, i);
        *sum = base_sat_add(*sum, weighted(prof_stat_get(&from->stats, i), weight));
    }
    to->duration_ns = base_sat_add(to->duration_ns, weighted(from->duration_ns, weight));
    to->process_cpu_ns = base_sat_add(to->process_cpu_ns, weighted(from->process_cpu_ns, weight));
    to->sources += from->sources;
    if (from->start_ns && (!to->start_ns || from->start_ns < to->start_ns))
        to->start_ns = from->start_ns;
    if (from->period_ns > to->period_ns) to->period_ns = from->period_ns;
    to->own = to->own && from->own;
}

/* What was added already, by its number in `from`: its number in `to`, and 1. */
typedef struct added {
    hone_prof_data *to;
    const hone_prof_data *from;
    uint32_t *func, *location;
} added;

static uint32_t add_func(added *a, uint32_t i) {
    const prof_func *f = &a->from->funcs.at[i];
    if (!a->func[i])
        a->func[i] = 1 + hone_prof_data_add_func(a->to, f->pub.name, f->pub.file, f->pub.line,
                                                 f->pub.column, f->id);
    return a->func[i] - 1;
}

static uint32_t add_location(added *a, uint32_t i) {
    if (!a->location[i]) {
        const prof_span *l = &a->from->locations.at[i];
        hone_prof_line *lines = base_calloc(l->count, sizeof *lines);
        for (uint32_t k = 0; k < l->count; k++) {
            lines[k] = a->from->lines.at[l->first + k];
            lines[k].func = add_func(a, lines[k].func);
        }
        a->location[i] = 1 + hone_prof_data_add_location(a->to, lines, l->count);
        free(lines);
    }
    return a->location[i] - 1;
}

void prof_add_samples(hone_prof_data *to, const hone_prof_data *from, double weight,
                      prof_chooser *choose, void *ctx) {
    added a = {to, from, base_calloc(from->funcs.len + 1, sizeof *a.func),
               base_calloc(from->locations.len + 1, sizeof *a.location)};
    BASE_VEC(uint32_t) path = {0};
    for (size_t i = 0; i < from->samples.len; i++) {
        const prof_sample *s = &from->samples.at[i];
        uint64_t values[HONE_PROF_MAX_VALUES];
        uint32_t root = UINT32_MAX;
        if (choose && !choose(to, from, s, &root, ctx)) continue;
        for (unsigned v = 0; v < from->info.value_count; v++)
            values[v] = weighted(prof_value(from, s, v), weight);
        path.len = 0;
        for (uint32_t k = 0; k < s->depth; k++)
            BASE_PUSH(&path, add_location(&a, from->stack.at[s->first + k]));
        if (root != UINT32_MAX) BASE_PUSH(&path, root);
        const hone_prof_label *labels = from->labels.at ? from->labels.at + s->labels.first : NULL;
        hone_prof_data_add_sample(to, path.at, (uint32_t)path.len, values, s->thread, labels,
                                  s->labels.count);
    }
    BASE_VEC_FREE(&path);
    free(a.func);
    free(a.location);
}

static bool same_values(const hone_prof_info *a, const hone_prof_info *b) {
    if (a->value_count != b->value_count || a->main_value != b->main_value ||
        a->sample_value != b->sample_value)
        return false;
    for (unsigned i = 0; i < a->value_count; i++)
        if (strcmp(a->values[i].type, b->values[i].type) ||
            strcmp(a->values[i].unit, b->values[i].unit))
            return false;
    return true;
}

static int check(const hone_prof_data *const *inputs, const double *weights, size_t n,
                 bool mix_programs, hone_prof_error *error) {
    const hone_prof_info *first = &inputs[0]->info;
    for (size_t i = 0; i < n; i++) {
        const hone_prof_info *info = &inputs[i]->info;
        if (weights && !(weights[i] >= 0 && weights[i] <= 1e6))
            return prof_fail(error, HONE_PROF_BAD_ARGUMENT,
                             "a weight of %g is not between 0 and 1000000", weights[i]);
        if (!same_values(first, info))
            return prof_fail(
                error, HONE_PROF_MISMATCH,
                "profiles of different kinds can not be merged (%s/%s and %s/%s)",
                first->values[first->main_value].type, first->values[first->main_value].unit,
                info->values[info->main_value].type, info->values[info->main_value].unit);
        if (!mix_programs && strcmp(first->program, info->program))
            return prof_fail(error, HONE_PROF_MISMATCH,
                             "profiles of different programs: \"%s\" and \"%s\"", first->program,
                             info->program);
    }
    return HONE_PROF_OK;
}

static int cmp_str(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The different texts among those, sorted, joined by `between`. */
static char *joined(const char **texts, size_t n, const char *between) {
    base_buf b = {0};
    qsort(texts, n, sizeof *texts, cmp_str);
    for (size_t i = 0; i < n; i++) {
        if (i && !strcmp(texts[i], texts[i - 1])) continue;
        if (b.len) base_buf_puts(&b, between);
        base_buf_puts(&b, texts[i]);
    }
    return base_buf_take(&b);
}

int hone_prof_merge(const hone_prof_data *const *inputs, const double *weights, size_t n,
                    bool mix_programs, hone_prof_data **out, hone_prof_error *error) {
    *out = NULL;
    if (!n) return prof_fail(error, HONE_PROF_BAD_ARGUMENT, "no profiles to merge");
    int status = check(inputs, weights, n, mix_programs, error);
    if (status) return status;
    const char **texts = base_calloc(n, sizeof *texts);
    for (size_t i = 0; i < n; i++) texts[i] = inputs[i]->info.program;
    char *program = joined(texts, n, " + ");
    for (size_t i = 0; i < n; i++) texts[i] = inputs[i]->info.meaning;
    char *meaning = joined(texts, n, "; ");
    hone_prof_info info = {.program = program,
                           .meaning = meaning,
                           .values = inputs[0]->info.values,
                           .value_count = inputs[0]->info.value_count,
                           .main_value = inputs[0]->info.main_value,
                           .sample_value = inputs[0]->info.sample_value,
                           .own = true};
    hone_prof_data *d = hone_prof_data_new(&info);
    for (size_t i = 0; i < n; i++) {
        double weight = weights ? weights[i] : 1;
        add_plain(&d->info, &inputs[i]->info, weight);
        prof_add_samples(d, inputs[i], weight, NULL, NULL);
    }
    hone_prof_data_finish(d);
    free(texts);
    free(program);
    free(meaning);
    *out = d;
    return HONE_PROF_OK;
}
