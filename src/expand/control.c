/* control.c: forms that need the library's help: guard, parameterize, delay, assert; and
 * syntax-error.
 *
 * Each becomes a call of a procedure of (hone base), whatever the program has bound to that name.
 */
#include "expand/internal.h"

#include <stdlib.h>

#include "rt/string.h"

/* A procedure around BODY..., named after its form. */
static Node *body_thunk(Expander *x, Stx *form, const char *name, Stx **body, int count,
                        Scope *scope) {
    const ProcInfo *outer = x->proc, *info = core_proc(name, form->pos, outer);
    x->proc = info;
    Node *node = expand_body(x, form, body, count, scope);
    x->proc = outer;
    return expand_make_thunk(x, form->pos, info, node);
}

Node *expand_form_parameterize(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Stx **bindings;
    int count = expand_stx_items(x, p[1], &bindings);
    if (count < 0) expand_form_fail(x, form, p[1], "expected a list of bindings (parameter value)");
    if (count == 0) return expand_body(x, form, p + 2, n - 2, scope);
    const Site *site = site_of(x, form->pos);
    Node **params = NODES(x, count), **values = NODES(x, count);
    for (int i = 0; i < count; i++) {
        Stx **parts;
        if (expand_stx_items(x, bindings[i], &parts) != 2)
            expand_form_fail(x, form, bindings[i], "expected a binding (parameter value)");
        params[i] = expand_expr(x, parts[0], scope);
        values[i] = expand_expr(x, parts[1], scope);
    }
    Node *thunk = body_thunk(x, form, "parameterize", p + 2, n - 2, scope);
    const Prim *list = rt_prim_find("list");
    return expand_call_node(x, site, expand_helper(x, site, "%parameterize"), 3,
                            core_prim(x->core, site, list, count, params),
                            core_prim(x->core, site, list, count, values), thunk);
}

/* (lambda (variable reraise) (cond clause ... (else (reraise)))) */
static Node *guard_handler(Expander *x, Stx *form, Stx **spec, int count, Scope *scope) {
    const Site *site = site_of(x, form->pos);
    const ProcInfo *outer = x->proc, *info = core_proc("guard-clauses", form->pos, outer);
    x->proc = info;
    Scope *inner = expand_scope_enter(x, scope);
    Clause *clause = core_alloc(x->core, sizeof *clause);
    clause->nparams = 2;
    clause->params = VARS(x, 2);
    clause->params[0] = expand_scope_bind_var(x, inner, spec[0]);
    clause->params[1] = core_var(x->core, "reraise");
    const Site *within = site_of(x, form->pos);
    Node *reraise =
        core_call(x->core, within, core_local(x->core, within, clause->params[1]), 0, NULL);
    clause->body = expand_clauses(x, form, spec + 1, count - 1, inner, reraise);
    expand_scope_leave(x, inner);
    x->proc = outer;
    return core_lambda(x->core, site, info, 1, clause);
}

Node *expand_form_guard(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Stx **spec;
    int count = expand_stx_items(x, p[1], &spec);
    if (count < 1 || !stx_is_identifier(spec[0]))
        expand_form_fail(x, form, p[1], "expected (variable clause ...)");
    const Site *site = site_of(x, form->pos);
    Node *handler = guard_handler(x, form, spec, count, scope);
    Node *thunk = body_thunk(x, form, "guard", p + 2, n - 2, scope);
    return expand_call_node(x, site, expand_helper(x, site, "%guard"), 2, thunk, handler);
}

/* (delay-force e) is a promise of e's promise, (delay e) that of a promise of its value. */
Node *expand_form_delay(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)n;
    x->hint = NULL;
    bool force = expand_form_of(x, p[0], scope) == FORM_DELAY_FORCE;
    const Site *site = site_of(x, form->pos);
    const ProcInfo *outer = x->proc, *info = core_proc("delay", form->pos, outer);
    x->proc = info;
    Node *value = expand_expr(x, p[1], scope);
    if (!force) {
        const Site *within = site_of(x, form->pos);
        value =
            expand_call_node(x, within, expand_helper(x, within, "%make-forced-promise"), 1, value);
    }
    x->proc = outer;
    return expand_call_node(x, site, expand_helper(x, site, "%make-lazy-promise"), 1,
                            expand_make_thunk(x, form->pos, info, value));
}

Node *expand_form_assert(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)n;
    x->hint = NULL;
    const Site *site = site_of(x, form->pos);
    Node *test = expand_test(x, p[1], scope);
    Value message = rt_string_from_c(x->m, "assertion failed");
    object_of(message)->header |= FLAG_IMMUTABLE;
    Node *irritant = expand_const_node(x, site, read_to_value(x->m, p[1], true));
    Node *fail = expand_call_node(x, site, expand_helper(x, site, "error"), 2,
                                  expand_const_node(x, site, message), irritant);
    return core_if(x->core, site, test, expand_unspecific(x, form->pos), fail);
}

_Noreturn static void fail_syntax_error(Expander *x, Stx *form, Stx **p, int n) {
    if (p[1]->kind != STX_ATOM || !is_string(p[1]->as.atom))
        expand_form_fail(x, form, p[1], "expected a string as message");
    char *message = rt_string_utf8(p[1]->as.atom, NULL);
    base_buf text = {0};
    base_buf_puts(&text, message);
    free(message);
    for (int i = 2; i < n && text.len < 800; i++)
        base_buf_printf(&text, " %s", expand_text(x, p[i]));
    const char *copy = base_arena_strdup(&x->tree, base_buf_str(&text));
    base_buf_free(&text);
    expand_fail(x, form->pos, "%s", copy);
}

Node *expand_form_syntax_error(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)scope;
    fail_syntax_error(x, form, p, n);
}

void expand_scan_syntax_error(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    (void)body;
    fail_syntax_error(x, form, p, n);
}

/* ---- forms that splice: cond-expand, include ---- */

Node *expand_form_cond_expand(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    Stx **forms;
    int count = expand_cond_expand_forms(x, form, p, n, &forms);
    return expand_sequence(x, form, forms, count, scope);
}

void expand_scan_cond_expand(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    Stx **forms;
    int count = expand_cond_expand_forms(x, form, p, n, &forms);
    for (int i = 0; i < count; i++) expand_scan_form(x, body, forms[i]);
}

static int included(Expander *x, Stx **p, int n, Scope *scope, Stx ***forms) {
    return expand_source_include(x, p, n, expand_form_of(x, p[0], scope) == FORM_INCLUDE_CI, forms);
}

Node *expand_form_include(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    Stx **forms;
    int count = included(x, p, n, scope, &forms);
    return expand_sequence(x, form, forms, count, scope);
}

void expand_scan_include(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    (void)form;
    Stx **forms;
    int count = included(x, p, n, body->scope, &forms);
    for (int i = 0; i < count; i++) expand_scan_form(x, body, forms[i]);
}
