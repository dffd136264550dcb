/* body.c: where definitions are allowed: bodies of procedures and lets, libraries, programs, the
 * REPL.
 *
 * Two passes. The first looks at the head of each form, expands macro uses there, and splices
 * begin, include and cond-expand. Each definition binds its name at once, and each right side and
 * expression is put aside as an item. The second pass expands the items, when all names of the body
 * are known. So a procedure may use a macro or shadow an import that the text defines further down.
 */
#include "expand/internal.h"

static bool at_top(const Body *body) { return body->scope->depth == 0; }

void expand_body_add(Expander *x, Body *body, Item item) {
    if (item.kind != ITEM_EXPRESSION) body->defines = true;
    if (body->count == body->capacity) {
        int capacity = body->capacity * 2 + 1;
        Item *bigger = EX_NEW(x, Item, capacity);
        if (body->count) memcpy(bigger, body->items, (size_t)body->count * sizeof(Item));
        body->items = bigger;
        body->capacity = capacity;
    }
    body->items[body->count++] = item;
}

Denot *expand_body_define(Expander *x, Body *body, Stx *id) {
    if (!stx_is_identifier(id))
        expand_fail(x, id->pos, "expected a name to define, got %s", expand_text(x, id));
    if (at_top(body)) return expand_env_define(x, body->scope->top, id);
    Denot *d = expand_scope_bind(x, body->scope, id, DENOT_VAR);
    d->as.var = core_var(x->core, expand_stx_name(id));
    return d;
}

Denot *expand_body_define_macro(Expander *x, Body *body, Stx *id) {
    if (!stx_is_identifier(id))
        expand_fail(x, id->pos, "expected a keyword to define, got %s", expand_text(x, id));
    if (at_top(body)) return expand_env_define_macro(x, body->scope->top, id);
    return expand_scope_bind(x, body->scope, id, DENOT_MACRO);
}

/* ---- the first pass ---- */

/* The form that an unbound name at the head of a form outside of libraries may still be. */
static const Form *program_form(Expander *x, Body *body, Stx *s) {
    if (s->kind != STX_PAIR || body->scope->top->library[0]) return NULL;
    Stx *head = s->as.pair.car;
    if (!stx_is_identifier(head)) return NULL;
    if (expand_is_auxiliary(x, head, body->scope, FORM_IMPORT)) return &expand_forms[FORM_IMPORT];
    if (expand_is_auxiliary(x, head, body->scope, FORM_DEFINE_LIBRARY))
        return &expand_forms[FORM_DEFINE_LIBRARY];
    return NULL;
}

void expand_scan_form(Expander *x, Body *body, Stx *s) {
    const Form *f;
    expand_enter(x, s->pos, 1);
    s = expand_head(x, s, body->scope, &f);
    if (!f) f = program_form(x, body, s);
    if (f && f->scan) {
        Stx **p;
        int n = expand_form_parts(x, f, s, &p);
        f->scan(x, body, s, p, n);
    } else
        expand_body_add(x, body, (Item){.kind = ITEM_EXPRESSION, .form = s, .stx = s});
    expand_leave(x, 1);
}

void expand_scan_begin(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    (void)form;
    for (int i = 1; i < n; i++) expand_scan_form(x, body, p[i]);
}

void expand_scan_define(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    Item item = {.form = form};
    Stx *id = p[1];
    if (stx_is_pair(x, p[1])) {
        id = p[1]->as.pair.car;
        item.kind = ITEM_LAMBDA;
        item.stx = p[1]->as.pair.cdr;
        item.as.parts = p + 2;
        item.count = n - 2;
    } else {
        if (n != 3) expand_form_fail(x, form, form, "expected (define name expression)");
        item.kind = ITEM_DEFINE;
        item.stx = p[2];
    }
    if (!stx_is_identifier(id)) expand_form_fail(x, form, id, "expected a name to define");
    item.target = expand_body_define(x, body, id);
    item.name = expand_stx_name(id);
    expand_body_add(x, body, item);
}

void expand_scan_define_values(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    (void)n;
    Stx **ids;
    Item item = {.kind = ITEM_VALUES, .form = form, .stx = p[2]};
    item.count = expand_formals_items(x, form, p[1], &ids, &item.rest);
    expand_enter(x, form->pos, item.count);
    expand_leave(x, item.count);
    item.as.targets = EX_NEW(x, Denot *, item.count);
    for (int i = 0; i < item.count; i++) item.as.targets[i] = expand_body_define(x, body, ids[i]);
    expand_body_add(x, body, item);
}

void expand_scan_define_syntax(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    (void)n, (void)form;
    Denot meant = {0};
    bool local = !at_top(body) && stx_is_identifier(p[1]);
    /* In a body the keyword is bound first, since its own templates may use it. */
    Denot *d = local ? expand_body_define_macro(x, body, p[1]) : &meant;
    expand_macro_bind(x, d, p[2], body->scope,
                      stx_is_identifier(p[1]) ? expand_stx_name(p[1]) : "macro");
    if (!local) *expand_body_define_macro(x, body, p[1]) = meant;
}

void expand_scan_import(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    if (!at_top(body)) expand_form_fail(x, form, form, "an import is only allowed at top level");
    for (int i = 1; i < n; i++) expand_library_import(x, body->scope->top, p[i], false);
}

void expand_scan_define_library(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    if (!at_top(body)) expand_form_fail(x, form, form, "a library is only allowed at top level");
    expand_library_define(x, form, p, n);
}

/* ---- the second pass ---- */

