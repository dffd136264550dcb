/* values.c: forms that bind several values.
 *
 * The expression's value is bound to a variable that no program can name. Exactly N values:
 * variable I is (%values-ref temp I N). With a rest: the temporary is the list of the values, and
 * the variables are parts of it. */
#include "expand/internal.h"

int expand_formals_items(Expander *x, Stx *form, Stx *formals, Stx ***ids, bool *rest) {
    int count = 0;
    Stx *tail = formals;
    for (; stx_is_pair(x, tail); tail = tail->as.pair.cdr) count++;
    *rest = tail->kind != STX_NIL;
    Stx **out = *ids = EX_NEW(x, Stx *, count + 1);
    for (tail = formals; tail->kind == STX_PAIR; tail = tail->as.pair.cdr)
        *out++ = tail->as.pair.car;
    if (*rest) *out = tail;
    count += *rest;
    for (int i = 0; i < count; i++)
        if (!stx_is_identifier((*ids)[i]))
            expand_form_fail(x, form, (*ids)[i], "expected a variable among the formals");
    return count;
}

Node *expand_values_temp(Expander *x, const Site *site, Node *value, int count, bool rest) {
    if (!rest) return value;
    return expand_prim_node(x, site, "%values-list", 2, value,
                            expand_const_node(x, site, v_fixnum(count - 1)));
}

Node *expand_values_part(Expander *x, const Site *site, Var *temp, int i, int count, bool rest) {
    Node *part = core_local(x->core, site, temp);
    if (!rest)
        return expand_prim_node(x, site, "%values-ref", 3, part,
                                expand_const_node(x, site, v_fixnum(i)),
                                expand_const_node(x, site, v_fixnum(count)));
    for (int k = 0; k < i; k++) part = expand_prim_node(x, site, "cdr", 1, part);
    return i == count - 1 ? part : expand_prim_node(x, site, "car", 1, part);
}

/* One binding of let-values: the formals and what they are bound to. */
typedef struct Receiver {
    Stx **ids;
    int count;
    bool rest;
    Var *temp;
    Node *init;
} Receiver;

static Receiver receiver(Expander *x, Stx *form, Stx *formals, Stx *expression, Scope *scope) {
    Receiver r = {0};
    r.count = expand_formals_items(x, form, formals, &r.ids, &r.rest);
    expand_enter(x, form->pos, r.count);
    expand_leave(x, r.count);
    const Site *site = site_of(x, expression->pos);
    Node *value = expand_expr(x, expression, scope);
    r.init = expand_values_temp(x, site, value, r.count, r.rest);
    r.temp = core_var(x->core, "values");
    return r;
}

/* Wraps BODY, in whose scope the variables of all receivers are VARS, in order. */
static Node *bind_receivers(Expander *x, const Site *site, const Receiver *r, int count, Var **vars,
                            Node *body) {
    Var **temps = VARS(x, count);
    Node **inits = NODES(x, count);
    int total = 0;
    for (int i = 0; i < count; i++) {
        temps[i] = r[i].temp;
        inits[i] = r[i].init;
        total += r[i].count;
    }
    Node **parts = NODES(x, total), **part = parts;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < r[i].count; k++)
            *part++ = expand_values_part(x, site, r[i].temp, k, r[i].count, r[i].rest);
    if (total) body = core_let(x->core, site, total, vars, parts, body);
    return count ? core_let(x->core, site, count, temps, inits, body) : body;
}

static Var **bind_ids(Expander *x, const Receiver *r, int count, Scope *scope) {
    int total = 0, k = 0;
    for (int i = 0; i < count; i++) total += r[i].count;
    Var **vars = VARS(x, total);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < r[i].count; j++)
            vars[k++] = expand_scope_bind_var(x, scope, r[i].ids[j]);
    return vars;
}

static int binding_list(Expander *x, Stx *form, Stx *list, Stx ***formals, Stx ***expressions) {
    Stx **items;
    int count = expand_stx_items(x, list, &items);
    if (count < 0)
        expand_form_fail(x, form, list, "expected a list of bindings (formals expression)");
    *formals = EX_NEW(x, Stx *, count);
    *expressions = EX_NEW(x, Stx *, count);
    for (int i = 0; i < count; i++) {
        Stx **p;
        if (expand_stx_items(x, items[i], &p) != 2)
            expand_form_fail(x, form, items[i], "expected a binding (formals expression)");
        (*formals)[i] = p[0];
        (*expressions)[i] = p[1];
    }
    return count;
}

Node *expand_form_let_values(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Stx **formals, **expressions;
    int count = binding_list(x, form, p[1], &formals, &expressions);
    Receiver *r = EX_NEW(x, Receiver, count);
    for (int i = 0; i < count; i++) r[i] = receiver(x, form, formals[i], expressions[i], scope);
    Scope *inner = expand_scope_enter(x, scope);
    Var **vars = bind_ids(x, r, count, inner);
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    expand_scope_leave(x, inner);
    return bind_receivers(x, site_of(x, form->pos), r, count, vars, body);
}

Node *expand_form_let_star_values(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Stx **formals, **expressions;
    int count = binding_list(x, form, p[1], &formals, &expressions);
    Receiver *r = EX_NEW(x, Receiver, count);
    Var ***vars = EX_NEW(x, Var **, count);
    expand_enter(x, form->pos, count);
    Scope *inner = scope;
    for (int i = 0; i < count; i++) {
        r[i] = receiver(x, form, formals[i], expressions[i], inner);
        inner = expand_scope_enter(x, inner);
        vars[i] = bind_ids(x, &r[i], 1, inner);
    }
    Node *body = expand_body(x, form, p + 2, n - 2, inner);
    const Site *site = site_of(x, form->pos);
    for (int i = count - 1; i >= 0; i--) {
        body = bind_receivers(x, site, &r[i], 1, vars[i], body);
        expand_scope_leave(x, inner);
        inner = inner->outer;
    }
    expand_leave(x, count);
    return body;
}

Node *expand_form_receive(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Receiver r = receiver(x, form, p[1], p[2], scope);
    Scope *inner = expand_scope_enter(x, scope);
    Var **vars = bind_ids(x, &r, 1, inner);
    Node *body = expand_body(x, form, p + 3, n - 3, inner);
    expand_scope_leave(x, inner);
    return bind_receivers(x, site_of(x, form->pos), &r, 1, vars, body);
}
