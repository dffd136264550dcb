/* cond.c: branching forms: cond, case, and, or, when, unless; and do.
 *
 * Clauses are expanded in the order of the text, then folded into nested IFs from the last one
 * back. */
#include "expand/internal.h"

/* ---- cond, and the clauses of guard ---- */

typedef struct CondClause {
    enum { CLAUSE_ELSE, CLAUSE_VALUE, CLAUSE_ARROW, CLAUSE_PLAIN } kind;
    SrcPos pos;
    Node *test, *body; /* ARROW: the receiver */
} CondClause;

static CondClause cond_clause(Expander *x, Stx *form, Stx *s, bool last, Scope *scope) {
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    if (n < 1) expand_form_fail(x, form, s, "expected a clause (test expression ...)");
    CondClause c = {.pos = s->pos};
    if (expand_is_auxiliary(x, p[0], scope, FORM_ELSE)) {
        if (!last) expand_form_fail(x, form, s, "the else clause must be the last");
        if (n == 1) expand_form_fail(x, form, s, "expected (else expression ...)");
        c.kind = CLAUSE_ELSE;
        c.body = expand_sequence(x, s, p + 1, n - 1, scope);
    } else if (n == 1) {
        c.kind = CLAUSE_VALUE;
        c.test = expand_expr(x, p[0], scope);
    } else if (expand_is_auxiliary(x, p[1], scope, FORM_ARROW)) {
        if (n != 3) expand_form_fail(x, form, s, "expected (test => receiver)");
        c.kind = CLAUSE_ARROW;
        c.test = expand_expr(x, p[0], scope);
        c.body = expand_expr(x, p[2], scope);
    } else {
        c.kind = CLAUSE_PLAIN;
        c.test = expand_test(x, p[0], scope);
        c.body = expand_sequence(x, s, p + 1, n - 1, scope);
    }
    return c;
}

/* (let ((t test)) (if t THEN otherwise)), where THEN is t or a call of RECEIVER with it. */
static Node *with_value(Expander *x, const Site *site, Node *test, Node *receiver,
                        Node *otherwise) {
    CoreContext *c = x->core;
    Var **t = VARS(x, 1);
    Node **init = NODES(x, 1);
    t[0] = core_var(c, "t");
    init[0] = test;
    Node *then = core_local(c, site, t[0]);
    if (receiver) then = expand_call_node(x, site, receiver, 1, then);
    Node *branch = core_if(c, site, core_local(c, site, t[0]), then, otherwise);
    return core_let(c, site, 1, t, init, branch);
}

Node *expand_clauses(Expander *x, Stx *form, Stx **clauses, int count, Scope *scope,
                     Node *otherwise) {
    CondClause *done = EX_NEW(x, CondClause, count);
    expand_enter(x, form->pos, count);
    for (int i = 0; i < count; i++)
        done[i] = cond_clause(x, form, clauses[i], i == count - 1, scope);
    expand_leave(x, count);
    Node *result = otherwise;
    for (int i = count - 1; i >= 0; i--) {
        const CondClause *c = &done[i];
        const Site *site = site_of(x, c->pos);
        switch (c->kind) {
        case CLAUSE_ELSE: result = c->body; break;
        case CLAUSE_PLAIN: result = core_if(x->core, site, c->test, c->body, result); break;
        case CLAUSE_VALUE: result = with_value(x, site, c->test, NULL, result); break;
        case CLAUSE_ARROW: result = with_value(x, site, c->test, c->body, result); break;
        }
    }
    return result;
}

Node *expand_form_cond(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    return expand_clauses(x, form, p + 1, n - 1, scope, expand_unspecific(x, form->pos));
}

/* ---- case ---- */

/* Whether eqv? of V with anything is eq?: what is no pointer, and symbols. */
static bool eq_is_enough(Value v) { return !is_heap(v) || is_symbol(v); }

