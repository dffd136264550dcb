/* build.c: making nodes, variables, sites. */
#include "core/core.h"

#include "rt/rt.h"

void *core_alloc(CoreContext *c, size_t bytes) { return base_arena_alloc(c->arena, bytes); }

static Node *make(CoreContext *c, NodeKind kind, const Site *site) {
    Node *n = base_arena_alloc(c->arena, sizeof *n);
    n->kind = kind;
    n->site = site;
    return n;
}

Node *core_const(CoreContext *c, const Site *site, Value v) {
    Node *n = make(c, N_CONST, site);
    n->as.constant = v;
    return n;
}

Node *core_local(CoreContext *c, const Site *site, Var *v) {
    Node *n = make(c, N_LOCAL, site);
    n->as.local = v;
    return n;
}

Node *core_global(CoreContext *c, const Site *site, Global *g) {
    Node *n = make(c, N_GLOBAL, site);
    n->as.global = g;
    return n;
}

Node *core_set_local(CoreContext *c, const Site *site, Var *v, Node *value) {
    Node *n = make(c, N_SET_LOCAL, site);
    n->as.set_local.var = v;
    n->as.set_local.value = value;
    return n;
}

Node *core_set_global(CoreContext *c, const Site *site, Global *g, Node *value, bool define) {
    Node *n = make(c, N_SET_GLOBAL, site);
    n->as.set_global.global = g;
    n->as.set_global.value = value;
    n->as.set_global.define = define;
    return n;
}

Node *core_if(CoreContext *c, const Site *site, Node *test, Node *then, Node *otherwise) {
    Node *n = make(c, N_IF, site);
    n->as.branch.test = test;
    n->as.branch.then = then;
    n->as.branch.otherwise = otherwise;
    return n;
}

static Node *make_let(CoreContext *c, NodeKind kind, const Site *site, int count, Var **vars,
                      Node **inits, Node *body) {
    Node *n = make(c, kind, site);
    n->as.let.vars = vars;
    n->as.let.inits = inits;
    n->as.let.count = count;
    n->as.let.body = body;
    return n;
}

Node *core_let(CoreContext *c, const Site *site, int count, Var **vars, Node **inits, Node *body) {
    return make_let(c, N_LET, site, count, vars, inits, body);
}

Node *core_letrec(CoreContext *c, const Site *site, int count, Var **vars, Node **inits,
                  Node *body) {
    return make_let(c, N_LETREC, site, count, vars, inits, body);
}

Node *core_lambda(CoreContext *c, const Site *site, const ProcInfo *info, int count,
                  Clause *clauses) {
    Node *n = make(c, N_LAMBDA, site);
    n->as.lambda.info = info;
    n->as.lambda.count = count;
    n->as.lambda.clauses = clauses;
    return n;
}

Node *core_call(CoreContext *c, const Site *site, Node *callee, int count, Node **args) {
    Node *n = make(c, N_CALL, site);
    n->as.call.callee = callee;
    n->as.call.count = count;
    n->as.call.args = args;
    return n;
}

Node *core_prim(CoreContext *c, const Site *site, const Prim *prim, int count, Node **args) {
    Node *n = make(c, N_PRIM, site);
    n->as.prim.prim = prim;
    n->as.prim.count = count;
    n->as.prim.args = args;
    return n;
}

Node *core_seq(CoreContext *c, const Site *site, int count, Node **items) {
    if (count == 1) return items[0];
    Node *n = make(c, N_SEQ, site);
    n->as.seq.count = count;
    n->as.seq.items = items;
    return n;
}

Node *core_loop(CoreContext *c, const Site *site, const ProcInfo *info, Var *label, int count,
                Var **vars, Node **inits, Node *body) {
    Node *n = make(c, N_LOOP, site);
    n->as.loop.label = label;
    n->as.loop.vars = vars;
    n->as.loop.inits = inits;
    n->as.loop.count = count;
    n->as.loop.body = body;
    n->as.loop.info = info;
    return n;
}

Node *core_next(CoreContext *c, const Site *site, Var *label, int count, Node **args) {
    Node *n = make(c, N_NEXT, site);
    n->as.next.label = label;
    n->as.next.args = args;
    n->as.next.count = count;
    return n;
}

Var *core_var(CoreContext *c, const char *name) {
    Var *v = base_arena_alloc(c->arena, sizeof *v);
    v->name = name;
    v->id = ++c->next_var;
    return v;
}

/* ---- sites ---- */

/* Sites are many, so each thread takes them from a run of its own: the lock of what lives for ever
 * is passed once a run. */
enum { SITE_RUN = 128 };
static _Thread_local Site *run, *run_end;

const Site *core_site(SrcPos pos, const ProcInfo *proc, const Site *caller) {
    if (run == run_end) {
        run = rt_forever_alloc(SITE_RUN * sizeof *run);
        run_end = run + SITE_RUN;
    }
    *run = (Site){pos, proc, caller};
    return run++;
}

const ProcInfo *core_proc(const char *name, SrcPos pos, const ProcInfo *outer) {
    if (!name[0] && outer) name = "||"; /* a top level alone has no name */
    ProcInfo *p = rt_forever_alloc(sizeof *p);
    *p = (ProcInfo){rt_forever_string(name), pos, outer};
    return p;
}
