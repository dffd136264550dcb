/* start.c: starting the run time, compiling units, running programs. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "driver/profile.h"
#include "fiber/fiber.h"
#include "rt/port.h"
#include "rt/record.h"
#include "rt/string.h"
#include "rt/system.h"
#include "vm/vm.h"

static Expander *expander;
static Thread *main_thread;

typedef struct EmbeddedFile {
    const char *name, *text;
    size_t length;
} EmbeddedFile;
extern const EmbeddedFile hone_lib_files[];

Expander *driver_expander(void) { return expander; }

bool driver_is_builtin(const SourceFile *file) {
    for (const EmbeddedFile *f = hone_lib_files; f->name; f++)
        if (file && file->path == f->name) return true;
    return false;
}

/* What a thread beside the first runs. */
static Value run_thread(Thread *t, Value proc) {
    vm_thread_start(t);
    Value v = vm_run(t, proc, 0, NULL);
    vm_thread_end(t);
    return v;
}

const SourceFile *driver_builtin_file(const char *name) {
    for (const EmbeddedFile *f = hone_lib_files; f->name; f++) {
        if (strcmp(f->name, name) != 0) continue;
        SourceFile *file = rt_forever_alloc(sizeof *file);
        *file = (SourceFile){.path = f->name, .text = f->text, .length = f->length};
        return file;
    }
    return driver_native_file(name);
}

static void define_builtin(void *context, const char *name, Global *g) {
    (void)context;
    expand_define_builtin(expander, "(hone prim)", name, g);
}

Value driver_compile(Mutator *m, Program *p, bool whole) {
    Value list = V_NIL;
    Value *procs = base_calloc((size_t)p->count + 1, sizeof *procs);
    for (int i = 0; i < p->count; i++) {
        opt_unit(&p->core, &p->units[i], whole || p->units[i].name[0] == '(', NULL);
        procs[i] = vm_procedure(m, codegen_unit(&p->core, &p->units[i]));
    }
    for (int i = p->count; i-- > 0;) list = gc_cons(m, procs[i], list);
    free(procs);
    return list;
}

static Value pending = V_NIL; /* procedures still to be run; a root */
static void scan_pending(void *context, Collector *c) { gc_visit(c, context); }

static Value run_next(void) {
    Value proc = car(pending);
    pending = cdr(pending);
    return vm_run(main_thread, proc, 0, NULL);
}

Value driver_run_all(Value procs) {
    Value last = V_UNSPEC;
    pending = procs;
    while (is_pair(pending)) last = run_next();
    return last;
}

static bool load_base(void) {
    static const char text[] = "(import (hone base))";
    static const SourceFile file = {"<start>", text, sizeof text - 1};
    ExpandError error;
    Program p;
    if (!expand_program(expander, &main_thread->m, &file, &p, &error)) {
        driver_report_expand_error(&error);
        return false;
    }
    driver_run_all(driver_compile(&main_thread->m, &p, true));
    expand_free(&p);
    vm_set_raise_hook(expand_find_global(expander, "(hone base)", "%raise-from-c"));
    return true;
}

/* How the process ends, the ports' buffers being sent. A profile that was asked for and cannot be
 * written is a failure. */
static void at_exit(int code) {
    static os_mutex ending = OS_MUTEX_INIT;
    os_mutex_lock(&ending); /* for good: of several threads that end the process, the first one's
                               code counts */
    driver_profile_finish();
    if (code == 0 && driver_profile_failed()) code = EXIT_SCHEME_ERROR;
    fflush(NULL);
    _exit(code);
}

/* Arenas come and go with each form that is compiled. Memory given back to the system in between
 * would have to be faulted in again, which costs more than compiling does. */
static void keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/* All but what is Scheme. */
static void start(const DriverOptions *options) {
    keep_freed_memory();
    signal(SIGPIPE, SIG_IGN);
    driver_signals_block();
    if (!rt_start(&options->gc)) exit(EXIT_INTERNAL);
    main_thread = rt_thread_attach();
    fiber_is_library = driver_is_builtin;
    fiber_start();
    fiber_threads_start();
    fiber_run = run_thread;
    fiber_thread_begin(main_thread);
    vm_thread_start(main_thread);
    rt_record_start(&main_thread->m);
    rt_condition_start(&main_thread->m);
    rt_ports_start(&main_thread->m);
    rt_exit_hook = at_exit;
    driver_read_start();
    rt_set_command_line(options->program, options->argc, options->argv);
    expander = expand_new(options->library_paths, options->library_path_count, driver_builtin_file);
    vm_start(&main_thread->m, define_builtin, NULL);
    rt_add_roots(scan_pending, &pending);
}

