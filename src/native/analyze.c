/* analyze.c: the procedures of a unit, who is known where it is called, and free variables.
 *
 * A variable that is bound by let or letrec to a lambda of one clause and never assigned names a
 * known procedure: a call with the right number of arguments goes straight to its function. If all
 * its uses are such calls, no closure is made of it: it is lifted, its free variables are further
 * arguments. A closure without free variables is made once, when the unit starts; it is no free
 * variable of others. What is free depends on whether those that are mentioned have free variables
 * themselves, so the sets grow from empty ones until nothing changes. */
#include "native/internal.h"

static Proc *proc_new(UnitCode *u, Proc *outer, const Node *lambda, const Clause *clause) {
    Proc *p = BASE_NEW(u->arena, Proc);
    p->unit = u;
    p->outer = outer;
    p->lambda = lambda;
    p->clause = clause;
    p->id = (uint32_t)u->procs.len;
    p->closure_index = p->code = -1;
    BASE_PUSH(&u->procs, p);
    return p;
}

static VarInfo *bind(UnitCode *u, Proc *owner, Var *v) {
    VarInfo *info = BASE_NEW(u->arena, VarInfo);
    info->owner = owner;
    v->scratch = info;
    return info;
}

/* ---- procedures ---- */

static void visit(Proc *p, Node *n);

static void visit_all(Proc *p, Node **items, int count) {
    for (int i = 0; i < count; i++) visit(p, items[i]);
}

static const char *name_of(UnitCode *u, const Node *lambda) {
    const char *name = lambda->as.lambda.info ? lambda->as.lambda.info->name : "";
    return native_unit_name(u, native_mangle(u->arena, name[0] ? name : "body"));
}

static Proc *make_proc(Proc *outer, Node *lambda, const Clause *clause) {
    Proc *p = proc_new(outer->unit, outer, lambda, clause);
    p->name = name_of(outer->unit, lambda);
    for (int i = 0; i < clause->nparams; i++) bind(p->unit, p, clause->params[i]);
    return p;
}

/* A lambda that is a value. */
static void visit_lambda(Proc *p, Node *n) {
    for (int i = 0; i < n->as.lambda.count; i++) {
        Proc *inner = make_proc(p, n, &n->as.lambda.clauses[i]);
        visit(inner, n->as.lambda.clauses[i].body);
    }
}

static bool may_be_known(const Var *v, const Node *init) {
    return init->kind == N_LAMBDA && init->as.lambda.count == 1 && v->sets == 0;
}

static void visit_known(Proc *inner, Node *init) { visit(inner, init->as.lambda.clauses[0].body); }

static void visit_let(Proc *p, Node *n) {
    int count = n->as.let.count;
    Proc **procs = BASE_NEW_ARRAY(p->unit->arena, Proc *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        Node *init = n->as.let.inits[i];
        VarInfo *info = bind(p->unit, p, n->as.let.vars[i]);
        if (!may_be_known(n->as.let.vars[i], init)) continue;
        procs[i] = info->proc = make_proc(p, init, &init->as.lambda.clauses[0]);
        procs[i]->self = n->as.let.vars[i];
    }
    for (int i = 0; i < count; i++) {
        if (procs[i])
            visit_known(procs[i], n->as.let.inits[i]);
        else
            visit(p, n->as.let.inits[i]);
    }
    visit(p, n->as.let.body);
}

static bool takes(int required, bool rest, int count) {
    return count == required || (rest && count > required);
}

static void visit_call(Proc *p, Node *n) {
    Node *callee = n->as.call.callee;
    visit(p, callee);
    visit_all(p, n->as.call.args, n->as.call.count);
    if (callee->kind != N_LOCAL) return;
    VarInfo *info = var_info(callee->as.local);
    if (!info->proc) return;
    const Clause *c = info->proc->clause;
    if (takes(c->nparams - c->rest, c->rest, n->as.call.count)) info->calls++;
}

static void visit(Proc *p, Node *n) {
    switch (n->kind) {
    case N_LAMBDA: visit_lambda(p, n); return;
    case N_LET:
    case N_LETREC: visit_let(p, n); return;
    case N_LOOP:
        visit_all(p, n->as.loop.inits, n->as.loop.count);
        for (int i = 0; i < n->as.loop.count; i++) bind(p->unit, p, n->as.loop.vars[i]);
        visit(p, n->as.loop.body);
        return;
    case N_CALL: visit_call(p, n); return;
    case N_IF:
        visit(p, n->as.branch.test);
        visit(p, n->as.branch.then);
        visit(p, n->as.branch.otherwise);
        return;
    case N_SET_LOCAL: visit(p, n->as.set_local.value); return;
    case N_SET_GLOBAL: visit(p, n->as.set_global.value); return;
    case N_PRIM: visit_all(p, n->as.prim.args, n->as.prim.count); return;
    case N_SEQ: visit_all(p, n->as.seq.items, n->as.seq.count); return;
    case N_NEXT: visit_all(p, n->as.next.args, n->as.next.count); return;
    default: return;
    }
}

/* ---- what each body mentions ---- */

static void add_var(Proc *p, Var *v) {
    if (var_info(v)->owner == p) return;
    for (size_t i = 0; i < p->refs.len; i++)
        if (p->refs.at[i] == v) return;
    BASE_PUSH(&p->refs, v);
}

static void mention(Proc *p, Node *n);
static void mention_child(void *context, Node **child) { mention(context, *child); }

static Proc *find_proc(Proc *outer, const Clause *clause) {
    uint64_t *place = base_map_find(&outer->unit->clauses, (uint64_t)clause);
    return (Proc *)*place;
}

