/* loops.c: procedures that are loops.
 *
 * (letrec ((loop (lambda (i a) body))) (loop 0 '())) where every use of `loop` is a call in tail
 * position, of the body or of the letrec's own body, needs no closure: it becomes
 *
 *   (loop loop ((i 0) (a '())) body)       with (next loop e ...) for the calls in BODY
 *
 * when the letrec's body has exactly one call of it, in tail position and not inside another lambda
 * or loop body. A named let is the usual form. A call under another lambda is no tail call of the
 * loop: then the procedure stays one.
 *
 * The loop's ProcInfo stays in its sites: they are chained to the call that enters it, as inlined
 * code is. */
#include "opt/internal.h"

typedef struct Scan {
    const Var *var;
    int arity;
    bool ok;
    int calls; /* in tail position */
} Scan;

static void scan(Scan *s, Node *n, bool tail);

typedef struct ScanChild {
    Scan *s;
} ScanChild;
static void scan_child(void *context, Node **child) {
    scan(((ScanChild *)context)->s, *child, false);
}

static void scan_items(Scan *s, Node **items, int count) {
    for (int i = 0; i < count && s->ok; i++) scan(s, items[i], false);
}

static void scan(Scan *s, Node *n, bool tail) {
    if (!s->ok) return;
    switch (n->kind) {
    case N_LOCAL:
        if (n->as.local == s->var) s->ok = false;
        return;
    case N_CALL:
        if (n->as.call.callee->kind == N_LOCAL && n->as.call.callee->as.local == s->var) {
            if (!tail || n->as.call.count != s->arity) s->ok = false;
            s->calls++;
        } else {
            scan(s, n->as.call.callee, false);
        }
        scan_items(s, n->as.call.args, n->as.call.count);
        return;
    case N_IF:
        scan(s, n->as.branch.test, false);
        scan(s, n->as.branch.then, tail);
        scan(s, n->as.branch.otherwise, tail);
        return;
    case N_LET:
    case N_LETREC:
        scan_items(s, n->as.let.inits, n->as.let.count);
        scan(s, n->as.let.body, tail);
        return;
    case N_LOOP:
        scan_items(s, n->as.loop.inits, n->as.loop.count);
        scan(s, n->as.loop.body, tail);
        return;
    case N_SEQ:
        scan_items(s, n->as.seq.items, n->as.seq.count - 1);
        scan(s, n->as.seq.items[n->as.seq.count - 1], tail);
        return;
    default: {
        ScanChild child = {s};
        core_each_child(n, scan_child, &child);
        return;
    }
    }
}

/* Turns the tail calls of VAR in N into NEXT, or into the one entry of the loop when LOOP is given.
 */
typedef struct Turn {
    CoreContext *c;
    Var *var;
    Node *loop;
} Turn;
static void turn(void *context, Node **place) {
    Turn *t = context;
    Node *n = *place;
    core_each_child(n, turn, t);
    if (n->kind != N_CALL || n->as.call.callee->kind != N_LOCAL ||
        n->as.call.callee->as.local != t->var)
        return;
    if (t->loop) {
        t->loop->as.loop.inits = n->as.call.args;
        t->loop->site = n->site;
        *place = t->loop;
    } else {
        *place = core_next(t->c, n->site, t->var, n->as.call.count, n->as.call.args);
    }
}

static const Site *entry_site(Node *n, const Var *v);
typedef struct FindEntry {
    const Var *var;
    const Site *site;
} FindEntry;
static void find_entry(void *context, Node **child) {
    FindEntry *f = context;
    if (!f->site) f->site = entry_site(*child, f->var);
}
static const Site *entry_site(Node *n, const Var *v) {
    if (n->kind == N_CALL && n->as.call.callee->kind == N_LOCAL && n->as.call.callee->as.local == v)
        return n->site;
    FindEntry f = {v, NULL};
    core_each_child(n, find_entry, &f);
    return f.site;
}

static Node *to_loop(CoreContext *c, Node *n) {
    Var *v = n->as.let.vars[0];
    Node *lambda = n->as.let.inits[0];
    const Clause *clause = &lambda->as.lambda.clauses[0];
    if (lambda->as.lambda.count != 1 || clause->rest || v->sets) return n;
    Scan inside = {v, clause->nparams, true, 0}, outside = {v, clause->nparams, true, 0};
    scan(&inside, clause->body, true);
    scan(&outside, n->as.let.body, true);
    if (!inside.ok || !outside.ok || outside.calls != 1) return n;
    /* The copy chains the sites of the body to the call that enters the loop. */
    const Site *entry = entry_site(n->as.let.body, v);
    Node *copy = core_copy(c, lambda, entry);
    clause = &copy->as.lambda.clauses[0];
    Turn next = {c, v, NULL};
    turn(&next, &copy->as.lambda.clauses[0].body);
    Node *loop = core_loop(c, n->site, lambda->as.lambda.info, v, clause->nparams, clause->params,
                           NULL, copy->as.lambda.clauses[0].body);
    Turn enter = {c, v, loop};
    turn(&enter, &n->as.let.body);
    return n->as.let.body;
}

static Node *convert(CoreContext *c, Node *n) {
    opt_each(c, n, convert);
    return n->kind == N_LETREC && n->as.let.count == 1 ? to_loop(c, n) : n;
}

Node *opt_loops(CoreContext *c, Node *n) {
    core_count_uses(n);
    return convert(c, n);
}
