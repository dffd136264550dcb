/* fold.c: what can be computed now.
 *
 *   (prim + 1 2)                        -> 3, for primitives that are foldable, where they succeed
 *   (if 'c a b)                         -> a or b
 *   (if (let ((t a)) (if t t b)) x y)   -> (if (if a #t b) x y): only the truth matters in a test
 *   (if (not a) x y)                    -> (if a y x)
 *   (begin constant e)                  -> e
 *
 * The results are immutable and shared, as literals are. A primitive that fails is left for run
 * time. */
#include "opt/internal.h"

static Node *fold_prim(CoreContext *c, Node *n) {
    const Prim *p = n->as.prim.prim;
    Value args[4];
    int count = n->as.prim.count;
    if (!(p->flags & PRIM_FOLDABLE) || count > 4) return n;
    for (int i = 0; i < count; i++) {
        if (n->as.prim.args[i]->kind != N_CONST) return n;
        args[i] = n->as.prim.args[i]->as.constant;
    }
    Value v = p->fn(c->m, args, count);
    if (v == V_FAIL) {
        c->m->fail = (Failure){.irritant = {V_DEFAULT, V_DEFAULT}, .message = V_DEFAULT};
        return n;
    }
    return is_number(v) || !is_heap(v) ? core_const(c, n->site, v) : n;
}

/* N in a place where only its truth matters. */
static Node *as_test(CoreContext *c, Node *n) {
    if (n->kind == N_LET && n->as.let.count == 1 && n->as.let.body->kind == N_IF) {
        Var *v = n->as.let.vars[0];
        Node *body = n->as.let.body;
        Node *test = body->as.branch.test, *then = body->as.branch.then;
        if (v->refs == 2 && v->sets == 0 && test->kind == N_LOCAL && test->as.local == v &&
            then->kind == N_LOCAL && then->as.local == v)
            return core_if(c, body->site, as_test(c, n->as.let.inits[0]),
                           core_const(c, body->site, V_TRUE),
                           as_test(c, body->as.branch.otherwise));
    }
    return n;
}

static Node *fold_if(CoreContext *c, Node *n) {
    Node *test = n->as.branch.test = as_test(c, n->as.branch.test);
    if (opt_is_prim(test, "not") && test->as.prim.count == 1) {
        Node *then = n->as.branch.then;
        n->as.branch.test = as_test(c, test->as.prim.args[0]);
        n->as.branch.then = n->as.branch.otherwise;
        n->as.branch.otherwise = then;
        return n;
    }
    if (test->kind == N_CONST)
        return is_true(test->as.constant) ? n->as.branch.then : n->as.branch.otherwise;
    if (test->kind == N_LAMBDA) return n->as.branch.then;
    return n;
}

static Node *fold_seq(CoreContext *c, Node *n) {
    int kept = 0, count = n->as.seq.count;
    for (int i = 0; i < count; i++)
        if (i == count - 1 || !opt_is_simple(n->as.seq.items[i]))
            n->as.seq.items[kept++] = n->as.seq.items[i];
    return core_seq(c, n->site, kept, n->as.seq.items);
}

static Node *fold(CoreContext *c, Node *n) {
    opt_each(c, n, fold);
    switch (n->kind) {
    case N_PRIM: return fold_prim(c, n);
    case N_IF: return fold_if(c, n);
    case N_SEQ: return fold_seq(c, n);
    default: return n;
    }
}

Node *opt_fold(CoreContext *c, Node *n) {
    core_count_uses(n);
    return fold(c, n);
}
