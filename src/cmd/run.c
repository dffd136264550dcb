/* run.c: hone run: programs, expressions and the REPL, with or without a profile. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LIBRARY = 1,
    EVALUATE,
    PROFILE,
    PROFILE_TO,
    INTERVAL,
    DEPTH,
    TOP,
    SOURCE,
    SERVE,
    ALLOC_INTERVAL,
    TAIL_CALLS,
    HEAP_LIMIT,
    NURSERY,
    STRESS,
    HELP
};

static const base_option options[] = {
    {LIBRARY, 'A', "library", "DIR", "search DIR for libraries; may be given several times",
     "Programs"},
    {EVALUATE, 'e', "eval", "EXPR",
     "evaluate EXPR instead of a file and print its value; may be given several times", "Programs"},
    {PROFILE, 0, "profile", "[KIND]",
     "profile the run: sample (default), counts or vm; alloc: allocations, alone or beside one of "
     "them, as in sample,alloc",
     "Profiles"},
    {PROFILE_TO, 0, "profile-out", "FILE",
     "write the profile to FILE instead of a report on stderr; the extension chooses: "
     ".pb.gz pprof, .folded or .ticks collapsed stacks, .json speedscope, .html a page "
     "with a flame graph, .csv, .scm, .txt everything",
     "Profiles"},
    {INTERVAL, 0, "profile-interval", "MS", "CPU time between samples in milliseconds (1)",
     "Profiles"},
    {SOURCE, 0, "profile-source", "SOURCE",
     "what takes the samples: safepoint (default), signal, perf or wall", "Profiles"},
    {DEPTH, 0, "profile-depth", "N", "innermost frames kept of a stack (64)", "Profiles"},
    {TOP, 't', "top", "N", "rows of the report's tables (those worth one, at most 25)", "Profiles"},
    {SERVE, 0, "profile-serve", "ADDRESS",
     "serve profiles over HTTP while the program runs: at PORT to this machine alone, "
     "or at HOST:PORT; port 0 is any that is free, which is told on stderr",
     "Profiles"},
    {ALLOC_INTERVAL, 0, "profile-alloc-interval", "BYTES",
     "allocation between samples of --profile=alloc, in the mean (512k)", "Profiles"},
    {TAIL_CALLS, 0, "profile-tail-calls", NULL,
     "show procedures that have left by a recent tail call, in profiles and backtraces",
     "Profiles"},
    {HEAP_LIMIT, 0, "heap-limit", "BYTES",
     "memory for data, with k, m or g; beyond it a condition is raised "
     "(three quarters of the machine's)",
     "Memory"},
    {NURSERY, 0, "nursery", "BYTES", "size of the youngest generation", "Memory"},
    {STRESS, 0, "gc-stress", NULL, "collect at every safe point and check the heap (for testing)",
     "Memory"},
    {HELP, 'h', "help", NULL, "print this", "Other"},
    BASE_OPTION_END,
};

typedef struct Line {
    DriverOptions driver;
    const char **expressions; /* of -e, in order */
    int expression_count;
    bool source; /* a source of samples was named */
    bool help;
} Line;

