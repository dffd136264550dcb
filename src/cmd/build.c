/* build.c: hone build: a native program; hone cache: what builds keep. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIBRARY = 1, OUTPUT, LEVEL, KEEP_C, CLEAR, HELP };

static const base_option build_options[] = {
    {OUTPUT, 'o', "output", "APP", "the program to write (required)", "Options"},
    {LIBRARY, 'A', "library", "DIR", "search DIR for libraries; may be given several times",
     "Options"},
    {LEVEL, 'O', NULL, "LEVEL", "how much the C compiler optimizes: 0, 1, 2 or 3 (2)", "Options"},
    {KEEP_C, 0, "keep-c", "DIR", "write the C texts to DIR", "Options"},
    {HELP, 'h', "help", NULL, "print this", "Options"},
    BASE_OPTION_END,
};

static const base_option cache_options[] = {
    {CLEAR, 0, "clear", NULL, "remove all compiled units", "Options"},
    {HELP, 'h', "help", NULL, "print this", "Options"},
    BASE_OPTION_END,
};

int cmd_build(int argc, char **argv) {
    DriverOptions d = {.library_paths = base_calloc((size_t)argc + 1, sizeof *d.library_paths)};
    NativeOptions n = {.level = 2};
    uint64_t level;
    int operands = 0;
    base_options o;
    base_options_init(&o, build_options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("build", o.error);
        case LIBRARY: d.library_paths[d.library_path_count++] = o.value; break;
        case OUTPUT: n.output = o.value; break;
        case KEEP_C: n.keep_c = o.value; break;
        case LEVEL:
            if (!base_parse_u64(o.value, 0, 3, &level))
                return cmd_usage_error("build", "-O takes 0, 1, 2 or 3");
            n.level = (int)level;
            break;
        default: return cmd_help(cmd_find("build"), build_options);
        }
    }
    if (operands != 1) return cmd_usage_error("build", "name one file");
    if (!n.output) return cmd_usage_error("build", "say where to write the program: -o APP");
    d.program = argv[1];
    driver_start_compiler(&d);
    driver_exit(driver_build(argv[1], &d, &n));
}

int cmd_cache(int argc, char **argv) {
    bool clear = false;
    int operands = 0;
    base_options o;
    base_options_init(&o, cache_options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        if (id == BASE_OPTION_ERROR) return cmd_usage_error("cache", o.error);
        if (id == HELP) return cmd_help(cmd_find("cache"), cache_options);
        clear = true;
    }
    if (operands) return cmd_usage_error("cache", "takes no file");
    if (clear) printf("%zu units removed\n", native_cache_clear());
    char *folder = native_cache_folder();
    if (!clear)
        printf("%s\n", folder ? folder : "no cache: neither XDG_CACHE_HOME nor HOME is set");
    free(folder);
    return EXIT_OK;
}
