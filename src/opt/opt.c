/* opt.c: runs the passes. */
#include "opt/internal.h"

#include <stdio.h>
#include <stdlib.h>

const OptPass opt_passes[] = {
#define PASS(name, function, doc) {name, function, doc},
#include "opt/passes.def"
#undef PASS
};
const int opt_pass_count = BASE_COUNT(opt_passes);

static void check(CoreContext *c, Node *n, const char *pass) {
#ifdef HONE_CHECK_CORE
    core_count_uses(
        n); /* a pass need not keep the counts; the next one that wants them counts anew */
    const char *fault = core_check(c, n);
    if (!fault) return;
    fprintf(stderr, "hone: core is unsound after pass %s: %s\n", pass, fault);
    core_print(stderr, n);
    abort();
#else
    (void)c, (void)n, (void)pass;
#endif
}

void opt_unit(CoreContext *c, Unit *unit, bool whole, const char *stop_after) {
    int last = opt_pass_count - 1;
    if (stop_after)
        while (last >= 0 && strcmp(opt_passes[last].name, stop_after) != 0) last--;
    /* All forms go through a pass before the next one, so that a definition further down is known
     * to a call further up. */
    for (int p = 0; p <= last; p++) {
        for (int i = 0; i < unit->count; i++) {
            unit->forms[i] = opt_passes[p].run(c, unit->forms[i]);
            check(c, unit->forms[i], opt_passes[p].name);
        }
        if (whole && strcmp(opt_passes[p].name, "letrec") == 0) opt_note_definitions(c, unit);
    }
    for (int i = 0; i < unit->count; i++) core_count_uses(unit->forms[i]);
}

typedef struct Each {
    CoreContext *c;
    Node *(*f)(CoreContext *c, Node *n);
} Each;
static void each_child(void *context, Node **child) {
    const Each *e = context;
    *child = e->f(e->c, *child);
}
void opt_each(CoreContext *c, Node *n, Node *(*f)(CoreContext *c, Node *n)) {
    Each e = {c, f};
    core_each_child(n, each_child, &e);
}

bool opt_is_simple(const Node *n) {
    return n->kind == N_CONST || n->kind == N_LAMBDA ||
           (n->kind == N_LOCAL && n->as.local->sets == 0) ||
           (n->kind == N_GLOBAL && n->as.global->prim && !n->as.global->assigned);
}

Node *opt_beta(CoreContext *c, const Site *site, Node *lambda, int count, Node **args) {
    if (lambda->as.lambda.count != 1) return NULL;
    const Clause *clause = &lambda->as.lambda.clauses[0];
    int required = clause->nparams - clause->rest;
    if (count < required || (count > required && !clause->rest)) return NULL;
    if (!clause->rest)
        return count ? core_let(c, site, count, clause->params, args, clause->body) : clause->body;
    /* The rest parameter gets a list of what is left. */
    Node **inits = core_alloc(c, (size_t)clause->nparams * sizeof *inits);
    memcpy(inits, args, (size_t)required * sizeof *inits);
    inits[required] = core_prim(c, site, rt_prim_find("list"), count - required, args + required);
    return core_let(c, site, clause->nparams, clause->params, inits, clause->body);
}
