/* macro.c: syntax-rules forms to compiled patterns and templates.
 *
 * A rule's pattern variables are numbered in the order of the text, so the variables below an
 * ellipsis are one range. The identifiers that a template inserts are numbered too: an expansion
 * makes one alias of each. A macro of the top level outlives the call that defines it, so it is
 * compiled into the expander's own arena and refers to nothing of the call's. */
#include "expand/macro.h"

typedef struct PatternVar {
    uint64_t key;
    int depth;
} PatternVar;

typedef struct Compiler {
    Expander *x;
    base_arena *arena;
    bool lasting; /* the macro outlives the call */
    Scope *scope;
    Stx *ellipsis; /* the custom one, or NULL */
    bool ellipsis_is_literal, underscore_is_literal;
    Stx **literals;
    int literal_count;
    struct {
        PatternVar *at;
        size_t len, cap;
    } vars;
    struct {
        Stx **at;
        size_t len, cap;
    } inserts;
} Compiler;

#define NEW(c, type)       BASE_NEW((c)->arena, type)
#define NEW_ARRAY(c, t, n) BASE_NEW_ARRAY((c)->arena, t, (size_t)(n))

/* ---- literals that last ---- */

/* Puts V into the expander's vector of kept values. */
static int64_t keep(Expander *x, Value v) {
    Value all = x->kept->value;
    size_t cap = is_vector(all) ? object_size(all) : 0;
    if (x->kept_count == cap) {
        Object *bigger = gc_object(x->m, T_VECTOR, cap ? cap * 2 : 64);
        for (size_t i = 0; i < (cap ? cap * 2 : 64); i++)
            bigger->slot[i] = i < cap ? object_slots(all)[i] : V_FALSE;
        rt_global_set(x->kept, v_object(bigger));
        all = v_object(bigger);
    }
    gc_write(x->m, &object_slots(all)[x->kept_count], v);
    return (int64_t)x->kept_count++;
}

static Literal literal(Compiler *c, const Stx *s) {
    Value v = read_to_value(c->x->m, s, true);
    bool moves = is_heap(v) && !is_symbol(v);
    return (Literal){v, c->lasting && moves ? keep(c->x, v) : -1};
}

/* A copy of an identifier that lives as long as the macro. Aliases keep their number, which is
 * their identity. */
static Stx *lasting_id(Compiler *c, Stx *id) {
    if (!c->lasting) return id;
    Stx *copy = NEW(c, Stx);
    *copy = *id;
    if (id->kind == STX_ALIAS) copy->as.alias.name = lasting_id(c, id->as.alias.name);
    return copy;
}

/* ---- which identifier is what ---- */

static bool same_id(const Stx *a, const Stx *b) { return stx_key(a) == stx_key(b); }

static bool is_ellipsis(const Compiler *c, const Stx *s) {
    if (!stx_is_identifier(s)) return false;
    if (c->ellipsis) return same_id(s, c->ellipsis) && !c->ellipsis_is_literal;
    return !c->ellipsis_is_literal && !strcmp(expand_stx_name(s), "...");
}

static bool is_literal(const Compiler *c, const Stx *id) {
    for (int i = 0; i < c->literal_count; i++)
        if (same_id(c->literals[i], id)) return true;
    return false;
}

static bool next_is_ellipsis(Compiler *c, Stx *pair) {
    Stx *rest = pair->as.pair.cdr;
    return stx_is_pair(c->x, rest) && is_ellipsis(c, rest->as.pair.car);
}

/* ---- patterns ---- */

static Pattern *pattern(Compiler *c, Stx *s, int depth);

