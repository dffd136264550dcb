/* internal.h: the passes, for the pipeline; helpers they share. */
#ifndef HONE_OPT_INTERNAL_H
#define HONE_OPT_INTERNAL_H

#include "opt/opt.h"

#define PASS(name, function, doc) Node *function(CoreContext *c, Node *n);
#include "opt/passes.def"
#undef PASS

/* Replaces each child of N by f(c, child). */
void opt_each(CoreContext *c, Node *n, Node *(*f)(CoreContext *c, Node *n));

static inline bool opt_is_prim(const Node *n, const char *name) {
    return n->kind == N_PRIM && strcmp(n->as.prim.prim->name, name) == 0;
}
/* Whether evaluating N has no effect, cannot fail and does not depend on when it is done. */
bool opt_is_simple(const Node *n);
/* ((lambda params body) args) with matching counts as a let; NULL where they do not match. */
Node *opt_beta(CoreContext *c, const Site *site, Node *lambda, int count, Node **args);

#endif
