/* record.c: define-record-type.
 *
 * The type is a variable bound to an rtd; constructor, predicate, accessors and modifiers are
 * procedures around the record primitives, so that the optimizer can put them in place. The fields
 * of a type with those it inherits are known when the program is expanded: a parent must be a
 * record type that a define-record-type names. */
#include "expand/internal.h"

#include "rt/string.h"

typedef struct Field {
    Stx *id, *accessor, *modifier; /* NULL: none */
} Field;

typedef struct Record {
    Stx *form;
    Denot *type;
    const RecordInfo *parent;
    Denot *parent_type;
    RecordInfo *info;
    Field *fields;
    int count; /* own fields */
    Body *body;
    Stx *type_id;
} Record;

static int inherited(const Record *r) { return r->parent ? r->parent->count : 0; }

static Node *denot_node(Expander *x, const Site *site, const Denot *d) {
    return d->kind == DENOT_VAR ? core_local(x->core, site, d->as.var)
                                : core_global(x->core, site, d->as.global);
}

/* ---- parsing ---- */

static Field parse_field(Expander *x, Stx *form, Stx *s) {
    if (stx_kind(x, s) != STX_PAIR) {
        if (!stx_is_identifier(s))
            expand_form_fail(x, form, s, "expected (field accessor [modifier])");
        return (Field){.id = s};
    }
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    bool ok = n >= 1 && n <= 3;
    for (int i = 0; ok && i < n; i++) ok = stx_is_identifier(p[i]);
    if (!ok) expand_form_fail(x, form, s, "expected (field accessor [modifier])");
    return (Field){p[0], n > 1 ? p[1] : NULL, n > 2 ? p[2] : NULL};
}

/* NAME or (NAME parent). */
static void parse_type(Expander *x, Record *r, Stx *s) {
    r->type_id = s;
    if (stx_is_pair(x, s)) {
        Stx **p;
        int n = expand_stx_items(x, s, &p);
        if (n < 1 || n > 2)
            expand_form_fail(x, r->form, s, "expected a type name or (name parent)");
        r->type_id = p[0];
        if (n == 2 && !(p[1]->kind == STX_ATOM && p[1]->as.atom == V_FALSE)) {
            Meaning m = {0};
            if (stx_is_identifier(p[1])) m = expand_resolve(x, p[1], r->body->scope);
            if (!m.denot || !m.denot->record)
                expand_form_fail(x, r->form, p[1],
                                 "the parent must be a record type defined before");
            r->parent_type = m.denot;
            r->parent = m.denot->record;
        }
    }
    if (!stx_is_identifier(r->type_id)) expand_form_fail(x, r->form, s, "expected a type name");
}

/* Persistent at top level, since other libraries may inherit. */
static void *record_alloc(Expander *x, const Record *r, size_t bytes) {
    return base_arena_alloc(r->body->scope->depth ? &x->tree : &x->arena, bytes);
}

static void parse_fields(Expander *x, Record *r, Stx **specs, int count) {
    r->count = count;
    r->fields = EX_NEW(x, Field, count);
    r->info = record_alloc(x, r, sizeof *r->info);
    r->info->count = inherited(r) + count;
    r->info->fields = record_alloc(x, r, (size_t)r->info->count * sizeof(Value));
    for (int i = 0; i < inherited(r); i++) r->info->fields[i] = r->parent->fields[i];
    base_map_free(&x->index);
    for (int i = 0; i < count; i++) {
        r->fields[i] = parse_field(x, r->form, specs[i]);
        bool added;
        base_map_at(&x->index, stx_key(r->fields[i].id), &added);
        if (!added) expand_form_fail(x, r->form, r->fields[i].id, "the field is there twice");
        r->info->fields[inherited(r) + i] = expand_stx_symbol(r->fields[i].id);
    }
}

/* The index of the field that ID names, own fields first. */
static int field_index(Expander *x, const Record *r, const Stx *id) {
    for (int i = 0; i < r->count; i++)
        if (stx_key(r->fields[i].id) == stx_key(id)) return inherited(r) + i;
    for (int i = 0; i < inherited(r); i++)
        if (r->parent->fields[i] == expand_stx_symbol(id)) return i;
    expand_fail(x, id->pos, "define-record-type: %s is no field of the type", expand_stx_name(id));
}

/* ---- procedures ---- */

/* A procedure of N parameters that is being made. */
typedef struct Maker {
    const ProcInfo *info, *outer;
    const Site *site, *within;
    Clause *clause;
} Maker;

static Maker begin_procedure(Expander *x, const Stx *id, int params, const char *const *names) {
    Maker k = {.outer = x->proc, .site = site_of(x, id->pos)};
    k.info = core_proc(expand_stx_name(id), id->pos, x->proc);
    x->proc = k.info;
    k.within = site_of(x, id->pos);
    k.clause = core_alloc(x->core, sizeof *k.clause);
    k.clause->nparams = params;
    k.clause->params = VARS(x, params);
    for (int i = 0; i < params; i++) k.clause->params[i] = core_var(x->core, names[i]);
    return k;
}

static void end_procedure(Expander *x, const Record *r, Maker *k, Stx *id, Node *body) {
    k->clause->body = body;
    x->proc = k->outer;
    Node *lambda = core_lambda(x->core, k->site, k->info, 1, k->clause);
    Denot *target = expand_body_define(x, r->body, id);
    expand_body_add(
        x, r->body,
        (Item){.kind = ITEM_NODE, .form = r->form, .target = target, .as.node = lambda});
}

