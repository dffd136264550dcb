/* Primitives on strings, but for case (string_case.c). */
#include "base/base.h"
#include "rt/args.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/string.h"

#define MUTABLE_CHECK(who, pos)                                                                    \
    do {                                                                                           \
        ARG_CHECK(is_string(a[(pos) - 1]), who, pos);                                              \
        if (unlikely(has_flag(a[(pos) - 1], FLAG_IMMUTABLE)))                                      \
            return mutator_fail(m, ERR_IMMUTABLE, who, pos, a[(pos) - 1]);                         \
    } while (0)

PRIM_FN(prim_string_p) {
    PRIM_UNUSED;
    return v_bool(is_string(a[0]));
}

PRIM_FN(prim_make_string) {
    int64_t count;
    if (n > 1) ARG_CHECK(is_char(a[1]), "make-string", 2);
    uint32_t fill = n > 1 ? char_code(a[1]) : ' ';
    if (!rt_arg_count(m, "make-string", a, 1, fill > 0xff ? 4 : 1, &count)) return V_FAIL;
    Value s = rt_string_alloc(m, count, fill > 0xff), data = rt_string_data(s);
    if (fill <= 0xff)
        memset(object_bytes(data), (int)fill, (size_t)count);
    else
        for (int64_t i = 0; i < count; i++) rt_data_set(data, i, fill);
    return s;
}

PRIM_FN(prim_string) {
    uint32_t all = 0;
    for (int i = 0; i < n; i++) {
        ARG_CHECK(is_char(a[i]), "string", i + 1);
        all |= char_code(a[i]);
    }
    Value s = rt_string_alloc(m, n, all > 0xff), data = rt_string_data(s);
    for (int i = 0; i < n; i++) rt_data_set(data, i, char_code(a[i]));
    return s;
}

PRIM_FN(prim_string_length) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "string-length", 1);
    return object_slots(a[0])[1];
}

PRIM_FN(prim_string_ref) {
    PRIM_UNUSED;
    int64_t i;
    ARG_CHECK(is_string(a[0]), "string-ref", 1);
    if (!arg_index(m, "string-ref", a, 2, rt_string_length(a[0]), &i)) return V_FAIL;
    return v_char(rt_string_ref(a[0], i));
}

PRIM_FN(prim_string_set) {
    PRIM_UNUSED;
    int64_t i;
    MUTABLE_CHECK("string-set!", 1);
    if (!arg_index(m, "string-set!", a, 2, rt_string_length(a[0]), &i)) return V_FAIL;
    ARG_CHECK(is_char(a[2]), "string-set!", 3);
    rt_string_widen(m, a[0], char_code(a[2]));
    rt_data_set(rt_string_data(a[0]), i, char_code(a[2]));
    return V_UNSPEC;
}

/* ---- order ---- */

#define STRING_COMPARE(cname, who, op)                                                             \
    PRIM_FN(cname) {                                                                               \
        for (int i = 0; i < n; i++) ARG_CHECK(is_string(a[i]), who, i + 1);                        \
        for (int i = 1; i < n; i++)                                                                \
            if (!(rt_string_compare(a[i - 1], a[i]) op 0)) return V_FALSE;                         \
        return V_TRUE;                                                                             \
    }
STRING_COMPARE(prim_string_lt, "string<?", <)
STRING_COMPARE(prim_string_gt, "string>?", >)
STRING_COMPARE(prim_string_le, "string<=?", <=)
STRING_COMPARE(prim_string_ge, "string>=?", >=)

PRIM_FN(prim_string_eq) {
    for (int i = 0; i < n; i++) ARG_CHECK(is_string(a[i]), "string=?", i + 1);
    for (int i = 1; i < n; i++)
        if (!rt_string_equal(a[i - 1], a[i])) return V_FALSE;
    return V_TRUE;
}

/* ---- parts and sums ---- */

static Value copy_part(Mutator *m, const Value *a, int n, const char *who) {
    int64_t start, end;
    ARG_CHECK(is_string(a[0]), who, 1);
    if (!arg_range(m, who, a, n, 2, rt_string_length(a[0]), &start, &end)) return V_FAIL;
    if (!rt_room(m, who, (uint64_t)(end - start) * 4)) return V_FAIL;
    return rt_substring(m, a[0], start, end);
}

PRIM_FN(prim_substring) { return copy_part(m, a, n, "substring"); }
PRIM_FN(prim_string_copy) { return copy_part(m, a, n, "string-copy"); }

typedef struct Sum {
    uint64_t length;
    bool wide;
} Sum;

static void sum_add(Sum *sum, Value s) {
    int64_t length = rt_string_length(s);
    Value data = rt_string_data(s);
    sum->length += (uint64_t)length;
    if (!sum->wide && rt_data_wide(data)) sum->wide = rt_data_widest(data, 0, length) > 0xff;
}

static Value sum_alloc(Mutator *m, const Sum *sum, const char *who) {
    if (!rt_room(m, who, sum->length << (sum->wide * 2))) return V_FAIL;
    return rt_string_alloc(m, (int64_t)sum->length, sum->wide);
}

PRIM_FN(prim_string_append) {
    Sum sum = {0};
    for (int i = 0; i < n; i++) {
        ARG_CHECK(is_string(a[i]), "string-append", i + 1);
        sum_add(&sum, a[i]);
    }
    Value out = sum_alloc(m, &sum, "string-append");
    if (out == V_FAIL) return V_FAIL;
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        rt_data_copy(rt_string_data(out), at, rt_string_data(a[i]), 0, rt_string_length(a[i]));
        at += rt_string_length(a[i]);
    }
    return out;
}

