/* dump.c: hone dump and hone disassemble: what the compiler makes of a program. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

enum { LIBRARY = 1, AFTER, HELP };

static const base_option dump_options[] = {
    {LIBRARY, 'A', "library", "DIR", "search DIR for libraries; may be given several times",
     "Options"},
    {AFTER, 0, "after", "PASS", "print after PASS instead of after the last one", "Options"},
    {HELP, 'h', "help", NULL, "print this, and the passes", "Options"},
    BASE_OPTION_END,
};
static const base_option disassemble_options[] = {
    {LIBRARY, 'A', "library", "DIR", "search DIR for libraries; may be given several times",
     "Options"},
    {HELP, 'h', "help", NULL, "print this", "Options"},
    BASE_OPTION_END,
};

static bool is_pass(const char *name) {
    for (int i = 0; i < opt_pass_count; i++)
        if (!strcmp(opt_passes[i].name, name)) return true;
    return !strcmp(name, "expand");
}

static void print_passes(void) {
    puts("\nPasses, in order (`expand` is before all of them):");
    for (int i = 0; i < opt_pass_count; i++)
        printf("  %-12s %s\n", opt_passes[i].name, opt_passes[i].doc);
}

static int no_such_pass(const char *word) {
    base_buf text = {0};
    base_buf_printf(&text, "no such pass: %s; there are expand", word);
    for (int i = 0; i < opt_pass_count; i++) base_buf_printf(&text, ", %s", opt_passes[i].name);
    int code = cmd_usage_error("dump", text.at);
    base_buf_free(&text);
    return code;
}

static int compile_only(int argc, char **argv, const base_option *table) {
    const char *name = argv[0], *after = NULL;
    DriverOptions d = {.library_paths = base_calloc((size_t)argc + 1, sizeof *d.library_paths)};
    base_options o;
    base_options_init(&o, table, argc, argv, 1);
    for (int id; (id = base_options_next(&o)) != BASE_OPTION_DONE;) {
        if (id == BASE_OPTION_ERROR) return cmd_usage_error(name, o.error);
        if (id == LIBRARY) d.library_paths[d.library_path_count++] = o.value;
        if (id == AFTER) after = o.value;
        if (id == HELP) {
            cmd_help(cmd_find(name), table);
            if (table == dump_options) print_passes();
            return EXIT_OK;
        }
    }
    if (after && !is_pass(after)) return no_such_pass(after);
    if (o.index + 1 != argc) return cmd_usage_error(name, "name one file");
    d.program = argv[o.index];
    driver_start(&d);
    driver_exit(table == dump_options ? driver_dump(argv[o.index], after)
                                      : driver_disassemble(argv[o.index]));
}

int cmd_dump(int argc, char **argv) { return compile_only(argc, argv, dump_options); }
int cmd_disassemble(int argc, char **argv) { return compile_only(argc, argv, disassemble_options); }
