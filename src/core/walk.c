/* walk.c: what is done to whole trees: visiting children, copying, counting.
 *
 * Chains that grow with the length of a program text (the else branches of a cond, a let in a let's
 * body) hang on a node's last child; size and counts follow that child in a loop instead of
 * recursing. */
#include "core/core.h"

/* ---- visiting ---- */

static void each(Node **items, int count, void (*f)(void *context, Node **child), void *context) {
    for (int i = 0; i < count; i++) f(context, &items[i]);
}

void core_each_child(Node *n, void (*f)(void *context, Node **child), void *context) {
    switch (n->kind) {
    case N_CONST:
    case N_LOCAL:
    case N_GLOBAL:
    case N_COUNT: break;
    case N_SET_LOCAL: f(context, &n->as.set_local.value); break;
    case N_SET_GLOBAL: f(context, &n->as.set_global.value); break;
    case N_IF:
        f(context, &n->as.branch.test);
        f(context, &n->as.branch.then);
        f(context, &n->as.branch.otherwise);
        break;
    case N_LET:
    case N_LETREC:
        each(n->as.let.inits, n->as.let.count, f, context);
        f(context, &n->as.let.body);
        break;
    case N_LAMBDA:
        for (int i = 0; i < n->as.lambda.count; i++) f(context, &n->as.lambda.clauses[i].body);
        break;
    case N_CALL:
        f(context, &n->as.call.callee);
        each(n->as.call.args, n->as.call.count, f, context);
        break;
    case N_PRIM: each(n->as.prim.args, n->as.prim.count, f, context); break;
    case N_SEQ: each(n->as.seq.items, n->as.seq.count, f, context); break;
    case N_LOOP:
        each(n->as.loop.inits, n->as.loop.count, f, context);
        f(context, &n->as.loop.body);
        break;
    case N_NEXT: each(n->as.next.args, n->as.next.count, f, context); break;
    }
}

/* ---- size and uses: a preorder walk with the last child in a loop ---- */

/* Calls f on N and everything below; it stops once f returns false. */
typedef struct Walk {
    bool (*f)(struct Walk *w, Node *n);
    int count, limit;
    Node *pending; /* the last child met, not yet walked */
    bool stopped;
} Walk;

static void walk(Walk *w, Node *n);

static void walk_child(void *context, Node **child) {
    Walk *w = context;
    Node *before = w->pending;
    w->pending = NULL;
    if (before && !w->stopped) walk(w, before);
    w->pending = *child;
}

static void walk(Walk *w, Node *n) {
    while (n && !w->stopped) {
        if (!w->f(w, n)) {
            w->stopped = true;
            return;
        }
        w->pending = NULL;
        core_each_child(n, walk_child, w);
        n = w->pending;
    }
    w->pending = NULL;
}

static bool count_node(Walk *w, Node *n) {
    (void)n;
    return ++w->count < w->limit;
}

int core_size(const Node *n, int limit) {
    Walk w = {.f = count_node, .limit = limit};
    walk(&w, (Node *)(uintptr_t)n);
    return w.count;
}

static void bind(Var *v, Node *init) {
    v->refs = v->sets = 0;
    v->bound = init;
}

static void bind_all(Var **vars, Node **inits, int count) {
    for (int i = 0; i < count; i++) bind(vars[i], inits ? inits[i] : NULL);
}

/* Preorder: a binding node comes before all uses of its variables. */
static bool count_uses(Walk *w, Node *n) {
    (void)w;
    switch (n->kind) {
    case N_LOCAL: n->as.local->refs++; break;
    case N_SET_LOCAL: n->as.set_local.var->sets++; break;
    case N_LET:
    case N_LETREC: bind_all(n->as.let.vars, n->as.let.inits, n->as.let.count); break;
    case N_LAMBDA:
        for (int i = 0; i < n->as.lambda.count; i++)
            bind_all(n->as.lambda.clauses[i].params, NULL, n->as.lambda.clauses[i].nparams);
        break;
    case N_LOOP:
        bind(n->as.loop.label, NULL);
        bind_all(n->as.loop.vars, NULL, n->as.loop.count);
        break;
    case N_NEXT: n->as.next.label->refs++; break;
    default: break;
    }
    return true;
}

void core_count_uses(Node *n) {
    Walk w = {.f = count_uses};
    walk(&w, n);
}

/* ---- copying ---- */

