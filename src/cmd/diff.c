/* diff.c: hone diff: what changed between two saved profiles, by procedure; for people and for a
 * build's gate. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 1, FAIL_ABOVE, FORMAT, OUT, NO_SOURCES, HELP };

static const base_option options[] = {
    {TOP, 't', "top", "N", "rows of the table (25)", "Options"},
    {FAIL_ABOVE, 0, "fail-above", "PCT",
     "exit with 1 where a procedure's share of the total grew by more than PCT percentage points, "
     "and by more than the noise",
     "Options"},
    {FORMAT, 'f', "format", "FORMAT",
     "text, or html: a differential flame graph (without it the extension of OUT chooses, or "
     "text)",
     "Options"},
    {OUT, 'o', "output", "OUT", "write to the file OUT instead of standard output", "Options"},
    {NO_SOURCES, 0, "no-sources", NULL, "leave the text of source files out of a page", "Options"},
    {HELP, 'h', "help", NULL, "print this, and the exit codes", "Options"},
    BASE_OPTION_END,
};

/* Names each procedure that grew by more than BOUND (0 to 1); how many there are. */
static int report_growth(const hone_prof_data *before, const hone_prof_data *after, double bound) {
    size_t count;
    int bad = 0;
    hone_prof_change *rows = hone_prof_diff(before, after, &count);
    for (size_t i = 0; i < count; i++) {
        double growth = rows[i].after - rows[i].before;
        if (!rows[i].credible || growth <= bound) continue;
        fprintf(stderr, "hone diff: %s grew by %.2f points, above %.2f\n", rows[i].label,
                100 * growth, 100 * bound);
        bad++;
    }
    free(rows);
    return bad;
}

typedef struct Wish {
    uint64_t top;
    double percent; /* below 0: no bound */
    bool html;
    const char *out;
    hone_prof_report report;
} Wish;

/* The exit code. */
static int compare(const hone_prof_data *before, const hone_prof_data *after, const Wish *w) {
    hone_prof_error error;
    if (w->html && hone_prof_has_page(&error)) {
        fprintf(stderr, "hone diff: %s\n", error.text);
        return EXIT_USAGE;
    }
    hone_prof_bytes text = w->html ? hone_prof_diff_html(before, after, &w->report)
                                   : hone_prof_diff_text(before, after, (unsigned)w->top);
    int code = cmd_write("diff", w->out, text.at, text.len);
    free(text.at);
    if (w->percent >= 0 && report_growth(before, after, w->percent / 100)) code = EXIT_SCHEME_ERROR;
    return code;
}

static int help(void) {
    int code = cmd_help(cmd_find("diff"), options);
    puts("\nExit codes: 0 done, and with --fail-above nothing grew beyond it; 1 something\n"
         "did, or a profile can not be read; 2 a bad command line. Shares are compared, so\n"
         "runs of different length compare.");
    return code;
}

static bool is_html(const char *format, const char *out) {
    if (format) return !strcmp(format, "html");
    const hone_prof_format *f = out ? hone_prof_format_by_path(out) : NULL;
    return f && !strcmp(f->name, "html");
}

static int compare_files(char **paths, const Wish *w) {
    hone_prof_data *before = cmd_read_profile("diff", paths[0]);
    hone_prof_data *after = before ? cmd_read_profile("diff", paths[1]) : NULL;
    int code = after ? compare(before, after, w) : EXIT_SCHEME_ERROR;
    hone_prof_data_free(before);
    hone_prof_data_free(after);
    return code;
}

int cmd_diff(int argc, char **argv) {
    Wish w = {.percent = -1};
    const char *format = NULL;
    base_options o;
    int operands = 0;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("diff", o.error);
        case TOP:
            if (!base_parse_u64(o.value, 1, 1000000, &w.top))
                return cmd_usage_error("diff", "--top takes 1 to 1000000");
            break;
        case FAIL_ABOVE:
            if (!base_parse_double(o.value, 0, 100, &w.percent))
                return cmd_usage_error("diff", "--fail-above takes 0 to 100");
            break;
        case FORMAT: format = o.value; break;
        case OUT: w.out = o.value; break;
        case NO_SOURCES: w.report.no_sources = true; break;
        case HELP: return help();
        }
    }
    if (operands != 2) return cmd_usage_error("diff", "name two profiles");
    if (format && strcmp(format, "html") && strcmp(format, "text"))
        return cmd_usage_error("diff", "--format takes text or html");
    w.html = is_html(format, w.out);
    return compare_files(argv + 1, &w);
}