static Node *item_value(Expander *x, const Item *item, Scope *scope) {
    switch (item->kind) {
    case ITEM_LAMBDA:
        return expand_lambda(x, item->form->pos, item->name, item->stx, item->as.parts, item->count,
                             item->form, scope);
    case ITEM_DEFINE: return expand_named(x, item->stx, scope, item->name);
    case ITEM_NODE: return item->as.node;
    default: return expand_expr(x, item->stx, scope);
    }
}

/* Bindings of a letrec that is being made. */
typedef struct Letrec {
    BASE_VEC(Var *) vars;
    BASE_VEC(Node *) inits;
} Letrec;

static void letrec_add(Expander *x, Letrec *l, Var *v, Node *init) {
    EX_PUSH(x, &l->vars, v);
    EX_PUSH(x, &l->inits, init);
}

static void letrec_values(Expander *x, Letrec *l, const Item *item, Scope *scope) {
    const Site *site = site_of(x, item->form->pos);
    Var *temp = core_var(x->core, "values");
    Node *value = expand_expr(x, item->stx, scope);
    letrec_add(x, l, temp, expand_values_temp(x, site, value, item->count, item->rest));
    for (int i = 0; i < item->count; i++)
        letrec_add(x, l, item->as.targets[i]->as.var,
                   expand_values_part(x, site, temp, i, item->count, item->rest));
}

static Node *make_letrec(Expander *x, Stx *form, Letrec *l, Node *body) {
    int count = (int)l->vars.len;
    Var **vars = VARS(x, count);
    Node **inits = NODES(x, count);
    if (count) {
        memcpy(vars, l->vars.at, (size_t)count * sizeof *vars);
        memcpy(inits, l->inits.at, (size_t)count * sizeof *inits);
    }
    return core_letrec(x->core, site_of(x, form->pos), count, vars, inits, body);
}

static Node *body_with_definitions(Expander *x, Stx *form, const Body *body) {
    int last = body->count;
    while (last > 0 && body->items[last - 1].kind == ITEM_EXPRESSION) last--;
    int trailing = body->count - last;
    if (trailing == 0)
        expand_fail(x, body->items[last - 1].form->pos,
                    "the body ends with a definition; an expression must follow");
    const char *hint = x->hint;
    x->hint = NULL;
    Letrec l = {0};
    for (int i = 0; i < last; i++) {
        const Item *item = &body->items[i];
        if (item->kind == ITEM_VALUES)
            letrec_values(x, &l, item, body->scope);
        else if (item->kind == ITEM_EXPRESSION)
            letrec_add(x, &l, core_var(x->core, "ignored"), item_value(x, item, body->scope));
        else
            letrec_add(x, &l, item->target->as.var, item_value(x, item, body->scope));
    }
    Stx **rest = EX_NEW(x, Stx *, trailing);
    for (int i = 0; i < trailing; i++) rest[i] = body->items[last + i].stx;
    x->hint = hint;
    return make_letrec(x, form, &l, expand_sequence(x, form, rest, trailing, body->scope));
}

Node *expand_body(Expander *x, Stx *form, Stx **forms, int count, Scope *scope) {
    const char *hint = x->hint;
    x->hint = NULL;
    Body body = {.scope = expand_scope_enter(x, scope), .capacity = count};
    body.items = EX_NEW(x, Item, count);
    for (int i = 0; i < count; i++) expand_scan_form(x, &body, forms[i]);
    if (!body.count) expand_fail(x, form->pos, "the body has no expression");
    x->hint = hint;
    Node *node;
    if (body.defines)
        node = body_with_definitions(x, form, &body);
    else {
        int n = body.count;
        Stx **items = EX_NEW(x, Stx *, n);
        for (int i = 0; i < n; i++) items[i] = body.items[i].stx;
        node = expand_sequence(x, form, items, n, body.scope);
    }
    expand_scope_leave(x, body.scope);
    return node;
}

/* ---- top level ---- */

static Node *define_global(Expander *x, const Site *site, const Denot *target, Node *value) {
    return core_set_global(x->core, site, target->as.global, value, true);
}

/* (let ((temp expression)) (begin (define-global a part) ...)) */
static Node *define_global_values(Expander *x, const Item *item, Scope *scope) {
    const Site *site = site_of(x, item->form->pos);
    Var **temp = VARS(x, 1);
    temp[0] = core_var(x->core, "values");
    Node **init = NODES(x, 1);
    Node *value = expand_expr(x, item->stx, scope);
    init[0] = expand_values_temp(x, site, value, item->count, item->rest);
    Node **items = NODES(x, item->count + 1);
    for (int i = 0; i < item->count; i++)
        items[i] = define_global(x, site, item->as.targets[i],
                                 expand_values_part(x, site, temp[0], i, item->count, item->rest));
    items[item->count] = expand_unspecific(x, item->form->pos);
    Node *all = core_seq(x->core, site, item->count + 1, items);
    return core_let(x->core, site, 1, temp, init, all);
}

void expand_toplevel(Expander *x, Env *env, Stx **forms, int count, Unit *unit) {
    x->proc = unit->info;
    Body body = {.scope = &env->root, .capacity = count};
    body.items = EX_NEW(x, Item, count);
    for (int i = 0; i < count; i++) expand_scan_form(x, &body, forms[i]);
    unit->forms = NODES(x, body.count + 1);
    for (int i = 0; i < body.count; i++) {
        const Item *item = &body.items[i];
        Node *node;
        if (item->kind == ITEM_VALUES)
            node = define_global_values(x, item, body.scope);
        else {
            node = item_value(x, item, body.scope);
            if (item->kind != ITEM_EXPRESSION)
                node = define_global(x, site_of(x, item->form->pos), item->target, node);
        }
        unit->forms[unit->count++] = node;
    }
    x->proc = NULL;
}
