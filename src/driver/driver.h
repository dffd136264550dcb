/* driver.h: the door of running programs: what calls what in which order. */
#ifndef HONE_DRIVER_DRIVER_H
#define HONE_DRIVER_DRIVER_H

#include "codegen/codegen.h"
#include "native/native.h"
#include "opt/opt.h"

/* Exit codes of the hone command. */
enum { EXIT_OK = 0, EXIT_SCHEME_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 70 };

typedef enum DriverProfile {
    PROFILE_NONE,
    PROFILE_SAMPLE,
    PROFILE_COUNTS,
    PROFILE_VM
} DriverProfile;

typedef struct DriverOptions {
    GcOptions gc;
    const char **library_paths; /* -A folders, in order */
    int library_path_count;
    const char *program; /* (command-line) */
    int argc;
    char **argv;
    bool interactive; /* SIGINT raises an interrupt condition instead of ending the process */
    /* profiling a whole run */
    DriverProfile profile;
    const char *profile_out; /* NULL: the report goes to stderr */
    double interval_ms;      /* 0: 1 ms */
    unsigned depth;          /* 0: 64 */
    unsigned top;            /* rows of the report; 0: those worth one, at most 25 */
    hone_prof_source source;
    const char *serve;       /* address to serve profiles at, as for driver_serve_start; or NULL */
    bool allocations;        /* an allocation profile, beside PROFILE or alone */
    uint64_t alloc_interval; /* mean bytes between its samples; 0: 512 KiB */
    bool tail_calls;         /* recent tail calls are shown */
} DriverOptions;

/* Starts the run time and loads (hone base). Ends the process with EXIT_INTERNAL where it cannot.
 */
void driver_start(const DriverOptions *options);
/* Each runs to the end and gives the exit code; `exit` and uncaught errors end the process before
 * that. */
int driver_run_file(const char *path);
int driver_run_text(const char *name, const char *text, size_t length, bool print_value); /* -e */
int driver_run_stdin(void); /* its forms, in the interaction environment */
int driver_repl(void);
/* hone dump and hone disassemble. */
int driver_dump(const char *path, const char *after_pass);
int driver_disassemble(const char *path);

/* For compilers: all but (hone base), so that no Scheme code runs. */
void driver_start_compiler(const DriverOptions *options);
/* hone build. */
int driver_build(const char *path, const DriverOptions *driver, const NativeOptions *options);
/* What HONE_PROFILE and its kind say; the message where that is wrong, else NULL. */
const char *driver_options_from_environment(DriverOptions *o);
/* The same for a native program, whose command line is its own: HONE_HEAP_LIMIT and HONE_GC_STRESS
 * too. */
const char *driver_native_options(DriverOptions *o);
/* A kind of profile, or `alloc`, or both with a comma between. */
bool driver_profile_kind(const char *text, DriverOptions *o);

/* Ends the process in order: profile written, ports flushed. Does not return. */
_Noreturn void driver_exit(int code);

/* ---- between the driver's files ---- */
Expander *driver_expander(void);
/* Optimizes and compiles the units of P into procedures of no arguments, a Scheme list in order. */
Value driver_compile(Mutator *m, Program *p, bool whole);
/* Runs procedures of no arguments in order on the main thread, whose stack is empty; the last one's
 * value. */
Value driver_run_all(Value procs);
/* A text as a file, both kept for ever. */
const SourceFile *driver_text_file(const char *name, const char *text, size_t length);
/* Expands and runs a whole program; the exit code. */
int driver_run_program(const SourceFile *file);
/* The process's one interaction environment; what must be compiled and run before it is used comes
 * out in OUT. NULL with ERROR filled. */
Env *driver_interaction_env(Mutator *m, Program *out, ExpandError *error);
/* The same, ready for use on T, whose stack is empty. NULL with the message printed. */
Env *driver_repl_env(Thread *t);
/* Reads a source file and keeps its text for ever. NULL with ERROR filled. */
const SourceFile *driver_source_file(const char *path, ExpandError *error);
/* Reads and expands a program; false with the message printed. */
bool driver_expand_file(const char *path, Program *p);
/* native.c: the main function of a native program; the text of one of its own libraries, or NULL.
 */
int driver_native_main(const NativeProgram *program, int argc, char **argv);
const SourceFile *driver_native_file(const char *library);
/* All but Scheme, for a native program; then its units' bodies, that of (hone base) first. */
Mutator *driver_start_native(const DriverOptions *options);
void driver_run_native(const DriverOptions *options, Value procs);
/* The file of Hone's own libraries, or of the native program's, of that name; NULL: none. */
const SourceFile *driver_builtin_file(const char *name);
/* Whether FILE is a library that is part of Hone. */
bool driver_is_builtin(const SourceFile *file);
/* Prints a failure to expand or read on stderr. */
void driver_report_expand_error(const ExpandError *error);
void driver_report_read_error(const ReadError *bad);
/* The condition for a failure to expand, noted in M. */
Value driver_fail_expand(Mutator *m, const char *who, const ExpandError *error);

/* read.c: gives the procedure `read` its reader. */
void driver_read_start(void);

/* profile.c */
void driver_profile_start(const DriverOptions *options);
void driver_profile_finish(
    void); /* writes what the options ask for; once; exit code is changed where it cannot */
bool driver_profile_failed(void);

/* signals.c */
void driver_signals_block(void); /* before any other thread starts */
/* Takes care of SIGINT, SIGTERM, SIGHUP and SIGQUIT from here on. SIGINT interrupts the first
 * thread while that is in call-interruptible, or always (INTERACTIVE); else it ends the process as
 * the others do. */
void driver_signals_start(Thread *first, bool interactive);
/* Called before the process dies of a signal, unless it is NULL. Any thread. */
extern void (*driver_restore_terminal)(void);

#endif
