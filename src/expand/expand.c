/* expand.c: the door: one call at a time, its arenas, and its failures.
 *
 * A failure anywhere leaves by one longjmp to the call that the user made. What a call allocates is
 * in its arenas or in the Expander, so that nothing leaks. Libraries that a failed call expanded
 * are forgotten, since nobody will ever run their units. */
#include "expand/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write.h"

void *expand_grow(Expander *x, void *at, size_t len, size_t *cap, size_t item_size) {
    *cap = *cap ? *cap * 2 : 8;
    void *bigger = base_arena_alloc(&x->tree, *cap * item_size);
    if (len) memcpy(bigger, at, len * item_size);
    return bigger;
}

/* ---- failures ---- */

static void fail(Expander *x, enum error_code code, SrcPos pos, const char *format, va_list ap) {
    vsnprintf(x->error->message, sizeof x->error->message, format, ap);
    x->error->code = code;
    x->error->pos = pos;
}

void expand_fail(Expander *x, SrcPos pos, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    fail(x, ERR_SYNTAX, pos, format, ap);
    va_end(ap);
    longjmp(x->failed, 1);
}

void expand_fail_code(Expander *x, enum error_code code, SrcPos pos, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    fail(x, code, pos, format, ap);
    va_end(ap);
    longjmp(x->failed, 1);
}

const char *expand_text(Expander *x, const Stx *s) {
    base_buf text = {0};
    rt_write(x->m, &text, read_to_value(x->m, s, false), RT_WRITE, 60);
    const char *copy = base_arena_strdup(&x->tree, base_buf_str(&text));
    base_buf_free(&text);
    return copy;
}

void expand_check_memory(Expander *x, SrcPos pos) {
    if (x->tree.total + x->core->arena->total > x->memory)
        expand_fail(x, pos, "the expansion takes more than %zu MiB", x->memory >> 20);
}

void expand_enter(Expander *x, SrcPos pos, int count) {
    x->depth += count;
    const char *here = __builtin_frame_address(0);
    if (unlikely(x->depth > MAX_DEPTH || x->stack - here > MAX_STACK))
        expand_fail(x, pos, "the program is nested too deeply (the limit is %d levels)", MAX_DEPTH);
    if (unlikely(x->tree.total + x->core->arena->total > x->memory)) expand_check_memory(x, pos);
}

/* ---- making an expander ---- */

static Mutator *mutator(void) { return &rt_current()->m; }

static void export_forms(Expander *x) {
    Library *l = expand_library_named(x, "(hone syntax)");
    l->state = LIBRARY_READY;
    for (int i = 0; i < FORM_COUNT; i++) {
        x->forms[i].kind = DENOT_FORM;
        x->forms[i].as.form = &expand_forms[i];
        if (i == FORM_IMPORT || i == FORM_DEFINE_LIBRARY) continue;
        Value name = rt_intern_c(mutator(), expand_forms[i].name);
        *base_map_at(&l->exports, name, NULL) = (uint64_t)&x->forms[i];
    }
}

Expander *expand_new(const char *const *paths, int count,
                     const SourceFile *(*builtin)(const char *name)) {
    Expander *x = base_calloc(1, sizeof *x);
    os_mutex_init(&x->lock);
    x->paths = BASE_NEW_ARRAY(&x->arena, const char *, (size_t)count);
    for (int i = 0; i < count; i++) x->paths[i] = base_arena_strdup(&x->arena, paths[i]);
    x->path_count = count;
    x->builtin = builtin;
    x->memory = DEFAULT_MEMORY;
    x->kept = rt_global_new("kept-literals", "(hone syntax)");
    export_forms(x);
    x->base = expand_library_named(x, "(hone base)");
    x->base->env = expand_env_new(x, x->base->name, false);
    return x;
}

void expand_set_memory(Expander *x, size_t bytes) { x->memory = bytes; }

