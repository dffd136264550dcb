/* letrec.c: what a letrec* binds, sorted out (Ghuloum and Dybvig, "Fixing Letrec (reloaded)",
 * 2009).
 *
 * The bindings form a graph: i -> j where the init of i mentions variable j, and i -> the complex
 * binding before it, since those are evaluated in order. Its strongly connected components, in
 * order of dependency, become nested forms:
 *
 *   one binding that does not mention itself         (let ((x init)) ...)
 *   lambdas whose variables are never assigned       (letrec ((f (lambda ...)) ...) ...), which
 * makes closures directly anything else                                    (let ((x undefined) ...)
 * (set! x init) ... ), checked at each use
 *
 * Not done here: a lambda that mentions only itself through a complex binding still goes the slow
 * way. */
#include "opt/internal.h"

#include <stdlib.h>

typedef struct Binding {
    Var *var;
    Node *init;
    BASE_VEC(int) uses; /* indices of bindings */
    int index, low;     /* Tarjan's */
    bool on_stack;
    int component;
} Binding;

typedef struct Graph {
    CoreContext *c;
    Binding *b;
    int count, next_index, components;
    int *stack, depth;
} Graph;

static bool is_lambda(const Binding *b) { return b->init->kind == N_LAMBDA && b->var->sets == 0; }

typedef struct Find {
    Graph *g;
    int from;
} Find;
/* Adds the edges of what N mentions. scratch holds 1 + the index while the graph is built. */
static void find_uses(void *context, Node **place) {
    Find *f = context;
    const Node *n = *place;
    Var *v = n->kind == N_LOCAL ? n->as.local : n->kind == N_SET_LOCAL ? n->as.set_local.var : NULL;
    if (v && v->scratch) {
        int to = (int)(intptr_t)v->scratch - 1;
        if (to >= 0 && to < f->g->count && f->g->b[to].var == v)
            BASE_PUSH(&f->g->b[f->from].uses, to);
    }
    core_each_child(*place, find_uses, f);
}

static void connect(Graph *g, int i) {
    Binding *b = &g->b[i];
    b->index = b->low = ++g->next_index;
    g->stack[g->depth++] = i;
    b->on_stack = true;
    for (size_t k = 0; k < b->uses.len; k++) {
        Binding *to = &g->b[b->uses.at[k]];
        if (!to->index) {
            connect(g, b->uses.at[k]);
            b->low = BASE_MIN(b->low, to->low);
        } else if (to->on_stack) {
            b->low = BASE_MIN(b->low, to->index);
        }
    }
    if (b->low != b->index) return;
    int member;
    do {
        member = g->stack[--g->depth];
        g->b[member].on_stack = false;
        g->b[member].component = g->components;
    } while (member != i);
    g->components++;
}

static bool mentions_itself(const Graph *g, int i) {
    const Binding *b = &g->b[i];
    for (size_t k = 0; k < b->uses.len; k++)
        if (b->uses.at[k] == i) return true;
    return false;
}

static Node *wrap(Graph *g, const Site *site, int component, Node *body) {
    CoreContext *c = g->c;
    int count = 0, lambdas = 0, only = 0;
    for (int i = 0; i < g->count; i++)
        if (g->b[i].component == component) count++, only = i, lambdas += is_lambda(&g->b[i]);
    Var **vars = core_alloc(c, (size_t)count * sizeof *vars);
    Node **inits = core_alloc(c, (size_t)count * sizeof *inits);
    int k = 0;
    for (int i = 0; i < g->count; i++)
        if (g->b[i].component == component) {
            vars[k] = g->b[i].var;
            inits[k++] = g->b[i].init;
        }
    if (count == 1 && !mentions_itself(g, only)) return core_let(c, site, 1, vars, inits, body);
    if (lambdas == count) return core_letrec(c, site, count, vars, inits, body);
    /* Lambdas among them stay a letrec inside; the rest is assigned in order. */
    Var **fixed = core_alloc(c, (size_t)count * sizeof *fixed);
    Node **lambda = core_alloc(c, (size_t)count * sizeof *lambda),
         **items = core_alloc(c, ((size_t)count + 1) * sizeof *items);
    Var **loose = core_alloc(c, (size_t)count * sizeof *loose);
    Node **undefined = core_alloc(c, (size_t)count * sizeof *undefined);
    int nfixed = 0, nloose = 0;
    for (int i = 0; i < count; i++) {
        if (inits[i]->kind == N_LAMBDA && vars[i]->sets == 0) {
            fixed[nfixed] = vars[i];
            lambda[nfixed++] = inits[i];
        } else {
            loose[nloose] = vars[i];
            undefined[nloose] = core_const(c, site, V_UNDEFINED);
            items[nloose++] = core_set_local(c, inits[i]->site, vars[i], inits[i]);
            vars[i]->sets++;
        }
    }
    items[nloose] = body;
    Node *inner = core_seq(c, site, nloose + 1, items);
    if (nfixed) inner = core_letrec(c, site, nfixed, fixed, lambda, inner);
    return core_let(c, site, nloose, loose, undefined, inner);
}

static Node *sort_out(CoreContext *c, Node *n) {
    int count = n->as.let.count;
    if (count == 0) return n->as.let.body;
    Graph g = {.c = c, .count = count};
    g.b = core_alloc(c, (size_t)count * sizeof *g.b);
    g.stack = core_alloc(c, (size_t)count * sizeof *g.stack);
    for (int i = 0; i < count; i++) {
        g.b[i] = (Binding){.var = n->as.let.vars[i], .init = n->as.let.inits[i]};
        g.b[i].var->scratch = (void *)(intptr_t)(i + 1);
    }
    int complex = -1;
    for (int i = 0; i < count; i++) {
        Find f = {&g, i};
        find_uses(&f, &n->as.let.inits[i]);
        if (is_lambda(&g.b[i])) continue;
        if (complex >= 0) BASE_PUSH(&g.b[i].uses, complex);
        complex = i;
    }
    for (int i = 0; i < count; i++)
        if (!g.b[i].index) connect(&g, i);
    /* Components are numbered with what they depend on first, so the last is the innermost. */
    Node *body = n->as.let.body;
    for (int k = g.components - 1; k >= 0; k--) body = wrap(&g, n->site, k, body);
    for (int i = 0; i < count; i++) {
        g.b[i].var->scratch = NULL;
        BASE_VEC_FREE(&g.b[i].uses);
    }
    return body;
}

static Node *convert(CoreContext *c, Node *n) {
    opt_each(c, n, convert);
    return n->kind == N_LETREC ? sort_out(c, n) : n;
}

Node *opt_letrec(CoreContext *c, Node *n) {
    core_count_uses(n);
    return convert(c, n);
}
