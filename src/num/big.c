/* big.c: bignums as heap objects, and the ring operations on exact integers.
 *
 * Sums and products are computed by mpn functions straight into a fresh object, without a
 * temporary. The object is made as large as the result can get; num_big_finish then cuts it to
 * size. While the object is still the last one in the thread's chunk, which is nearly always,
 * cutting is moving the chunk's free pointer back. Otherwise (the object lies apart because it is
 * large) the limbs are copied to an object of the right size and the first is left as garbage that
 * is whole in itself: nothing that walks the heap ever sees an object whose header lies.
 *
 * Sizes are capped (num_max_limbs), because GMP aborts where an operand or result passes its own
 * limits or memory. */
#include "num/internal.h"
#include "os/os.h"

/* ---- failures ---- */

Value num_wrong_type(Mutator *m, const char *who, int position, Value v) {
    return v == V_FAIL ? V_FAIL : mutator_fail(m, ERR_WRONG_TYPE, who, position, v);
}

Value num_wrong_type2(Mutator *m, const char *who, Value a, Value b, enum num_kind limit) {
    if (a == V_FAIL || b == V_FAIL) return V_FAIL;
    return num_kind(a) < limit ? num_wrong_type(m, who, 2, b) : num_wrong_type(m, who, 1, a);
}

/* ---- objects ---- */

mp_size_t num_max_limbs(void) {
    static mp_size_t limit; /* two threads may both compute it: the same value */
    mp_size_t known = __atomic_load_n(&limit, __ATOMIC_RELAXED);
    if (known) return known;
    const mp_size_t least = (mp_size_t)1 << 21, most = (mp_size_t)1 << 27;
    known = (mp_size_t)(os_physical_memory() / 32 / sizeof(mp_limb_t));
    known = known < least ? least : known > most ? most : known;
    __atomic_store_n(&limit, known, __ATOMIC_RELAXED);
    return known;
}

Object *num_big_new(Mutator *m, mp_size_t limbs) {
    return gc_bytes(m, T_BIGNUM, (uint64_t)limbs * sizeof(mp_limb_t), 0);
}

static mp_size_t significant(const mp_limb_t *limbs, mp_size_t size) {
    while (size > 0 && limbs[size - 1] == 0) size--;
    return size;
}

/* The fixnum of that magnitude and sign; false if there is none. */
static bool as_fixnum(const mp_limb_t *limbs, mp_size_t size, bool negative, Value *out) {
    if (size > 1) return false;
    uint64_t magnitude = size ? limbs[0] : 0;
    if (magnitude > (uint64_t)FIXNUM_MAX + negative) return false;
    *out = v_fixnum(negative ? -(int64_t)magnitude : (int64_t)magnitude);
    return true;
}

/* Gives back the words of O, the newest object, behind its first KEPT payload words (-1: its header
 * too). */
static bool give_back(Mutator *m, Object *o, mp_size_t kept) {
    char *end = (char *)(o->slot + header_size(o->header) / sizeof(Word));
    if (end != m->alloc) return false;
    m->alloc = (char *)(o->slot + kept);
    return true;
}

Value num_big_finish(Mutator *m, Object *o, mp_size_t used, bool negative) {
    used = significant(o->slot, used);
    Value v;
    if (as_fixnum(o->slot, used, negative, &v)) {
        give_back(m, o, -1);
        return v;
    }
    uint64_t bytes = (uint64_t)used * sizeof(mp_limb_t);
    if (bytes != header_size(o->header) && !give_back(m, o, used)) {
        Object *cut = num_big_new(m, used);
        memcpy(cut->slot, o->slot, bytes);
        o = cut;
    }
    o->header = make_header(T_BIGNUM, bytes, negative ? FLAG_NEGATIVE : 0);
    return v_object(o);
}

Value num_from_limbs(Mutator *m, const mp_limb_t *limbs, mp_size_t size, bool negative) {
    size = significant(limbs, size);
    Value v;
    if (as_fixnum(limbs, size, negative, &v)) return v;
    Object *o = num_big_new(m, size);
    memcpy(o->slot, limbs, (size_t)size * sizeof(mp_limb_t));
    return num_big_finish(m, o, size, negative);
}

