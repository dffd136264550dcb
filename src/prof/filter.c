/* A part of a profile, and a profile split, by label. */
#include <stdio.h>
#include <string.h>

#include "prof/data.h"

/* The value of a label as text, or NULL if the sample has none. `digits` has room for a number. */
typedef struct digits {
    char text[64];
} digits;
static const char *value_of(const hone_prof_data *d, const prof_sample *s, const char *key,
                            digits *number) {
    if (!strcmp(key, "thread") && *s->thread) return s->thread;
    for (uint32_t i = 0; i < s->labels.count; i++) {
        const hone_prof_label *l = &d->labels.at[s->labels.first + i];
        if (strcmp(l->key, key)) continue;
        if (l->value) return l->value;
        snprintf(number->text, sizeof number->text, "%lld", (long long)l->number);
        return number->text;
    }
    return NULL;
}

/* A new profile with the samples of `d` that are chosen. `how` is added to what they mean. */
static hone_prof_data *chosen(const hone_prof_data *d, const char *how, prof_chooser *choose,
                              void *ctx) {
    base_buf meaning = {0};
    hone_prof_info info = d->info;
    base_buf_printf(&meaning, "%s%s%s", info.meaning, *info.meaning ? "; " : "", how);
    info.meaning = meaning.at;
    hone_prof_data *out = hone_prof_data_new(&info);
    prof_add_samples(out, d, 1, choose, ctx);
    hone_prof_data_finish(out);
    base_buf_free(&meaning);
    return out;
}

typedef struct wanted {
    const char *key, *value;
} wanted;

static bool has_label(hone_prof_data *to, const hone_prof_data *from, const prof_sample *s,
                      uint32_t *root, void *ctx) {
    (void)to, (void)root;
    const wanted *w = ctx;
    digits number;
    const char *value = value_of(from, s, w->key, &number);
    return value && !strcmp(value, w->value);
}

hone_prof_data *hone_prof_filter(const hone_prof_data *d, const char *key, const char *value) {
    base_buf how = {0};
    base_buf_printf(&how, "only %s=%s", key, value);
    hone_prof_data *out = chosen(d, how.at, has_label, &(wanted){key, value});
    base_buf_free(&how);
    if (out->info.sample_value >= 0 && out->info.stats.samples)
        out->info.stats.samples = out->totals[out->info.sample_value];
    for (unsigned v = 0; v < out->info.value_count; v++) {
        if (!strcmp(out->types[v].type, "cpu")) out->info.stats.cpu_ns = out->totals[v];
        if (!strcmp(out->types[v].type, "wall")) out->info.stats.wall_ns = out->totals[v];
    }
    return out;
}

static bool put_root(hone_prof_data *to, const hone_prof_data *from, const prof_sample *s,
                     uint32_t *root, void *key) {
    digits number;
    base_buf name = {0};
    const char *value = value_of(from, s, key, &number);
    if (value)
        base_buf_printf(&name, "[%s: %s]", (const char *)key, value);
    else
        base_buf_printf(&name, "[no %s]", (const char *)key);
    hone_prof_line line = {hone_prof_data_add_func(to, name.at, "", 0, 0, 0), 0, 0};
    *root = hone_prof_data_add_location(to, &line, 1);
    base_buf_free(&name);
    return true;
}

hone_prof_data *hone_prof_split(const hone_prof_data *d, const char *key) {
    base_buf how = {0};
    base_buf_printf(&how, "split by %s", key);
    hone_prof_data *out = chosen(d, how.at, put_root, (void *)key);
    base_buf_free(&how);
    return out;
}
