/* env.c: identifiers, scopes and top-level environments.
 *
 * An identifier is a symbol that the user wrote, or an alias: a symbol (or an older alias) that a
 * macro inserted, with a number of its own for each expansion and the scope of the macro's
 * definition. Binding forms bind the identifier itself, by its key. So what a macro inserts and
 * binds is seen by what the same expansion inserted, and by nothing else. An alias that nothing
 * bound means what the name behind it means in the macro's scope, and so on down to the symbol.
 *
 * Scopes nest in a line, and the scope of any macro that can be in use is on it: it encloses the
 * use or is a top level. One hash table for the whole expansion therefore serves all lexical
 * scopes: it maps a key to its innermost binding, which leads to those it shadows. To look a key up
 * from an outer scope of depth D is to skip the bindings that are deeper than D. A look-up costs
 * one probe, however many variables are in scope.
 *
 * The top level of a program or library is a table of its own from key to denotation. Imports put
 * the exporter's very denotation in, so identifiers mean the same (for `else`, literals of macros,
 * double imports) if the pointers are equal. */
#include "expand/internal.h"

#include "rt/string.h"

const Form expand_forms[FORM_COUNT] = {
#define FORM(id, name, syntax, least, most, scan, expand)                                          \
    {FORM_##id, name, syntax, least, most, scan, expand},
#include "expand/forms.def"
#undef FORM
};

/* ---- syntax ---- */

Value expand_stx_symbol(const Stx *id) {
    while (id->kind == STX_ALIAS) id = id->as.alias.name;
    return id->as.atom;
}

const char *expand_stx_name(const Stx *id) { return rt_symbol_name(expand_stx_symbol(id)); }

Stx *expand_stx_new(Expander *x, StxKind kind, SrcPos pos) {
    Stx *s = base_arena_alloc(&x->tree, sizeof *s);
    s->kind = kind;
    s->pos = pos;
    return s;
}

Stx *expand_stx_pair(Expander *x, SrcPos pos, Stx *car, Stx *cdr) {
    Stx *s = expand_stx_new(x, STX_PAIR, pos);
    s->as.pair.car = car;
    s->as.pair.cdr = cdr;
    return s;
}

int expand_stx_items(Expander *x, Stx *list, Stx ***items) {
    int count = 0;
    Stx *rest = list;
    for (; stx_is_pair(x, rest); rest = rest->as.pair.cdr)
        if (!(++count & 0xffff)) expand_check_memory(x, list->pos); /* a cycle made by eval */
    if (rest->kind != STX_NIL) return -1;
    Stx **out = *items = EX_NEW(x, Stx *, count);
    for (rest = list; rest->kind == STX_PAIR; rest = rest->as.pair.cdr) *out++ = rest->as.pair.car;
    return count;
}

Stx *expand_stx_vector_list(Expander *x, const Stx *v) {
    Stx *list = expand_stx_new(x, STX_NIL, v->pos);
    for (int i = v->as.vector.count; i-- > 0;) {
        Stx *item = v->as.vector.items[i];
        list = expand_stx_pair(x, item->pos, item, list);
    }
    return list;
}

/* ---- lexical scopes ---- */

Scope *expand_scope_enter(Expander *x, Scope *outer) {
    Scope *s = EX_NEW(x, Scope, 1);
    s->outer = outer;
    s->top = outer->top;
    s->depth = outer->depth + 1;
    return s;
}

void expand_scope_leave(Expander *x, Scope *scope) {
    for (Binding *b = scope->bindings; b; b = b->next)
        *base_map_at(&x->lexical, b->key, NULL) = (uint64_t)b->shadowed;
    scope->bindings = NULL;
}

Denot *expand_scope_bind(Expander *x, Scope *scope, Stx *id, DenotKind kind) {
    uint64_t key = stx_key(id);
    uint64_t *slot = base_map_at(&x->lexical, key, NULL);
    Binding *shadowed = (Binding *)*slot;
    if (shadowed && shadowed->depth == scope->depth)
        expand_fail(x, id->pos, "%s is bound twice in the same scope", expand_stx_name(id));
    Binding *b = EX_NEW(x, Binding, 1);
    *b = (Binding){.key = key, .shadowed = shadowed, .next = scope->bindings};
    b->depth = scope->depth;
    b->denot.kind = kind;
    *slot = (uint64_t)b;
    scope->bindings = b;
    return &b->denot;
}

Var *expand_scope_bind_var(Expander *x, Scope *scope, Stx *id) {
    if (!stx_is_identifier(id))
        expand_fail(x, id->pos, "expected a variable, got %s", expand_text(x, id));
    Var *v = core_var(x->core, expand_stx_name(id));
    expand_scope_bind(x, scope, id, DENOT_VAR)->as.var = v;
    return v;
}

static Denot *find_lexical(Expander *x, uint64_t key, const Scope *scope) {
    uint64_t *slot = base_map_find(&x->lexical, key);
    if (!slot) return NULL;
    Binding *b = (Binding *)*slot;
    while (b && b->depth > scope->depth) b = b->shadowed;
    return b ? &b->denot : NULL;
}

Meaning expand_resolve(Expander *x, const Stx *id, Scope *scope) {
    for (;;) {
        uint64_t key = stx_key(id);
        Denot *local = scope->depth ? find_lexical(x, key, scope) : NULL;
        if (local) return (Meaning){.denot = local};
        uint64_t *slot = expand_env_find(x, scope->top, key);
        bool alias = id->kind == STX_ALIAS;
        if (slot || !alias) {
            Meaning m = {.top = scope->top, .key = key};
            if (slot) m.denot = (Denot *)(*slot & ~(uint64_t)ENV_BITS);
            m.imported = slot && (*slot & ENV_IMPORTED);
            m.symbol = alias ? V_FALSE : id->as.atom;
            return m;
        }
        scope = id->as.alias.env;
        id = id->as.alias.name;
    }
}

FormId expand_form_of(Expander *x, Stx *s, Scope *scope) {
    if (!stx_is_identifier(s)) return FORM_COUNT;
    Meaning m = expand_resolve(x, s, scope);
    return m.denot && m.denot->kind == DENOT_FORM ? m.denot->as.form->id : FORM_COUNT;
}

bool expand_is_auxiliary(Expander *x, Stx *s, Scope *scope, FormId id) {
    if (!stx_is_identifier(s)) return false;
    Meaning m = expand_resolve(x, s, scope);
    if (m.denot && m.denot->kind == DENOT_FORM) return m.denot->as.form->id == id;
    /* A name that nothing binds cannot mean anything else. */
    bool unbound = !m.denot || (m.denot->kind == DENOT_GLOBAL && !m.denot->defined && !m.imported);
    return unbound && !strcmp(expand_stx_name(s), expand_forms[id].name);
}

/* ---- top levels ---- */

Env *expand_env_new(Expander *x, const char *library, bool interactive) {
    Env *env = BASE_NEW(&x->arena, Env);
    env->root.top = env;
    env->library = library;
    env->interactive = interactive;
    return env;
}

Denot *expand_denot_new(Expander *x, DenotKind kind) {
    Denot *d = BASE_NEW(&x->arena, Denot);
    d->kind = kind;
    return d;
}

_Noreturn static void fail_clash(Expander *x, SrcPos pos, Value symbol, const Denot *a,
                                 const Denot *b);

void expand_env_import_later(Expander *x, Env *env, Library *l) {
    if (env->pending_count == env->pending_capacity) {
        int capacity = env->pending_capacity * 2 + 4;
        Library **bigger = BASE_NEW_ARRAY(&x->arena, Library *, (size_t)capacity);
        for (int i = 0; i < env->pending_count; i++) bigger[i] = env->pending[i];
        env->pending = bigger;
        env->pending_capacity = capacity;
    }
    env->pending[env->pending_count++] = l;
}

uint64_t *expand_env_find(Expander *x, Env *env, uint64_t key) {
    uint64_t *slot = base_map_find(&env->table, key);
    if (slot || !env->pending_count) return slot;
    const Denot *found = NULL;
    for (int i = 0; i < env->pending_count; i++) {
        uint64_t *export = base_map_find(&env->pending[i]->exports, key);
        if (!export) continue;
        const Denot *d = (const Denot *)*export;
        if (found && found != d) fail_clash(x, (SrcPos){0}, key, found, d);
        found = d;
    }
    if (!found) return NULL;
    slot = base_map_at(&env->table, key, NULL);
    *slot = (uint64_t)found | ENV_IMPORTED;
    return slot;
}

static Denot *new_global(Expander *x, const Env *env, const char *name) {
    Denot *d = expand_denot_new(x, DENOT_GLOBAL);
    d->as.global = rt_global_new(name, env->library);
    return d;
}

Denot *expand_env_refer(Expander *x, const Meaning *m) {
    if (m->denot) return m->denot;
    Denot *d = new_global(x, m->top, rt_symbol_name(m->symbol));
    *base_map_at(&m->top->table, m->key, NULL) = (uint64_t)d;
    return d;
}

/* The table's slot for a definition of ID. An import that the program spelled by name may not be
 * defined again; one that came with a whole library gives way. */
static uint64_t *slot_to_define(Expander *x, Env *env, Stx *id) {
    uint64_t *slot = base_map_at(&env->table, stx_key(id), NULL);
    if ((*slot & ENV_EXPLICIT) && !env->interactive)
        expand_fail(x, id->pos, "%s is imported by name and cannot be defined",
                    expand_stx_name(id));
    if (*slot & ENV_IMPORTED) *slot = 0;
    return slot;
}

Denot *expand_env_define(Expander *x, Env *env, Stx *id) {
    uint64_t *slot = slot_to_define(x, env, id);
    Denot *d = (Denot *)*slot;
    if (!d || d->kind != DENOT_GLOBAL) {
        d = new_global(x, env, expand_stx_name(id));
        *slot = (uint64_t)d;
    }
    if (d->defined || env->interactive) d->as.global->assigned = true;
    d->defined = true;
    d->record = NULL;
    return d;
}

Denot *expand_env_define_macro(Expander *x, Env *env, Stx *id) {
    uint64_t *slot = slot_to_define(x, env, id);
    Denot *d = expand_denot_new(x, DENOT_MACRO);
    *slot = (uint64_t)d;
    return d;
}

static const char *origin(const Denot *d) {
    if (d->kind == DENOT_GLOBAL) return d->as.global->library;
    return d->kind == DENOT_FORM ? "(hone syntax)" : "a macro";
}

_Noreturn static void fail_clash(Expander *x, SrcPos pos, Value symbol, const Denot *a,
                                 const Denot *b) {
    expand_fail(x, pos, "%s is imported twice with different bindings (%s and %s)",
                rt_symbol_name(symbol), origin(a), origin(b));
}

void expand_env_import(Expander *x, Env *env, Value symbol, Denot *denot, unsigned bits,
                       SrcPos pos) {
    bool added;
    uint64_t *slot = base_map_at(&env->table, symbol, &added);
    const Denot *old = (Denot *)(*slot & ~(uint64_t)ENV_BITS);
    if (!added && old != denot && !env->interactive) {
        if (!(*slot & ENV_IMPORTED) && old->defined)
            expand_fail(x, pos, "%s is defined here and cannot be imported",
                        rt_symbol_name(symbol));
        if (*slot & ENV_IMPORTED) fail_clash(x, pos, symbol, old, denot);
    }
    *slot = (uint64_t)denot | ENV_IMPORTED | bits;
}
