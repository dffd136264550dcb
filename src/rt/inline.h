/* inline.h: the hot primitives, inline: one definition for the interpreter's handlers and for
 * native code.
 *
 * But for arithmetic each takes the Mutator first and returns its value or V_FAIL with the failure
 * noted. */
#ifndef HONE_RT_INLINE_H
#define HONE_RT_INLINE_H

#include "num/num.h"
#include "rt/record.h"
#include "rt/rt.h"
#include "rt/string.h"

#define INLINE static inline __attribute__((always_inline))

INLINE bool both_immediate_flonums(Value a, Value b) {
    return is_immediate_flonum(a) && is_immediate_flonum(b);
}

/* The common cases of arithmetic: fixnums whose result is one, flonums whose result needs no box.
 * Elsewhere V_FAIL, with no failure noted: the general case is num_NAME, which may run long, so
 * that who calls it wants a safe point behind it. */
#define INLINE_FLONUM_CASE(a, b, operator)                                                         \
    if (both_immediate_flonums(a, b)) {                                                            \
        Value v = flonum_word(immediate_flonum(a) operator immediate_flonum(b));                   \
        if (likely(is_immediate_flonum(v))) return v;                                              \
    }                                                                                              \
    return V_FAIL;
#define INLINE_ARITHMETIC(name, overflow, operator)                                                \
    INLINE Value inline_##name(Value a, Value b) {                                                 \
        int64_t n;                                                                                 \
        if (likely(both_fixnums(a, b) && !overflow((int64_t)a, (int64_t)b, &n))) return (Value)n;  \
        INLINE_FLONUM_CASE(a, b, operator)                                                         \
    }
#define INLINE_MUL_OVERFLOW(a, b, n) __builtin_mul_overflow((a) >> 3, (b), (n))
INLINE_ARITHMETIC(add, __builtin_add_overflow, +)
INLINE_ARITHMETIC(sub, __builtin_sub_overflow, -)
INLINE_ARITHMETIC(mul, INLINE_MUL_OVERFLOW, *)
INLINE Value inline_div(Value a, Value b){INLINE_FLONUM_CASE(a, b, /)}
#undef INLINE_MUL_OVERFLOW
#undef INLINE_ARITHMETIC
#undef INLINE_FLONUM_CASE

/* Fixnum by fixnum; the most negative fixnum divided by -1 is no fixnum. */
INLINE Value inline_quotient(Mutator *m, Value a, Value b) {
    if (likely(both_fixnums(a, b) && b != 0 && b != v_fixnum(-1)))
        return v_fixnum((int64_t)a / (int64_t)b);
    return num_quotient(m, a, b);
}
INLINE Value inline_remainder(Mutator *m, Value a, Value b) {
    if (likely(both_fixnums(a, b) && b != 0 && b != v_fixnum(-1)))
        return (Value)((int64_t)a % (int64_t)b);
    return num_remainder(m, a, b);
}
INLINE Value inline_modulo(Mutator *m, Value a, Value b) {
    if (likely(both_fixnums(a, b) && b != 0 && b != v_fixnum(-1))) {
        int64_t r = (int64_t)a % (int64_t)b;
        return (Value)((r != 0 && (r ^ (int64_t)b) < 0) ? r + (int64_t)b : r);
    }
    return num_modulo(m, a, b);
}

#define COMPARISON(name, operator, general)                                                        \
    INLINE Value inline_##name(Mutator *m, Value a, Value b) {                                     \
        if (likely(both_fixnums(a, b))) return v_bool((int64_t)a operator(int64_t) b);             \
        if (both_immediate_flonums(a, b))                                                          \
            return v_bool(immediate_flonum(a) operator immediate_flonum(b));                       \
        return general;                                                                            \
    }
COMPARISON(less, <, num_less(m, a, b, "<"))
COMPARISON(less_equal, <=, num_less_equal(m, a, b, "<="))
COMPARISON(numeric_equal, ==, num_equal(m, a, b, "="))
COMPARISON(greater, >, num_less(m, b, a, ">"))
COMPARISON(greater_equal, >=, num_less_equal(m, b, a, ">="))
#undef COMPARISON

