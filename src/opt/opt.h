/* opt.h: the door of the optimizer: the pipeline of passes over core.
 *
 * A pass is a function from a node to a node, in a file of its own with an essay at its head;
 * passes.def lists them in the order in which they run. A pass prints nothing and takes no options.
 * Between passes a debug build checks the tree (core_check). */
#ifndef HONE_OPT_OPT_H
#define HONE_OPT_OPT_H

#include "expand/expand.h"

typedef struct OptPass {
    const char *name;
    Node *(*run)(CoreContext *c, Node *n);
    const char *doc;
} OptPass;

extern const OptPass opt_passes[];
extern const int opt_pass_count;

/* Optimizes a unit in place. STOP_AFTER: the name of the pass after which to stop (its last
 * occurrence in the list), or NULL. WHOLE: the unit's globals are not changed from outside (a
 * library or a program, not a form of the REPL), so small definitions may be inlined into it and
 * later units. */
void opt_unit(CoreContext *c, Unit *unit, bool whole, const char *stop_after);

/* Notes the definitions of UNIT that calls elsewhere may inline. */
void opt_note_definitions(CoreContext *c, const Unit *unit);

#endif
