/* convert.c: datums to heap values and back.
 *
 * To a value: a work list of (datum, place) pairs; a list's spine is followed in a loop, its
 * elements wait on the work list. Only the datum of a label can be met twice, so only those are
 * remembered. Places are fields of fresh objects: nothing collects before this returns, so they
 * stay where they are. */
#include "read/read.h"

#include "rt/string.h"

typedef struct Work {
    const Stx *s;
    Value *place;
} Work;

typedef struct Conversion {
    Mutator *m;
    bool literal;
    BASE_VEC(Work) todo;
    base_map done; /* labelled datum -> value */
} Conversion;

static Value symbol_of(const Stx *s) {
    while (s->kind == STX_ALIAS) s = s->as.alias.name;
    return s->as.atom;
}

static Value atom_value(const Conversion *c, const Stx *s) {
    Value v = s->as.atom;
    if (c->literal && !s->foreign && (is_string(v) || is_bytevector(v)))
        object_of(v)->header |= FLAG_IMMUTABLE;
    return v;
}

static Value begin_vector(Conversion *c, const Stx *s) {
    Object *o = gc_object(c->m, T_VECTOR, (uint64_t)s->as.vector.count);
    if (c->literal && !s->foreign) o->header |= FLAG_IMMUTABLE;
    for (int i = s->as.vector.count; i-- > 0;) {
        o->slot[i] = V_FALSE;
        BASE_PUSH(&c->todo, (Work){s->as.vector.items[i], &o->slot[i]});
    }
    return v_object(o);
}

static Value *remembered(Conversion *c, const Stx *s) {
    return s->shared ? base_map_find(&c->done, (uint64_t)s) : NULL;
}

static void remember(Conversion *c, const Stx *s, Value v) {
    if (s->shared) *base_map_at(&c->done, (uint64_t)s, NULL) = v;
}

/* Fills PLACE with S, whose parts may be left on the work list. */
static void convert(Conversion *c, const Stx *s, Value *place) {
    for (;;) {
        if (s->kind == STX_LABEL) s = s->as.labelled;
        Value *known = remembered(c, s);
        if (known) {
            *place = *known;
            return;
        }
        switch (s->kind) {
        case STX_ATOM: *place = atom_value(c, s); return;
        case STX_ALIAS: *place = symbol_of(s); return;
        case STX_NIL: *place = V_NIL; return;
        case STX_VECTOR:
            *place = begin_vector(c, s);
            remember(c, s, *place);
            return;
        case STX_LABEL: return;
        case STX_PAIR: break;
        }
        Value pair = gc_cons(c->m, V_FALSE, V_NIL);
        *place = pair;
        remember(c, s, pair);
        const Stx *first = s->as.pair.car;
        if (first->kind == STX_ATOM)
            pair_of(pair)->car = atom_value(c, first);
        else
            BASE_PUSH(&c->todo, (Work){first, &pair_of(pair)->car});
        place = &pair_of(pair)->cdr;
        s = s->as.pair.cdr;
    }
}

Value read_to_value(Mutator *m, const Stx *s, bool literal) {
    Conversion c = {.m = m, .literal = literal};
    Value result = V_FALSE;
    convert(&c, s, &result);
    while (c.todo.len) {
        Work w = BASE_POP(&c.todo);
        convert(&c, w.s, w.place);
    }
    BASE_VEC_FREE(&c.todo);
    base_map_free(&c.done);
    return result;
}

/* ---- from values ---- */

Stx *read_from_value(Mutator *m, base_arena *arena, Value v, SrcPos pos) {
    (void)m;
    Stx *s = base_arena_alloc(arena, sizeof *s);
    s->kind = v == V_NIL ? STX_NIL : STX_ATOM;
    s->foreign = true;
    s->pos = pos;
    s->as.atom = v;
    return s;
}

void read_unfold(base_arena *arena, Stx *s) {
    if (s->kind != STX_ATOM) return;
    Value v = s->as.atom;
    if (is_pair(v)) {
        s->kind = STX_PAIR;
        s->as.pair.car = read_from_value(NULL, arena, car(v), s->pos);
        s->as.pair.cdr = read_from_value(NULL, arena, cdr(v), s->pos);
    } else if (is_vector(v)) {
        int count = (int)object_size(v);
        s->kind = STX_VECTOR;
        s->as.vector.count = count;
        s->as.vector.items = BASE_NEW_ARRAY(arena, Stx *, (size_t)count);
        for (int i = 0; i < count; i++)
            s->as.vector.items[i] = read_from_value(NULL, arena, object_slots(v)[i], s->pos);
    }
}
