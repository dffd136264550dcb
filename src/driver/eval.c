/* eval.c: eval, load and environments. C only expands and compiles; Scheme code (lib/hone/base)
 * runs what comes out. */
#include <stdlib.h>
#include "driver/profile.h"
#include "read/read.h"
#include "rt/string.h"

static Value env_value(Mutator *m, Env *env) {
    Object *o = gc_object(m, T_OPAQUE, 4);
    o->slot[0] = v_fixnum(OPAQUE_ENVIRONMENT);
    o->slot[1] = (Word)env;
    o->slot[2] = o->slot[3] = V_FALSE;
    return v_object(o);
}

static Env *env_of(Value v) {
    return is_opaque(v, OPAQUE_ENVIRONMENT) ? raw_pointer(object_slots(v)[1]) : NULL;
}

PRIM_FN(prim_eval_prepare) {
    (void)n;
    Env *env = env_of(a[1]);
    if (!env) return mutator_fail(m, ERR_WRONG_TYPE, "eval", 2, a[1]);
    uint64_t began = driver_compiling_begin();
    base_arena arena = {0};
    static const SourceFile eval_file = {.path = "<eval>"};
    Stx *form = read_from_value(m, &arena, a[0], (SrcPos){&eval_file, 0, 0});
    ExpandError error;
    Program p;
    Value result;
    if (expand_form(driver_expander(), m, env, form, &p, &error)) {
        result = driver_compile(m, &p, false);
        expand_free(&p);
    } else {
        result = driver_fail_expand(m, "eval", &error);
    }
    base_arena_free(&arena);
    driver_compiling_end(m, began);
    return result;
}

static Value env_result(Mutator *m, Env *env, Program *p, const char *who,
                        const ExpandError *error) {
    if (!env) return driver_fail_expand(m, who, error);
    Value procs = driver_compile(m, p, true);
    expand_free(p);
    return gc_cons(m, env_value(m, env), procs);
}

PRIM_FN(prim_environment) {
    (void)n;
    uint64_t began = driver_compiling_begin();
    ExpandError error;
    Program p;
    Value result = env_result(m, expand_environment(driver_expander(), m, a[0], &p, &error), &p,
                              "environment", &error);
    driver_compiling_end(m, began);
    return result;
}

Env *driver_interaction_env(Mutator *m, Program *out, ExpandError *error) {
    static os_mutex lock = OS_MUTEX_INIT;
    static Env *env;
    os_mutex_lock(&lock);
    *out = (Program){0};
    if (!env) env = expand_interaction_env(driver_expander(), m, out, error);
    os_mutex_unlock(&lock);
    return env;
}

PRIM_FN(prim_interaction_environment) {
    PRIM_UNUSED;
    uint64_t began = driver_compiling_begin();
    ExpandError error;
    Program p;
    Value result =
        env_result(m, driver_interaction_env(m, &p, &error), &p, "interaction-environment", &error);
    driver_compiling_end(m, began);
    return result;
}

/* The forms of a file as data with positions are needed one by one, since each may define syntax or
 * import: the result is a list of procedure lists. A form that cannot be expanded fails the load
 * before anything of it has run. */
PRIM_FN(prim_load_prepare) {
    (void)n;
    Env *env = env_of(a[1]);
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "load", 1, a[0]);
    if (!env) return mutator_fail(m, ERR_WRONG_TYPE, "load", 2, a[1]);
    char *path = rt_string_utf8(a[0], NULL);
    ExpandError error;
    const SourceFile *file = driver_source_file(path, &error);
    free(path);
    if (!file) return driver_fail_expand(m, "load", &error);
    uint64_t began = driver_compiling_begin();
    base_arena arena = {0};
    Reader *reader = read_open(m, &arena, file);
    ReadError bad = {0};
    Value result = V_NIL, last = V_NIL;
    for (Stx *form; (form = read_datum(reader, &bad));) {
        Program p;
        if (!expand_form(driver_expander(), m, env, form, &p, &error)) {
            result = driver_fail_expand(m, "load", &error);
            break;
        }
        Value cell = gc_cons(m, driver_compile(m, &p, false), V_NIL);
        expand_free(&p);
        if (last == V_NIL)
            result = cell;
        else
            pair_of(last)->cdr = cell;
        last = cell;
    }
    if (result != V_FAIL && bad.message[0]) {
        error = (ExpandError){.code = ERR_READ, .pos = bad.pos, .opened = bad.opened};
        memcpy(error.message, bad.message, sizeof bad.message);
        result = driver_fail_expand(m, "load", &error);
    }
    read_close(reader);
    base_arena_free(&arena);
    driver_compiling_end(m, began);
    return result;
}