static Pattern *pattern_id(Compiler *c, Stx *s, int depth) {
    Pattern *p = NEW(c, Pattern);
    if (is_literal(c, s)) {
        p->kind = PATTERN_LITERAL;
        p->as.literal = lasting_id(c, s);
        return p;
    }
    if (is_ellipsis(c, s))
        expand_fail(c->x, s->pos, "syntax-rules: misplaced %s", expand_stx_name(s));
    if (!c->underscore_is_literal && !strcmp(expand_stx_name(s), "_")) {
        p->kind = PATTERN_ANY;
        return p;
    }
    bool added;
    uint64_t *slot = base_map_at(&c->x->macro_vars, stx_key(s), &added);
    if (!added)
        expand_fail(c->x, s->pos, "syntax-rules: the pattern has %s twice", expand_stx_name(s));
    p->kind = PATTERN_VAR;
    p->as.var = (int)c->vars.len;
    *slot = c->vars.len + 1;
    EX_PUSH(c->x, &c->vars, (PatternVar){stx_key(s), depth});
    return p;
}

/* S is (item ... . tail). */
static Pattern *pattern_ellipsis(Compiler *c, Stx *s, int depth) {
    Pattern *p = NEW(c, Pattern);
    p->kind = PATTERN_ELLIPSIS;
    p->as.ellipsis.first = (int)c->vars.len;
    p->as.ellipsis.item = pattern(c, s->as.pair.car, depth + 1);
    p->as.ellipsis.last = (int)c->vars.len;
    Stx *tail = s->as.pair.cdr->as.pair.cdr;
    for (Stx *t = tail; stx_is_pair(c->x, t); t = t->as.pair.cdr) {
        if (is_ellipsis(c, t->as.pair.car))
            expand_fail(c->x, t->as.pair.car->pos,
                        "syntax-rules: a list pattern has one ellipsis at most");
        p->as.ellipsis.after++;
    }
    p->as.ellipsis.tail = pattern(c, tail, depth);
    return p;
}

/* A list pattern, its spine in a loop. */
static Pattern *pattern_list(Compiler *c, Stx *s, int depth) {
    Pattern *first = NULL, **place = &first;
    for (; stx_is_pair(c->x, s) && !next_is_ellipsis(c, s); s = s->as.pair.cdr) {
        Pattern *p = *place = NEW(c, Pattern);
        p->kind = PATTERN_PAIR;
        p->as.pair.car = pattern(c, s->as.pair.car, depth);
        place = &p->as.pair.cdr;
    }
    *place = s->kind == STX_PAIR ? pattern_ellipsis(c, s, depth) : pattern(c, s, depth);
    return first;
}

static Pattern *pattern(Compiler *c, Stx *s, int depth) {
    StxKind kind = stx_kind(c->x, s);
    expand_enter(c->x, s->pos, 1);
    Pattern *p;
    if (stx_is_identifier(s))
        p = pattern_id(c, s, depth);
    else if (kind == STX_PAIR)
        p = pattern_list(c, s, depth);
    else {
        p = NEW(c, Pattern);
        p->kind =
            kind == STX_NIL ? PATTERN_NIL : (kind == STX_VECTOR ? PATTERN_VECTOR : PATTERN_DATUM);
        if (kind == STX_VECTOR)
            p->as.vector = pattern(c, expand_stx_vector_list(c->x, s), depth);
        else if (kind == STX_ATOM)
            p->as.datum = literal(c, s);
        else if (kind == STX_LABEL)
            expand_fail(c->x, s->pos, "syntax-rules: a pattern may not refer to itself");
    }
    expand_leave(c->x, 1);
    return p;
}

/* ---- templates ---- */

/* NESTED: the number of ellipses around. USED collects the variables met, for the ellipses. */
static Template *template(Compiler *c, Stx *s, int nested, bool escaped, bool *used);

static Template *template_id(Compiler *c, Stx *s, int nested, bool *used) {
    Template *t = NEW(c, Template);
    uint64_t *slot = base_map_find(&c->x->macro_vars, stx_key(s));
    if (slot) {
        t->kind = TEMPLATE_VAR;
        t->as.index = (int)*slot - 1;
        if (c->vars.at[t->as.index].depth > nested)
            expand_fail(c->x, s->pos, "syntax-rules: %s needs an ellipsis behind it",
                        expand_stx_name(s));
        if (used) used[t->as.index] = true;
        return t;
    }
    bool added;
    slot = base_map_at(&c->x->macro_inserts, stx_key(s), &added);
    if (added) {
        *slot = c->inserts.len + 1;
        EX_PUSH(c->x, &c->inserts, lasting_id(c, s));
    }
    t->kind = TEMPLATE_INSERT;
    t->as.index = (int)*slot - 1;
    return t;
}

