/* expr.c: expressions: the dispatch, the primitive forms, and the lets. */
#include "expand/internal.h"

#include <stdarg.h>

#include "rt/string.h"

/* ---- small nodes ---- */

Node *expand_const_node(Expander *x, const Site *site, Value v) {
    return core_const(x->core, site, v);
}

Node *expand_unspecific(Expander *x, SrcPos pos) {
    return expand_const_node(x, site_of(x, pos), V_UNSPEC);
}

static Node **node_list(Expander *x, int count, va_list ap) {
    Node **args = NODES(x, count);
    for (int i = 0; i < count; i++) args[i] = va_arg(ap, Node *);
    return args;
}

Node *expand_prim_node(Expander *x, const Site *site, const char *name, int count, ...) {
    va_list ap;
    va_start(ap, count);
    Node **args = node_list(x, count, ap);
    va_end(ap);
    return core_prim(x->core, site, rt_prim_find(name), count, args);
}

Node *expand_call_node(Expander *x, const Site *site, Node *callee, int count, ...) {
    va_list ap;
    va_start(ap, count);
    Node **args = node_list(x, count, ap);
    va_end(ap);
    return core_call(x->core, site, callee, count, args);
}

Node *expand_helper(Expander *x, const Site *site, const char *name) {
    Stx id = {.kind = STX_ATOM, .as.atom = rt_intern_c(x->m, name)};
    Meaning m = expand_resolve(x, &id, &x->base->env->root);
    Denot *d = expand_env_refer(x, &m);
    if (d->kind != DENOT_GLOBAL)
        expand_fail(x, site->pos, "(hone base) must define %s as a variable", name);
    return core_global(x->core, site, d->as.global);
}

/* ---- parts of forms ---- */

void expand_form_fail(Expander *x, const Stx *form, const Stx *at, const char *what) {
    const Stx *keyword = form->as.pair.car;
    expand_fail(x, at->pos, "%s: %s", expand_stx_name(keyword), what);
}

int expand_form_parts(Expander *x, const Form *f, Stx *form, Stx ***parts) {
    int n = expand_stx_items(x, form, parts);
    if (n < 0)
        expand_fail(x, form->pos, "%s: expected %s, but this is no proper list", f->name,
                    f->syntax);
    if (n - 1 < f->least || (f->most >= 0 && n - 1 > f->most))
        expand_fail(x, form->pos, "%s: expected %s, got %d part%s", f->name, f->syntax, n - 1,
                    n == 2 ? "" : "s");
    return n;
}

/* ---- the dispatch ---- */

/* A variable or constant on the line of the call that it stands in shares its site: next to nothing
 * about it can fail, and most nodes are of this kind. */
static const Site *leaf_site(Expander *x, const Stx *s) {
    const Site *near = x->site;
    bool share = near && near->proc == x->proc && near->pos.line == s->pos.line &&
                 near->pos.file == s->pos.file;
    return share ? near : site_of(x, s->pos);
}

static Node *expand_reference(Expander *x, Stx *s, Scope *scope) {
    Meaning m = expand_resolve(x, s, scope);
    Denot *d = expand_env_refer(x, &m);
    switch (d->kind) {
    case DENOT_VAR: return core_local(x->core, leaf_site(x, s), d->as.var);
    case DENOT_GLOBAL: return core_global(x->core, site_of(x, s->pos), d->as.global);
    default: break;
    }
    expand_fail(x, s->pos, "%s is a keyword and has no value", expand_stx_name(s));
}

static Node *expand_call(Expander *x, Stx *s, Scope *scope) {
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    if (n < 0) expand_fail(x, s->pos, "a call must be a proper list");
    const Site *site = x->site = site_of(x, s->pos);
    Node *callee = expand_expr(x, p[0], scope);
    Node **args = NODES(x, n - 1);
    for (int i = 1; i < n; i++) {
        x->site = site;
        args[i - 1] = expand_expr(x, p[i], scope);
    }
    return core_call(x->core, site, callee, n - 1, args);
}

static Node *expand_form_expr(Expander *x, const Form *f, Stx *s, Scope *scope) {
    if (!f->expand && !f->scan)
        expand_fail(x, s->pos, "%s is used outside of the form that it belongs to", f->name);
    if (!f->expand)
        expand_fail(x, s->pos, "%s: a definition is not allowed where an expression is expected",
                    f->name);
    Stx **p;
    int n = expand_form_parts(x, f, s, &p);
    return f->expand(x, s, p, n, scope);
}

/* S without the macro uses at its head. *FORM is its keyword's form, or NULL if it is no form of
 * the core. */