/* #t if the key is one of the datums: (if (eq? key 'a) #t (eqv? key 'b)). */
static Node *case_test(Expander *x, Stx *form, Stx *list, Var *key) {
    Stx **datums;
    int n = expand_stx_items(x, list, &datums);
    if (n < 0) expand_form_fail(x, form, list, "expected a list of datums");
    expand_enter(x, list->pos, n);
    expand_leave(x, n);
    Node *result = NULL;
    for (int i = n - 1; i >= 0; i--) {
        const Site *site = site_of(x, datums[i]->pos);
        Value v = read_to_value(x->m, datums[i], true);
        Node *same =
            expand_prim_node(x, site, eq_is_enough(v) ? "eq?" : "eqv?", 2,
                             core_local(x->core, site, key), expand_const_node(x, site, v));
        result = result ? core_if(x->core, site, same, expand_const_node(x, site, V_TRUE), result)
                        : same;
    }
    return result ? result : expand_const_node(x, site_of(x, list->pos), V_FALSE);
}

static Node *case_body(Expander *x, Stx *form, Stx *clause, Stx **p, int n, Var *key,
                       Scope *scope) {
    if (n < 2) expand_form_fail(x, form, clause, "expected a clause ((datum ...) expression ...)");
    if (!expand_is_auxiliary(x, p[1], scope, FORM_ARROW))
        return expand_sequence(x, clause, p + 1, n - 1, scope);
    if (n != 3) expand_form_fail(x, form, clause, "expected ((datum ...) => receiver)");
    const Site *site = site_of(x, clause->pos);
    Node *receiver = expand_expr(x, p[2], scope);
    return expand_call_node(x, site, receiver, 1, core_local(x->core, site, key));
}

Node *expand_form_case(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    const Site *site = site_of(x, form->pos);
    Var **key = VARS(x, 1);
    Node **init = NODES(x, 1);
    init[0] = expand_expr(x, p[1], scope);
    key[0] = core_var(x->core, "key");
    Node *result = expand_unspecific(x, form->pos);
    CondClause *done = EX_NEW(x, CondClause, n);
    expand_enter(x, form->pos, n);
    for (int i = 2; i < n; i++) {
        Stx **parts;
        int count = expand_stx_items(x, p[i], &parts);
        if (count < 1)
            expand_form_fail(x, form, p[i], "expected a clause ((datum ...) expression ...)");
        bool is_else = expand_is_auxiliary(x, parts[0], scope, FORM_ELSE);
        if (is_else && i < n - 1)
            expand_form_fail(x, form, p[i], "the else clause must be the last");
        done[i].pos = p[i]->pos;
        done[i].test = is_else ? NULL : case_test(x, form, parts[0], key[0]);
        done[i].body = case_body(x, form, p[i], parts, count, key[0], scope);
    }
    expand_leave(x, n);
    for (int i = n - 1; i >= 2; i--)
        result = done[i].test
                     ? core_if(x->core, site_of(x, done[i].pos), done[i].test, done[i].body, result)
                     : done[i].body;
    return core_let(x->core, site, 1, key, init, result);
}

/* ---- and, or, when, unless ---- */

static Node **expand_all(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Node **nodes = NODES(x, n);
    expand_enter(x, form->pos, 2 * n);
    for (int i = 0; i < n; i++) nodes[i] = expand_expr(x, p[i], scope);
    expand_leave(x, 2 * n);
    return nodes;
}

Node *expand_form_and(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const Site *site = site_of(x, form->pos);
    if (n == 1) return expand_const_node(x, site, V_TRUE);
    Node **tests = expand_all(x, form, p + 1, n - 1, scope);
    Node *result = tests[n - 2];
    for (int i = n - 3; i >= 0; i--)
        result = core_if(x->core, site, tests[i], result, expand_const_node(x, site, V_FALSE));
    return result;
}