typedef struct Copy {
    CoreContext *c;
    const Site *caller;
    base_map vars;  /* Var in the original -> Var in the copy */
    base_map sites; /* Site in the original -> Site in the copy */
} Copy;

static const Site *copy_site(Copy *k, const Site *site) {
    if (!k->caller || !site) return site;
    bool added;
    uint64_t *slot = base_map_at(&k->sites, (uint64_t)site, &added);
    if (!added) return (const Site *)*slot;
    const Site *outer = site->caller ? copy_site(k, site->caller) : k->caller;
    const Site *copy = core_site(site->pos, site->proc, outer);
    *base_map_at(&k->sites, (uint64_t)site, NULL) = (uint64_t)copy;
    return copy;
}

static Var *copy_binding(Copy *k, Var *v) {
    Var *copy = core_var(k->c, v->name);
    copy->refs = v->refs;
    copy->sets = v->sets;
    *base_map_at(&k->vars, (uint64_t)v, NULL) = (uint64_t)copy;
    return copy;
}

/* A variable bound outside of what is copied stays itself. */
static Var *copy_use(Copy *k, Var *v) {
    uint64_t *slot = base_map_find(&k->vars, (uint64_t)v);
    return slot ? (Var *)*slot : v;
}

static void copy_bindings(Copy *k, Var ***vars, int count) {
    Var **copy = core_alloc(k->c, (size_t)count * sizeof *copy);
    for (int i = 0; i < count; i++) copy[i] = copy_binding(k, (*vars)[i]);
    *vars = copy;
}

static void copy_array(Copy *k, Node ***items, int count) {
    Node **copy = core_alloc(k->c, (size_t)count * sizeof *copy);
    if (count) memcpy(copy, *items, (size_t)count * sizeof *copy);
    *items = copy;
}

static void copy_clauses(Copy *k, Node *n) {
    Clause *copy = core_alloc(k->c, (size_t)n->as.lambda.count * sizeof *copy);
    for (int i = 0; i < n->as.lambda.count; i++) {
        copy[i] = n->as.lambda.clauses[i];
        copy_bindings(k, &copy[i].params, copy[i].nparams);
    }
    n->as.lambda.clauses = copy;
}

/* Gives the fresh node N arrays and variables of its own; its children are still the original's. */
static void copy_parts(Copy *k, Node *n) {
    switch (n->kind) {
    case N_LOCAL: n->as.local = copy_use(k, n->as.local); break;
    case N_SET_LOCAL: n->as.set_local.var = copy_use(k, n->as.set_local.var); break;
    case N_LET:
    case N_LETREC:
        copy_bindings(k, &n->as.let.vars, n->as.let.count);
        copy_array(k, &n->as.let.inits, n->as.let.count);
        break;
    case N_LAMBDA: copy_clauses(k, n); break;
    case N_CALL: copy_array(k, &n->as.call.args, n->as.call.count); break;
    case N_PRIM: copy_array(k, &n->as.prim.args, n->as.prim.count); break;
    case N_SEQ: copy_array(k, &n->as.seq.items, n->as.seq.count); break;
    case N_LOOP:
        n->as.loop.label = copy_binding(k, n->as.loop.label);
        copy_bindings(k, &n->as.loop.vars, n->as.loop.count);
        copy_array(k, &n->as.loop.inits, n->as.loop.count);
        break;
    case N_NEXT:
        n->as.next.label = copy_use(k, n->as.next.label);
        copy_array(k, &n->as.next.args, n->as.next.count);
        break;
    default: break;
    }
}

static void copy_child(void *context, Node **child);

static Node *copy_node(Copy *k, const Node *n) {
    Node *copy = core_alloc(k->c, sizeof *copy);
    *copy = *n;
    copy->site = copy_site(k, n->site);
    copy_parts(k, copy);
    core_each_child(copy, copy_child, k);
    if (copy->kind == N_LET || copy->kind == N_LETREC)
        for (int i = 0; i < copy->as.let.count; i++)
            copy->as.let.vars[i]->bound = copy->as.let.inits[i];
    return copy;
}

static void copy_child(void *context, Node **child) { *child = copy_node(context, *child); }

Node *core_copy(CoreContext *c, Node *n, const Site *caller) {
    Copy k = {.c = c, .caller = caller};
    Node *copy = copy_node(&k, n);
    base_map_free(&k.vars);
    base_map_free(&k.sites);
    return copy;
}