Stx *expand_head(Expander *x, Stx *s, Scope *scope, const Form **form) {
    *form = NULL;
    for (int chain = 0; stx_is_pair(x, s); chain++) {
        Stx *head = s->as.pair.car;
        if (stx_kind(x, head) == STX_PAIR || !stx_is_identifier(head)) return s;
        Meaning m = expand_resolve(x, head, scope);
        if (!m.denot) return s;
        if (m.denot->kind == DENOT_FORM) *form = m.denot->as.form;
        if (m.denot->kind != DENOT_MACRO) return s;
        if (!m.denot->as.macro)
            expand_fail(x, s->pos, "%s: the macro is used before its definition",
                        expand_stx_name(head));
        if (chain >= MAX_CHAIN)
            expand_fail(x, s->pos, "%s: the macro's expansion does not end", expand_stx_name(head));
        s = expand_macro_use(x, m.denot->as.macro, s, scope);
    }
    return s;
}

static Node *expand_pair(Expander *x, Stx *s, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    const Form *f;
    s = expand_head(x, s, scope, &f);
    x->hint = hint;
    if (s->kind != STX_PAIR) return expand_expr(x, s, scope);
    expand_enter(x, s->pos, 1);
    if (!f) x->hint = NULL;
    Node *n = f ? expand_form_expr(x, f, s, scope) : expand_call(x, s, scope);
    x->hint = NULL;
    expand_leave(x, 1);
    return n;
}

Node *expand_expr(Expander *x, Stx *s, Scope *scope) {
    switch (stx_kind(x, s)) {
    case STX_PAIR: return expand_pair(x, s, scope);
    case STX_ALIAS: return expand_reference(x, s, scope);
    case STX_ATOM:
        if (is_symbol(s->as.atom)) return expand_reference(x, s, scope);
        __attribute__((fallthrough));
    case STX_VECTOR: return expand_const_node(x, leaf_site(x, s), read_to_value(x->m, s, true));
    case STX_NIL: expand_fail(x, s->pos, "() is no expression; write '() for the empty list");
    case STX_LABEL: break;
    }
    expand_fail(x, s->pos, "the program text refers to itself");
}

Node *expand_named(Expander *x, Stx *s, Scope *scope, const char *name) {
    x->hint = name;
    Node *n = expand_expr(x, s, scope);
    x->hint = NULL;
    return n;
}

Node *expand_test(Expander *x, Stx *s, Scope *scope) {
    const Form *f;
    s = expand_head(x, s, scope, &f);
    if (!f || (f->id != FORM_OR && f->id != FORM_AND)) return expand_expr(x, s, scope);
    Stx **p;
    int n = expand_form_parts(x, f, s, &p);
    bool is_or = f->id == FORM_OR;
    const Site *site = site_of(x, s->pos);
    if (n == 1) return expand_const_node(x, site, v_bool(!is_or));
    expand_enter(x, s->pos, n);
    Node **tests = NODES(x, n);
    for (int i = 1; i < n; i++) tests[i] = expand_test(x, p[i], scope);
    expand_leave(x, n);
    Node *result = tests[n - 1];
    for (int i = n - 2; i >= 1; i--) {
        Node *decided = expand_const_node(x, site, v_bool(is_or));
        result = is_or ? core_if(x->core, site, tests[i], decided, result)
                       : core_if(x->core, site, tests[i], result, decided);
    }
    return result;
}

Node *expand_sequence(Expander *x, Stx *form, Stx **items, int count, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    if (count == 0) return expand_unspecific(x, form->pos);
    Node **nodes = NODES(x, count);
    for (int i = 0; i < count; i++) {
        if (i == count - 1) x->hint = hint;
        nodes[i] = expand_expr(x, items[i], scope);
    }
    x->hint = NULL;
    return core_seq(x->core, site_of(x, form->pos), count, nodes);
}

/* ---- the primitive forms ---- */

Node *expand_form_quote(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)n, (void)scope;
    return expand_const_node(x, site_of(x, form->pos), read_to_value(x->m, p[1], true));
}

Node *expand_form_if(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Node *test = expand_test(x, p[1], scope);
    Node *then = expand_expr(x, p[2], scope);
    Node *otherwise = n > 3 ? expand_expr(x, p[3], scope) : expand_unspecific(x, form->pos);
    return core_if(x->core, site_of(x, form->pos), test, then, otherwise);
}