PRIM_FN(prim_string_concatenate) {
    PRIM_UNUSED;
    static const char who[] = "string-concatenate";
    if (rt_list_length(a[0]) < 0) return mutator_fail(m, ERR_NOT_LIST, who, 1, a[0]);
    Sum sum = {0};
    for (Value v = a[0]; is_pair(v); v = cdr(v)) {
        if (!is_string(car(v))) return mutator_fail(m, ERR_WRONG_TYPE, who, 1, a[0]);
        sum_add(&sum, car(v));
    }
    Value out = sum_alloc(m, &sum, who);
    if (out == V_FAIL) return V_FAIL;
    int64_t at = 0;
    for (Value v = a[0]; is_pair(v); v = cdr(v)) {
        Value s = car(v);
        rt_data_copy(rt_string_data(out), at, rt_string_data(s), 0, rt_string_length(s));
        at += rt_string_length(s);
    }
    return out;
}

PRIM_FN(prim_string_to_list) {
    int64_t start, end;
    ARG_CHECK(is_string(a[0]), "string->list", 1);
    if (!arg_range(m, "string->list", a, n, 2, rt_string_length(a[0]), &start, &end)) return V_FAIL;
    if (!rt_room(m, "string->list", (uint64_t)(end - start) * sizeof(Pair))) return V_FAIL;
    Value data = rt_string_data(a[0]), list = V_NIL;
    for (int64_t i = end; i-- > start;) list = gc_cons(m, v_char(rt_data_ref(data, i)), list);
    return list;
}

PRIM_FN(prim_list_to_string) {
    PRIM_UNUSED;
    int64_t length = rt_list_length(a[0]);
    if (length < 0) return mutator_fail(m, ERR_NOT_LIST, "list->string", 1, a[0]);
    uint32_t all = 0;
    for (Value v = a[0]; is_pair(v); v = cdr(v)) {
        if (!is_char(car(v))) return mutator_fail(m, ERR_WRONG_TYPE, "list->string", 1, a[0]);
        all |= char_code(car(v));
    }
    Value s = rt_string_alloc(m, length, all > 0xff), data = rt_string_data(s), v = a[0];
    for (int64_t i = 0; i < length; i++, v = cdr(v)) rt_data_set(data, i, char_code(car(v)));
    return s;
}

/* ---- changing ---- */

PRIM_FN(prim_string_copy_to) {
    int64_t at, start, end;
    static const char who[] = "string-copy!";
    MUTABLE_CHECK(who, 1);
    if (!arg_index(m, who, a, 2, rt_string_length(a[0]) + 1, &at)) return V_FAIL;
    ARG_CHECK(is_string(a[2]), who, 3);
    if (!arg_range(m, who, a, n, 4, rt_string_length(a[2]), &start, &end)) return V_FAIL;
    if (end - start > rt_string_length(a[0]) - at) return mutator_fail(m, ERR_RANGE, who, 2, a[1]);
    Value from = rt_string_data(a[2]);
    if (rt_data_wide(from)) rt_string_widen(m, a[0], rt_data_widest(from, start, end));
    rt_data_copy(rt_string_data(a[0]), at, from, start, end - start);
    return V_UNSPEC;
}

PRIM_FN(prim_string_fill) {
    int64_t start, end;
    MUTABLE_CHECK("string-fill!", 1);
    ARG_CHECK(is_char(a[1]), "string-fill!", 2);
    if (!arg_range(m, "string-fill!", a, n, 3, rt_string_length(a[0]), &start, &end)) return V_FAIL;
    rt_string_widen(m, a[0], char_code(a[1]));
    Value data = rt_string_data(a[0]);
    for (int64_t i = start; i < end; i++) rt_data_set(data, i, char_code(a[1]));
    return V_UNSPEC;
}

/* ---- search and hash ---- */

static bool match_at(Value pattern, int64_t length, Value text, int64_t at) {
    for (int64_t i = 0; i < length; i++)
        if (rt_data_ref(pattern, i) != rt_data_ref(text, at + i)) return false;
    return true;
}

/* (%string-search pattern string [start [end]]) */
PRIM_FN(prim_string_search) {
    int64_t start, end, length;
    ARG_CHECK(is_string(a[0]), "string-search", 1);
    ARG_CHECK(is_string(a[1]), "string-search", 2);
    if (!arg_range(m, "string-search", a, n, 3, rt_string_length(a[1]), &start, &end))
        return V_FAIL;
    length = rt_string_length(a[0]);
    Value pattern = rt_string_data(a[0]), text = rt_string_data(a[1]);
    if (!rt_data_wide(pattern) && !rt_data_wide(text)) {
        const uint8_t *base = object_bytes(text);
        const uint8_t *found =
            memmem(base + start, (size_t)(end - start), object_bytes(pattern), (size_t)length);
        return found ? v_fixnum(found - base) : V_FALSE;
    }
    for (int64_t at = start; at + length <= end; at++)
        if (match_at(pattern, length, text, at)) return v_fixnum(at);
    return V_FALSE;
}

/* (string-hash string [bound]) */
PRIM_FN(prim_string_hash) {
    ARG_CHECK(is_string(a[0]), "string-hash", 1);
    uint64_t h = rt_string_hash(a[0]);
    if (!arg_given(a, n, 2)) return v_fixnum((int64_t)h);
    ARG_CHECK(is_fixnum(a[1]) && fixnum(a[1]) > 0, "string-hash", 2);
    return v_fixnum((int64_t)(h % (uint64_t)fixnum(a[1])));
}
