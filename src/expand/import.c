/* import.c: import sets: which names of a library come in, and under which names. */
#include "expand/internal.h"

#include "rt/string.h"

typedef struct Import {
    Value symbol;
    Denot *denot;
    unsigned bits; /* ENV_EXPLICIT: the set spells the name */
} Import;

typedef struct ImportSet {
    Import *at;
    size_t len, cap;
} ImportSet;

static void whole_library(Expander *x, ImportSet *set, Library *l) {
    size_t it = 0;
    uint64_t key, value;
    set->at = EX_NEW(x, Import, l->exports.len);
    set->cap = l->exports.len;
    while (base_map_next(&l->exports, &it, &key, &value))
        set->at[set->len++] = (Import){key, (Denot *)value, 0};
}

/* The import of that name; x->index leads to it. */
static Import *find(Expander *x, const ImportSet *set, Stx *id, const Stx *form) {
    if (!stx_is_identifier(id)) expand_form_fail(x, form, id, "expected a name");
    uint64_t *slot = base_map_find(&x->index, expand_stx_symbol(id));
    if (!slot)
        expand_fail(x, id->pos, "%s does not export %s",
                    expand_text(x, form->as.pair.cdr->as.pair.car), expand_stx_name(id));
    return &set->at[*slot - 1];
}

static void index_set(Expander *x, const ImportSet *set) {
    base_map_free(&x->index);
    for (size_t i = 0; i < set->len; i++) *base_map_at(&x->index, set->at[i].symbol, NULL) = i + 1;
}

static void only(Expander *x, ImportSet *set, Stx *form, Stx **p, int n) {
    ImportSet chosen = {0};
    for (int i = 2; i < n; i++) {
        Import item = *find(x, set, p[i], form);
        item.bits = ENV_EXPLICIT;
        EX_PUSH(x, &chosen, item);
    }
    *set = chosen;
}

static void except(Expander *x, ImportSet *set, Stx *form, Stx **p, int n) {
    for (int i = 2; i < n; i++) find(x, set, p[i], form)->denot = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].denot) set->at[kept++] = set->at[i];
    set->len = kept;
}

static void prefix(Expander *x, ImportSet *set, Stx *form, Stx **p, int n) {
    if (n != 3 || !stx_is_identifier(p[2]))
        expand_form_fail(x, form, form, "expected (prefix import-set name)");
    for (size_t i = 0; i < set->len; i++) {
        const char *name = base_arena_printf(&x->tree, "%s%s", expand_stx_name(p[2]),
                                             rt_symbol_name(set->at[i].symbol));
        set->at[i].symbol = rt_intern_c(x->m, name);
    }
}

static void rename_some(Expander *x, ImportSet *set, Stx *form, Stx **p, int n) {
    for (int i = 2; i < n; i++) {
        Stx **names;
        if (expand_stx_items(x, p[i], &names) != 2 || !stx_is_identifier(names[1]))
            expand_form_fail(x, form, p[i], "expected (name new-name)");
        Import *item = find(x, set, names[0], form);
        item->symbol = expand_stx_symbol(names[1]);
        item->bits = ENV_EXPLICIT;
    }
}

static const struct {
    const char *name;
    void (*apply)(Expander *x, ImportSet *set, Stx *form, Stx **p, int n);
} modifiers[] = {{"only", only}, {"except", except}, {"prefix", prefix}, {"rename", rename_some}};

/* The modifier that S begins with, or -1: (only (x) ...) is modified, (only x) the name of a
 * library. */
static int modifier(Expander *x, Stx **p, int n) {
    if (n < 2 || !stx_is_identifier(p[0]) || !stx_is_pair(x, p[1])) return -1;
    for (size_t i = 0; i < BASE_COUNT(modifiers); i++)
        if (!strcmp(expand_stx_name(p[0]), modifiers[i].name)) return (int)i;
    return -1;
}

static void import_set(Expander *x, ImportSet *set, Stx *s) {
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    int i = modifier(x, p, n);
    if (i < 0) {
        whole_library(x, set, expand_library_load(x, s));
        return;
    }
    expand_enter(x, s->pos, 1);
    import_set(x, set, p[1]);
    expand_leave(x, 1);
    index_set(x, set);
    modifiers[i].apply(x, set, s, p, n);
}

void expand_library_import(Expander *x, Env *env, Stx *s, bool later) {
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    if (later && modifier(x, p, n) < 0) {
        expand_env_import_later(x, env, expand_library_load(x, s));
        return;
    }
    ImportSet set = {0};
    import_set(x, &set, s);
    for (size_t i = 0; i < set.len; i++)
        expand_env_import(x, env, set.at[i].symbol, set.at[i].denot, set.at[i].bits, s->pos);
}