Node *expand_form_set(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)n;
    if (!stx_is_identifier(p[1])) expand_form_fail(x, form, p[1], "expected a variable");
    const char *name = expand_stx_name(p[1]);
    Node *value = expand_named(x, p[2], scope, name);
    const Site *site = site_of(x, form->pos);
    Meaning m = expand_resolve(x, p[1], scope);
    Denot *d = expand_env_refer(x, &m);
    if (d->kind == DENOT_VAR) return core_set_local(x->core, site, d->as.var, value);
    if (d->kind != DENOT_GLOBAL)
        expand_fail(x, p[1]->pos, "set!: %s is a keyword, not a variable", name);
    if (m.imported) expand_fail(x, p[1]->pos, "set!: %s is imported and cannot be assigned", name);
    d->as.global->assigned = true;
    return core_set_global(x->core, site, d->as.global, value, false);
}

Node *expand_form_begin(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    if (n == 1) expand_form_fail(x, form, form, "expected an expression, got none");
    return expand_sequence(x, form, p + 1, n - 1, scope);
}

/* ---- lambda ---- */

static Clause expand_clause(Expander *x, Stx *formals, Stx **body, int count, Stx *form,
                            Scope *scope) {
    Clause c = {0};
    Scope *inner = expand_scope_enter(x, scope);
    Stx **ids;
    c.nparams = expand_formals_items(x, form, formals, &ids, &c.rest);
    c.params = VARS(x, c.nparams);
    for (int i = 0; i < c.nparams; i++) c.params[i] = expand_scope_bind_var(x, inner, ids[i]);
    c.body = expand_body(x, form, body, count, inner);
    expand_scope_leave(x, inner);
    return c;
}

Node *expand_lambda(Expander *x, SrcPos pos, const char *name, Stx *formals, Stx **body, int count,
                    Stx *form, Scope *scope) {
    const ProcInfo *outer = x->proc;
    const Site *site = site_of(x, pos);
    x->proc = core_proc(name, pos, outer);
    x->hint = NULL;
    Clause *clause = core_alloc(x->core, sizeof *clause);
    *clause = expand_clause(x, formals, body, count, form, scope);
    Node *n = core_lambda(x->core, site, x->proc, 1, clause);
    x->proc = outer;
    return n;
}

Node *expand_make_thunk(Expander *x, SrcPos pos, const ProcInfo *info, Node *body) {
    Clause *clause = core_alloc(x->core, sizeof *clause);
    clause->body = body;
    return core_lambda(x->core, site_of(x, pos), info, 1, clause);
}

static const char *take_hint(Expander *x) {
    const char *name = x->hint ? x->hint : "lambda";
    x->hint = NULL;
    return name;
}

Node *expand_form_lambda(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    return expand_lambda(x, form->pos, take_hint(x), p[1], p + 2, n - 2, form, scope);
}

Node *expand_form_named_lambda(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    if (!stx_is_pair(x, p[1]) || !stx_is_identifier(p[1]->as.pair.car))
        expand_form_fail(x, form, p[1], "expected (name . formals)");
    const char *name = expand_stx_name(p[1]->as.pair.car);
    return expand_lambda(x, form->pos, name, p[1]->as.pair.cdr, p + 2, n - 2, form, scope);
}

Node *expand_form_case_lambda(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const ProcInfo *outer = x->proc;
    const Site *site = site_of(x, form->pos);
    x->proc = core_proc(take_hint(x), form->pos, outer);
    Clause *clauses = core_alloc(x->core, (size_t)(n - 1) * sizeof *clauses);
    for (int i = 1; i < n; i++) {
        Stx **parts;
        int count = expand_stx_items(x, p[i], &parts);
        if (count < 2) expand_form_fail(x, form, p[i], "expected a clause (formals body ...)");
        clauses[i - 1] = expand_clause(x, parts[0], parts + 1, count - 1, form, scope);
    }
    Node *lambda = core_lambda(x->core, site, x->proc, n - 1, clauses);
    x->proc = outer;
    return lambda;
}

/* ---- the lets ---- */

typedef struct Bindings {
    int count;
    Stx **ids, **inits;
} Bindings;

static Bindings parse_bindings(Expander *x, Stx *form, Stx *list) {
    Stx **items;
    Bindings b = {.count = expand_stx_items(x, list, &items)};
    if (b.count < 0) expand_form_fail(x, form, list, "expected a list of bindings (variable init)");
    b.ids = EX_NEW(x, Stx *, b.count);
    b.inits = EX_NEW(x, Stx *, b.count);
    for (int i = 0; i < b.count; i++) {
        Stx **parts;
        int n = expand_stx_items(x, items[i], &parts);
        if (n != 2 || !stx_is_identifier(parts[0]))
            expand_form_fail(x, form, items[i], "expected a binding (variable init)");
        b.ids[i] = parts[0];
        b.inits[i] = parts[1];
    }
    return b;
}

static Node **expand_inits(Expander *x, const Bindings *b, Scope *scope) {
    Node **inits = NODES(x, b->count);
    for (int i = 0; i < b->count; i++)
        inits[i] = expand_named(x, b->inits[i], scope, expand_stx_name(b->ids[i]));
    return inits;
}

