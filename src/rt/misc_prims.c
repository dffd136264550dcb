/* Primitives that belong nowhere else: booleans, multiple values, the constants, and the checks
 * shared by all. */
#include "rt/args.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/string.h"

bool rt_room(Mutator *m, const char *who, uint64_t bytes) {
    if (bytes < GC_LARGE_BYTES || gc_can_allocate(m, bytes)) return true;
    mutator_fail(m, ERR_HEAP_LIMIT, who, 0, V_DEFAULT);
    return false;
}

bool arg_count(Mutator *m, const char *who, const Value *a, int pos, unsigned bytes, int64_t *out) {
    Value v = a[pos - 1];
    if (!is_fixnum(v)) {
        mutator_fail(m, ERR_WRONG_TYPE, who, pos, v);
        return false;
    }
    *out = fixnum(v);
    if (*out < 0) {
        mutator_fail(m, ERR_RANGE, who, pos, v);
        return false;
    }
    uint64_t size;
    if (__builtin_mul_overflow((uint64_t)*out, (uint64_t)bytes, &size)) size = UINT64_MAX / 2;
    return rt_room(m, who, size);
}

PRIM_FN(prim_not) {
    PRIM_UNUSED;
    return v_bool(a[0] == V_FALSE);
}

static bool is_boolean(Value v) { return v == V_TRUE || v == V_FALSE; }

PRIM_FN(prim_boolean_p) {
    PRIM_UNUSED;
    return v_bool(is_boolean(a[0]));
}

PRIM_FN(prim_boolean_eq) {
    for (int i = 0; i < n; i++) ARG_CHECK(is_boolean(a[i]), "boolean=?", i + 1);
    for (int i = 1; i < n; i++)
        if (a[i] != a[0]) return V_FALSE;
    return V_TRUE;
}

PRIM_FN(prim_procedure_p) {
    PRIM_UNUSED;
    return v_bool(is_proc(a[0]));
}

PRIM_FN(prim_unspecified) {
    PRIM_UNUSED;
    return V_UNSPEC;
}

PRIM_FN(prim_eof_object) {
    PRIM_UNUSED;
    return V_EOF;
}

PRIM_FN(prim_eof_object_p) {
    PRIM_UNUSED;
    return v_bool(a[0] == V_EOF);
}

PRIM_FN(prim_default_object_p) {
    PRIM_UNUSED;
    return v_bool(a[0] == V_DEFAULT);
}

PRIM_FN(prim_default_object) {
    PRIM_UNUSED;
    return V_DEFAULT;
}

/* ---- multiple values ---- */

PRIM_FN(prim_values) {
    if (n == 1) return a[0];
    Object *o = gc_object(m, T_VALUES, (uint64_t)n);
    for (int i = 0; i < n; i++) o->slot[i] = a[i];
    return v_object(o);
}

PRIM_FN(prim_values_ref) {
    PRIM_UNUSED;
    int64_t i = fixnum(a[1]), count = fixnum(a[2]);
    if (!is_type(a[0], T_VALUES)) {
        if (count == 1 && i == 0) return a[0];
    } else if ((int64_t)object_size(a[0]) == count && (uint64_t)i < (uint64_t)count)
        return object_slots(a[0])[i];
    return mutator_fail_text(m, ERR_MISUSE, "values", V_DEFAULT, "expected %d values, got %d",
                             (int)count, is_type(a[0], T_VALUES) ? (int)object_size(a[0]) : 1);
}

PRIM_FN(prim_values_list) {
    int64_t least = n > 1 ? fixnum(a[1]) : 0;
    bool one = !is_type(a[0], T_VALUES);
    int64_t count = one ? 1 : (int64_t)object_size(a[0]);
    if (count < least)
        return mutator_fail_text(m, ERR_MISUSE, "values", V_DEFAULT,
                                 "expected at least %d values, got %d", (int)least, (int)count);
    return one ? gc_cons(m, a[0], V_NIL) : rt_list(m, object_slots(a[0]), count, V_NIL);
}

/* ---- features ---- */

static const char *const features[] = {
    "r7rs",    "hone",          "exact-closed", "exact-complex", "ieee-float", "full-unicode",
    "ratios",  "posix",         "unix",         "linux",         "threads",    "srfi-0",
    "srfi-1",  "srfi-2",        "srfi-6",       "srfi-8",        "srfi-9",     "srfi-11",
    "srfi-16", "srfi-18",       "srfi-23",      "srfi-26",       "srfi-27",    "srfi-28",
    "srfi-30", "srfi-39",       "srfi-62",      "srfi-64",       "srfi-69",    "srfi-87",
    "srfi-98", "srfi-111",      "srfi-132",     "srfi-133",      "srfi-151",
#if defined(__x86_64__)
    "x86-64",  "little-endian",
#elif defined(__aarch64__)
    "aarch64", "little-endian",
#endif
};

PRIM_FN(prim_features) {
    PRIM_UNUSED;
    Value list = V_NIL;
    for (size_t i = sizeof features / sizeof *features; i-- > 0;)
        list = gc_cons(m, rt_intern_c(m, features[i]), list);
    return list;
}
