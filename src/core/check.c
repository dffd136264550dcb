/* check.c: is a tree sound? Run between passes in debug builds.
 *
 * Checked: each node has one parent; a variable is bound once, and used only in its scope; NEXT
 * stands in tail position of the loop it names, not inside a lambda, with as many arguments as the
 * loop has variables; refs and sets are the true numbers. */
#include "core/core.h"

#include <stdio.h>

/* What is known of a variable while the tree is walked. */
typedef struct Seen {
    uint32_t refs, sets;
    bool in_scope;
    Node *loop; /* a loop's label: the loop */
} Seen;

typedef struct Check {
    CoreContext *c;
    base_map nodes; /* Node -> 1 */
    base_map vars;  /* Var -> Seen */
    const char *fault;
} Check;

static void check(Check *k, Node *n, const base_map *loops, bool tail);

static void fault(Check *k, const Node *n, const char *what, const char *name) {
    if (k->fault) return;
    const SrcPos *pos = n->site ? &n->site->pos : NULL;
    k->fault = base_arena_printf(k->c->arena, "%s:%u:%u: %s%s%s",
                                 pos && pos->file ? pos->file->path : "?", pos ? pos->line : 0,
                                 pos ? pos->column : 0, what, name ? " " : "", name ? name : "");
}

static const char *label(Check *k, const Var *v) {
    return base_arena_printf(k->c->arena, "%s.%u", v->name, v->id);
}

static Seen *seen(Check *k, const Var *v) {
    uint64_t *slot = base_map_find(&k->vars, (uint64_t)v);
    return slot ? (Seen *)*slot : NULL;
}

static void bind(Check *k, const Node *n, Var *const *vars, int count) {
    for (int i = 0; i < count; i++) {
        bool added;
        uint64_t *slot = base_map_at(&k->vars, (uint64_t)vars[i], &added);
        if (!added) fault(k, n, "a variable is bound twice:", label(k, vars[i]));
        Seen *s = core_alloc(k->c, sizeof *s);
        s->in_scope = true;
        *slot = (uint64_t)s;
    }
}

static void unbind(Check *k, const Node *n, Var *const *vars, int count) {
    for (int i = 0; i < count; i++) {
        Seen *s = seen(k, vars[i]);
        s->in_scope = false;
        if (s->refs != vars[i]->refs || s->sets != vars[i]->sets)
            fault(k, n, "the counts are wrong of", label(k, vars[i]));
    }
}

static Seen *use(Check *k, const Node *n, const Var *v) {
    Seen *s = seen(k, v);
    if (s && s->in_scope) return s;
    fault(k, n, "used out of its scope:", label(k, v));
    return NULL;
}

static void check_all(Check *k, Node **items, int count) {
    for (int i = 0; i < count; i++) check(k, items[i], NULL, false);
}

static void check_let(Check *k, Node *n, const base_map *loops, bool tail) {
    if (n->kind == N_LET) check_all(k, n->as.let.inits, n->as.let.count);
    bind(k, n, n->as.let.vars, n->as.let.count);
    if (n->kind == N_LETREC) check_all(k, n->as.let.inits, n->as.let.count);
    check(k, n->as.let.body, loops, tail);
    unbind(k, n, n->as.let.vars, n->as.let.count);
}

static void check_lambda(Check *k, Node *n) {
    if (!n->as.lambda.info) fault(k, n, "a lambda has no info", NULL);
    for (int i = 0; i < n->as.lambda.count; i++) {
        Clause *c = &n->as.lambda.clauses[i];
        if (c->rest && c->nparams < 1) fault(k, n, "a rest parameter is missing", NULL);
        bind(k, n, c->params, c->nparams);
        check(k, c->body, NULL, true);
        unbind(k, n, c->params, c->nparams);
    }
}

/* LOOPS: the loops whose body's tail position this is. */
static void check_loop(Check *k, Node *n, const base_map *loops, bool tail) {
    check_all(k, n->as.loop.inits, n->as.loop.count);
    bind(k, n, &n->as.loop.label, 1);
    bind(k, n, n->as.loop.vars, n->as.loop.count);
    seen(k, n->as.loop.label)->loop = n;
    base_map inner = {0};
    size_t it = 0;
    uint64_t key, value;
    while (tail && loops && base_map_next(loops, &it, &key, &value))
        *base_map_at(&inner, key, NULL) = value;
    *base_map_at(&inner, (uint64_t)n, NULL) = 1;
    check(k, n->as.loop.body, &inner, true);
    base_map_free(&inner);
    unbind(k, n, n->as.loop.vars, n->as.loop.count);
    unbind(k, n, &n->as.loop.label, 1);
}

static void check_next(Check *k, Node *n, const base_map *loops, bool tail) {
    check_all(k, n->as.next.args, n->as.next.count);
    Seen *s = use(k, n, n->as.next.label);
    if (!s) return;
    s->refs++;
    if (!s->loop)
        fault(k, n, "next names no loop:", label(k, n->as.next.label));
    else if (!tail || !loops || !base_map_find(loops, (uint64_t)s->loop))
        fault(k, n, "next is not in tail position of its loop:", label(k, n->as.next.label));
    else if (s->loop->as.loop.count != n->as.next.count)
        fault(k, n, "next has the wrong number of arguments:", label(k, n->as.next.label));
}

static void check_prim(Check *k, Node *n) {
    const Prim *p = n->as.prim.prim;
    if (!p) fault(k, n, "a primitive is missing", NULL);
    check_all(k, n->as.prim.args, n->as.prim.count);
}

static void check_use(Check *k, Node *n, const Var *v, bool set) {
    Seen *s = use(k, n, v);
    if (!s) return;
    if (set)
        s->sets++;
    else
        s->refs++;
}

static void check(Check *k, Node *n, const base_map *loops, bool tail) {
    if (k->fault) return;
    bool added;
    base_map_at(&k->nodes, (uint64_t)n, &added);
    if (!added) {
        fault(k, n, "a node has two parents", NULL);
        return;
    }
    switch (n->kind) {
    case N_CONST:
    case N_GLOBAL: break;
    case N_LOCAL: check_use(k, n, n->as.local, false); break;
    case N_SET_LOCAL:
        check_use(k, n, n->as.set_local.var, true);
        check(k, n->as.set_local.value, NULL, false);
        break;
    case N_SET_GLOBAL: check(k, n->as.set_global.value, NULL, false); break;
    case N_IF:
        check(k, n->as.branch.test, NULL, false);
        check(k, n->as.branch.then, loops, tail);
        check(k, n->as.branch.otherwise, loops, tail);
        break;
    case N_LET:
    case N_LETREC: check_let(k, n, loops, tail); break;
    case N_LAMBDA: check_lambda(k, n); break;
    case N_CALL:
        check(k, n->as.call.callee, NULL, false);
        check_all(k, n->as.call.args, n->as.call.count);
        break;
    case N_PRIM: check_prim(k, n); break;
    case N_SEQ:
        check_all(k, n->as.seq.items, n->as.seq.count - 1);
        check(k, n->as.seq.items[n->as.seq.count - 1], loops, tail);
        break;
    case N_LOOP: check_loop(k, n, loops, tail); break;
    case N_NEXT: check_next(k, n, loops, tail); break;
    case N_COUNT: fault(k, n, "a node of no kind", NULL); break;
    }
}

const char *core_check(CoreContext *c, Node *n) {
    Check k = {.c = c};
    check(&k, n, NULL, true);
    base_map_free(&k.nodes);
    base_map_free(&k.vars);
    return k.fault;
}