static Var **bind_all(Expander *x, const Bindings *b, Scope *scope) {
    Var **vars = VARS(x, b->count);
    for (int i = 0; i < b->count; i++) vars[i] = expand_scope_bind_var(x, scope, b->ids[i]);
    return vars;
}

/* (let name ((v init) ...) body ...): a procedure called at once. */
static Node *named_let(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    if (n < 4)
        expand_form_fail(x, form, form, "expected (let name ((variable init) ...) body ...)");
    Bindings b = parse_bindings(x, form, p[2]);
    const Site *site = site_of(x, form->pos);
    Node **inits = expand_inits(x, &b, scope);
    const ProcInfo *outer = x->proc;
    x->proc = core_proc(expand_stx_name(p[1]), form->pos, outer);

    Scope *around = expand_scope_enter(x, scope), *inner;
    Var **loop = VARS(x, 1);
    loop[0] = expand_scope_bind_var(x, around, p[1]);
    inner = expand_scope_enter(x, around);
    Clause *clause = core_alloc(x->core, sizeof *clause);
    clause->nparams = b.count;
    clause->params = bind_all(x, &b, inner);
    clause->body = expand_body(x, form, p + 3, n - 3, inner);
    expand_scope_leave(x, inner);
    expand_scope_leave(x, around);

    Node **lambda = NODES(x, 1);
    lambda[0] = core_lambda(x->core, site, x->proc, 1, clause);
    x->proc = outer;
    Node *call = core_call(x->core, site, core_local(x->core, site, loop[0]), b.count, inits);
    return core_letrec(x->core, site, 1, loop, lambda, call);
}

Node *expand_form_let(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    if (stx_kind(x, p[1]) != STX_PAIR && stx_is_identifier(p[1]))
        return named_let(x, form, p, n, scope);
    Bindings b = parse_bindings(x, form, p[1]);
    Node **inits = expand_inits(x, &b, scope);
    Scope *inner = expand_scope_enter(x, scope);
    Var **vars = bind_all(x, &b, inner);
    x->hint = hint;
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    expand_scope_leave(x, inner);
    if (!b.count) return body;
    return core_let(x->core, site_of(x, form->pos), b.count, vars, inits, body);
}

Node *expand_form_let_star(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    Bindings b = parse_bindings(x, form, p[1]);
    const Site *site = site_of(x, form->pos);
    expand_enter(x, form->pos, b.count);
    Node **inits = NODES(x, b.count);
    Var **vars = VARS(x, b.count);
    Scope *inner = scope;
    for (int i = 0; i < b.count; i++) {
        inits[i] = expand_named(x, b.inits[i], inner, expand_stx_name(b.ids[i]));
        inner = expand_scope_enter(x, inner);
        vars[i] = expand_scope_bind_var(x, inner, b.ids[i]);
    }
    x->hint = hint;
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    for (int i = b.count - 1; i >= 0; i--) {
        body = core_let(x->core, site, 1, &vars[i], &inits[i], body);
        expand_scope_leave(x, inner);
        inner = inner->outer;
    }
    expand_leave(x, b.count);
    return body;
}

Node *expand_form_letrec(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    Bindings b = parse_bindings(x, form, p[1]);
    Scope *inner = expand_scope_enter(x, scope);
    Var **vars = bind_all(x, &b, inner);
    Node **inits = expand_inits(x, &b, inner);
    x->hint = hint;
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    expand_scope_leave(x, inner);
    if (!b.count) return body;
    return core_letrec(x->core, site_of(x, form->pos), b.count, vars, inits, body);
}

Node *expand_form_let_syntax(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    bool recursive = expand_form_of(x, p[0], scope) == FORM_LETREC_SYNTAX;
    Bindings b = parse_bindings(x, form, p[1]);
    Scope *inner = expand_scope_enter(x, scope);
    Denot *meant = EX_NEW(x, Denot, b.count);
    Denot **bound = EX_NEW(x, Denot *, b.count);
    /* The transformers see the keywords themselves only in letrec-syntax. */
    if (!recursive)
        for (int i = 0; i < b.count; i++)
            expand_macro_bind(x, &meant[i], b.inits[i], scope, expand_stx_name(b.ids[i]));
    for (int i = 0; i < b.count; i++) bound[i] = expand_scope_bind(x, inner, b.ids[i], DENOT_MACRO);
    for (int i = 0; i < b.count; i++) {
        if (recursive)
            expand_macro_bind(x, bound[i], b.inits[i], inner, expand_stx_name(b.ids[i]));
        else
            *bound[i] = meant[i];
    }
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    expand_scope_leave(x, inner);
    return body;
}