/* One option; the message where its value is bad, else NULL. */
static const char *take(Line *line, int id, const char *value) {
    DriverOptions *o = &line->driver;
    uint64_t bytes;
    switch (id) {
    case LIBRARY: o->library_paths[o->library_path_count++] = value; return NULL;
    case EVALUATE: line->expressions[line->expression_count++] = value; return NULL;
    case PROFILE:
        return driver_profile_kind(value ? value : "sample", o)
                   ? NULL
                   : "--profile takes sample, counts or vm, and alloc";
    case PROFILE_TO:
        o->profile_out = value;
        if (o->profile == PROFILE_NONE && !o->allocations) o->profile = PROFILE_SAMPLE;
        return NULL;
    case INTERVAL:
        return base_parse_double(value, 0.01, 10000, &o->interval_ms)
                   ? NULL
                   : "--profile-interval takes 0.01 to 10000 ms";
    case SOURCE:
        line->source = true;
        return hone_prof_source_named(value, &o->source)
                   ? NULL
                   : "--profile-source takes safepoint, signal, perf or wall";
    case DEPTH:
        if (!base_parse_u64(value, 1, 65536, &bytes)) return "--profile-depth takes 1 to 65536";
        o->depth = (unsigned)bytes;
        return NULL;
    case SERVE: o->serve = value; return NULL;
    case TOP:
        if (!base_parse_u64(value, 1, 1000000, &bytes)) return "--top takes 1 to 1000000";
        o->top = (unsigned)bytes;
        return NULL;
    case ALLOC_INTERVAL:
        if (!base_parse_size(value, &o->alloc_interval) || !o->alloc_interval ||
            o->alloc_interval > (uint64_t)1 << 40)
            return "--profile-alloc-interval takes bytes, from 1 to 1t";
        return NULL;
    case TAIL_CALLS: o->tail_calls = true; return NULL;
    case HEAP_LIMIT:
        if (!base_parse_size(value, &bytes) || bytes < (1u << 20))
            return "--heap-limit takes bytes, at least 1m";
        o->gc.heap_limit = bytes;
        return NULL;
    case NURSERY:
        if (!base_parse_size(value, &bytes) || bytes < 4096)
            return "--nursery takes bytes, at least 4k";
        o->gc.nursery_bytes = bytes;
        return NULL;
    case STRESS: o->gc.stress = o->gc.poison = o->gc.verify = true; return NULL;
    default: line->help = true; return NULL;
    }
}

/* What is asked for together, in whatever order. As take. */
static const char *settle(Line *line) {
    DriverOptions *o = &line->driver;
    if (!line->source) return NULL;
    if (o->profile == PROFILE_NONE && !o->allocations) o->profile = PROFILE_SAMPLE;
    return o->profile == PROFILE_SAMPLE || o->serve
               ? NULL
               : "--profile-source is of --profile=sample: nothing else takes samples by a source";
}

/* Each prints its value; the first that fails ends the run. */
static int run_expressions(const Line *line) {
    int code = EXIT_OK;
    for (int i = 0; i < line->expression_count && code == EXIT_OK; i++) {
        const char *e = line->expressions[i];
        code = driver_run_text("<-e>", e, strlen(e), true);
    }
    return code;
}

/* FILE cannot be found: was a subcommand meant, or a file whose name goes on? */
static int no_such_file(const char *file) {
    base_buf longer = {0};
    base_buf_printf(&longer, "%s.scm", file);
    bool other = access(base_buf_str(&longer), R_OK) == 0;
    const Subcommand *near = other ? NULL : cmd_nearest(file);
    fprintf(stderr, "hone: %s: no such file", file);
    if (other) fprintf(stderr, "; did you mean %s?", base_buf_str(&longer));
    if (near) fprintf(stderr, " or command; did you mean `hone %s`?", near->name);
    fputc('\n', stderr);
    base_buf_free(&longer);
    return near ? EXIT_USAGE : EXIT_SCHEME_ERROR;
}

int cmd_run(int argc, char **argv) {
    const Subcommand *self = &cmd_table[0];
    Line line = {0};
    line.driver.library_paths = base_calloc((size_t)argc + 1, sizeof *line.driver.library_paths);
    line.expressions = base_calloc((size_t)argc + 1, sizeof *line.expressions);
    const char *bad = driver_options_from_environment(&line.driver);
    if (bad) return cmd_usage_error("run", bad);
    base_options o;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = base_options_next(&o)) != BASE_OPTION_DONE;) {
        if (id == BASE_OPTION_ERROR) return cmd_usage_error("run", o.error);
        if ((bad = take(&line, id, o.value))) return cmd_usage_error("run", bad);
        if (line.help) return cmd_help(self, options);
    }
    if ((bad = settle(&line))) return cmd_usage_error("run", bad);
    const char *file = line.expression_count || o.index >= argc ? NULL : argv[o.index++];
    if (file && access(file, F_OK) != 0) return no_such_file(file);
    line.driver.program = file ? file : "hone";
    line.driver.argc = argc - o.index;
    line.driver.argv = argv + o.index;
    line.driver.interactive = !file && !line.expression_count && isatty(STDIN_FILENO);
    driver_start(&line.driver);
    int code = line.expression_count ? run_expressions(&line)
               : file                ? driver_run_file(file)
                                     : driver_repl();
    driver_exit(code);
}
