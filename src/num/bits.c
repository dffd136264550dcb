/* bits.c: exact integers as two's complement numbers of unlimited width. */
#include "num/internal.h"

static MpzOperation *const big_operation[] = {
    [NUM_AND] = mpz_and, [NUM_IOR] = mpz_ior, [NUM_XOR] = mpz_xor};
static const char *const names[] = {
    [NUM_AND] = "bitwise-and", [NUM_IOR] = "bitwise-ior", [NUM_XOR] = "bitwise-xor"};

Value num_bitwise(Mutator *m, enum num_bitwise op, Value a, Value b) {
    if (likely(both_fixnums(a, b))) return op == NUM_AND ? a & b : op == NUM_IOR ? a | b : a ^ b;
    if (!num_is_exact_integer(a) || !num_is_exact_integer(b))
        return num_wrong_type2(m, names[op], a, b, KIND_RATNUM);
    return num_int_by_mpz(m, big_operation[op], a, b);
}

Value num_bitwise_not(Mutator *m, Value a) {
    if (!num_is_exact_integer(a)) return num_wrong_type(m, "bitwise-not", 1, a);
    return num_int_sub(m, v_fixnum(-1), a);
}

Value num_shift(Mutator *m, Value a, Value count) {
    static const char who[] = "arithmetic-shift";
    if (!num_is_exact_integer(a) || !num_is_exact_integer(count))
        return num_wrong_type2(m, who, a, count, KIND_RATNUM);
    if (is_fixnum(count)) return num_int_shift(m, a, fixnum(count), who);
    int sign = num_int_sign(a);
    if (num_int_sign(count) < 0) return v_fixnum(sign < 0 ? -1 : 0);
    return sign == 0 ? a : mutator_fail(m, ERR_TOO_LARGE, who, 0, V_DEFAULT);
}

/* A as an integer that is not negative and has the same number of bits that differ from the sign:
 * A, or bitwise-not of A. WHO is for the failure. */
static Value without_sign(Mutator *m, Value a, const char *who) {
    if (!num_is_exact_integer(a)) return num_wrong_type(m, who, 1, a);
    return num_int_sign(a) < 0 ? num_int_sub(m, v_fixnum(-1), a) : a;
}

Value num_bit_count(Mutator *m, Value a) {
    Value v = without_sign(m, a, "bit-count");
    if (v == V_FAIL) return V_FAIL;
    Int i;
    num_view(v, &i);
    return v_fixnum(i.size ? (int64_t)mpn_popcount(i.limbs, i.size) : 0);
}

Value num_integer_length(Mutator *m, Value a) {
    Value v = without_sign(m, a, "integer-length");
    if (v == V_FAIL) return V_FAIL;
    Int i;
    num_view(v, &i);
    return v_fixnum(num_bit_length(&i));
}

Value num_first_set_bit(Mutator *m, Value a) {
    if (!num_is_exact_integer(a)) return num_wrong_type(m, "first-set-bit", 1, a);
    Int i;
    num_view(a, &i); /* the lowest one is at the same place in -A as in A */
    return v_fixnum(i.size ? (int64_t)mpn_scan1(i.limbs, 0) : -1);
}

Value num_is_bit_set(Mutator *m, Value index, Value a) {
    static const char who[] = "bit-set?";
    if (!num_is_exact_integer(index)) return num_wrong_type(m, who, 1, index);
    if (!num_is_exact_integer(a)) return num_wrong_type(m, who, 2, a);
    if (num_int_sign(index) < 0) return mutator_fail(m, ERR_RANGE, who, 1, index);
    if (!is_fixnum(index)) return v_bool(num_int_sign(a) < 0);
    Int i;
    mpz_t z;
    num_view(a, &i);
    return v_bool(mpz_tstbit(num_mpz(&i, z), (mp_bitcnt_t)fixnum(index)));
}