/* The rest, once (hone base) is there. */
static void start_services(const DriverOptions *options) {
    driver_profile_start(options);
    driver_signals_start(main_thread, options->interactive);
}

void driver_start(const DriverOptions *options) {
    start(options);
    if (!load_base()) exit(EXIT_INTERNAL);
    start_services(options);
}

void driver_start_compiler(const DriverOptions *options) { start(options); }

Mutator *driver_start_native(const DriverOptions *options) {
    start(options);
    return &main_thread->m;
}

void driver_run_native(const DriverOptions *options, Value procs) {
    pending = procs;
    run_next();
    vm_set_raise_hook(rt_global_find("%raise-from-c", "(hone base)"));
    start_services(options);
    while (is_pair(pending)) run_next();
}

_Noreturn void driver_exit(int code) {
    if (rt_current()) rt_current()->sp = rt_current()->base + 1; /* what ran has left no frames */
    rt_exit(code);
}

/* ---- programs ---- */

const SourceFile *driver_source_file(const char *path, ExpandError *error) {
    base_buf text = {0};
    char *why = NULL;
    if (!base_file_read(path, 0, &text, &why)) {
        *error = (ExpandError){.code = ERR_FILE};
        snprintf(error->message, sizeof error->message, "%s", why);
        free(why);
        return NULL;
    }
    SourceFile *file = rt_forever_alloc(sizeof *file);
    *file = (SourceFile){.path = rt_forever_string(path), .length = text.len};
    char *kept = rt_forever_alloc(text.len + 1);
    memcpy(kept, base_buf_str(&text), text.len);
    file->text = kept;
    base_buf_free(&text);
    return file;
}

bool driver_expand_file(const char *path, Program *p) {
    ExpandError error;
    const SourceFile *file = driver_source_file(path, &error);
    if (file && expand_program(expander, &main_thread->m, file, p, &error)) return true;
    driver_report_expand_error(&error);
    return false;
}

/* BEGAN: when expanding it began. */
static int run_expanded(Program *p, uint64_t began) {
    Value procs = driver_compile(&main_thread->m, p, true);
    expand_free(p);
    driver_compiling_end(&main_thread->m, began);
    driver_run_all(procs);
    return EXIT_OK;
}

int driver_run_file(const char *path) {
    uint64_t began = driver_compiling_begin();
    Program p;
    return driver_expand_file(path, &p) ? run_expanded(&p, began) : EXIT_SCHEME_ERROR;
}

int driver_run_program(const SourceFile *file) {
    uint64_t began = driver_compiling_begin();
    ExpandError error;
    Program p;
    if (expand_program(expander, &main_thread->m, file, &p, &error)) return run_expanded(&p, began);
    driver_report_expand_error(&error);
    return EXIT_SCHEME_ERROR;
}

int driver_dump(const char *path, const char *after_pass) {
    Program p;
    if (!driver_expand_file(path, &p)) return EXIT_SCHEME_ERROR;
    for (int i = 0; i < p.count; i++) {
        Unit *u = &p.units[i];
        opt_unit(&p.core, u, true, after_pass);
        if (i + 1 < p.count)
            continue; /* libraries: optimized, so that their procedures can be inlined; not printed
                       */
        for (int k = 0; k < u->count; k++) core_print(stdout, u->forms[k]);
    }
    expand_free(&p);
    return EXIT_OK;
}

static void print_code(Code *code, void *context) {
    if (code->kind != CODE_INTERPRETED || code->info == NULL || code->info->pos.file != context)
        return;
    base_buf out = {0};
    vm_disassemble(&main_thread->m, &out, code);
    printf("%s\n", base_buf_str(&out));
    base_buf_free(&out);
}

int driver_disassemble(const char *path) {
    Program p;
    if (!driver_expand_file(path, &p)) return EXIT_SCHEME_ERROR;
    const SourceFile *file = p.units[p.count - 1].file;
    driver_compile(&main_thread->m, &p, true);
    expand_free(&p);
    vm_each_code(print_code, (void *)file);
    return EXIT_OK;
}
