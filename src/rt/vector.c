/* Vectors. */
#include "rt/args.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/string.h"

static int64_t length_of(Value v) { return (int64_t)object_size(v); }

#define MUTABLE_CHECK(who, pos)                                                                    \
    do {                                                                                           \
        ARG_CHECK(is_vector(a[(pos) - 1]), who, pos);                                              \
        if (unlikely(has_flag(a[(pos) - 1], FLAG_IMMUTABLE)))                                      \
            return mutator_fail(m, ERR_IMMUTABLE, who, pos, a[(pos) - 1]);                         \
    } while (0)

/* A vector of COUNT elements copied from ITEMS. */
static Value vector_from(Mutator *m, const Word *items, int64_t count) {
    Object *o = gc_object(m, T_VECTOR, (uint64_t)count);
    if (count) memcpy(o->slot, items, (size_t)count * sizeof(Word));
    return v_object(o);
}

PRIM_FN(prim_vector_p) {
    PRIM_UNUSED;
    return v_bool(is_vector(a[0]));
}

PRIM_FN(prim_make_vector) {
    int64_t count;
    if (!rt_arg_count(m, "make-vector", a, 1, 8, &count)) return V_FAIL;
    Value fill = n > 1 ? a[1] : V_UNSPEC;
    Object *o = gc_object(m, T_VECTOR, (uint64_t)count);
    for (int64_t i = 0; i < count; i++) o->slot[i] = fill;
    return v_object(o);
}

PRIM_FN(prim_vector) { return vector_from(m, a, n); }

PRIM_FN(prim_vector_length) {
    PRIM_UNUSED;
    ARG_CHECK(is_vector(a[0]), "vector-length", 1);
    return v_fixnum(length_of(a[0]));
}

PRIM_FN(prim_vector_ref) {
    PRIM_UNUSED;
    int64_t i;
    ARG_CHECK(is_vector(a[0]), "vector-ref", 1);
    if (!arg_index(m, "vector-ref", a, 2, length_of(a[0]), &i)) return V_FAIL;
    return object_slots(a[0])[i];
}

PRIM_FN(prim_vector_set) {
    PRIM_UNUSED;
    int64_t i;
    MUTABLE_CHECK("vector-set!", 1);
    if (!arg_index(m, "vector-set!", a, 2, length_of(a[0]), &i)) return V_FAIL;
    gc_write(m, &object_slots(a[0])[i], a[2]);
    return V_UNSPEC;
}

PRIM_FN(prim_vector_to_list) {
    int64_t start, end;
    ARG_CHECK(is_vector(a[0]), "vector->list", 1);
    if (!arg_range(m, "vector->list", a, n, 2, length_of(a[0]), &start, &end)) return V_FAIL;
    return rt_list(m, object_slots(a[0]) + start, end - start, V_NIL);
}

PRIM_FN(prim_list_to_vector) {
    PRIM_UNUSED;
    int64_t count = rt_list_length(a[0]);
    if (count < 0) return mutator_fail(m, ERR_NOT_LIST, "list->vector", 1, a[0]);
    Object *o = gc_object(m, T_VECTOR, (uint64_t)count);
    Value v = a[0];
    for (int64_t i = 0; i < count; i++, v = cdr(v)) o->slot[i] = car(v);
    return v_object(o);
}

PRIM_FN(prim_vector_fill) {
    int64_t start, end;
    MUTABLE_CHECK("vector-fill!", 1);
    if (!arg_range(m, "vector-fill!", a, n, 3, length_of(a[0]), &start, &end)) return V_FAIL;
    for (int64_t i = start; i < end; i++) gc_write(m, &object_slots(a[0])[i], a[1]);
    return V_UNSPEC;
}

static Value copy_part(Mutator *m, const Value *a, int n, const char *who) {
    int64_t start, end;
    ARG_CHECK(is_vector(a[0]), who, 1);
    if (!arg_range(m, who, a, n, 2, length_of(a[0]), &start, &end)) return V_FAIL;
    return vector_from(m, object_slots(a[0]) + start, end - start);
}

PRIM_FN(prim_vector_copy) { return copy_part(m, a, n, "vector-copy"); }
PRIM_FN(prim_subvector) { return copy_part(m, a, n, "subvector"); }

PRIM_FN(prim_vector_copy_to) {
    int64_t at, start, end;
    MUTABLE_CHECK("vector-copy!", 1);
    if (!arg_index(m, "vector-copy!", a, 2, length_of(a[0]) + 1, &at)) return V_FAIL;
    ARG_CHECK(is_vector(a[2]), "vector-copy!", 3);
    if (!arg_range(m, "vector-copy!", a, n, 4, length_of(a[2]), &start, &end)) return V_FAIL;
    int64_t count = end - start;
    if (count > length_of(a[0]) - at) return mutator_fail(m, ERR_RANGE, "vector-copy!", 2, a[1]);
    Word *to = object_slots(a[0]) + at, *from = object_slots(a[2]) + start;
    if (to <= from)
        for (int64_t i = 0; i < count; i++) gc_write(m, &to[i], from[i]);
    else
        for (int64_t i = count; i-- > 0;) gc_write(m, &to[i], from[i]);
    return V_UNSPEC;
}

PRIM_FN(prim_vector_append) {
    uint64_t count = 0;
    for (int i = 0; i < n; i++) {
        ARG_CHECK(is_vector(a[i]), "vector-append", i + 1);
        count += object_size(a[i]);
    }
    if (!rt_room(m, "vector-append", count * 8)) return V_FAIL;
    Object *o = gc_object(m, T_VECTOR, count);
    Word *to = o->slot;
    for (int i = 0; i < n; i++) {
        memcpy(to, object_slots(a[i]), object_size(a[i]) * 8);
        to += object_size(a[i]);
    }
    return v_object(o);
}

PRIM_FN(prim_vector_to_string) {
    int64_t start, end;
    ARG_CHECK(is_vector(a[0]), "vector->string", 1);
    if (!arg_range(m, "vector->string", a, n, 2, length_of(a[0]), &start, &end)) return V_FAIL;
    Word *items = object_slots(a[0]);
    uint32_t all = 0;
    for (int64_t i = start; i < end; i++) {
        if (!is_char(items[i])) return mutator_fail(m, ERR_WRONG_TYPE, "vector->string", 1, a[0]);
        all |= char_code(items[i]);
    }
    Value s = rt_string_alloc(m, end - start, all > 0xff);
    Value data = rt_string_data(s);
    for (int64_t i = start; i < end; i++) rt_data_set(data, i - start, char_code(items[i]));
    return s;
}

PRIM_FN(prim_string_to_vector) {
    int64_t start, end;
    ARG_CHECK(is_string(a[0]), "string->vector", 1);
    if (!arg_range(m, "string->vector", a, n, 2, rt_string_length(a[0]), &start, &end))
        return V_FAIL;
    if (!rt_room(m, "string->vector", (uint64_t)(end - start) * 8)) return V_FAIL;
    Value data = rt_string_data(a[0]);
    Object *o = gc_object(m, T_VECTOR, (uint64_t)(end - start));
    for (int64_t i = start; i < end; i++) o->slot[i - start] = v_char(rt_data_ref(data, i));
    return v_object(o);
}
