/* equal? and the hashes.
 *
 * equal? walks with a stack of its own, so deep data cost heap and no C stack. Ordinary data are
 * compared by a plain tree walk with a budget of steps. Data that exhaust it are large, heavily
 * shared or cyclic: the comparison starts anew with union-find over the objects, where two objects
 * that are under comparison, or were found to belong together, count as equal. Each step then joins
 * two classes, so it ends after at most as many steps as there are objects. (Addresses can serve as
 * keys since nothing moves while C code runs.) */
#include "rt/equal.h"
#include "base/base.h"
#include "rt/prim.h"
#include "rt/string.h"

enum { PLAIN_STEPS = 400000, HASH_PARTS = 40 };

typedef struct Compare {
    BASE_VEC(Value) todo; /* pairs of values still to be compared */
    bool classes;         /* use union-find */
    int64_t steps;        /* left, while not */
    base_map class_of;    /* object -> 1 + index in parents */
    BASE_VEC(uint32_t) parents;
} Compare;

static uint32_t class_index(Compare *c, Value v) {
    bool added;
    uint64_t *at = base_map_at(&c->class_of, v, &added);
    if (added) {
        *at = c->parents.len;
        BASE_PUSH(&c->parents, (uint32_t)c->parents.len);
    }
    uint32_t i = (uint32_t)*at;
    while (c->parents.at[i] != i) i = c->parents.at[i] = c->parents.at[c->parents.at[i]];
    return i;
}

/* Joins the classes of A and B; true if they were one already. */
static bool same_class(Compare *c, Value a, Value b) {
    uint32_t i = class_index(c, a), j = class_index(c, b);
    if (i == j) return true;
    c->parents.at[i < j ? j : i] = i < j ? i : j;
    return false;
}

static void later(Compare *c, Value a, Value b) {
    BASE_PUSH(&c->todo, a);
    BASE_PUSH(&c->todo, b);
}

enum verdict { DIFFERENT, EQUAL, OUT_OF_STEPS };

static bool equal_leaves(Value a, Value b) {
    if (!is_object(a) || !is_object(b)) return false;
    if (is_string(a)) return is_string(b) && rt_string_equal(a, b);
    if (is_bytevector(a))
        return is_bytevector(b) && object_size(a) == object_size(b) &&
               !memcmp(object_bytes(a), object_bytes(b), object_size(a));
    return is_number(a) && is_number(b) && num_eqv(a, b);
}

/* The elements of two vectors of one length, the first pair in place, the others later. */
static enum verdict push_elements(Compare *c, Value a, Value b) {
    uint64_t count = object_size(a);
    if (!c->classes && (c->steps -= (int64_t)count) < 0) return OUT_OF_STEPS;
    Word *x = object_slots(a), *y = object_slots(b);
    for (uint64_t i = count; i-- > 0;) {
        if (x[i] == y[i]) continue;
        if (is_heap(x[i]) && is_heap(y[i])) {
            if (is_pair(x[i]) || is_vector(x[i]))
                later(c, x[i], y[i]);
            else if (!equal_leaves(x[i], y[i]))
                return DIFFERENT;
        } else
            return DIFFERENT;
    }
    return EQUAL;
}

/* Compares A and B down their cdrs, leaving what hangs from the side on the stack. */
static enum verdict compare_spine(Compare *c, Value a, Value b) {
    for (;;) {
        if (a == b) return EQUAL;
        if (is_pair(a)) {
            if (!is_pair(b)) return DIFFERENT;
            if (c->classes ? same_class(c, a, b) : false) return EQUAL;
            if (!c->classes && --c->steps < 0) return OUT_OF_STEPS;
            Value x = car(a), y = car(b);
            if (x != y) {
                if (is_pair(x) || is_vector(x))
                    later(c, x, y);
                else if (!equal_leaves(x, y))
                    return DIFFERENT;
            }
            a = cdr(a);
            b = cdr(b);
            continue;
        }
        if (!is_vector(a)) return equal_leaves(a, b) ? EQUAL : DIFFERENT;
        if (!is_vector(b) || object_size(a) != object_size(b)) return DIFFERENT;
        if (c->classes && same_class(c, a, b)) return EQUAL;
        return push_elements(c, a, b);
    }
}

static enum verdict compare(Compare *c, Value a, Value b) {
    enum verdict verdict = compare_spine(c, a, b);
    while (verdict == EQUAL && c->todo.len) {
        Value y = BASE_POP(&c->todo), x = BASE_POP(&c->todo);
        verdict = compare_spine(c, x, y);
    }
    return verdict;
}

bool rt_equal(Value a, Value b) {
    if (a == b) return true;
    if (!is_pair(a) && !is_vector(a)) return equal_leaves(a, b);
    Compare c = {.steps = PLAIN_STEPS};
    enum verdict verdict = compare(&c, a, b);
    if (verdict == OUT_OF_STEPS) {
        c.todo.len = 0;
        c.classes = true;
        verdict = compare(&c, a, b);
        base_map_free(&c.class_of);
        BASE_VEC_FREE(&c.parents);
    }
    BASE_VEC_FREE(&c.todo);
    return verdict == EQUAL;
}

/* ---- hashes ---- */

uint64_t rt_eq_hash(Value v, bool *by_address) {
    if (is_heap(v) && !is_symbol(v)) *by_address = true;
    return base_hash_u64(v) >> 4;
}

uint64_t rt_eqv_hash(Value v, bool *by_address) {
    if (is_object(v) && is_number(v)) return num_hash(v) >> 4;
    return rt_eq_hash(v, by_address);
}

static uint64_t mix(uint64_t h, uint64_t part) { return base_hash_u64(h * 31 + part); }

/* Folds the parts of V into H, at most *PARTS of them in all; DEPTH bounds the C stack. */
static uint64_t hash_parts(Value v, uint64_t h, int *parts, int depth, bool *by_address) {
    for (; is_pair(v) && *parts > 0; v = cdr(v)) {
        --*parts;
        h = depth > 0 ? hash_parts(car(v), mix(h, 1), parts, depth - 1, by_address) : mix(h, 2);
    }
    if (*parts <= 0 || is_pair(v)) return h;
    --*parts;
    if (is_string(v)) return mix(h, rt_string_hash(v));
    if (is_bytevector(v)) return mix(h, base_hash_bytes(object_bytes(v), object_size(v)));
    if (!is_vector(v)) return mix(h, rt_eqv_hash(v, by_address));
    uint64_t count = object_size(v);
    h = mix(h, count);
    for (uint64_t i = 0; depth > 0 && i < count && *parts > 0; i++)
        h = hash_parts(object_slots(v)[i], mix(h, 3), parts, depth - 1, by_address);
    return h;
}

uint64_t rt_equal_hash(Value v, bool *by_address) {
    if (is_string(v)) return rt_string_hash(v);
    if (!is_pair(v) && !is_vector(v) && !is_bytevector(v)) return rt_eqv_hash(v, by_address);
    int parts = HASH_PARTS;
    return hash_parts(v, 0, &parts, 6, by_address) >> 4;
}

/* ---- primitives ---- */

PRIM_FN(prim_eq_p) {
    PRIM_UNUSED;
    return v_bool(a[0] == a[1]);
}

PRIM_FN(prim_eqv_p) {
    PRIM_UNUSED;
    return v_bool(rt_eqv(a[0], a[1]));
}

PRIM_FN(prim_equal_p) {
    PRIM_UNUSED;
    return v_bool(rt_equal(a[0], a[1]));
}
