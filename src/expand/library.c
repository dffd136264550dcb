/* library.c: libraries: loading, define-library, exports, cond-expand.
 *
 * A library is expanded once, when it is first imported; its unit goes to the program that asked,
 * behind those of the libraries that it imports itself. A library that is being expanded when it is
 * asked for again is a cycle. */
#include "expand/internal.h"

#include <stdlib.h>

#include "rt/string.h"
#include "rt/write.h"

/* ---- names ---- */

/* Fails unless S is a list of symbols and exact integers that are not negative. */
static int name_parts(Expander *x, Stx *s, Stx ***parts) {
    int n = expand_stx_items(x, s, parts);
    bool ok = n > 0;
    for (int i = 0; ok && i < n; i++) {
        const Stx *part = (*parts)[i];
        bool number = part->kind == STX_ATOM && is_fixnum(part->as.atom);
        ok = stx_is_identifier(part) || (number && fixnum(part->as.atom) >= 0);
    }
    if (!ok)
        expand_fail(x, s->pos, "expected a library name such as (scheme base), got %s",
                    expand_text(x, s));
    return n;
}

/* The parts between SEPARATORs. */
static const char *joined(Expander *x, Stx *s, char separator, const char *open,
                          const char *close) {
    Stx **parts;
    int n = name_parts(x, s, &parts);
    base_buf text = {0};
    base_buf_puts(&text, open);
    for (int i = 0; i < n; i++) {
        if (i) base_buf_putc(&text, separator);
        if (stx_is_identifier(parts[i]))
            base_buf_puts(&text, expand_stx_name(parts[i]));
        else
            base_buf_printf(&text, "%lld", (long long)fixnum(parts[i]->as.atom));
    }
    base_buf_puts(&text, close);
    const char *copy = base_arena_strdup(&x->tree, base_buf_str(&text));
    base_buf_free(&text);
    return copy;
}

const char *expand_library_name(Expander *x, Stx *name) { return joined(x, name, ' ', "(", ")"); }

Library *expand_library_named(Expander *x, const char *name) {
    void **slot = base_strmap_at(&x->libraries, name, strlen(name), NULL);
    if (!*slot) {
        Library *l = BASE_NEW(&x->arena, Library);
        l->name = base_strmap_key(slot);
        *slot = l;
    }
    return *slot;
}

/* ---- define-library ---- */

typedef struct Export {
    Stx *internal;
    Value external;
    SrcPos pos;
} Export;

/* A library being defined. */
typedef struct Definition {
    Library *library;
    bool builtin; /* part of Hone */
    struct {
        Stx **at;
        size_t len, cap;
    } body;
    struct {
        Export *at;
        size_t len, cap;
    } exports;
} Definition;

static void declare(Expander *x, Definition *d, Stx *s);

static void declare_export(Expander *x, Definition *d, Stx *s) {
    if (stx_is_identifier(s)) {
        EX_PUSH(x, &d->exports, (Export){s, expand_stx_symbol(s), s->pos});
        return;
    }
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    if (n != 3 || !stx_is_identifier(p[0]) || strcmp(expand_stx_name(p[0]), "rename") ||
        !stx_is_identifier(p[1]) || !stx_is_identifier(p[2]))
        expand_fail(x, s->pos, "export: expected a name or (rename internal external)");
    EX_PUSH(x, &d->exports, (Export){p[1], expand_stx_symbol(p[2]), s->pos});
}

static void declare_all(Expander *x, Definition *d, Stx **forms, int count) {
    for (int i = 0; i < count; i++) declare(x, d, forms[i]);
}

static void add_body(Expander *x, Definition *d, Stx **forms, int count) {
    for (int i = 0; i < count; i++) EX_PUSH(x, &d->body, forms[i]);
}

static void declare(Expander *x, Definition *d, Stx *s) {
    Stx **p, **forms;
    int n = expand_stx_items(x, s, &p);
    const char *head = n > 0 && stx_is_identifier(p[0]) ? expand_stx_name(p[0]) : "";
    Env *env = d->library->env;
    if (!strcmp(head, "export"))
        for (int i = 1; i < n; i++) declare_export(x, d, p[i]);
    else if (!strcmp(head, "import"))
        for (int i = 1; i < n; i++) expand_library_import(x, env, p[i], d->builtin);
    else if (!strcmp(head, "begin"))
        add_body(x, d, p + 1, n - 1);
    else if (!strcmp(head, "include") || !strcmp(head, "include-ci")) {
        int count = expand_source_include(x, p, n, head[7] == '-', &forms);
        add_body(x, d, forms, count);
    } else if (!strcmp(head, "include-library-declarations")) {
        int count = expand_source_include(x, p, n, false, &forms);
        declare_all(x, d, forms, count);
    } else if (!strcmp(head, "cond-expand")) {
        int count = expand_cond_expand_forms(x, s, p, n, &forms);
        declare_all(x, d, forms, count);
    } else
        expand_fail(x, s->pos,
                    "define-library: expected export, import, begin, include, include-ci, "
                    "include-library-declarations or cond-expand");
}

static void resolve_exports(Expander *x, const Definition *d) {
    Library *l = d->library;
    for (size_t i = 0; i < d->exports.len; i++) {
        const Export *e = &d->exports.at[i];
        Meaning m = expand_resolve(x, e->internal, &l->env->root);
        bool defined = m.denot && (m.denot->kind != DENOT_GLOBAL || m.denot->defined || m.imported);
        if (!defined)
            expand_fail(x, e->pos, "library %s exports %s, which it neither defines nor imports",
                        l->name, expand_stx_name(e->internal));
        bool added;
        uint64_t *slot = base_map_at(&l->exports, e->external, &added);
        if (!added && *slot != (uint64_t)m.denot)
            expand_fail(x, e->pos, "library %s exports %s twice", l->name,
                        rt_symbol_name(e->external));
        *slot = (uint64_t)m.denot;
        if (m.denot->kind == DENOT_GLOBAL) m.denot->as.global->exported = true;
    }
}