static Node *param(Expander *x, const Maker *k, int i) {
    return core_local(x->core, k->within, k->clause->params[i]);
}

static void make_type(Expander *x, Record *r) {
    const Site *site = site_of(x, r->form->pos);
    Object *names = gc_object(x->m, T_VECTOR, (uint64_t)r->count);
    names->header |= FLAG_IMMUTABLE;
    for (int i = 0; i < r->count; i++) names->slot[i] = expand_stx_symbol(r->fields[i].id);
    Node *parent =
        r->parent ? denot_node(x, site, r->parent_type) : expand_const_node(x, site, V_FALSE);
    Node *rtd = expand_prim_node(x, site, "%make-rtd", 3,
                                 expand_const_node(x, site, expand_stx_symbol(r->type_id)),
                                 expand_const_node(x, site, v_object(names)), parent);
    r->type = expand_body_define(x, r->body, r->type_id);
    r->type->record = r->info;
    expand_body_add(x, r->body,
                    (Item){.kind = ITEM_NODE, .form = r->form, .target = r->type, .as.node = rtd});
}

/* (lambda (field ...) (%record rtd field-or-#f ...)) */
static void make_constructor(Expander *x, const Record *r, Stx *id, Stx **given, int count) {
    const char **names = EX_NEW(x, const char *, count);
    int total = r->info->count;
    int *from = EX_NEW(x, int, total);
    for (int i = 0; i < total; i++) from[i] = -1;
    for (int i = 0; i < count; i++) {
        if (!stx_is_identifier(given[i]))
            expand_form_fail(x, r->form, given[i], "expected a field");
        names[i] = expand_stx_name(given[i]);
        int field = field_index(x, r, given[i]);
        if (from[field] >= 0) expand_form_fail(x, r->form, given[i], "the field is there twice");
        from[field] = i;
    }
    Maker k = begin_procedure(x, id, count, names);
    Node **args = NODES(x, total + 1);
    args[0] = denot_node(x, k.within, r->type);
    for (int i = 0; i < total; i++)
        args[i + 1] =
            from[i] >= 0 ? param(x, &k, from[i]) : expand_const_node(x, k.within, V_FALSE);
    Node *body = core_prim(x->core, k.within, rt_prim_find("%record"), total + 1, args);
    end_procedure(x, r, &k, id, body);
}

/* #f, a name (all fields in order, inherited ones first), or (name field ...). */
static void parse_constructor(Expander *x, const Record *r, Stx *s) {
    if (s->kind == STX_ATOM && s->as.atom == V_FALSE) return;
    if (stx_is_pair(x, s)) {
        Stx **p;
        int n = expand_stx_items(x, s, &p);
        if (n < 1 || !stx_is_identifier(p[0]))
            expand_form_fail(x, r->form, s, "expected a constructor (name field ...)");
        make_constructor(x, r, p[0], p + 1, n - 1);
        return;
    }
    if (!stx_is_identifier(s))
        expand_form_fail(x, r->form, s, "expected a constructor (name field ...)");
    Stx **all = EX_NEW(x, Stx *, r->info->count);
    for (int i = 0; i < r->info->count; i++) {
        all[i] = expand_stx_new(x, STX_ATOM, s->pos);
        all[i]->as.atom = r->info->fields[i];
        if (i >= inherited(r)) all[i] = r->fields[i - inherited(r)].id;
    }
    make_constructor(x, r, s, all, r->info->count);
}

static void make_predicate(Expander *x, const Record *r, Stx *id) {
    if (id->kind == STX_ATOM && id->as.atom == V_FALSE) return;
    if (!stx_is_identifier(id))
        expand_form_fail(x, r->form, id, "expected the predicate's name or #f");
    Maker k = begin_procedure(x, id, 1, (const char *[]){"object"});
    Node *body = expand_prim_node(x, k.within, "%record-is?", 2, param(x, &k, 0),
                                  denot_node(x, k.within, r->type));
    end_procedure(x, r, &k, id, body);
}

static void make_field(Expander *x, const Record *r, int i) {
    const Field *f = &r->fields[i];
    Value index = v_fixnum(inherited(r) + i);
    if (f->accessor) {
        Maker k = begin_procedure(x, f->accessor, 1, (const char *[]){"record"});
        Node *body = expand_prim_node(
            x, k.within, "%record-ref", 4, param(x, &k, 0), denot_node(x, k.within, r->type),
            expand_const_node(x, k.within, index),
            expand_const_node(x, k.within, expand_stx_symbol(f->accessor)));
        end_procedure(x, r, &k, f->accessor, body);
    }
    if (f->modifier) {
        Maker k = begin_procedure(x, f->modifier, 2, (const char *[]){"record", "value"});
        Node *body = expand_prim_node(
            x, k.within, "%record-set!", 5, param(x, &k, 0), denot_node(x, k.within, r->type),
            expand_const_node(x, k.within, index), param(x, &k, 1),
            expand_const_node(x, k.within, expand_stx_symbol(f->modifier)));
        end_procedure(x, r, &k, f->modifier, body);
    }
}

void expand_scan_define_record_type(Expander *x, Body *body, Stx *form, Stx **p, int n) {
    Record r = {.form = form, .body = body};
    parse_type(x, &r, p[1]);
    parse_fields(x, &r, p + 4, n - 4);
    make_type(x, &r);
    parse_constructor(x, &r, p[2]);
    make_predicate(x, &r, p[3]);
    for (int i = 0; i < r.count; i++) make_field(x, &r, i);
}
