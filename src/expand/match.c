/* match.c: a use of a macro: finding the rule, and filling its template.
 *
 * What the template inserts gets the position of the use, so that errors and profiles name the
 * user's line; what the user wrote keeps its own. */
#include "expand/macro.h"

#include "rt/equal.h"

/* What a pattern variable is bound to: a datum, or below an ellipsis as many matches as there were
 * items. */
typedef union Match Match;
typedef struct Repeat {
    int count;
    Match *items;
} Repeat;
union Match {
    Stx *datum;
    Repeat *repeat;
};

typedef struct Use {
    Expander *x;
    const Macro *macro;
    const Rule *rule;
    Stx *form;
    Scope *scope; /* of the use */
    Match *vars;
    Stx **aliases; /* of what the template inserts, made when needed */
} Use;

static Value literal_value(const Use *u, Literal l) {
    return l.kept < 0 ? l.value : object_slots(u->x->kept->value)[l.kept];
}

/* ---- matching ---- */

static bool same_meaning(const Meaning *a, const Meaning *b) {
    const Denot *p = a->denot, *q = b->denot;
    if (p == q) return p || a->symbol == b->symbol;
    if (!p || !q) return false;
    if (p->kind == DENOT_FORM && q->kind == DENOT_FORM) return p->as.form == q->as.form;
    return p->kind == DENOT_MACRO && q->kind == DENOT_MACRO && p->as.macro == q->as.macro;
}

/* A global that is only referred to is as good as unbound. */
static Meaning meaning(Expander *x, const Stx *id, Scope *scope) {
    Meaning m = expand_resolve(x, id, scope);
    if (m.denot && m.denot->kind == DENOT_GLOBAL && !m.denot->defined && !m.imported) {
        m.denot = NULL;
        m.symbol = expand_stx_symbol(id);
    }
    return m;
}

static bool matches_literal(const Use *u, const Stx *literal, Stx *s) {
    if (!stx_is_identifier(s)) return false;
    Meaning mine = meaning(u->x, literal, u->macro->scope);
    if (mine.denot && mine.denot->kind == DENOT_FORM)
        return expand_is_auxiliary(u->x, s, u->scope, mine.denot->as.form->id);
    Meaning theirs = meaning(u->x, s, u->scope);
    return same_meaning(&mine, &theirs);
}

static bool match(Use *u, const Pattern *p, Stx *s);

static int count_pairs(Expander *x, Stx *s) {
    int n = 0;
    for (; stx_is_pair(x, s); s = s->as.pair.cdr)
        if (!(++n & 0xffff)) expand_check_memory(x, s->pos); /* a cycle made by eval */
    return n;
}

/* Matches as many items as leave enough for the tail. *REST gets what follows them. */
static bool match_items(Use *u, const Pattern *p, Stx *s, Stx **rest) {
    int count = count_pairs(u->x, s) - p->as.ellipsis.after;
    if (count < 0) return false;
    int first = p->as.ellipsis.first, last = p->as.ellipsis.last;
    Repeat *repeats = EX_NEW(u->x, Repeat, last - first);
    for (int v = first; v < last; v++)
        repeats[v - first] = (Repeat){count, EX_NEW(u->x, Match, count)};
    for (int i = 0; i < count; i++, s = s->as.pair.cdr) {
        if (!match(u, p->as.ellipsis.item, s->as.pair.car)) return false;
        for (int v = first; v < last; v++) repeats[v - first].items[i] = u->vars[v];
    }
    for (int v = first; v < last; v++) u->vars[v].repeat = &repeats[v - first];
    *rest = s;
    return true;
}

static bool match_datum(const Use *u, Literal l, const Stx *s) {
    return s->kind == STX_ATOM && !is_symbol(s->as.atom) &&
           rt_equal(literal_value(u, l), s->as.atom);
}

static bool match(Use *u, const Pattern *p, Stx *s) {
    for (;;) {
        StxKind kind = stx_kind(u->x, s);
        switch (p->kind) {
        case PATTERN_ANY: return true;
        case PATTERN_VAR: u->vars[p->as.var].datum = s; return true;
        case PATTERN_LITERAL: return matches_literal(u, p->as.literal, s);
        case PATTERN_NIL: return kind == STX_NIL;
        case PATTERN_DATUM: return match_datum(u, p->as.datum, s);
        case PATTERN_PAIR:
            if (kind != STX_PAIR || !match(u, p->as.pair.car, s->as.pair.car)) return false;
            p = p->as.pair.cdr;
            s = s->as.pair.cdr;
            break;
        case PATTERN_ELLIPSIS:
            if (!match_items(u, p, s, &s)) return false;
            p = p->as.ellipsis.tail;
            break;
        case PATTERN_VECTOR:
            if (kind != STX_VECTOR) return false;
            s = expand_stx_vector_list(u->x, s);
            p = p->as.vector;
            break;
        }
    }
}

