/* Records. The base type is its own type, so a type prints and compares as any record does. */
#include "rt/record.h"
#include "base/base.h"
#include "rt/args.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/string.h"

enum { RTD_NAME = 1, RTD_FIELDS, RTD_PARENT, RTD_WORDS };

static Value base_type; /* immobile */

/* Fields through gc_write: the object is immobile, what they refer to is not. */
static Value fixed_rtd(Mutator *m, Value type, Value name, Value fields) {
    Object *o = gc_immobile(m, T_RECORD, RTD_WORDS);
    Value rtd = v_object(o);
    o->slot[0] = type ? type : rtd;
    o->slot[RTD_NAME] = name;
    o->slot[RTD_PARENT] = V_FALSE;
    o->slot[RTD_FIELDS] = V_FALSE;
    gc_write(m, &o->slot[RTD_FIELDS], fields);
    return rtd;
}

static Value names_of(Mutator *m, const char *fields) {
    Value names[16];
    uint64_t count = 0;
    while (*fields && count < BASE_COUNT(names)) {
        size_t length = strcspn(fields, " ");
        names[count++] = rt_intern(m, fields, length);
        fields += length + (fields[length] == ' ');
    }
    Object *o = gc_object(m, T_VECTOR, count);
    memcpy(o->slot, names, count * sizeof *names);
    return v_object(o);
}

void rt_record_start(Mutator *m) {
    base_type = fixed_rtd(m, 0, rt_intern_c(m, "record-type"), names_of(m, "name fields parent"));
}

Value rt_rtd_new(Mutator *m, const char *name, const char *fields) {
    return fixed_rtd(m, base_type, rt_intern_c(m, name), names_of(m, fields));
}

bool rt_is_rtd(Value v) { return is_record(v) && rt_record_type(v) == base_type; }
Value rt_rtd_name(Value rtd) { return object_slots(rtd)[RTD_NAME]; }
Value rt_rtd_fields(Value rtd) { return object_slots(rtd)[RTD_FIELDS]; }

bool rt_record_is_slow(Value x, Value rtd) {
    for (Value type = rt_record_type(x); is_record(type); type = object_slots(type)[RTD_PARENT])
        if (type == rtd) return true;
    return false;
}

/* ---- primitives ---- */

static bool all_symbols(Value vector) {
    for (uint64_t i = 0; i < object_size(vector); i++)
        if (!is_symbol(object_slots(vector)[i])) return false;
    return true;
}

PRIM_FN(prim_make_rtd) {
    static const char who[] = "%make-rtd";
    ARG_CHECK(is_symbol(a[0]), who, 1);
    ARG_CHECK(is_vector(a[1]) && all_symbols(a[1]), who, 2);
    Value parent = arg_given(a, n, 3) ? a[2] : V_FALSE;
    if (parent != V_FALSE && !rt_is_rtd(parent))
        return mutator_fail(m, ERR_WRONG_TYPE, who, 3, parent);
    uint64_t inherited = parent == V_FALSE ? 0 : object_size(rt_rtd_fields(parent));
    uint64_t own = object_size(a[1]);
    Object *fields = gc_object(m, T_VECTOR, inherited + own);
    if (inherited) memcpy(fields->slot, object_slots(rt_rtd_fields(parent)), inherited * 8);
    if (own) memcpy(fields->slot + inherited, object_slots(a[1]), own * 8);
    Object *o = gc_object(m, T_RECORD, RTD_WORDS);
    o->slot[0] = base_type;
    o->slot[RTD_NAME] = a[0];
    o->slot[RTD_FIELDS] = v_object(fields);
    o->slot[RTD_PARENT] = parent;
    return v_object(o);
}

PRIM_FN(prim_record) {
    ARG_CHECK(rt_is_rtd(a[0]), "%record", 1);
    if ((uint64_t)n - 1 != object_size(rt_rtd_fields(a[0])))
        return mutator_fail(m, ERR_ARITY, "%record", 0, a[0]);
    Object *o = gc_object(m, T_RECORD, (uint64_t)n);
    for (int i = 0; i < n; i++) o->slot[i] = a[i];
    return v_object(o);
}

PRIM_FN(prim_record_p) {
    PRIM_UNUSED;
    return v_bool(is_record(a[0]));
}

PRIM_FN(prim_record_is) {
    PRIM_UNUSED;
    return v_bool(rt_record_is(a[0], a[1]));
}

PRIM_FN(prim_record_type) {
    PRIM_UNUSED;
    ARG_CHECK(is_record(a[0]), "%record-type", 1);
    return rt_record_type(a[0]);
}

/* The slot of field A[2] of record A[0], which must be of type A[1]; NULL with a failure that names
 * the procedure WHO. */
static Value *field(Mutator *m, const Value *a, Value who) {
    const char *name = is_symbol(who) ? rt_symbol_name(who) : "record field";
    if (unlikely(!rt_record_is(a[0], a[1]))) {
        mutator_fail(m, ERR_WRONG_TYPE, name, 1, a[0]);
        return NULL;
    }
    int64_t i;
    if (!arg_index(m, name, a, 3, (int64_t)object_size(a[0]) - 1, &i)) return NULL;
    return &object_slots(a[0])[i + 1];
}

PRIM_FN(prim_record_ref) {
    Value *slot = field(m, a, n > 3 ? a[3] : V_FALSE);
    return slot ? *slot : V_FAIL;
}

PRIM_FN(prim_record_set) {
    Value *slot = field(m, a, n > 4 ? a[4] : V_FALSE);
    if (!slot) return V_FAIL;
    gc_write(m, slot, a[3]);
    return V_UNSPEC;
}

PRIM_FN(prim_rtd_p) {
    PRIM_UNUSED;
    return v_bool(rt_is_rtd(a[0]));
}

#define RTD_PART(cname, who, index)                                                                \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        ARG_CHECK(rt_is_rtd(a[0]), who, 1);                                                        \
        return object_slots(a[0])[index];                                                          \
    }
RTD_PART(prim_rtd_name, "%rtd-name", RTD_NAME)
RTD_PART(prim_rtd_fields, "%rtd-fields", RTD_FIELDS)
RTD_PART(prim_rtd_parent, "%rtd-parent", RTD_PARENT)