static void mention_lambda(Proc *p, Node *n) {
    for (int i = 0; i < n->as.lambda.count; i++) {
        Proc *inner = find_proc(p, &n->as.lambda.clauses[i]);
        if (!inner->lifted) BASE_PUSH(&p->made, inner);
        mention(inner, n->as.lambda.clauses[i].body);
    }
}

static void mention(Proc *p, Node *n) {
    if (n->kind == N_LAMBDA) {
        mention_lambda(p, n);
        return;
    }
    if (n->kind == N_LOCAL || n->kind == N_SET_LOCAL) {
        Var *v = n->kind == N_LOCAL ? n->as.local : n->as.set_local.var;
        Proc *known = var_info(v)->proc;
        if (known && known->lifted)
            BASE_PUSH(&p->called, known);
        else
            add_var(p, v);
    }
    core_each_child(n, mention_child, p);
}

/* ---- free variables ---- */

static bool add_free(Proc *p, Var *v) {
    const VarInfo *info = var_info(v);
    if (info->owner == p || (v == p->self && !p->lifted)) return false;
    if (info->proc && !proc_has_closure(info->proc)) return false;
    for (size_t i = 0; i < p->free.len; i++)
        if (p->free.at[i] == v) return false;
    BASE_PUSH(&p->free, v);
    return true;
}

static bool add_all(Proc *p, const Proc *from) {
    bool changed = false;
    for (size_t i = 0; i < from->free.len; i++) changed = add_free(p, from->free.at[i]) || changed;
    return changed;
}

static bool grow(Proc *p) {
    bool changed = false;
    for (size_t i = 0; i < p->refs.len; i++) changed = add_free(p, p->refs.at[i]) || changed;
    for (size_t i = 0; i < p->made.len; i++) changed = add_all(p, p->made.at[i]) || changed;
    for (size_t i = 0; i < p->called.len; i++) changed = add_all(p, p->called.at[i]) || changed;
    return changed;
}

/* ---- globals ---- */

static bool is_quiet(const Node *n) {
    return n->kind == N_CONST || n->kind == N_LAMBDA ||
           (n->kind == N_SET_GLOBAL && is_quiet(n->as.set_global.value)) ||
           (n->kind == N_LOCAL && n->as.local->sets == 0);
}

/* Notes the unit's definitions of procedures that are never assigned. */
static void note_globals(UnitCode *u) {
    bool early = true;
    for (int i = 0; i < u->source->count; i++) {
        Node *n = u->source->forms[i];
        if (n->kind == N_SET_GLOBAL && n->as.set_global.define &&
            !n->as.set_global.global->assigned && n->as.set_global.value->kind == N_LAMBDA &&
            n->as.set_global.value->as.lambda.count == 1) {
            Node *lambda = n->as.set_global.value;
            Proc *p = find_proc(u->body, &lambda->as.lambda.clauses[0]);
            Global *g = n->as.set_global.global;
            p->global = g;
            p->exported = g->library[0] != 0;
            KnownGlobal *k = BASE_NEW(&u->build->arena, KnownGlobal);
            *k = (KnownGlobal){.target = p->name,
                               .required = p->clause->nparams - p->clause->rest,
                               .rest = p->clause->rest,
                               .proc = p,
                               .early = early};
            *base_map_at(&u->build->known, (uint64_t)g, NULL) = (uint64_t)k;
        }
        early = early && is_quiet(n);
    }
}

/* ---- everything ---- */

static const Site *entry_site(const Proc *p) {
    const ProcInfo *info = p->lambda->as.lambda.info;
    SrcPos pos = info->pos.file ? info->pos : p->lambda->site ? p->lambda->site->pos : (SrcPos){0};
    return core_site(pos, info, NULL);
}

void native_analyze(UnitCode *u) {
    /* The unit's body, as codegen_unit makes it: the last form is no tail call, so that errors name
     * the place at top level that they came from. */
    CoreContext *c = u->core;
    const Unit *unit = u->source;
    Node *value =
        unit->count ? core_seq(c, NULL, unit->count, unit->forms) : core_const(c, NULL, V_UNSPEC);
    Var *result = core_var(c, "value");
    Clause *body = BASE_NEW(u->arena, Clause);
    Var **vars = core_alloc(c, sizeof *vars);
    Node **inits = core_alloc(c, sizeof *inits);
    vars[0] = result;
    inits[0] = value;
    *body = (Clause){.body = core_let(c, NULL, 1, vars, inits, core_local(c, NULL, result))};
    const Site *site = core_site((SrcPos){unit->file, 1, 1}, unit->info, NULL);
    Node *lambda = core_lambda(c, site, unit->info, 1, body);
    u->body = proc_new(u, NULL, lambda, &lambda->as.lambda.clauses[0]);
    u->body->name = native_unit_name(u, "body");
    visit(u->body, body->body);

    for (size_t i = 0; i < u->procs.len; i++) {
        Proc *p = u->procs.at[i];
        *base_map_at(&u->clauses, (uint64_t)p->clause, NULL) = (uint64_t)p;
        p->site = entry_site(p);
        if (p->self) p->lifted = var_info(p->self)->calls == p->self->refs;
    }
    mention(u->body, body->body);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = u->procs.len; i-- > 0;) changed = grow(u->procs.at[i]) || changed;
    }
    for (size_t i = 0; i < u->procs.len; i++) {
        Proc *p = u->procs.at[i];
        if (!p->lifted && p->free.len == 0) p->closure_index = u->closures++;
    }
    note_globals(u);
}