void expand_define_builtin(Expander *x, const char *library, const char *name, Global *g) {
    Library *l = expand_library_named(x, library);
    l->state = LIBRARY_READY;
    Denot *d = expand_denot_new(x, DENOT_GLOBAL);
    d->as.global = g;
    d->defined = true;
    *base_map_at(&l->exports, rt_intern_c(mutator(), name), NULL) = (uint64_t)d;
}

/* ---- one call ---- */

static void begin(Expander *x, Mutator *m, Program *out, ExpandError *error) {
    os_mutex_lock(&x->lock);
    memset(out, 0, sizeof *out);
    memset(error, 0, sizeof *error);
    out->core.arena = base_calloc(1, sizeof *out->core.arena);
    out->core.m = m;
    x->m = m;
    x->core = &out->core;
    x->error = error;
    x->depth = 0;
    x->stack = __builtin_frame_address(0);
    x->proc = NULL;
    x->hint = NULL;
    x->site = NULL;
}

static void end(Expander *x, Program *out, bool ok) {
    for (size_t i = 0; !ok && i < x->loading.len; i++) BASE_PUSH(&x->loaded, x->loading.at[i]);
    for (size_t i = 0; !ok && i < x->loaded.len; i++) {
        Library *l = x->loaded.at[i];
        l->state = LIBRARY_NEW;
        base_map_free(&l->exports);
        base_map_free(&l->env->table);
        l->env->pending_count = 0;
    }
    x->loading.len = x->loaded.len = 0;
    if (ok) {
        out->units = BASE_NEW_ARRAY(out->core.arena, Unit, x->units.len);
        out->count = (int)x->units.len;
        if (x->units.len) memcpy(out->units, x->units.at, x->units.len * sizeof(Unit));
    } else
        expand_free(out);
    x->units.len = 0;
    base_arena_free(&x->tree);
    base_map_free(&x->lexical);
    base_map_free(&x->macro_vars);
    base_map_free(&x->macro_inserts);
    base_map_free(&x->index);
    os_mutex_unlock(&x->lock);
}

void expand_free(Program *p) {
    if (!p->core.arena) return;
    base_arena_free(p->core.arena);
    free(p->core.arena);
    memset(p, 0, sizeof *p);
}

/* ---- imports made by the expander itself ---- */

static Stx *symbol_stx(Expander *x, const char *name, SrcPos pos) {
    Stx *s = expand_stx_new(x, STX_ATOM, pos);
    s->as.atom = rt_intern_c(x->m, name);
    return s;
}

/* The library name (FIRST SECOND) as syntax. */
static Stx *two_part_name(Expander *x, const char *first, const char *second, SrcPos pos) {
    Stx *tail =
        expand_stx_pair(x, pos, symbol_stx(x, second, pos), expand_stx_new(x, STX_NIL, pos));
    return expand_stx_pair(x, pos, symbol_stx(x, first, pos), tail);
}

/* (hone base) is part of every program: native forms call its procedures. */
static void load_base(Expander *x, SrcPos pos) {
    expand_library_load(x, two_part_name(x, "hone", "base", pos));
}

/* What a program without imports, and the REPL, may use. */
static const char *const default_libraries[] = {
    "base", "case-lambda", "char", "complex", "cxr",  "eval",  "file",           "inexact",
    "lazy", "load",        "read", "repl",    "time", "write", "process-context"};

static void import_defaults(Expander *x, Env *env, SrcPos pos) {
    for (size_t i = 0; i < BASE_COUNT(default_libraries); i++) {
        Stx *name = two_part_name(x, "scheme", default_libraries[i], pos);
        if (expand_library_exists(x, name)) expand_library_import(x, env, name, true);
    }
}

/* ---- the door's calls ---- */

static void add_unit(Expander *x, Env *env, const SourceFile *file, const char *name, SrcPos pos,
                     Stx **forms, int count) {
    Unit unit = {.name = name, .file = file, .info = core_proc("", pos, NULL)};
    expand_toplevel(x, env, forms, count, &unit);
    BASE_PUSH(&x->units, unit);
}

