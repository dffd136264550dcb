/* primitives.c: calls of what is known to be a primitive.
 *
 * A global that names a primitive for ever and is never assigned is that primitive, so (car x)
 * becomes (prim car x) when the number of arguments is right; a wrong number stays a call, which
 * raises as it should. Here too:
 *
 *   (+ a b c)            -> (+ (+ a b) c), for + and *; (- a b c) likewise
 *   (< a b c)            stays: a failure aside, all operands are evaluated whatever the first two
 * are (eqv? x 'k)          -> (eq? x 'k) where k is compared by identity; equal? too
 *   ((lambda (x) e) a)   -> (let ((x a)) e)
 *   (call-with-values (lambda () e) (lambda (a b) body)) -> a let of e and its parts */
#include "opt/internal.h"

/* Whether eqv? and equal? on this constant are eq?. */
static bool by_identity(const Node *n) {
    return n->kind == N_CONST && (!is_heap(n->as.constant) || is_symbol(n->as.constant)) &&
           !is_immediate_flonum(n->as.constant);
}

static Node *binary(CoreContext *c, Node *n, const Prim *p) {
    Node *sum = n->as.prim.args[0];
    for (int i = 1; i < n->as.prim.count; i++) {
        Node **pair = core_alloc(c, 2 * sizeof *pair);
        pair[0] = sum;
        pair[1] = n->as.prim.args[i];
        sum = core_prim(c, n->site, p, 2, pair);
    }
    return sum;
}

static Node *improve(CoreContext *c, Node *n) {
    const char *name = n->as.prim.prim->name;
    Node **args = n->as.prim.args;
    int count = n->as.prim.count;
    bool chain = !strcmp(name, "+") || !strcmp(name, "*") || !strcmp(name, "-");
    if (chain && count > 2) return binary(c, n, n->as.prim.prim);
    if (count == 2 && (!strcmp(name, "eqv?") || !strcmp(name, "equal?")) &&
        (by_identity(args[0]) || by_identity(args[1])))
        return core_prim(c, n->site, rt_prim_find("eq?"), 2, args);
    return n;
}

/* (call-with-values (lambda () e) (lambda formals body)) with e's values taken apart. */
static Node *with_values(CoreContext *c, Node *n) {
    Node *producer = n->as.call.args[0], *consumer = n->as.call.args[1];
    if (producer->kind != N_LAMBDA || consumer->kind != N_LAMBDA) return n;
    Node *value = opt_beta(c, n->site, producer, 0, NULL);
    if (!value || consumer->as.lambda.count != 1) return n;
    const Clause *clause = &consumer->as.lambda.clauses[0];
    int required = clause->nparams - clause->rest;
    Var *all = core_var(c, "values");
    Node **parts = core_alloc(c, ((size_t)clause->nparams + 1) * sizeof *parts);
    for (int i = 0; i < clause->nparams; i++) {
        bool list = i == required;
        Node **args = core_alloc(c, 3 * sizeof *args);
        args[0] = core_local(c, n->site, all);
        args[1] = core_const(c, n->site, v_fixnum(list ? required : i));
        args[2] = core_const(c, n->site, v_fixnum(required));
        parts[i] = clause->rest && !list
                       ? core_prim(c, n->site, rt_prim_find("%values-at"), 3, args)
                       : core_prim(c, n->site, rt_prim_find(list ? "%values-rest" : "%values-ref"),
                                   list ? 2 : 3, args);
    }
    Node *body = clause->nparams
                     ? core_let(c, n->site, clause->nparams, clause->params, parts, clause->body)
                     : clause->body;
    if (!clause->nparams) {
        /* No values are wanted: check that none come. */
        Node **args = core_alloc(c, 2 * sizeof *args), **items = core_alloc(c, 2 * sizeof *items);
        args[0] = core_local(c, n->site, all);
        args[1] = core_const(c, n->site, v_fixnum(0));
        items[0] = core_prim(c, n->site, rt_prim_find("%values-check"), 2, args);
        items[1] = body;
        body = core_seq(c, n->site, 2, items);
    }
    Var **vars = core_alloc(c, sizeof *vars);
    Node **inits = core_alloc(c, sizeof *inits);
    vars[0] = all;
    inits[0] = value;
    return core_let(c, n->site, 1, vars, inits, body);
}

Node *opt_primitives(CoreContext *c, Node *n) {
    opt_each(c, n, opt_primitives);
    if (n->kind == N_PRIM) return improve(c, n);
    if (n->kind != N_CALL) return n;
    Node *callee = n->as.call.callee;
    int count = n->as.call.count;
    if (callee->kind == N_LAMBDA) {
        Node *let = opt_beta(c, n->site, callee, count, n->as.call.args);
        return let ? let : n;
    }
    if (callee->kind != N_GLOBAL || callee->as.global->assigned) return n;
    const Prim *p = callee->as.global->prim;
    if (p && count >= p->min_args && (p->max_args < 0 || count <= p->max_args))
        return improve(c, core_prim(c, n->site, p, count, n->as.call.args));
    if (count == 2 && !strcmp(callee->as.global->name, "call-with-values") &&
        !strcmp(callee->as.global->library, "(hone base)"))
        return with_values(c, n);
    return n;
}
