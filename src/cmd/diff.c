/* diff.c: hone diff: what changed between two saved profiles, by procedure; for people and for a
 * build's gate. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>

enum { TOP = 1, FAIL_ABOVE, HELP };

static const base_option options[] = {
    {TOP, 't', "top", "N", "rows of the table (25)", "Options"},
    {FAIL_ABOVE, 0, "fail-above", "PCT",
     "exit with 1 where a procedure's share of the total grew by more than PCT\npercentage points, "
     "and by more than the noise",
     "Options"},
    {HELP, 'h', "help", NULL, "print this", "Options"},
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

static int compare(const hone_prof_data *before, const hone_prof_data *after, unsigned top,
                   double bound) {
    hone_prof_bytes text = hone_prof_diff_text(before, after, top);
    int code = cmd_print("diff", text.at, text.len);
    free(text.at);
    if (bound >= 0 && report_growth(before, after, bound)) code = EXIT_SCHEME_ERROR;
    return code;
}

int cmd_diff(int argc, char **argv) {
    uint64_t top = 0;
    double percent = -1;
    base_options o;
    int operands = 0;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("diff", o.error);
        case TOP:
            if (!base_parse_u64(o.value, 1, 1000000, &top))
                return cmd_usage_error("diff", "--top takes 1 to 1000000");
            break;
        case FAIL_ABOVE:
            if (!base_parse_double(o.value, 0, 100, &percent))
                return cmd_usage_error("diff", "--fail-above takes 0 to 100");
            break;
        case HELP: return cmd_help(cmd_find("diff"), options);
        }
    }
    if (operands != 2) return cmd_usage_error("diff", "name two profiles");
    hone_prof_data *before = cmd_read_profile("diff", argv[1]);
    hone_prof_data *after = before ? cmd_read_profile("diff", argv[2]) : NULL;
    int code = after ? compare(before, after, (unsigned)top, percent / 100) : EXIT_SCHEME_ERROR;
    hone_prof_data_free(before);
    hone_prof_data_free(after);
    return code;
}
