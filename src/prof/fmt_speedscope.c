/* speedscope's JSON: frames once, and for each thread a profile of stacks with weights. */
#include "prof/render.h"

static void put_frames(const hone_prof_data *d, base_buf *b) {
    for (size_t i = 0; i < d->funcs.len; i++) {
        const hone_prof_func *f = &d->funcs.at[i].pub;
        base_buf_puts(b, i ? ",\n{\"name\":" : "{\"name\":");
        prof_put_json(b, f->label);
        if (*f->file) {
            base_buf_puts(b, ",\"file\":");
            prof_put_json(b, f->file);
        }
        if (f->line) base_buf_printf(b, ",\"line\":%u", f->line);
        if (f->column) base_buf_printf(b, ",\"col\":%u", f->column);
        base_buf_putc(b, '}');
    }
}

static void put_stack(const hone_prof_data *d, const prof_sample *s, base_buf *b) {
    const char *between = "[";
    for (uint32_t k = s->depth; k-- > 0;) {
        const prof_span *l = &d->locations.at[d->stack.at[s->first + k]];
        for (uint32_t j = l->count; j-- > 0; between = ",")
            base_buf_printf(b, "%s%u", between, d->lines.at[l->first + j].func);
    }
    base_buf_puts(b, *between == '[' ? "[]" : "]");
}

static const char *unit_of(const hone_prof_data *d) {
    const char *unit = d->types[d->info.main_value].unit;
    return !strcmp(unit, "nanoseconds") || !strcmp(unit, "bytes") ? unit : "none";
}

/* Samples from `from` up to `to`, all of one thread. */
static void put_profile(const hone_prof_data *d, size_t from, size_t to, base_buf *b) {
    uint64_t total = 0;
    for (size_t i = from; i < to; i++)
        total = base_sat_add(total, prof_value(d, &d->samples.at[i], d->info.main_value));
    const char *thread = from < to ? d->samples.at[from].thread : "";
    base_buf_puts(b, "{\"type\":\"sampled\",\"name\":");
    prof_put_json(b, *thread ? thread : "process");
    base_buf_printf(b, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%llu,\n\"samples\":[",
                    unit_of(d), (prof_ull)total);
    for (size_t i = from; i < to; i++) {
        if (i > from) base_buf_puts(b, ",\n");
        put_stack(d, &d->samples.at[i], b);
    }
    base_buf_puts(b, "],\n\"weights\":[");
    for (size_t i = from; i < to; i++)
        base_buf_printf(b, "%s%llu", i > from ? "," : "",
                        (prof_ull)prof_value(d, &d->samples.at[i], d->info.main_value));
    base_buf_puts(b, "]}");
}

void prof_write_speedscope(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    (void)options;
    base_buf *b = buf;
    base_buf_puts(b, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                     "\"exporter\":\"hone\",\"name\":");
    prof_put_json(b, d->info.program);
    base_buf_puts(b, ",\n\"shared\":{\"frames\":[");
    put_frames(d, b);
    base_buf_puts(b, "]},\n\"profiles\":[");
    size_t from = 0;
    do { /* samples are sorted by thread; one empty profile if there are none */
        size_t to = from;
        while (to < d->samples.len && d->samples.at[to].thread == d->samples.at[from].thread) to++;
        if (from) base_buf_puts(b, ",\n");
        put_profile(d, from, to, b);
        from = to;
    } while (from < d->samples.len);
    base_buf_puts(b, "]}\n");
}
