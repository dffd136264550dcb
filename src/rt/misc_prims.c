/* Primitives that belong nowhere else: booleans, multiple values, the constants, and the checks
 * shared by all. */
#include "rt/args.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/rt.h"
#include "rt/string.h"

bool rt_room(Mutator *m, const char *who, uint64_t bytes) {
    if (bytes < GC_LARGE_BYTES || gc_can_allocate(m, bytes)) return true;
    mutator_fail(m, ERR_HEAP_LIMIT, who, 0, V_DEFAULT);
    return false;
}

bool rt_arg_count(Mutator *m, const char *who, const Value *a, int pos, unsigned bytes,
                  int64_t *out) {
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

static int64_t count_values(Value v) { return is_type(v, T_VALUES) ? (int64_t)object_size(v) : 1; }
static Value nth_value(Value v, int64_t i) { return is_type(v, T_VALUES) ? object_slots(v)[i] : v; }

/* Whether V is COUNT values, or at least so many; else the failure is noted. */
static bool right_values(Mutator *m, Value v, int64_t count, bool more) {
    int64_t got = count_values(v);
    if (likely(got == count || (more && got > count))) return true;
    mutator_fail_text(m, ERR_MISUSE, "values", V_DEFAULT, "expected %s%d value%s, got %d",
                      more ? "at least " : "", (int)count, count == 1 ? "" : "s", (int)got);
    return false;
}

PRIM_FN(prim_values_ref) {
    PRIM_UNUSED;
    return right_values(m, a[0], fixnum(a[2]), false) ? nth_value(a[0], fixnum(a[1])) : V_FAIL;
}

PRIM_FN(prim_values_at) {
    PRIM_UNUSED;
    return right_values(m, a[0], fixnum(a[2]), true) ? nth_value(a[0], fixnum(a[1])) : V_FAIL;
}

PRIM_FN(prim_values_check) {
    PRIM_UNUSED;
    return right_values(m, a[0], fixnum(a[1]), false) ? V_UNSPEC : V_FAIL;
}

/* The values from number FROM on. */
static Value values_from(Mutator *m, Value v, int64_t from) {
    if (from >= count_values(v)) return V_NIL;
    if (!is_type(v, T_VALUES)) return gc_cons(m, v, V_NIL);
    return rt_list(m, object_slots(v) + from, count_values(v) - from, V_NIL);
}

PRIM_FN(prim_values_list) {
    if (!right_values(m, a[0], n > 1 ? fixnum(a[1]) : 0, true)) return V_FAIL;
    return values_from(m, a[0], 0);
}

PRIM_FN(prim_values_rest) {
    PRIM_UNUSED;
    return right_values(m, a[0], fixnum(a[1]), true) ? values_from(m, a[0], fixnum(a[1])) : V_FAIL;
}

PRIM_FN(prim_condition_type) {
    PRIM_UNUSED;
    return rt_condition_type();
}

/* ---- features ---- */

static const char *const features[] = {
    "r7rs",     "hone",          "exact-closed", "exact-complex", "ieee-float", "full-unicode",
    "ratios",   "posix",         "unix",         "linux",         "threads",    "srfi-0",
    "srfi-1",   "srfi-2",        "srfi-6",       "srfi-8",        "srfi-9",     "srfi-11",
    "srfi-13",  "srfi-16",       "srfi-18",      "srfi-23",       "srfi-26",    "srfi-27",
    "srfi-28",  "srfi-30",       "srfi-39",      "srfi-41",       "srfi-62",    "srfi-64",
    "srfi-69",  "srfi-87",       "srfi-95",      "srfi-98",       "srfi-111",   "srfi-125",
    "srfi-128", "srfi-132",      "srfi-133",     "srfi-143",      "srfi-144",   "srfi-151",
    "srfi-152",
#if defined(__x86_64__)
    "x86-64",   "little-endian",
#elif defined(__aarch64__)
    "aarch64",  "little-endian",
#endif
};

PRIM_FN(prim_features) {
    PRIM_UNUSED;
    Value list = V_NIL;
    for (size_t i = sizeof features / sizeof *features; i-- > 0;)
        list = gc_cons(m, rt_intern_c(m, features[i]), list);
    return list;
}
