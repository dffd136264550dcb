/* The table of procedures, or that of lines where executions were counted, as CSV (RFC 4180, lines
 * ended by a newline). */
#include <stdlib.h>

#include "prof/render.h"

static void write_counts(const hone_prof_data *d, base_buf *b) {
    size_t n;
    hone_prof_line_row *rows = hone_prof_lines(d, &n);
    base_buf_puts(b, "file,line,procedure,count\n");
    for (size_t i = 0; i < n; i++) {
        const hone_prof_func *f = &d->funcs.at[rows[i].func].pub;
        prof_put_csv(b, f->file);
        base_buf_printf(b, ",%u,", rows[i].line);
        prof_put_csv(b, f->label);
        base_buf_printf(b, ",%llu\n", (prof_ull)rows[i].self);
    }
    free(rows);
}

static void write_procs(const hone_prof_data *d, base_buf *b) {
    const hone_prof_value_type *t = &d->types[d->info.main_value];
    size_t n;
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    base_buf value = {0};
    base_buf_printf(&value, "%s %s", t->type, t->unit);
    base_buf_puts(b, "procedure,file,line,column,");
    for (int total = 0; total < 2; total++) {
        const char *word = total ? "total" : "self";
        base_buf head = {0};
        base_buf_printf(&head, "%s %s", word, value.at);
        prof_put_csv(b, head.at);
        base_buf_free(&head);
        base_buf_printf(b, ",%s share,%s share error,%s samples%s", word, word, word,
                        total ? "\n" : ",");
    }
    for (size_t i = 0; i < n; i++) {
        const hone_prof_proc *r = &rows[i];
        const hone_prof_func *f = &d->funcs.at[r->func].pub;
        prof_put_csv(b, f->label);
        base_buf_putc(b, ',');
        prof_put_csv(b, f->file);
        base_buf_printf(b, ",%u,%u,%llu,%.6f,%.6f,%llu,%llu,%.6f,%.6f,%llu\n", f->line, f->column,
                        (prof_ull)r->self, r->self_share, r->self_error, (prof_ull)r->self_samples,
                        (prof_ull)r->total, r->total_share, r->total_error,
                        (prof_ull)r->total_samples);
    }
    base_buf_free(&value);
    free(rows);
}

void prof_write_csv(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    (void)options;
    (prof_is_counts(d) ? write_counts : write_procs)(d, buf);
}