Value num_from_mpz(Mutator *m, mpz_srcptr z) {
    return num_from_limbs(m, mpz_limbs_read(z), (mp_size_t)mpz_size(z), mpz_sgn(z) < 0);
}

Value num_from_int64(Mutator *m, int64_t n) {
    if (likely(fits_fixnum(n))) return v_fixnum(n);
    mp_limb_t limb = n < 0 ? -(uint64_t)n : (uint64_t)n;
    return num_from_limbs(m, &limb, 1, n < 0);
}

Value num_from_uint64(Mutator *m, uint64_t n) {
    mp_limb_t limb = n;
    return num_from_limbs(m, &limb, 1, false);
}

bool num_to_int64(Value v, int64_t *out) {
    if (is_fixnum(v)) {
        *out = fixnum(v);
        return true;
    }
    if (!num_is_bignum(v)) return false;
    Int i;
    num_view(v, &i);
    if (i.size > 1 || i.limbs[0] > (uint64_t)INT64_MAX + i.negative) return false;
    *out = (int64_t)(i.negative ? -i.limbs[0] : i.limbs[0]);
    return true;
}

Value num_int_by_mpz(Mutator *m, MpzOperation *operation, Value a, Value b) {
    if (a == V_FAIL || b == V_FAIL) return V_FAIL;
    Int x, y;
    mpz_t xz, yz, result;
    num_view(a, &x);
    num_view(b, &y);
    mpz_init(result);
    operation(result, num_mpz(&x, xz), num_mpz(&y, yz));
    Value v = num_from_mpz(m, result);
    mpz_clear(result);
    return v;
}

/* ---- sums ---- */

static Value add_magnitudes(Mutator *m, const Int *a, const Int *b, bool negative) {
    if (a->size < b->size) {
        const Int *swap = a;
        a = b;
        b = swap;
    }
    if (a->size == 0) return v_fixnum(0);
    mp_size_t size = a->size;
    Object *o = num_big_new(m, size);
    mp_limb_t carry;
    if (b->size == 0) {
        mpn_copyi(o->slot, a->limbs, size);
        carry = 0;
    } else {
        carry = mpn_add(o->slot, a->limbs, size, b->limbs, b->size);
    }
    if (carry) {
        if (size >= num_max_limbs()) return mutator_fail(m, ERR_TOO_LARGE, "+", 0, V_DEFAULT);
        Object *longer = num_big_new(m, size + 1);
        mpn_copyi(longer->slot, o->slot, size);
        longer->slot[size] = carry;
        o = longer;
        size++;
    }
    return num_big_finish(m, o, size, negative);
}

/* |A| - |B|, with the sign NEGATIVE if |A| is the larger one, else the other. */
static Value subtract_magnitudes(Mutator *m, const Int *a, const Int *b, bool negative) {
    Int x = *a, y = *b;
    x.negative = y.negative = false;
    if (num_compare_views(&x, &y) < 0) {
        const Int *swap = a;
        a = b;
        b = swap;
        negative = !negative;
    }
    if (a->size == 0) return v_fixnum(0);
    Object *o = num_big_new(m, a->size);
    if (b->size == 0)
        mpn_copyi(o->slot, a->limbs, a->size);
    else
        mpn_sub(o->slot, a->limbs, a->size, b->limbs, b->size);
    return num_big_finish(m, o, a->size, negative);
}

static Value add_views(Mutator *m, const Int *a, const Int *b) {
    if (a->negative == b->negative) return add_magnitudes(m, a, b, a->negative);
    return subtract_magnitudes(m, a, b, a->negative);
}

Value num_int_add(Mutator *m, Value a, Value b) {
    if (both_fixnums(a, b)) return num_from_int64(m, fixnum(a) + fixnum(b));
    if (a == V_FAIL || b == V_FAIL) return V_FAIL;
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    return add_views(m, &x, &y);
}

Value num_int_sub(Mutator *m, Value a, Value b) {
    if (both_fixnums(a, b)) return num_from_int64(m, fixnum(a) - fixnum(b));
    if (a == V_FAIL || b == V_FAIL) return V_FAIL;
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    y.negative = !y.negative;
    return add_views(m, &x, &y);
}

Value num_int_neg(Mutator *m, Value a) { return num_int_sub(m, v_fixnum(0), a); }

/* ---- products ---- */

