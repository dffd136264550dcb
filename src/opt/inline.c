/* inline.c: procedures and values go to where they are used.
 *
 * - A variable bound to a constant or to another unassigned variable: its uses become that.
 * - A variable bound to a lambda: each call of it becomes a let of the body, when that is small, or
 *   when this is its only use and it is of moderate size. Were once-called procedures taken at any
 *   size, a chain of n procedures, each called by the next one, would be copied n * n / 2 times.
 * - A call of a global whose one definition is a small lambda: likewise, with a copy of the body.
 * - An unused binding of something without effect: it goes.
 *
 * Copies get fresh variables, and their sites are chained to the call, so that reports and
 * backtraces still name the procedure that was inlined. A recursive procedure is not inlined where
 * it calls itself: letrec bindings stay, a global is busy while its definition is being visited or
 * a copy of its body is. Sizes are in nodes.
 *
 * A program that profiles itself can make the limits depend on heat; here they are plain. */
#include "opt/internal.h"

enum { SMALL_LOCAL = 12, SMALL_GLOBAL = 14, ONCE_LOCAL = 100, DEEPEST = 6 };

typedef struct Definition {
    Node *lambda; /* in the arena of definitions, never freed */
    bool busy;    /* its definition, or a copy of its body, is being visited */
} Definition;

static int depth;

static Node *visit(CoreContext *c, Node *n);

/* The call of LAMBDA with these arguments as a let; the body's sites are chained to SITE. */
static Node *expand_call(CoreContext *c, const Site *site, Node *lambda, int count, Node **args) {
    Node *copy = core_copy(c, lambda, site);
    return opt_beta(c, site, copy, count, args);
}

static bool is_inlinable_local(const Var *v) {
    const Node *b = v->bound;
    if (!b || v->sets || b->kind != N_LAMBDA || b->as.lambda.count != 1) return false;
    int limit = v->refs == 1 ? ONCE_LOCAL : SMALL_LOCAL;
    return core_size(b, limit + 1) <= limit;
}

static Node *visit_call(CoreContext *c, Node *n) {
    Node *callee = n->as.call.callee;
    Node *let = NULL;
    if (depth >= DEEPEST) return n;
    if (callee->kind == N_LOCAL && is_inlinable_local(callee->as.local)) {
        let = expand_call(c, n->site, callee->as.local->bound, n->as.call.count, n->as.call.args);
        if (let) callee->as.local->refs--;
    } else if (callee->kind == N_GLOBAL && callee->as.global->known &&
               !callee->as.global->assigned) {
        Definition *d = callee->as.global->known;
        if (!d->busy) {
            d->busy = true;
            let = expand_call(c, n->site, d->lambda, n->as.call.count, n->as.call.args);
            if (let) {
                core_count_uses(let);
                depth++;
                let = visit(c, let);
                depth--;
            }
            d->busy = false;
        }
        return let ? let : n;
    } else if (callee->kind == N_LAMBDA) {
        let = opt_beta(c, n->site, callee, n->as.call.count, n->as.call.args);
    }
    return let ? let : n;
}

/* What V's uses may become: a constant or an unassigned variable. NULL: nothing. */
static Node *replacement(const Var *v) {
    Node *b = v->bound;
    if (!b || v->sets) return NULL;
    if (b->kind == N_CONST && b->as.constant != V_UNDEFINED) return b;
    if (b->kind == N_LOCAL && b->as.local->sets == 0) return b;
    return NULL;
}

static Node *visit_local(CoreContext *c, Node *n) {
    Node *r = replacement(n->as.local);
    if (!r) return n;
    n->as.local->refs--;
    if (r->kind == N_CONST) return core_const(c, n->site, r->as.constant);
    r->as.local->refs++;
    return visit_local(c, core_local(c, n->site, r->as.local));
}

static Node *visit_let(CoreContext *c, Node *n) {
    int kept = 0;
    for (int i = 0; i < n->as.let.count; i++) {
        n->as.let.inits[i] = visit(c, n->as.let.inits[i]);
        n->as.let.vars[i]->bound = n->as.let.inits[i];
    }
    n->as.let.body = visit(c, n->as.let.body);
    for (int i = 0; i < n->as.let.count; i++) {
        Var *v = n->as.let.vars[i];
        if (v->refs == 0 && v->sets == 0 && opt_is_simple(n->as.let.inits[i])) continue;
        n->as.let.vars[kept] = v;
        n->as.let.inits[kept++] = n->as.let.inits[i];
    }
    n->as.let.count = kept;
    return kept ? n : n->as.let.body;
}

/* Within the definition of a global no call of it is inlined. */
static Node *visit_set_global(CoreContext *c, Node *n) {
    Definition *d = n->as.set_global.global->known;
    bool define = n->as.set_global.define && d;
    if (define) d->busy = true;
    opt_each(c, n, visit);
    if (define) d->busy = false;
    return n;
}

static Node *visit(CoreContext *c, Node *n) {
    switch (n->kind) {
    case N_LOCAL: return visit_local(c, n);
    case N_LET: return visit_let(c, n);
    case N_LETREC:
        /* Recursive: not inlined. */
        for (int i = 0; i < n->as.let.count; i++) n->as.let.vars[i]->bound = NULL;
        opt_each(c, n, visit);
        return n;
    case N_CALL: opt_each(c, n, visit); return visit_call(c, n);
    case N_SET_GLOBAL: return visit_set_global(c, n);
    default: opt_each(c, n, visit); return n;
    }
}

Node *opt_inline(CoreContext *c, Node *n) {
    core_count_uses(n);
    depth = 0;
    return visit(c, n);
}

/* ---- definitions of globals ---- */

/* Whether N holds no heap constant but symbols (so it may be kept without being a root). */
static void has_heap_constant(void *context, Node **place) {
    const Node *n = *place;
    if (n->kind == N_CONST && is_heap(n->as.constant) && !is_symbol(n->as.constant))
        *(bool *)context = true;
    core_each_child(*place, has_heap_constant, context);
}

void opt_note_definitions(CoreContext *c, const Unit *unit) {
    static base_arena kept;
    CoreContext keep = *c;
    keep.arena = &kept;
    for (int i = 0; i < unit->count; i++) {
        Node *n = unit->forms[i];
        if (n->kind != N_SET_GLOBAL || !n->as.set_global.define ||
            n->as.set_global.global->assigned)
            continue;
        Node *lambda = n->as.set_global.value;
        if (lambda->kind != N_LAMBDA || lambda->as.lambda.count != 1 ||
            core_size(lambda, SMALL_GLOBAL + 1) > SMALL_GLOBAL)
            continue;
        bool heap = false;
        has_heap_constant(&heap, &lambda);
        if (heap) continue;
        Definition *d = base_arena_alloc(&kept, sizeof *d);
        d->lambda = core_copy(&keep, lambda, NULL);
        n->as.set_global.global->known = d;
    }
    c->next_var = keep.next_var;
}
