/* global.h: a global variable: the location of a library's or program's top-level binding.
 * Immobile, never freed. */
#ifndef HONE_RT_GLOBAL_H
#define HONE_RT_GLOBAL_H

#include "rt/prim.h"

typedef struct Global {
    Value value;         /* V_UNBOUND until defined; a root; written by rt_global_set alone */
    const char *name;    /* UTF-8, as written */
    const char *library; /* "(scheme base)", or "" for a program's or the REPL's own */
    const Prim *prim;    /* the primitive that it names for ever, or NULL */
    void *known;   /* the optimizer's knowledge of an unassigned global's definition, or NULL */
    bool assigned; /* a set! of it exists, or it was defined twice: its value is not constant */
    bool exported; /* visible outside its unit */
    struct Global *next; /* all globals, newest first */
} Global;

/* Makes a global; NAME and LIBRARY are copied. Takes the run time's lock. Where globals were
 * adopted, the first one of that name in that library that was not yet given out is returned. */
Global *rt_global_new(const char *name, const char *library);
/* Takes COUNT globals that a native program holds, with name and library set, and from then on
 * remembers libraries' globals by name. Called once, before any global is made. */
void rt_global_adopt(Global *const *globals, size_t count);
/* LIBRARY is about to be expanded, perhaps again since that failed before: rt_global_new gives out
 * its globals from the first one on. */
void rt_global_offer_again(const char *library);
/* After rt_global_adopt: the global of that name in that library, or NULL. */
Global *rt_global_find(const char *name, const char *library);
/* Calls F on each global, the newest first. */
void rt_each_global(void (*f)(void *context, Global *g), void *context);
void rt_global_set(Global *g, Value v);

#endif
