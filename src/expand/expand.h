/* expand.h: the door of the expander: programs and libraries to core.
 *
 * Hygiene by renaming: a macro's inserted symbol becomes an alias (STX_ALIAS) that remembers the
 * environment of the macro's definition; binding forms bind identifiers by identity; what no
 * binding form bound is looked up in that environment. There are no procedural macros, so a whole
 * program, with all libraries that it needs, is expanded before any of it runs.
 *
 * One Expander serves the process, under one lock (eval from several threads is serialised). */
#ifndef HONE_EXPAND_EXPAND_H
#define HONE_EXPAND_EXPAND_H

#include "core/core.h"
#include "read/read.h"

typedef struct Expander Expander;
typedef struct Env Env; /* a top-level environment: of a program, the REPL, or (environment ...) */

/* A piece of a program that runs once, in order: a library's body, the program's body, or one REPL
 * form. */
typedef struct Unit {
    const char *name; /* "(srfi 1)" or the file's path */
    const SourceFile *file;
    Node **forms; /* each evaluated in order; the last one's value is the unit's */
    int count;
    const ProcInfo *info; /* the unit's top level as a procedure, for sites */
} Unit;

typedef struct Program {
    CoreContext core; /* holds the arena of all nodes */
    Unit *units; /* libraries not yet loaded, in order of dependency, then the program itself */
    int count;
} Program;

/* A failure: everything a message needs. */
typedef struct ExpandError {
    enum error_code code; /* ERR_SYNTAX, ERR_READ, ERR_FILE */
    SrcPos pos;
    SrcPos opened; /* see ReadError */
    bool incomplete;
    char message[1024];
} ExpandError;

/* Called on a thread of the run time. PATHS: folders searched for libraries, in order (a library (a
 * b c) is a/b/c.sld or .scm). BUILTIN: finds the text of a library that is part of Hone, or returns
 * NULL. */
Expander *expand_new(const char *const *paths, int count,
                     const SourceFile *(*builtin)(const char *name));

/* HOOK is called with each file that is read for a library or an include. */
void expand_set_read_hook(Expander *x, void (*hook)(const SourceFile *file));

/* Of a library that is RESIDENT the program holds the body, and has run it: expanding the library
 * gives its bindings and no unit. */
void expand_set_resident(Expander *x, bool (*resident)(const char *library));

/* Bounds the memory of one call of the expander, 1 GiB unless told: an expansion that needs more is
 * an error. */
void expand_set_memory(Expander *x, size_t bytes);

/* Puts a variable made in C into a builtin library: (hone prim) gets one for each primitive and
 * each control procedure of the VM (apply, %call/cc, ...). Called by the driver before the first
 * expansion. */
void expand_define_builtin(Expander *x, const char *library, const char *name, Global *g);

/* Reads and expands a whole program. False with ERROR filled. On success the caller frees OUT with
 * expand_free. */
bool expand_program(Expander *x, Mutator *m, const SourceFile *file, Program *out,
                    ExpandError *error);

/* The environment of the REPL and of (interaction-environment): everything of (scheme ...) and
 * (hone ...) that a user expects. */
Env *expand_interaction_env(Expander *x, Mutator *m, Program *out, ExpandError *error);
/* (environment import-set ...). Libraries that must be loaded first come out in OUT. */
Env *expand_environment(Expander *x, Mutator *m, Value import_sets, Program *out,
                        ExpandError *error);
/* One form for eval, load or the REPL, in ENV; imports and definitions allowed. */
bool expand_form(Expander *x, Mutator *m, Env *env, Stx *form, Program *out, ExpandError *error);

/* A library's variable by name, for the driver (the hooks that C needs, such as `raise`). NULL:
 * none, or not loaded. */
Global *expand_find_global(Expander *x, const char *library, const char *name);

void expand_free(Program *p);

#endif
