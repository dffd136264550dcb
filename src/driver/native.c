/* native.c: a native program from its start to its end. Nothing is expanded or compiled at its
 * start; eval, when it is called, expands Hone's libraries and the program's own as the interpreter
 * would, but finds their variables, with the values they have, and does not run their bodies again.
 */
#include <stdio.h>
#include <stdlib.h>
#include "driver/driver.h"

static const NativeProgram *program;

static bool is_resident(const char *library) {
    for (uint32_t i = 0; i < program->unit_count; i++)
        if (strcmp(program->units[i]->name, library) == 0) return true;
    return false;
}

const SourceFile *driver_native_file(const char *library) {
    for (uint32_t i = 0; program && i < program->file_count; i++) {
        const NativeFile *f = &program->files[i];
        if (!f->library || strcmp(f->library, library) != 0) continue;
        SourceFile *file = rt_forever_alloc(sizeof *file);
        *file = (SourceFile){.path = f->path, .text = f->text, .length = f->length};
        return file;
    }
    return NULL;
}

/* The text of a file that sites name, and for Hone's own the name by which it is known as such. */
static void find_file(SourceFile *file) {
    for (uint32_t i = 0; i < program->file_count; i++) {
        const NativeFile *f = &program->files[i];
        if (strcmp(f->path, file->path) != 0) continue;
        file->text = f->text;
        file->length = f->length;
        return;
    }
    const SourceFile *own = driver_builtin_file(file->path);
    if (own) *file = *own;
}

int driver_native_main(const NativeProgram *p, int argc, char **argv) {
    DriverOptions options = {.program = argv[0], .argc = argc - 1, .argv = argv + 1};
    const char *bad = driver_native_options(&options);
    if (bad) {
        fprintf(stderr, "%s: %s\n", argv[0], bad);
        return EXIT_USAGE;
    }
    program = p;
    native_program_adopt(p);
    Mutator *m = driver_start_native(&options);
    expand_set_resident(driver_expander(), is_resident);
    Value procs = V_NIL;
    for (uint32_t i = p->unit_count; i-- > 0;) {
        const NativeUnit *u = p->units[i];
        for (uint32_t k = 0; k < u->file_count; k++) find_file(&u->files[k]);
        native_unit_start(m, u);
        procs = gc_cons(m, vm_procedure(m, u->body), procs);
    }
    driver_run_native(&options, procs);
    driver_exit(EXIT_OK);
}
