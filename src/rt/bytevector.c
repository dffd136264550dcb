/* Bytevectors. */
#include "base/base.h"
#include "rt/args.h"
#include "rt/prim.h"
#include "rt/string.h"

static int64_t length_of(Value v) { return (int64_t)object_size(v); }
static bool is_byte(Value v) { return is_fixnum(v) && (uint64_t)fixnum(v) < 256; }

#define MUTABLE_CHECK(who, pos)                                                                    \
    do {                                                                                           \
        ARG_CHECK(is_bytevector(a[(pos) - 1]), who, pos);                                          \
        if (unlikely(has_flag(a[(pos) - 1], FLAG_IMMUTABLE)))                                      \
            return mutator_fail(m, ERR_IMMUTABLE, who, pos, a[(pos) - 1]);                         \
    } while (0)

PRIM_FN(prim_bytevector_p) {
    PRIM_UNUSED;
    return v_bool(is_bytevector(a[0]));
}

PRIM_FN(prim_make_bytevector) {
    int64_t count;
    if (!rt_arg_count(m, "make-bytevector", a, 1, 1, &count)) return V_FAIL;
    if (n > 1) ARG_CHECK(is_byte(a[1]), "make-bytevector", 2);
    Object *o = gc_bytes(m, T_BYTEVECTOR, (uint64_t)count, 0);
    memset(o->slot, n > 1 ? (int)fixnum(a[1]) : 0, (size_t)count);
    return v_object(o);
}

PRIM_FN(prim_bytevector) {
    for (int i = 0; i < n; i++) ARG_CHECK(is_byte(a[i]), "bytevector", i + 1);
    Value v = v_object(gc_bytes(m, T_BYTEVECTOR, (uint64_t)n, 0));
    for (int i = 0; i < n; i++) object_bytes(v)[i] = (uint8_t)fixnum(a[i]);
    return v;
}

PRIM_FN(prim_bytevector_length) {
    PRIM_UNUSED;
    ARG_CHECK(is_bytevector(a[0]), "bytevector-length", 1);
    return v_fixnum(length_of(a[0]));
}

PRIM_FN(prim_bytevector_u8_ref) {
    PRIM_UNUSED;
    int64_t i;
    ARG_CHECK(is_bytevector(a[0]), "bytevector-u8-ref", 1);
    if (!arg_index(m, "bytevector-u8-ref", a, 2, length_of(a[0]), &i)) return V_FAIL;
    return v_fixnum(object_bytes(a[0])[i]);
}

PRIM_FN(prim_bytevector_u8_set) {
    PRIM_UNUSED;
    int64_t i;
    MUTABLE_CHECK("bytevector-u8-set!", 1);
    if (!arg_index(m, "bytevector-u8-set!", a, 2, length_of(a[0]), &i)) return V_FAIL;
    ARG_CHECK(is_byte(a[2]), "bytevector-u8-set!", 3);
    object_bytes(a[0])[i] = (uint8_t)fixnum(a[2]);
    return V_UNSPEC;
}

PRIM_FN(prim_bytevector_fill) {
    int64_t start, end;
    MUTABLE_CHECK("bytevector-fill!", 1);
    ARG_CHECK(is_byte(a[1]), "bytevector-fill!", 2);
    if (!arg_range(m, "bytevector-fill!", a, n, 3, length_of(a[0]), &start, &end)) return V_FAIL;
    memset(object_bytes(a[0]) + start, (int)fixnum(a[1]), (size_t)(end - start));
    return V_UNSPEC;
}

PRIM_FN(prim_bytevector_copy) {
    int64_t start, end;
    ARG_CHECK(is_bytevector(a[0]), "bytevector-copy", 1);
    if (!arg_range(m, "bytevector-copy", a, n, 2, length_of(a[0]), &start, &end)) return V_FAIL;
    Object *o = gc_bytes(m, T_BYTEVECTOR, (uint64_t)(end - start), 0);
    memcpy(o->slot, object_bytes(a[0]) + start, (size_t)(end - start));
    return v_object(o);
}

PRIM_FN(prim_bytevector_copy_to) {
    int64_t at, start, end;
    MUTABLE_CHECK("bytevector-copy!", 1);
    if (!arg_index(m, "bytevector-copy!", a, 2, length_of(a[0]) + 1, &at)) return V_FAIL;
    ARG_CHECK(is_bytevector(a[2]), "bytevector-copy!", 3);
    if (!arg_range(m, "bytevector-copy!", a, n, 4, length_of(a[2]), &start, &end)) return V_FAIL;
    if (end - start > length_of(a[0]) - at)
        return mutator_fail(m, ERR_RANGE, "bytevector-copy!", 2, a[1]);
    memmove(object_bytes(a[0]) + at, object_bytes(a[2]) + start, (size_t)(end - start));
    return V_UNSPEC;
}

PRIM_FN(prim_bytevector_append) {
    uint64_t count = 0;
    for (int i = 0; i < n; i++) {
        ARG_CHECK(is_bytevector(a[i]), "bytevector-append", i + 1);
        count += object_size(a[i]);
    }
    if (!rt_room(m, "bytevector-append", count)) return V_FAIL;
    Value v = v_object(gc_bytes(m, T_BYTEVECTOR, count, 0));
    uint8_t *to = object_bytes(v);
    for (int i = 0; i < n; i++) {
        memcpy(to, object_bytes(a[i]), object_size(a[i]));
        to += object_size(a[i]);
    }
    return v;
}

PRIM_FN(prim_utf8_to_string) {
    int64_t start, end;
    ARG_CHECK(is_bytevector(a[0]), "utf8->string", 1);
    if (!arg_range(m, "utf8->string", a, n, 2, length_of(a[0]), &start, &end)) return V_FAIL;
    const char *text = (const char *)object_bytes(a[0]) + start;
    if (!base_utf8_valid(text, (size_t)(end - start), NULL))
        return mutator_fail(m, ERR_DECODE, "utf8->string", 1, a[0]);
    if (!rt_room(m, "utf8->string", (uint64_t)(end - start) * 4)) return V_FAIL;
    return rt_string_new(m, text, (size_t)(end - start));
}

PRIM_FN(prim_string_to_utf8) {
    int64_t start, end;
    ARG_CHECK(is_string(a[0]), "string->utf8", 1);
    if (!arg_range(m, "string->utf8", a, n, 2, rt_string_length(a[0]), &start, &end)) return V_FAIL;
    base_buf out = {0};
    rt_string_encode(&out, a[0], start, end);
    Value v = v_object(gc_bytes(m, T_BYTEVECTOR, out.len, 0));
    if (out.len) memcpy(object_bytes(v), out.at, out.len);
    base_buf_free(&out);
    return v;
}