static void define(Expander *x, Library *l, Stx *form, Stx **p, int n) {
    const ProcInfo *outer = x->proc;
    Definition d = {.library = l};
    d.builtin = base_map_find(&x->builtin_files, (uint64_t)form->pos.file) != NULL;
    l->state = LIBRARY_LOADING;
    if (x->resident && x->resident(l->name)) rt_global_offer_again(l->name);
    if (!l->env) l->env = expand_env_new(x, l->name, false);
    BASE_PUSH(&x->loading, l);
    declare_all(x, &d, p + 2, n - 2);
    Unit unit = {.name = l->name, .file = form->pos.file};
    unit.info = core_proc("", form->pos, NULL);
    expand_toplevel(x, l->env, d.body.at, (int)d.body.len, &unit);
    resolve_exports(x, &d);
    x->loading.len--;
    l->state = LIBRARY_READY;
    BASE_PUSH(&x->loaded, l);
    if (unit.count && !(x->resident && x->resident(l->name))) BASE_PUSH(&x->units, unit);
    x->proc = outer;
}

void expand_library_define(Expander *x, Stx *form, Stx **p, int n) {
    Library *l = expand_library_named(x, expand_library_name(x, p[1]));
    if (l->state != LIBRARY_NEW) expand_fail(x, form->pos, "library %s is there already", l->name);
    define(x, l, form, p, n);
}

/* ---- loading ---- */

_Noreturn static void fail_cycle(Expander *x, const Library *l, SrcPos pos) {
    base_buf text = {0};
    size_t i = 0;
    while (x->loading.at[i] != l) i++;
    for (; i < x->loading.len; i++) base_buf_printf(&text, "%s imports ", x->loading.at[i]->name);
    base_buf_puts(&text, l->name);
    const char *copy = base_arena_strdup(&x->tree, base_buf_str(&text));
    base_buf_free(&text);
    expand_fail(x, pos, "the imports go in a cycle: %s", copy);
}

/* Defines the libraries of FILE, L among them. */
static void load_file(Expander *x, Library *l, SrcPos pos, const SourceFile *file) {
    Stx **datums;
    int count = expand_source_datums(x, file, false, &datums);
    for (int i = 0; i < count; i++) {
        Stx **p;
        int n = expand_stx_items(x, datums[i], &p);
        if (n < 2 || !stx_is_identifier(p[0]) || strcmp(expand_stx_name(p[0]), "define-library"))
            expand_fail(x, datums[i]->pos, "expected (define-library name declaration ...)");
        expand_library_define(x, datums[i], p, n);
    }
    if (l->state != LIBRARY_READY)
        expand_fail(x, pos, "%s does not define the library %s", file->path, l->name);
}

Library *expand_library_load(Expander *x, Stx *name) {
    Library *l = expand_library_named(x, expand_library_name(x, name));
    if (l->state == LIBRARY_READY) return l;
    if (l->state == LIBRARY_LOADING) fail_cycle(x, l, name->pos);
    const char *searched;
    const char *path = joined(x, name, '/', "", "");
    const SourceFile *file = expand_source_library(x, name->pos, path, &searched);
    if (!file) expand_fail(x, name->pos, "library %s not found; searched: %s", l->name, searched);
    load_file(x, l, name->pos, file);
    return l;
}

bool expand_library_exists(Expander *x, Stx *name) {
    const char *text = expand_library_name(x, name);
    void **slot = base_strmap_find(&x->libraries, text, strlen(text));
    if (slot && ((Library *)*slot)->state != LIBRARY_NEW) return true;
    return expand_source_library_exists(x, joined(x, name, '/', "", ""));
}

/* ---- cond-expand ---- */

static bool has_feature(Expander *x, Value symbol) {
    Value list = rt_prim_find("%features")->fn(x->m, NULL, 0);
    for (; is_pair(list); list = cdr(list))
        if (car(list) == symbol) return true;
    return false;
}

static bool holds(Expander *x, Stx *form, Stx *s) {
    if (stx_is_identifier(s))
        return !strcmp(expand_stx_name(s), "else") || has_feature(x, expand_stx_symbol(s));
    Stx **p;
    int n = expand_stx_items(x, s, &p);
    const char *head = n > 0 && stx_is_identifier(p[0]) ? expand_stx_name(p[0]) : "";
    if (!strcmp(head, "library") && n == 2) return expand_library_exists(x, p[1]);
    expand_enter(x, s->pos, 1);
    bool result;
    if (!strcmp(head, "not") && n == 2)
        result = !holds(x, form, p[1]);
    else if (!strcmp(head, "and") || !strcmp(head, "or")) {
        bool is_and = head[0] == 'a';
        result = is_and;
        for (int i = 1; i < n && result == is_and; i++) result = holds(x, form, p[i]);
    } else
        expand_form_fail(
            x, form, s,
            "expected a feature, (library name), (and ...), (or ...), (not ...) or else");
    expand_leave(x, 1);
    return result;
}

int expand_cond_expand_forms(Expander *x, Stx *form, Stx **p, int n, Stx ***forms) {
    for (int i = 1; i < n; i++) {
        Stx **parts;
        int count = expand_stx_items(x, p[i], &parts);
        if (count < 1) expand_form_fail(x, form, p[i], "expected a clause (requirement form ...)");
        if (!holds(x, form, parts[0])) continue;
        *forms = parts + 1;
        return count - 1;
    }
    *forms = NULL;
    return 0;
}