/* The variables of USED that the ellipsis number NESTED (from 0) around them steps through. */
static Level level(Compiler *c, const Stx *s, const bool *used, int nested) {
    Level l = {.vars = NEW_ARRAY(c, int, c->vars.len)};
    for (size_t i = 0; i < c->vars.len; i++)
        if (used[i] && c->vars.at[i].depth > nested) l.vars[l.count++] = (int)i;
    if (!l.count)
        expand_fail(c->x, s->pos, "syntax-rules: no pattern variable repeats before this ellipsis");
    return l;
}

/* S is (item ... ... . tail). *TAIL gets the tail. */
static Template *template_ellipsis(Compiler *c, Stx *s, int nested, bool *used, Stx **tail) {
    Template *t = NEW(c, Template);
    t->kind = TEMPLATE_ELLIPSIS;
    Stx *rest = s->as.pair.cdr;
    for (; stx_is_pair(c->x, rest) && is_ellipsis(c, rest->as.pair.car); rest = rest->as.pair.cdr)
        t->as.ellipsis.depth++;
    int depth = t->as.ellipsis.depth;
    bool *inner = EX_NEW(c->x, bool, c->vars.len);
    t->as.ellipsis.item = template(c, s->as.pair.car, nested + depth, false, inner);
    t->as.ellipsis.levels = NEW_ARRAY(c, Level, depth);
    for (int i = 0; i < depth; i++) t->as.ellipsis.levels[i] = level(c, s, inner, nested + i);
    for (size_t i = 0; used && i < c->vars.len; i++) used[i] |= inner[i];
    *tail = rest;
    return t;
}

static Template *template_list(Compiler *c, Stx *s, int nested, bool escaped, bool *used) {
    Template *first = NULL, **place = &first;
    while (stx_is_pair(c->x, s) && !s->shared) {
        Template *t;
        if (!escaped && next_is_ellipsis(c, s)) {
            *place = t = template_ellipsis(c, s, nested, used, &s);
            place = &t->as.ellipsis.tail;
            continue;
        }
        *place = t = NEW(c, Template);
        t->kind = TEMPLATE_PAIR;
        t->as.pair.car = template(c, s->as.pair.car, nested, escaped, used);
        place = &t->as.pair.cdr;
        s = s->as.pair.cdr;
    }
    *place = template(c, s, nested, escaped, used);
    return first;
}

/* (... template): the ellipsis means itself in it. */
static bool is_escape(Compiler *c, Stx *s) {
    if (!is_ellipsis(c, s->as.pair.car)) return false;
    Stx *rest = s->as.pair.cdr;
    if (!stx_is_pair(c->x, rest) || stx_kind(c->x, rest->as.pair.cdr) != STX_NIL)
        expand_fail(c->x, s->pos, "syntax-rules: expected (... template)");
    return true;
}

static Template *template_parts(Compiler *c, Stx *s, int nested, bool escaped, bool *used) {
    if (stx_is_identifier(s)) {
        if (!escaped && is_ellipsis(c, s))
            expand_fail(c->x, s->pos, "syntax-rules: misplaced %s", expand_stx_name(s));
        return template_id(c, s, nested, used);
    }
    StxKind kind = stx_kind(c->x, s);
    if (kind == STX_PAIR && !s->shared) {
        if (!escaped && is_escape(c, s))
            return template(c, s->as.pair.cdr->as.pair.car, nested, true, used);
        return template_list(c, s, nested, escaped, used);
    }
    Template *t = NEW(c, Template);
    if (kind == STX_VECTOR && !s->shared) {
        t->kind = TEMPLATE_VECTOR;
        t->as.vector = template(c, expand_stx_vector_list(c->x, s), nested, escaped, used);
    } else if (kind == STX_NIL)
        t->kind = TEMPLATE_NIL;
    else {
        t->kind = TEMPLATE_DATUM;
        t->as.datum = literal(c, s);
    }
    return t;
}

