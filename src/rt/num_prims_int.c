/* num_prims_int.c: the numeric primitives on integers: division, divisors, roots, bits. */
#include "num/num.h"
#include "rt/prim.h"

static Value two_values(Mutator *m, Value first, Value second) {
    Object *o = gc_object(m, T_VALUES, 2);
    o->slot[0] = first;
    o->slot[1] = second;
    return v_object(o);
}

/* ---- division ---- */

static Value both(Mutator *m, enum num_rounding mode, const Value *a, const char *who) {
    Value q, r;
    return num_divide(m, mode, a[0], a[1], &q, &r, who) ? two_values(m, q, r) : V_FAIL;
}
static Value quotient(Mutator *m, enum num_rounding mode, const Value *a, const char *who) {
    Value q;
    return num_divide(m, mode, a[0], a[1], &q, NULL, who) ? q : V_FAIL;
}
static Value remainder_of(Mutator *m, enum num_rounding mode, const Value *a, const char *who) {
    Value r;
    return num_divide(m, mode, a[0], a[1], NULL, &r, who) ? r : V_FAIL;
}

#define DIVISION(cname, part, mode, name)                                                          \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return part(m, mode, a, name);                                                             \
    }
DIVISION(prim_quotient, quotient, NUM_TRUNCATE, "quotient")
DIVISION(prim_remainder, remainder_of, NUM_TRUNCATE, "remainder")
DIVISION(prim_modulo, remainder_of, NUM_FLOOR, "modulo")
DIVISION(prim_floor_div, both, NUM_FLOOR, "floor/")
DIVISION(prim_floor_quotient, quotient, NUM_FLOOR, "floor-quotient")
DIVISION(prim_floor_remainder, remainder_of, NUM_FLOOR, "floor-remainder")
DIVISION(prim_truncate_div, both, NUM_TRUNCATE, "truncate/")
DIVISION(prim_truncate_quotient, quotient, NUM_TRUNCATE, "truncate-quotient")
DIVISION(prim_truncate_remainder, remainder_of, NUM_TRUNCATE, "truncate-remainder")

/* ---- folds that start from a neutral element, which checks and normalizes the first argument too
 * ---- */

typedef Value Binary(Mutator *m, Value a, Value b);

static Value fold(Mutator *m, const Value *a, int n, Value neutral, Binary *combine) {
    Value v = neutral;
    for (int i = 0; i < n; i++) {
        v = combine(m, v, a[i]);
        if (v == V_FAIL) {
            m->fail.position = i + 1;
            return V_FAIL;
        }
    }
    return v;
}

static Value and (Mutator * m, Value a, Value b) { return num_bitwise(m, NUM_AND, a, b); }
static Value ior(Mutator *m, Value a, Value b) { return num_bitwise(m, NUM_IOR, a, b); }
static Value xor (Mutator * m, Value a, Value b) { return num_bitwise(m, NUM_XOR, a, b); }

    PRIM_FN(prim_gcd) {
    return fold(m, a, n, v_fixnum(0), num_gcd);
}
PRIM_FN(prim_lcm) { return fold(m, a, n, v_fixnum(1), num_lcm); }
PRIM_FN(prim_bitwise_and) { return fold(m, a, n, v_fixnum(-1), and); }
PRIM_FN(prim_bitwise_ior) { return fold(m, a, n, v_fixnum(0), ior); }
PRIM_FN(prim_bitwise_xor) { return fold(m, a, n, v_fixnum(0), xor); }

/* ---- single integers ---- */

#define CALL(cname, call)                                                                          \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return call;                                                                               \
    }
CALL(prim_bitwise_not, num_bitwise_not(m, a[0]))
CALL(prim_arithmetic_shift, num_shift(m, a[0], a[1]))
CALL(prim_bit_count, num_bit_count(m, a[0]))
CALL(prim_integer_length, num_integer_length(m, a[0]))
CALL(prim_first_set_bit, num_first_set_bit(m, a[0]))
CALL(prim_bit_set_p, num_is_bit_set(m, a[0], a[1]))

PRIM_FN(prim_exact_integer_sqrt) {
    PRIM_UNUSED;
    Value s, r;
    return num_exact_integer_sqrt(m, a[0], &s, &r) ? two_values(m, s, r) : V_FAIL;
}
