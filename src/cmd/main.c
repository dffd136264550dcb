/* main.c: the hone command: chooses the subcommand. `hone FILE` is `hone run FILE`; without words
 * it is a REPL. */
#include "cmd/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HONE_VERSION "0.1.0"

const Subcommand cmd_table[] = {
    {"run", cmd_run, "hone run [OPTION...] FILE [ARG...]", "run a program, perhaps with a profile"},
    {"build", cmd_build, "hone build [OPTION...] FILE -o APP", "make a native program"},
    {"cache", cmd_cache, "hone cache [--clear]", "show or empty the cache of compiled units"},
    {"report", cmd_report, "hone report [OPTION...] PROFILE [FILE...]", "show a saved profile"},
    {"merge", cmd_merge, "hone merge -o OUT PROFILE[=WEIGHT]...", "add profiles up"},
    {"diff", cmd_diff, "hone diff [OPTION...] BEFORE AFTER", "compare two profiles by procedure"},
    {"top", cmd_top, "hone top [OPTION...] [HOST:]PORT",
     "watch what a program that serves profiles is doing"},
    {"dump", cmd_dump, "hone dump [--after PASS] FILE", "print a program's core after a pass"},
    {"disassemble", cmd_disassemble, "hone disassemble FILE",
     "print a program's instructions with their source lines"},
    {0},
};

const Subcommand *cmd_find(const char *name) {
    const Subcommand *c = cmd_table;
    while (c->name && strcmp(c->name, name) != 0) c++;
    return c;
}

/* Letters that must be changed, added or left out to make B of A; both are short. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1], m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j], changed = corner + (a[i - 1] != b[j - 1]);
            row[j] = BASE_MIN(changed, BASE_MIN(above, row[j - 1]) + 1);
            corner = above;
        }
    }
    return row[n];
}

const Subcommand *cmd_nearest(const char *name) {
    const Subcommand *best = NULL;
    size_t least = 3; /* two slips at most, and not half of a short word */
    for (const Subcommand *c = cmd_table; c->name; c++) {
        size_t d = distance(name, c->name);
        if (d >= least || 2 * d >= strlen(c->name)) continue;
        best = c;
        least = d;
    }
    return best;
}

int cmd_next_option(base_options *o, int *operands) {
    for (;;) {
        int before = o->index, id = base_options_next(o);
        if (id != BASE_OPTION_DONE) return id;
        bool rest = o->index > before; /* it took a "--" */
        if (o->index == o->argc) return BASE_OPTION_DONE;
        do o->argv[++*operands] = o->argv[o->index++];
        while (rest && o->index < o->argc);
    }
}

int cmd_print(const char *name, const char *bytes, size_t len) {
    if (fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0) return EXIT_OK;
    fprintf(stderr, "hone %s: output was lost: %s\n", name, strerror(errno));
    return EXIT_SCHEME_ERROR;
}

int cmd_write(const char *name, const char *path, const char *bytes, size_t len) {
    if (!path) return cmd_print(name, bytes, len);
    char *why = NULL;
    bool ok = base_file_write(path, bytes, len, &why);
    if (!ok) fprintf(stderr, "hone %s: %s\n", name, why);
    free(why);
    return ok ? EXIT_OK : EXIT_SCHEME_ERROR;
}

hone_prof_data *cmd_read_profile(const char *name, const char *path) {
    hone_prof_data *d;
    hone_prof_error error;
    if (hone_prof_data_read(path, &d, &error)) fprintf(stderr, "hone %s: %s\n", name, error.text);
    return d;
}

int cmd_usage_error(const char *name, const char *text) {
    fprintf(stderr, "hone%s%s: %s\nTry `hone%s%s --help`.\n", name[0] ? " " : "", name, text,
            name[0] ? " " : "", name);
    return EXIT_USAGE;
}

int cmd_help(const Subcommand *command, const base_option *options) {
    base_buf out = {0};
    base_options_help(&out, options);
    printf("Usage: %s\n%c%s.\n\n%s", command->usage, command->help[0] - 'a' + 'A',
           command->help + 1, base_buf_str(&out));
    base_buf_free(&out);
    return EXIT_OK;
}

static int help(void) {
    puts("Usage: hone [OPTION...] FILE [ARG...]  run a program (see `hone run --help`)\n"
         "       hone -e EXPR                    evaluate an expression, print its value\n"
         "       hone                            read, evaluate, print, interactively\n"
         "       hone COMMAND [ARG...]\n\n"
         "Commands:");
    for (const Subcommand *c = cmd_table; c->name; c++) printf("  %-12s %s\n", c->name, c->help);
    puts("\nEach has a --help of its own. `hone --version` prints the version.\n\n"
         "Environment: HONE_PROFILE=sample|counts|vm|alloc profiles a run without a flag,\n"
         "with HONE_PROFILE_SOURCE=safepoint|signal|perf|wall, to the file\n"
         "HONE_PROFILE_OUT or as a report on stderr;\n"
         "HONE_PROFILE_SERVE=[HOST:]PORT serves profiles over HTTP.\n\n"
         "Exit codes: 0 success; 1 an uncaught Scheme error; 2 a bad command line;\n"
         "70 a fault of Hone itself; (exit N) gives N.");
    return EXIT_OK;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return help();
        if (!strcmp(argv[1], "--version")) {
            puts("hone " HONE_VERSION);
            return EXIT_OK;
        }
        const Subcommand *c = cmd_find(argv[1]);
        if (c->name) return c->run(argc - 1, argv + 1);
    }
    /* All else is `run`, whose argv[0] stands for its name. */
    return cmd_run(argc, argv);
}
