/* site.h: where code comes from. Sites are what errors, backtraces and profiles name.
 *
 * All of these live for ever (they are allocated from rt_site_arena) and never change once made, so
 * any thread may read them and their addresses are identities. */
#ifndef HONE_RT_SITE_H
#define HONE_RT_SITE_H

#include <stddef.h>
#include <stdint.h>

typedef struct SourceFile {
    const char *path; /* as the user named it, or "<eval>", "<repl>", ... */
    const char *text; /* UTF-8, NUL-terminated; NULL when it is not kept */
    size_t length;
} SourceFile;

typedef struct SrcPos {
    const SourceFile *file; /* NULL: unknown */
    uint32_t line, column;  /* from 1; columns count characters */
} SrcPos;

/* A procedure of the source: a lambda, a named let, a do loop. */
typedef struct ProcInfo {
    const char *name;             /* "fib", "loop", "lambda"; "" for a unit's top level */
    SrcPos pos;                   /* of the form that defines it */
    const struct ProcInfo *outer; /* the procedure it stands in; NULL at top level */
} ProcInfo;

/* One place in one procedure, and, where that procedure was inlined, the chain of places it was
 * inlined into. */
typedef struct Site {
    SrcPos pos;
    const ProcInfo *proc;
    const struct Site
        *caller; /* the call that was inlined; NULL when PROC has a frame of its own */
} Site;

#endif