/* ---- filling ---- */

static Stx *fill(Use *u, const Template *t);

static Stx *inserted(Use *u, int index) {
    if (!u->aliases[index]) {
        Stx *alias = expand_stx_new(u->x, STX_ALIAS, u->form->pos);
        alias->as.alias.name = u->rule->inserts[index];
        alias->as.alias.env = u->macro->scope;
        alias->as.alias.id = ++u->x->next_alias;
        u->aliases[index] = alias;
    }
    return u->aliases[index];
}

static int level_count(const Use *u, const Level *l) {
    int count = u->vars[l->vars[0]].repeat->count;
    for (int i = 1; i < l->count; i++)
        if (u->vars[l->vars[i]].repeat->count != count)
            expand_fail(u->x, u->form->pos, "%s: parts that repeat together have different lengths",
                        u->macro->name);
    return count;
}

/* Appends the items of the LEVEL-th ellipsis of T at PLACE; returns the new end. */
static Stx **fill_items(Use *u, const Template *t, int level, Stx **place) {
    if (level == t->as.ellipsis.depth) {
        Stx *pair = expand_stx_pair(u->x, u->form->pos, fill(u, t->as.ellipsis.item), NULL);
        *place = pair;
        return &pair->as.pair.cdr;
    }
    const Level *l = &t->as.ellipsis.levels[level];
    int count = level_count(u, l);
    Match *saved = EX_NEW(u->x, Match, l->count);
    for (int v = 0; v < l->count; v++) saved[v] = u->vars[l->vars[v]];
    for (int i = 0; i < count; i++) {
        for (int v = 0; v < l->count; v++) u->vars[l->vars[v]] = saved[v].repeat->items[i];
        place = fill_items(u, t, level + 1, place);
    }
    for (int v = 0; v < l->count; v++) u->vars[l->vars[v]] = saved[v];
    return place;
}

static Stx *fill_vector(Use *u, const Template *t) {
    Stx *s = expand_stx_new(u->x, STX_VECTOR, u->form->pos);
    s->as.vector.count = expand_stx_items(u->x, fill(u, t->as.vector), &s->as.vector.items);
    return s;
}

/* Anything but a list. */
static Stx *fill_end(Use *u, const Template *t) {
    switch (t->kind) {
    case TEMPLATE_VAR: return u->vars[t->as.index].datum;
    case TEMPLATE_INSERT: return inserted(u, t->as.index);
    case TEMPLATE_VECTOR: return fill_vector(u, t);
    case TEMPLATE_DATUM: {
        /* Marked foreign: a constant that was read once stays one object. */
        Value v = literal_value(u, t->as.datum);
        return read_from_value(u->x->m, &u->x->tree, v, u->form->pos);
    }
    default: return expand_stx_new(u->x, STX_NIL, u->form->pos);
    }
}

static Stx *fill(Use *u, const Template *t) {
    Stx *first = NULL, **place = &first;
    for (;;) {
        if (t->kind == TEMPLATE_PAIR) {
            Stx *pair = expand_stx_pair(u->x, u->form->pos, fill(u, t->as.pair.car), NULL);
            *place = pair;
            place = &pair->as.pair.cdr;
            t = t->as.pair.cdr;
        } else if (t->kind == TEMPLATE_ELLIPSIS) {
            place = fill_items(u, t, 0, place);
            t = t->as.ellipsis.tail;
        } else {
            *place = fill_end(u, t);
            return first;
        }
    }
}

Stx *expand_macro_use(Expander *x, const Macro *macro, Stx *form, Scope *scope) {
    Use u = {.x = x, .macro = macro, .form = form, .scope = scope};
    expand_check_memory(x, form->pos);
    for (int i = 0; i < macro->count; i++) {
        const Rule *r = u.rule = &macro->rules[i];
        u.vars = EX_NEW(x, Match, r->var_count);
        if (!match(&u, r->pattern, form->as.pair.cdr)) continue;
        u.aliases = EX_NEW(x, Stx *, r->insert_count);
        return fill(&u, r->template);
    }
    expand_fail(x, form->pos, "%s: no rule of the macro matches %s", macro->name,
                expand_text(x, form));
}
