/* All of a profile as one datum, an association list that any R7RS `read` takes back. */
#include "prof/render.h"

static const char head[] =
    ";; A profile, as one datum: an association list.\n"
    ";;   values      what each number of a sample is: (type unit)\n"
    ";;   main        which of them shares are made of, counted from 0\n"
    ";;   info        plain facts of the run; times in nanoseconds\n"
    ";;   procedures  (label name file line column), counted from 0\n"
    ";;   samples     (thread labels (value ...) (frame ...)), innermost frame first;\n"
    ";;               labels are an association list; a frame is (procedure line column)\n";

static void put_info(const hone_prof_data *d, base_buf *b) {
    base_buf_printf(b, " (info (period-ns . %llu) (duration-ns . %llu) (process-cpu-ns . %llu)\n",
                    (prof_ull)d->info.period_ns, (prof_ull)d->info.duration_ns,
                    (prof_ull)d->info.process_cpu_ns);
    base_buf_printf(b, "  (start-ns . %lld) (sources . %u)", (long long)d->info.start_ns,
                    d->info.sources);
    for (size_t i = 0; i < prof_stat_row_count; i++) {
        base_buf_puts(b, "\n  (");
        for (const char *p = prof_stat_rows[i].name; *p; p++)
            if (*p != ':') base_buf_putc(b, *p == ' ' || *p == '_' ? '-' : *p);
        base_buf_printf(b, " . %llu)", (prof_ull)prof_stat_get(&d->info.stats, i));
    }
    base_buf_puts(b, ")\n");
}

static void put_label(const hone_prof_label *l, base_buf *b) {
    base_buf_putc(b, '(');
    prof_put_scm(b, l->key);
    base_buf_puts(b, " . ");
    if (l->value)
        prof_put_scm(b, l->value);
    else
        base_buf_printf(b, "%lld", (long long)l->number);
    base_buf_putc(b, ')');
}

static void put_sample(const hone_prof_data *d, const prof_sample *s, base_buf *b) {
    base_buf_puts(b, "\n  (");
    prof_put_scm(b, s->thread);
    base_buf_puts(b, " (");
    for (uint32_t i = 0; i < s->labels.count; i++) {
        if (i) base_buf_putc(b, ' ');
        put_label(&d->labels.at[s->labels.first + i], b);
    }
    base_buf_puts(b, ") (");
    for (unsigned v = 0; v < d->info.value_count; v++)
        base_buf_printf(b, v ? " %llu" : "%llu", (prof_ull)prof_value(d, s, v));
    base_buf_puts(b, ") (");
    const char *between = "";
    PROF_EACH_LINE(d, s, line) {
        base_buf_printf(b, "%s(%u %u %u)", between, line->func, line->line, line->column);
        between = " ";
    }
    base_buf_puts(b, "))");
}

void prof_write_scm(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    (void)options;
    base_buf *b = buf;
    base_buf_puts(b, head);
    base_buf_puts(b, "((hone-profile . 1)\n (program . ");
    prof_put_scm(b, d->info.program);
    base_buf_puts(b, ")\n (meaning . ");
    prof_put_scm(b, d->info.meaning);
    base_buf_puts(b, ")\n (values");
    for (unsigned v = 0; v < d->info.value_count; v++) {
        base_buf_puts(b, " (");
        prof_put_scm(b, d->types[v].type);
        base_buf_putc(b, ' ');
        prof_put_scm(b, d->types[v].unit);
        base_buf_putc(b, ')');
    }
    base_buf_printf(b, ")\n (main . %u)\n", d->info.main_value);
    put_info(d, b);
    base_buf_puts(b, " (procedures");
    for (size_t i = 0; i < d->funcs.len; i++) {
        const hone_prof_func *f = &d->funcs.at[i].pub;
        base_buf_puts(b, "\n  (");
        prof_put_scm(b, f->label);
        base_buf_putc(b, ' ');
        prof_put_scm(b, f->name);
        base_buf_putc(b, ' ');
        prof_put_scm(b, f->file);
        base_buf_printf(b, " %u %u)", f->line, f->column);
    }
    base_buf_puts(b, ")\n (samples");
    for (size_t i = 0; i < d->samples.len; i++) put_sample(d, &d->samples.at[i], b);
    base_buf_puts(b, "))\n");
}