static Template *template(Compiler *c, Stx *s, int nested, bool escaped, bool *used) {
    expand_enter(c->x, s->pos, 1);
    Template *t = template_parts(c, s, nested, escaped, used);
    expand_leave(c->x, 1);
    return t;
}

/* ---- rules ---- */

static Rule rule(Compiler *c, Stx *s) {
    Stx **p;
    if (expand_stx_items(c->x, s, &p) != 2)
        expand_fail(c->x, s->pos, "syntax-rules: expected a rule (pattern template)");
    if (!stx_is_pair(c->x, p[0]))
        expand_fail(c->x, p[0]->pos, "syntax-rules: expected a pattern (keyword part ...)");
    c->vars.len = c->inserts.len = 0;
    base_map_free(&c->x->macro_vars);
    base_map_free(&c->x->macro_inserts);
    Rule r = {.pattern = pattern(c, p[0]->as.pair.cdr, 0)};
    r.template = template(c, p[1], 0, false, NULL);
    r.var_count = (int)c->vars.len;
    r.insert_count = (int)c->inserts.len;
    r.inserts = NEW_ARRAY(c, Stx *, r.insert_count);
    for (int i = 0; i < r.insert_count; i++) r.inserts[i] = c->inserts.at[i];
    return r;
}

static void take_literals(Compiler *c, Stx *list) {
    c->literal_count = expand_stx_items(c->x, list, &c->literals);
    if (c->literal_count < 0)
        expand_fail(c->x, list->pos, "syntax-rules: expected a list of literals");
    for (int i = 0; i < c->literal_count; i++) {
        Stx *id = c->literals[i];
        if (!stx_is_identifier(id))
            expand_fail(c->x, id->pos, "syntax-rules: a literal must be an identifier");
        bool custom = c->ellipsis && same_id(id, c->ellipsis);
        if (custom || (!c->ellipsis && !strcmp(expand_stx_name(id), "...")))
            c->ellipsis_is_literal = true;
        if (!strcmp(expand_stx_name(id), "_")) c->underscore_is_literal = true;
    }
}

static Macro *compile(Expander *x, Stx *s, Scope *scope, const char *name) {
    Stx **p;
    int n = expand_form_parts(x, &expand_forms[FORM_SYNTAX_RULES], s, &p);
    Compiler c = {.x = x, .scope = scope, .lasting = !scope->depth && !scope->top->passing};
    c.arena = c.lasting ? &x->arena : &x->tree;
    int first = 1;
    if (stx_is_identifier(p[1])) {
        c.ellipsis = p[1];
        first = 2;
        if (n < 3)
            expand_form_fail(x, s, s, "expected (syntax-rules ellipsis (literal ...) rule ...)");
    }
    take_literals(&c, p[first]);
    Macro *m = NEW(&c, Macro);
    m->name = name;
    m->scope = scope;
    m->count = n - first - 1;
    m->rules = NEW_ARRAY(&c, Rule, m->count);
    for (int i = 0; i < m->count; i++) m->rules[i] = rule(&c, p[first + 1 + i]);
    return m;
}

void expand_macro_bind(Expander *x, Denot *into, Stx *s, Scope *scope, const char *name) {
    const Form *f;
    s = expand_head(x, s, scope, &f);
    if (f && f->id == FORM_SYNTAX_RULES) {
        Macro *m = compile(x, s, scope, name);
        *into = (Denot){.kind = DENOT_MACRO, .as.macro = m};
        return;
    }
    if (stx_is_identifier(s)) {
        Meaning m = expand_resolve(x, s, scope);
        if (m.denot && (m.denot->kind == DENOT_MACRO || m.denot->kind == DENOT_FORM)) {
            *into = *m.denot;
            return;
        }
    }
    expand_fail(x, s->pos, "%s: expected (syntax-rules ...) or a keyword as transformer", name);
}
