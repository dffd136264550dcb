/* report.c: hone report: what a saved profile says. Needs neither the program nor a run time. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOP = 1, TREE, LINES, ANNOTATE, VALUE, LABEL, SPLIT, FORMAT, OUT, NO_SOURCES, HELP };

static const base_option options[] = {
    {TOP, 't', "top", "N", "rows of each table (those worth one, at most 25)", "Report"},
    {TREE, 0, "tree", NULL, "the whole call tree, not only the paths to the rows of the table",
     "Report"},
    {LINES, 0, "lines", NULL, "hot lines with their source text, where the files are found",
     "Report"},
    {ANNOTATE, 0, "annotate", NULL,
     "source files with the cost of each line beside it; files may be named behind the profile",
     "Report"},
    {VALUE, 0, "value", "TYPE", "what to report where a profile holds several, as inuse_space",
     "Report"},
    {LABEL, 0, "label", "KEY=VALUE",
     "only samples with this label; several: with all of them. thread=NAME is one thread",
     "Report"},
    {SPLIT, 0, "split-by", "KEY", "a root for each value of this label, or for each thread",
     "Report"},
    {FORMAT, 'f', "format", "FORMAT",
     "write another format; without it the extension of OUT chooses, or text", "Output"},
    {OUT, 'o', "output", "OUT", "write to the file OUT instead of standard output", "Output"},
    {NO_SOURCES, 0, "no-sources", NULL,
     "leave the text of source files out of a page (it may be shown to others)", "Output"},
    {HELP, 'h', "help", NULL, "print this, and the formats", "Other"},
    BASE_OPTION_END,
};

typedef struct Wish {
    hone_prof_report report;
    bool detailed; /* an option of the report was given */
    const hone_prof_format *format;
    const char *out;
    const char **labels; /* KEY=VALUE */
    int label_count;
    const char *split_by, *value;
    bool annotate;
    char **files; /* to annotate */
    size_t file_count;
} Wish;

static int help(void) {
    int code = cmd_help(cmd_find("report"), options);
    size_t count;
    const hone_prof_format *f = hone_prof_formats(&count);
    puts("\nFormats, with the extensions that mean them:");
    for (size_t i = 0; i < count; i++) {
        printf("  %-10s %s (", f[i].name, f[i].help);
        for (int k = 0; k < 4 && f[i].extensions[k]; k++)
            printf("%s%s", k ? " " : "", f[i].extensions[k]);
        puts(")");
    }
    return code;
}

static const hone_prof_format *format_named(const char *name, char *error, size_t size) {
    const hone_prof_format *f = hone_prof_format_by_name(name);
    if (f) return f;
    base_buf names = {0};
    size_t count;
    const hone_prof_format *all = hone_prof_formats(&count);
    for (size_t i = 0; i < count; i++) base_buf_printf(&names, "%s%s", i ? ", " : "", all[i].name);
    snprintf(error, size, "no format `%s`; there are %s", name, base_buf_str(&names));
    base_buf_free(&names);
    return NULL;
}

/* Colours where someone looks, unless they asked for none (no-color.org). */
static bool in_colour(const Wish *w) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !w->out && isatty(STDOUT_FILENO) && !(no && *no) &&
           !(terminal && !strcmp(terminal, "dumb"));
}

static int annotate(const hone_prof_data *d, const Wish *w) {
    hone_prof_error error;
    hone_prof_bytes text;
    hone_prof_annotation how = {.files = (const char *const *)w->files,
                                .file_count = w->file_count,
                                .colour = in_colour(w)};
    int status = hone_prof_annotate(d, &how, &text, &error);
    if (status) {
        fprintf(stderr, "hone report: %s\n", error.text);
        return EXIT_SCHEME_ERROR;
    }
    int code = cmd_write("report", w->out, text.at, text.len);
    free(text.at);
    return code;
}

/* Writes what was wished; the exit code. */
static int show(const hone_prof_data *d, const Wish *w) {
    hone_prof_error error;
    if (w->annotate) return annotate(d, w);
    if (w->out) {
        int status = hone_prof_save(d, w->out, w->format, w->detailed ? &w->report : NULL, &error);
        if (status) fprintf(stderr, "hone report: %s\n", error.text);
        return !status ? EXIT_OK : status == HONE_PROF_UNSUPPORTED ? EXIT_USAGE : EXIT_SCHEME_ERROR;
    }
    const hone_prof_format *format = w->format ? w->format : hone_prof_format_by_name("text");
    if (!strcmp(format->name, "html") && hone_prof_has_page(&error)) {
        fprintf(stderr, "hone report: %s\n", error.text);
        return EXIT_USAGE;
    }
    if (!strcmp(format->name, "pprof") && isatty(STDOUT_FILENO))
        return cmd_usage_error("report", "pprof is not text: name a file with -o");
    hone_prof_bytes bytes = hone_prof_write(d, format, &w->report);
    int code = cmd_print("report", bytes.at, bytes.len);
    free(bytes.at);
    return code;
}

/* What of D was wished, by label; D itself is freed where it is not all. */
static hone_prof_data *chosen(hone_prof_data *d, const Wish *w) {
    for (int i = 0; i < w->label_count; i++) {
        const char *equals = strchr(w->labels[i], '=');
        char *key = base_strndup(w->labels[i], (size_t)(equals - w->labels[i]));
        hone_prof_data *part = hone_prof_filter(d, key, equals + 1);
        hone_prof_data_free(d);
        free(key);
        d = part;
    }
    if (!w->split_by) return d;
    hone_prof_data *split = hone_prof_split(d, w->split_by);
    hone_prof_data_free(d);
    return split;
}

int cmd_report(int argc, char **argv) {
    Wish w = {.labels = base_calloc((size_t)argc + 1, sizeof *w.labels)};
    uint64_t n;
    char text[300];
    base_options o;
    int operands = 0;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("report", o.error);
        case TOP:
            if (!base_parse_u64(o.value, 1, 1000000, &n))
                return cmd_usage_error("report", "--top takes 1 to 1000000");
            w.report.top = (unsigned)n;
            break;
        case TREE: w.report.full_tree = true; break;
        case LINES: w.report.lines = true; break;
        case ANNOTATE: w.annotate = true; break;
        case VALUE: w.value = o.value; break;
        case NO_SOURCES: w.report.no_sources = true; break;
        case LABEL:
            if (!strchr(o.value, '=')) return cmd_usage_error("report", "--label takes KEY=VALUE");
            w.labels[w.label_count++] = o.value;
            break;
        case SPLIT: w.split_by = o.value; break;
        case FORMAT:
            if (!(w.format = format_named(o.value, text, sizeof text)))
                return cmd_usage_error("report", text);
            break;
        case OUT: w.out = o.value; break;
        case HELP: return help();
        }
        w.detailed = w.detailed || id == TOP || id == TREE || id == LINES || id == NO_SOURCES;
    }
    if (!operands || (operands > 1 && !w.annotate))
        return cmd_usage_error("report", "name one profile");
    w.files = argv + 2;
    w.file_count = (size_t)operands - 1;
    hone_prof_data *d = cmd_read_profile("report", argv[1]);
    if (!d) return EXIT_SCHEME_ERROR;
    d = chosen(d, &w);
    hone_prof_error error;
    int code = EXIT_USAGE;
    if (w.value && hone_prof_data_choose(d, w.value, &error))
        fprintf(stderr, "hone report: %s\n", error.text);
    else
        code = show(d, &w);
    hone_prof_data_free(d);
    free(w.labels);
    return code;
}