Node *expand_form_or(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    const Site *site = site_of(x, form->pos);
    if (n == 1) return expand_const_node(x, site, V_FALSE);
    Node **tests = expand_all(x, form, p + 1, n - 1, scope);
    Node *result = tests[n - 2];
    for (int i = n - 3; i >= 0; i--) result = with_value(x, site, tests[i], NULL, result);
    return result;
}

Node *expand_form_when(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    bool unless = expand_form_of(x, p[0], scope) == FORM_UNLESS;
    Node *test = expand_test(x, p[1], scope);
    Node *body = expand_sequence(x, form, p + 2, n - 2, scope);
    Node *none = expand_unspecific(x, form->pos);
    return core_if(x->core, site_of(x, form->pos), test, unless ? none : body,
                   unless ? body : none);
}

/* ---- do ---- */

typedef struct DoSpec {
    Stx *id, *init, *step; /* step NULL: the variable itself */
} DoSpec;

static DoSpec do_spec(Expander *x, Stx *form, Stx *s) {
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    if ((n != 2 && n != 3) || !stx_is_identifier(p[0]))
        expand_form_fail(x, form, s, "expected (variable init [step])");
    return (DoSpec){p[0], p[1], n == 3 ? p[2] : NULL};
}

/* (if test (begin result ...) (begin body ... (loop step ...))) */
static Node *do_body(Expander *x, Stx *form, Stx **p, int n, const DoSpec *specs, int count,
                     Clause *clause, Var *loop, Scope *scope) {
    const Site *site = site_of(x, form->pos);
    Stx **end;
    int end_count = expand_stx_items(x, p[2], &end);
    if (end_count < 1) expand_form_fail(x, form, p[2], "expected (test result ...)");
    Node *test = expand_test(x, end[0], scope);
    Node *result = expand_sequence(x, p[2], end + 1, end_count - 1, scope);
    Node **items = NODES(x, n - 2);
    for (int i = 3; i < n; i++) items[i - 3] = expand_expr(x, p[i], scope);
    Node **steps = NODES(x, count);
    for (int i = 0; i < count; i++)
        steps[i] = specs[i].step
                       ? expand_named(x, specs[i].step, scope, expand_stx_name(specs[i].id))
                       : core_local(x->core, site_of(x, specs[i].id->pos), clause->params[i]);
    items[n - 3] = core_call(x->core, site, core_local(x->core, site, loop), count, steps);
    Node *again = core_seq(x->core, site, n - 2, items);
    return core_if(x->core, site, test, result, again);
}

Node *expand_form_do(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    x->hint = NULL;
    Stx **list;
    int count = expand_stx_items(x, p[1], &list);
    if (count < 0) expand_form_fail(x, form, p[1], "expected a list of (variable init [step])");
    const Site *site = site_of(x, form->pos);
    DoSpec *specs = EX_NEW(x, DoSpec, count);
    Node **inits = NODES(x, count);
    for (int i = 0; i < count; i++) {
        specs[i] = do_spec(x, form, list[i]);
        inits[i] = expand_named(x, specs[i].init, scope, expand_stx_name(specs[i].id));
    }
    const ProcInfo *outer = x->proc;
    x->proc = core_proc("do", form->pos, outer);
    Scope *inner = expand_scope_enter(x, scope);
    Clause *clause = core_alloc(x->core, sizeof *clause);
    clause->nparams = count;
    clause->params = VARS(x, count);
    for (int i = 0; i < count; i++)
        clause->params[i] = expand_scope_bind_var(x, inner, specs[i].id);
    Var **loop = VARS(x, 1);
    loop[0] = core_var(x->core, "do");
    clause->body = do_body(x, form, p, n, specs, count, clause, loop[0], inner);
    expand_scope_leave(x, inner);
    Node **lambda = NODES(x, 1);
    lambda[0] = core_lambda(x->core, site, x->proc, 1, clause);
    x->proc = outer;
    Node *call = core_call(x->core, site, core_local(x->core, site, loop[0]), count, inits);
    return core_letrec(x->core, site, 1, loop, lambda, call);
}