INLINE Value inline_car(Mutator *m, Value v) {
    return likely(is_pair(v)) ? car(v) : mutator_fail(m, ERR_WRONG_TYPE, "car", 1, v);
}
INLINE Value inline_cdr(Mutator *m, Value v) {
    return likely(is_pair(v)) ? cdr(v) : mutator_fail(m, ERR_WRONG_TYPE, "cdr", 1, v);
}
INLINE Value inline_cadr(Mutator *m, Value v) {
    return likely(is_pair(v) && is_pair(cdr(v))) ? car(cdr(v))
                                                 : mutator_fail(m, ERR_WRONG_TYPE, "cadr", 1, v);
}
INLINE Value inline_cddr(Mutator *m, Value v) {
    return likely(is_pair(v) && is_pair(cdr(v))) ? cdr(cdr(v))
                                                 : mutator_fail(m, ERR_WRONG_TYPE, "cddr", 1, v);
}
INLINE Value inline_set_car(Mutator *m, Value p, Value v) {
    if (unlikely(!is_pair(p))) return mutator_fail(m, ERR_WRONG_TYPE, "set-car!", 1, p);
    gc_write(m, &pair_of(p)->car, v);
    return V_UNSPEC;
}
INLINE Value inline_set_cdr(Mutator *m, Value p, Value v) {
    if (unlikely(!is_pair(p))) return mutator_fail(m, ERR_WRONG_TYPE, "set-cdr!", 1, p);
    gc_write(m, &pair_of(p)->cdr, v);
    return V_UNSPEC;
}

/* The failure of an indexed access. */
static __attribute__((noinline, cold, unused)) Value inline_bad_index(Mutator *m, const char *who,
                                                                      bool type_right, Value object,
                                                                      Value index) {
    if (!type_right) return mutator_fail(m, ERR_WRONG_TYPE, who, 1, object);
    if (!is_fixnum(index)) return mutator_fail(m, ERR_WRONG_TYPE, who, 2, index);
    return mutator_fail(m, ERR_RANGE, who, 2, index);
}
INLINE Value inline_vector_ref(Mutator *m, Value v, Value i) {
    if (unlikely(!is_vector(v) || !is_fixnum(i) || (uint64_t)fixnum(i) >= object_size(v)))
        return inline_bad_index(m, "vector-ref", is_vector(v), v, i);
    return object_slots(v)[fixnum(i)];
}
INLINE Value inline_vector_set(Mutator *m, Value v, Value i, Value x) {
    if (unlikely(!is_vector(v) || !is_fixnum(i) || (uint64_t)fixnum(i) >= object_size(v)))
        return inline_bad_index(m, "vector-set!", is_vector(v), v, i);
    if (unlikely(has_flag(v, FLAG_IMMUTABLE)))
        return mutator_fail(m, ERR_IMMUTABLE, "vector-set!", 1, v);
    gc_write(m, &object_slots(v)[fixnum(i)], x);
    return V_UNSPEC;
}
INLINE Value inline_vector_length(Mutator *m, Value v) {
    if (unlikely(!is_vector(v))) return mutator_fail(m, ERR_WRONG_TYPE, "vector-length", 1, v);
    return v_fixnum((int64_t)object_size(v));
}
INLINE Value inline_string_ref(Mutator *m, Value s, Value i) {
    if (unlikely(!is_string(s) || !is_fixnum(i) ||
                 (uint64_t)fixnum(i) >= (uint64_t)rt_string_length(s)))
        return inline_bad_index(m, "string-ref", is_string(s), s, i);
    return v_char(rt_string_ref(s, fixnum(i)));
}
INLINE Value inline_bytevector_ref(Mutator *m, Value b, Value i) {
    if (unlikely(!is_bytevector(b) || !is_fixnum(i) || (uint64_t)fixnum(i) >= object_size(b)))
        return inline_bad_index(m, "bytevector-u8-ref", is_bytevector(b), b, i);
    return v_fixnum(object_bytes(b)[fixnum(i)]);
}
INLINE Value inline_bytevector_set(Mutator *m, Value b, Value i, Value x) {
    if (unlikely(!is_bytevector(b) || !is_fixnum(i) || (uint64_t)fixnum(i) >= object_size(b)))
        return inline_bad_index(m, "bytevector-u8-set!", is_bytevector(b), b, i);
    if (unlikely(!is_fixnum(x) || (uint64_t)fixnum(x) > 255))
        return mutator_fail(m, is_fixnum(x) ? ERR_RANGE : ERR_WRONG_TYPE, "bytevector-u8-set!", 3,
                            x);
    if (unlikely(has_flag(b, FLAG_IMMUTABLE)))
        return mutator_fail(m, ERR_IMMUTABLE, "bytevector-u8-set!", 1, b);
    object_bytes(b)[fixnum(i)] = (uint8_t)fixnum(x);
    return V_UNSPEC;
}

#endif
