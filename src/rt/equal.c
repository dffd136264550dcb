/* equal? and the hashes.
 *
 * equal? walks with a stack of its own, so deep data cost heap and no C stack. Ordinary data are
 * compared by a plain tree walk. Data on which that takes long are large, heavily shared or cyclic;
 * for these, spells of plain walking take turns with short spells in which objects that are
 * compared are joined in classes (union-find), and two of one class count as equal and are not
 * walked into again. A spell that meets such a pair is prolonged. So large flat data are walked at
 * nearly the plain speed, while a cycle is cut off as soon as a spell comes round to what one has
 * joined. The plain spells are of random length, lest the others always fall on different parts of
 * a cycle. (After Adams and Dybvig, "Efficient nondestructive equality checking for trees and
 * graphs", 2008. Addresses can serve as keys since nothing moves while C code runs.) */
#include "rt/equal.h"
#include "base/base.h"
#include "rt/prim.h"
#include "rt/string.h"

enum { FIRST_STEPS = 400000, PLAIN_STEPS = 2048, CLASS_STEPS = 64, HASH_PARTS = 40 };

typedef struct Compare {
    BASE_VEC(Value) todo; /* pairs of values still to be compared */
    bool classes;         /* in a spell of joining classes */
    int64_t steps;        /* left of the spell */
    uint64_t random;
    base_map class_of; /* object -> 1 + index in parents */
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

/* Takes a step that costs COST, to two objects of one kind. True if they need no walk. */
static bool known_equal(Compare *c, Value a, Value b, uint64_t cost) {
    if (!c->classes) {
        c->steps -= (int64_t)cost;
        if (likely(c->steps >= 0)) return false;
        c->classes = true;
        c->steps = CLASS_STEPS;
    }
    if (same_class(c, a, b)) {
        c->steps = CLASS_STEPS;
        return true;
    }
    if (--c->steps < 0) {
        c->classes = false;
        c->random = c->random * 6364136223846793005u + 1442695040888963407u;
        c->steps = (int64_t)(c->random >> 33) % PLAIN_STEPS;
    }
    return false;
}

static bool equal_leaves(Value a, Value b) {
    if (!is_object(a) || !is_object(b)) return false;
    if (is_string(a)) return is_string(b) && rt_string_equal(a, b);
    if (is_bytevector(a))
        return is_bytevector(b) && object_size(a) == object_size(b) &&
               !memcmp(object_bytes(a), object_bytes(b), object_size(a));
    return is_number(a) && is_number(b) && num_eqv(a, b);
}

/* Whether X and Y may be equal; what has parts is left for later. */
static bool equal_part(Compare *c, Value x, Value y) {
    if (x == y) return true;
    if (!is_pair(x) && !is_vector(x)) return equal_leaves(x, y);
    later(c, x, y);
    return true;
}

static bool equal_vectors(Compare *c, Value a, Value b) {
    uint64_t count = object_size(a);
    if (!is_vector(b) || object_size(b) != count) return false;
    if (known_equal(c, a, b, count)) return true;
    for (uint64_t i = count; i-- > 0;)
        if (!equal_part(c, object_slots(a)[i], object_slots(b)[i])) return false;
    return true;
}

/* Compares A and B down their cdrs, leaving what hangs from the side for later. */
static bool equal_spines(Compare *c, Value a, Value b) {
    for (; is_pair(a) && a != b; a = cdr(a), b = cdr(b)) {
        if (!is_pair(b)) return false;
        if (known_equal(c, a, b, 1)) return true;
        if (!equal_part(c, car(a), car(b))) return false;
    }
    if (a == b) return true;
    return is_vector(a) ? equal_vectors(c, a, b) : equal_leaves(a, b);
}

bool rt_equal(Value a, Value b) {
    if (a == b) return true;
    if (!is_pair(a) && !is_vector(a)) return equal_leaves(a, b);
    Compare c = {.steps = FIRST_STEPS};
    bool equal = equal_spines(&c, a, b);
    while (equal && c.todo.len) {
        Value y = BASE_POP(&c.todo), x = BASE_POP(&c.todo);
        equal = equal_spines(&c, x, y);
    }
    base_map_free(&c.class_of);
    BASE_VEC_FREE(&c.parents);
    BASE_VEC_FREE(&c.todo);
    return equal;
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