/* Whether a program begins by saying what it imports or defining a library; else it gets the
 * default imports. */
static bool says_imports(Expander *x, Stx **forms, int count) {
    if (count == 0) return true;
    if (!stx_is_pair(x, forms[0]) || !stx_is_identifier(forms[0]->as.pair.car)) return false;
    const char *head = expand_stx_name(forms[0]->as.pair.car);
    return !strcmp(head, "import") || !strcmp(head, "define-library");
}

static void program(Expander *x, Env *env, const SourceFile *file) {
    SrcPos start = {file, 1, 1};
    load_base(x, start);
    Stx **forms;
    int count = expand_source_datums(x, file, false, &forms);
    if (!says_imports(x, forms, count)) import_defaults(x, env, start);
    add_unit(x, env, file, file->path, start, forms, count);
}

bool expand_program(Expander *x, Mutator *m, const SourceFile *file, Program *out,
                    ExpandError *error) {
    begin(x, m, out, error);
    Env *env = expand_env_new(x, "", false);
    env->passing = true;
    volatile bool ok = false;
    if (!setjmp(x->failed)) {
        program(x, env, file);
        ok = true;
    }
    base_map_free(&env->table);
    end(x, out, ok);
    return ok;
}

Env *expand_interaction_env(Expander *x, Mutator *m, Program *out, ExpandError *error) {
    begin(x, m, out, error);
    Env *env = expand_env_new(x, "", true);
    volatile bool ok = false;
    if (!setjmp(x->failed)) {
        load_base(x, (SrcPos){0});
        import_defaults(x, env, (SrcPos){0});
        ok = true;
    }
    end(x, out, ok);
    return ok ? env : NULL;
}

Env *expand_environment(Expander *x, Mutator *m, Value import_sets, Program *out,
                        ExpandError *error) {
    begin(x, m, out, error);
    Env *env = expand_env_new(x, "", true);
    volatile bool ok = false;
    if (!setjmp(x->failed)) {
        load_base(x, (SrcPos){0});
        for (; is_pair(import_sets); import_sets = cdr(import_sets))
            expand_library_import(
                x, env, read_from_value(m, &x->tree, car(import_sets), (SrcPos){0}), false);
        ok = true;
    }
    end(x, out, ok);
    return ok ? env : NULL;
}

bool expand_form(Expander *x, Mutator *m, Env *env, Stx *form, Program *out, ExpandError *error) {
    begin(x, m, out, error);
    volatile bool ok = false;
    if (!setjmp(x->failed)) {
        load_base(x, form->pos);
        const SourceFile *file = form->pos.file;
        add_unit(x, env, file, file ? file->path : "<eval>", form->pos, &form, 1);
        ok = true;
    }
    end(x, out, ok);
    return ok;
}

Global *expand_find_global(Expander *x, const char *library, const char *name) {
    os_mutex_lock(&x->lock);
    Global *g = NULL;
    void **slot = base_strmap_find(&x->libraries, library, strlen(library));
    if (slot) {
        const Library *l = *slot;
        Value symbol = rt_intern_c(mutator(), name);
        uint64_t *found = base_map_find(&l->exports, symbol);
        if (!found && l->env) found = base_map_find(&l->env->table, symbol);
        const Denot *d = found ? (Denot *)(*found & ~(uint64_t)ENV_BITS) : NULL;
        if (d && d->kind == DENOT_GLOBAL) g = d->as.global;
    }
    os_mutex_unlock(&x->lock);
    return g;
}

void expand_set_resident(Expander *x, bool (*resident)(const char *library)) {
    x->resident = resident;
}

void expand_set_read_hook(Expander *x, void (*hook)(const SourceFile *file)) {
    x->read_hook = hook;
}
