/* names.c: C names for what Scheme names. */
#include <ctype.h>
#include "native/internal.h"

static void mangle_char(base_buf *out, unsigned char c) {
    static const struct {
        char c;
        const char *text;
    } words[] = {{'-', "_"},   {'?', "_p"},  {'!', "_x"},    {'*', "_star"}, {'<', "_lt"},
                 {'>', "_gt"}, {'=', "_eq"}, {'+', "_plus"}, {'/', "_over"}, {'%', "_"},
                 {' ', "_"},   {'(', ""},    {')', ""},      {'.', "_"},     {'_', "_u"}};
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (words[i].c == (char)c) {
            base_buf_puts(out, words[i].text);
            return;
        }
    if (isalnum(c))
        base_buf_putc(out, (char)c);
    else
        base_buf_printf(out, "_x%02x", c);
}

const char *native_mangle(base_arena *a, const char *name) {
    base_buf out = {0};
    for (const char *s = name; *s && out.len < 60; s++) {
        if (s[0] == '-' && s[1] == '>') {
            base_buf_puts(&out, "_to_");
            s++;
        } else {
            mangle_char(&out, (unsigned char)*s);
        }
    }
    const char *copy = base_arena_strdup(a, base_buf_str(&out));
    base_buf_free(&out);
    return copy;
}

/* BASE, or BASE_2 and so on: the first that is not in NAMES, which gets it. */
static const char *untaken(base_strmap *names, base_arena *a, const char *base) {
    const char *name = base;
    bool added;
    uintptr_t n = (uintptr_t)*base_strmap_at(names, base, strlen(base), &added);
    if (added) return base;
    while (!added) {
        name = base_arena_printf(a, "%s_%d", base, (int)++n + 1);
        base_strmap_at(names, name, strlen(name), &added);
    }
    *base_strmap_find(names, base, strlen(base)) = (void *)n;
    return name;
}

const char *native_unit_name(UnitCode *u, const char *name) {
    return untaken(&u->names, u->arena, base_arena_printf(u->arena, "%s__%s", u->prefix, name));
}

/* ---- globals ---- */

typedef struct Naming {
    NativeBuild *build;
    const char *library;
    BASE_VEC(Global *) all;
} Naming;

static void collect(void *context, Global *g) {
    Naming *n = context;
    if (strcmp(g->library, n->library) == 0) BASE_PUSH(&n->all, g);
}

/* Gives all globals of LIBRARY their names, in the order in which they were made. Those of one name
 * (a macro may define a name that the library has) are told apart by number. */
static void name_globals(NativeBuild *b, const char *library) {
    Naming n = {.build = b, .library = library};
    rt_each_global(collect, &n);
    const char *prefix = library[0] ? native_mangle(&b->arena, library) : "main";
    base_strmap taken = {0};
    for (size_t i = n.all.len; i-- > 0;) {
        Global *g = n.all.at[i];
        const char *name =
            base_arena_printf(&b->arena, "g_%s__%s", prefix, native_mangle(&b->arena, g->name));
        *base_map_at(&b->global_names, (uint64_t)g, NULL) =
            (uint64_t)untaken(&taken, &b->arena, name);
    }
    base_strmap_free(&taken);
    BASE_VEC_FREE(&n.all);
}

const char *native_global_name(UnitCode *u, Global *g) {
    uint64_t *place = base_map_find(&u->build->global_names, (uint64_t)g);
    if (!place) {
        name_globals(u->build, g->library);
        place = base_map_find(&u->build->global_names, (uint64_t)g);
    }
    return (const char *)*place;
}