static Value multiply_fixnums(Mutator *m, int64_t a, int64_t b) {
    int64_t product;
    if (!__builtin_mul_overflow(a, b, &product)) return num_from_int64(m, product);
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
    unsigned __int128 wide = (unsigned __int128)x * y;
    mp_limb_t limbs[2] = {(mp_limb_t)wide, (mp_limb_t)(wide >> 64)};
    return num_from_limbs(m, limbs, 2, (a < 0) != (b < 0));
}

Value num_int_mul(Mutator *m, Value a, Value b) {
    if (both_fixnums(a, b)) return multiply_fixnums(m, fixnum(a), fixnum(b));
    if (a == V_FAIL || b == V_FAIL) return V_FAIL;
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    if (x.size == 0 || y.size == 0) return v_fixnum(0);
    const Int *p = x.size >= y.size ? &x : &y, *q = x.size >= y.size ? &y : &x;
    mp_size_t size = x.size + y.size;
    if (size > num_max_limbs()) return mutator_fail(m, ERR_TOO_LARGE, "*", 0, V_DEFAULT);
    Object *o = num_big_new(m, size);
    if (q->size == 1)
        o->slot[size - 1] = mpn_mul_1(o->slot, p->limbs, p->size, q->limbs[0]);
    else if (p->limbs == q->limbs)
        mpn_sqr(o->slot, p->limbs, p->size);
    else
        mpn_mul(o->slot, p->limbs, p->size, q->limbs, q->size);
    return num_big_finish(m, o, size, x.negative != y.negative);
}

/* ---- shifts ---- */

static Value shift_left(Mutator *m, const Int *a, int64_t count, const char *who) {
    mp_size_t words = count / 64;
    unsigned bits = (unsigned)(count % 64);
    if (words >= num_max_limbs() - a->size)
        return mutator_fail(m, ERR_TOO_LARGE, who, 0, V_DEFAULT);
    mp_size_t size = words + a->size + 1;
    Object *o = num_big_new(m, size);
    mpn_zero(o->slot, words);
    if (bits) {
        o->slot[size - 1] = mpn_lshift(o->slot + words, a->limbs, a->size, bits);
    } else {
        mpn_copyi(o->slot + words, a->limbs, a->size);
        o->slot[size - 1] = 0;
    }
    return num_big_finish(m, o, size, a->negative);
}

/* Rounds down: towards minus infinity, as two's complement does. */
static Value shift_right(Mutator *m, const Int *a, uint64_t count) {
    if (count >= (uint64_t)a->size * 64) return v_fixnum(a->negative ? -1 : 0);
    mpz_t z, result;
    mpz_init(result);
    mpz_fdiv_q_2exp(result, num_mpz(a, z), count);
    Value v = num_from_mpz(m, result);
    mpz_clear(result);
    return v;
}

Value num_int_shift(Mutator *m, Value a, int64_t count, const char *who) {
    if (a == V_FAIL) return V_FAIL;
    if (is_fixnum(a) && count <= 0)
        return v_fixnum(fixnum(a) >> (count <= -63 ? 63 : (unsigned)-count));
    if (is_fixnum(a) && count < 60) {
        int64_t shifted = (int64_t)((uint64_t)fixnum(a) << count);
        if (fits_fixnum(shifted) && shifted >> count == fixnum(a)) return v_fixnum(shifted);
    }
    Int x;
    num_view(a, &x);
    if (x.size == 0) return v_fixnum(0);
    return count < 0 ? shift_right(m, &x, -(uint64_t)count) : shift_left(m, &x, count, who);
}

/* ---- order ---- */

int num_compare_views(const Int *a, const Int *b) {
    if (a->negative != b->negative) return a->negative ? -1 : 1;
    int order;
    if (a->size != b->size)
        order = a->size < b->size ? -1 : 1;
    else
        order = a->size ? mpn_cmp(a->limbs, b->limbs, a->size) : 0;
    return a->negative ? -order : order;
}

int num_int_compare(Value a, Value b) {
    if (both_fixnums(a, b)) return (fixnum(a) > fixnum(b)) - (fixnum(a) < fixnum(b));
    Int x, y;
    num_view(a, &x);
    num_view(b, &y);
    return num_compare_views(&x, &y);
}
