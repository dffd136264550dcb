/* merge.c: hone merge: adds saved profiles up. One that cannot be read stops it, and nothing is
 * written. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT = 1, WEIGHT, FORMAT, MIX, HELP };

static const base_option options[] = {
    {OUT, 'o', "output", "OUT", "write to OUT; the extension chooses the format (.pb.gz pprof)",
     "Options"},
    {WEIGHT, 'w', "weight", "W,...",
     "multiply each profile by its weight, in the order of the profiles (1); or write "
     "PROFILE=WEIGHT",
     "Options"},
    {FORMAT, 'f', "format", "FORMAT", "write this format, whatever the extension", "Options"},
    {MIX, 0, "mix-programs", NULL, "allow profiles of different programs", "Options"},
    {HELP, 'h', "help", NULL, "print this", "Options"},
    BASE_OPTION_END,
};

typedef struct Job {
    const char *out, *weights_text;
    const hone_prof_format *format;
    bool mix;
    double *weights; /* NULL: all 1 */
    hone_prof_data **inputs;
    size_t count;
} Job;

/* "1,0.5,2" into COUNT weights. */
static bool parse_weights(Job *job) {
    char *text = base_strdup(job->weights_text), *rest = text, *word;
    size_t n = 0;
    bool right = true;
    job->weights = base_calloc(job->count + 1, sizeof *job->weights);
    while ((word = strsep(&rest, ",")))
        if (n == job->count || !base_parse_double(word, 0, 1e6, &job->weights[n++])) right = false;
    free(text);
    return right && n == job->count;
}

/* Takes the weights off words PROFILE=WEIGHT. A file whose own name ends so is that file. */
static bool take_weights(Job *job, char **words) {
    bool any = false;
    double *weights = base_calloc(job->count + 1, sizeof *weights);
    for (size_t i = 0; i < job->count; i++) {
        char *equals = strrchr(words[i], '=');
        weights[i] = 1;
        if (!equals || access(words[i], F_OK) == 0) continue;
        if (!base_parse_double(equals + 1, 0, 1e6, &weights[i])) continue;
        *equals = 0;
        any = true;
    }
    if (any && job->weights) return false;
    if (any)
        job->weights = weights;
    else
        free(weights);
    return true;
}

/* The exit code. */
static int merge(Job *job, char **paths) {
    for (size_t i = 0; i < job->count; i++)
        if (!(job->inputs[i] = cmd_read_profile("merge", paths[i]))) return EXIT_SCHEME_ERROR;
    hone_prof_data *sum;
    hone_prof_error error;
    int status = hone_prof_merge((const hone_prof_data *const *)job->inputs, job->weights,
                                 job->count, job->mix, &sum, &error);
    if (!status) status = hone_prof_save(sum, job->out, job->format, NULL, &error);
    hone_prof_data_free(sum);
    if (status) fprintf(stderr, "hone merge: %s\n", error.text);
    return !status ? EXIT_OK : status == HONE_PROF_UNSUPPORTED ? EXIT_USAGE : EXIT_SCHEME_ERROR;
}

int cmd_merge(int argc, char **argv) {
    Job job = {0};
    base_options o;
    int operands = 0;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("merge", o.error);
        case OUT: job.out = o.value; break;
        case WEIGHT: job.weights_text = o.value; break;
        case FORMAT:
            if (!(job.format = hone_prof_format_by_name(o.value)))
                return cmd_usage_error("merge", "no such format; see `hone report --help`");
            break;
        case MIX: job.mix = true; break;
        case HELP: return cmd_help(cmd_find("merge"), options);
        }
    }
    job.count = (size_t)operands;
    if (!job.out) return cmd_usage_error("merge", "name the file to write with -o");
    if (!job.count) return cmd_usage_error("merge", "name the profiles");
    if (job.weights_text && !parse_weights(&job))
        return cmd_usage_error(
            "merge",
            "--weight takes one number from 0 to 1e6 for each profile, with commas between");
    if (!take_weights(&job, argv + 1))
        return cmd_usage_error("merge",
                               "give the weights by --weight or as PROFILE=WEIGHT, not both");
    job.inputs = base_calloc(job.count, sizeof *job.inputs);
    int code = merge(&job, argv + 1);
    for (size_t i = 0; i < job.count; i++) hone_prof_data_free(job.inputs[i]);
    free(job.inputs);
    free(job.weights);
    return code;
}
