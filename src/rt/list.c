/* Pairs and lists. Walks over a list that a program gave are bounded: a circular list is found by
 * letting a mark, which is moved ahead at each power of two, be met again (Brent). */
#include "num/num.h"
#include "rt/args.h"
#include "rt/equal.h"
#include "rt/list.h"
#include "rt/prim.h"

/* Walks a list in V; `walk_step` is false once it goes in a circle. */
typedef struct Walk {
    Value mark;
    uint64_t steps, limit;
} Walk;
static inline bool walk_step(Walk *w, Value v) {
    if (v == w->mark) return false;
    if (unlikely(++w->steps > w->limit)) {
        w->mark = v;
        w->limit = w->steps * 2;
    }
    return true;
}
#define WALK_START {.mark = V_UNBOUND, .limit = 1}

int64_t rt_list_length(Value v) {
    Walk w = WALK_START;
    int64_t length = 0;
    for (; is_pair(v); v = cdr(v), length++)
        if (!walk_step(&w, v)) return -1;
    return v == V_NIL ? length : -1;
}

/* ---- pairs ---- */

PRIM_FN(prim_cons) {
    PRIM_UNUSED;
    return gc_cons(m, a[0], a[1]);
}

PRIM_FN(prim_set_car) {
    PRIM_UNUSED;
    ARG_CHECK(is_pair(a[0]), "set-car!", 1);
    gc_write(m, &pair_of(a[0])->car, a[1]);
    return V_UNSPEC;
}

PRIM_FN(prim_set_cdr) {
    PRIM_UNUSED;
    ARG_CHECK(is_pair(a[0]), "set-cdr!", 1);
    gc_write(m, &pair_of(a[0])->cdr, a[1]);
    return V_UNSPEC;
}

/* car, cdr and their compositions: PATH is the letters between c and r. */
static Value follow(Mutator *m, const Value *a, const char *who, const char *path, int length) {
    Value v = a[0];
    for (int i = length; i-- > 0;) {
        if (unlikely(!is_pair(v))) return mutator_fail(m, ERR_WRONG_TYPE, who, 1, a[0]);
        v = path[i] == 'a' ? car(v) : cdr(v);
    }
    return v;
}
#define CXR(path)                                                                                  \
    PRIM_FN(prim_c##path##r) {                                                                     \
        PRIM_UNUSED;                                                                               \
        return follow(m, a, "c" #path "r", #path, (int)sizeof #path - 1);                          \
    }
CXR(a)
CXR(d)
#define CXR_2(rest) CXR(a##rest) CXR(d##rest)
CXR_2(a)
CXR_2(d)
#define CXR_3(rest) CXR_2(a##rest) CXR_2(d##rest)
CXR_3(a)
CXR_3(d)
#define CXR_4(rest) CXR_3(a##rest) CXR_3(d##rest)
CXR_4(a)
CXR_4(d)

/* ---- predicates ---- */

PRIM_FN(prim_pair_p) {
    PRIM_UNUSED;
    return v_bool(is_pair(a[0]));
}

PRIM_FN(prim_null_p) {
    PRIM_UNUSED;
    return v_bool(a[0] == V_NIL);
}

PRIM_FN(prim_list_p) {
    PRIM_UNUSED;
    return v_bool(rt_list_length(a[0]) >= 0);
}

/* ---- making lists ---- */

Value rt_list(Mutator *m, const Value *items, int64_t count, Value tail) {
    for (int64_t i = count; i-- > 0;) tail = gc_cons(m, items[i], tail);
    return tail;
}

PRIM_FN(prim_list) { return rt_list(m, a, n, V_NIL); }

PRIM_FN(prim_cons_star) { return rt_list(m, a, n - 1, a[n - 1]); }

PRIM_FN(prim_make_list) {
    int64_t count;
    if (!rt_arg_count(m, "make-list", a, 1, sizeof(Pair), &count)) return V_FAIL;
    Value fill = n > 1 ? a[1] : V_UNSPEC, list = V_NIL;
    for (int64_t i = 0; i < count; i++) list = gc_cons(m, fill, list);
    return list;
}

PRIM_FN(prim_iota) {
    int64_t count;
    if (!rt_arg_count(m, "iota", a, 1, sizeof(Pair), &count)) return V_FAIL;
    Value start = arg_given(a, n, 2) ? a[1] : v_fixnum(0);
    Value step = arg_given(a, n, 3) ? a[2] : v_fixnum(1);
    if (!is_number(start)) return mutator_fail(m, ERR_WRONG_TYPE, "iota", 2, start);
    if (!is_number(step)) return mutator_fail(m, ERR_WRONG_TYPE, "iota", 3, step);
    Value list = V_NIL;
    for (int64_t i = count; i-- > 0;)
        list = gc_cons(m, num_add(m, start, num_mul(m, v_fixnum(i), step)), list);
    return list;
}

/* The COUNT elements of LIST in fresh pairs, before TAIL. */
static Value copy_before(Mutator *m, Value list, int64_t count, Value tail) {
    if (count == 0) return tail;
    Value head = gc_cons(m, car(list), tail), last = head;
    for (int64_t i = 1; i < count; i++) {
        list = cdr(list);
        Value next = gc_cons(m, car(list), tail);
        pair_of(last)->cdr = next; /* fresh: no barrier */
        last = next;
    }
    return head;
}

PRIM_FN(prim_append) {
    if (n == 0) return V_NIL;
    Value out = a[n - 1];
    for (int i = n - 1; i-- > 0;) {
        int64_t length = rt_list_length(a[i]);
        if (length < 0) return mutator_fail(m, ERR_NOT_LIST, "append", i + 1, a[i]);
        out = copy_before(m, a[i], length, out);
    }
    return out;
}

PRIM_FN(prim_list_copy) {
    PRIM_UNUSED;
    Walk w = WALK_START;
    int64_t length = 0;
    Value end = a[0];
    for (; is_pair(end); end = cdr(end), length++)
        if (!walk_step(&w, end)) return mutator_fail(m, ERR_NOT_LIST, "list-copy", 1, a[0]);
    return copy_before(m, a[0], length, end);
}

PRIM_FN(prim_reverse) {
    PRIM_UNUSED;
    if (rt_list_length(a[0]) < 0) return mutator_fail(m, ERR_NOT_LIST, "reverse", 1, a[0]);
    Value out = V_NIL;
    for (Value v = a[0]; is_pair(v); v = cdr(v)) out = gc_cons(m, car(v), out);
    return out;
}

PRIM_FN(prim_reverse_in_place) {
    PRIM_UNUSED;
    if (rt_list_length(a[0]) < 0) return mutator_fail(m, ERR_NOT_LIST, "reverse!", 1, a[0]);
    Value out = V_NIL;
    for (Value v = a[0], next; is_pair(v); v = next) {
        next = cdr(v);
        gc_write(m, &pair_of(v)->cdr, out);
        out = v;
    }
    return out;
}

/* The last pair of V, a pair; V_FAIL on a circular list. */
static Value last_pair(Mutator *m, Value v, const char *who, int position) {
    Walk w = WALK_START;
    for (Value p = v;; p = cdr(p)) {
        if (!is_pair(cdr(p))) return p;
        if (!walk_step(&w, p)) return mutator_fail(m, ERR_NOT_LIST, who, position, v);
    }
}

PRIM_FN(prim_last_pair) {
    PRIM_UNUSED;
    ARG_CHECK(is_pair(a[0]), "last-pair", 1);
    return last_pair(m, a[0], "last-pair", 1);
}

PRIM_FN(prim_append_in_place) {
    if (n == 0) return V_NIL;
    Value out = a[n - 1];
    for (int i = n - 1; i-- > 0;) {
        if (a[i] == V_NIL) continue;
        ARG_CHECK(is_pair(a[i]), "append!", i + 1);
        Value last = last_pair(m, a[i], "append!", i + 1);
        if (last == V_FAIL) return V_FAIL;
        gc_write(m, &pair_of(last)->cdr, out);
        out = a[i];
    }
    return out;
}

/* ---- parts ---- */

PRIM_FN(prim_length) {
    PRIM_UNUSED;
    int64_t length = rt_list_length(a[0]);
    if (length < 0) return mutator_fail(m, ERR_NOT_LIST, "length", 1, a[0]);
    return v_fixnum(length);
}

/* The list behind the first K pairs of A[0], K being A[1]. */
static Value tail_of(Mutator *m, const Value *a, const char *who) {
    ARG_CHECK(is_fixnum(a[1]), who, 2);
    int64_t k = fixnum(a[1]);
    if (k < 0) return mutator_fail(m, ERR_RANGE, who, 2, a[1]);
    Value v = a[0];
    for (; k > 0; k--, v = cdr(v))
        if (!is_pair(v)) return mutator_fail(m, ERR_RANGE, who, 2, a[1]);
    return v;
}

PRIM_FN(prim_list_tail) {
    PRIM_UNUSED;
    return tail_of(m, a, "list-tail");
}

PRIM_FN(prim_list_ref) {
    PRIM_UNUSED;
    Value v = tail_of(m, a, "list-ref");
    if (v == V_FAIL) return V_FAIL;
    if (!is_pair(v)) return mutator_fail(m, ERR_RANGE, "list-ref", 2, a[1]);
    return car(v);
}

PRIM_FN(prim_list_set) {
    PRIM_UNUSED;
    Value v = tail_of(m, a, "list-set!");
    if (v == V_FAIL) return V_FAIL;
    if (!is_pair(v)) return mutator_fail(m, ERR_RANGE, "list-set!", 2, a[1]);
    gc_write(m, &pair_of(v)->car, a[2]);
    return V_UNSPEC;
}

/* ---- searching ---- */

#define MEMBER(cname, who, same)                                                                   \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        Walk w = WALK_START;                                                                       \
        Value v = a[1];                                                                            \
        for (; is_pair(v); v = cdr(v)) {                                                           \
            if (same(a[0], car(v))) return v;                                                      \
            if (!walk_step(&w, v)) break;                                                          \
        }                                                                                          \
        return v == V_NIL ? V_FALSE : mutator_fail(m, ERR_NOT_LIST, who, 2, a[1]);                 \
    }
#define ASSOC(cname, who, same)                                                                    \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        Walk w = WALK_START;                                                                       \
        Value v = a[1];                                                                            \
        for (; is_pair(v); v = cdr(v)) {                                                           \
            if (!is_pair(car(v))) return mutator_fail(m, ERR_WRONG_TYPE, who, 2, a[1]);            \
            if (same(a[0], car(car(v)))) return car(v);                                            \
            if (!walk_step(&w, v)) break;                                                          \
        }                                                                                          \
        return v == V_NIL ? V_FALSE : mutator_fail(m, ERR_NOT_LIST, who, 2, a[1]);                 \
    }
#define SAME(x, y) ((x) == (y))
MEMBER(prim_memq, "memq", SAME)
MEMBER(prim_memv, "memv", rt_eqv)
MEMBER(prim_member, "member", rt_equal)
ASSOC(prim_assq, "assq", SAME)
ASSOC(prim_assv, "assv", rt_eqv)
ASSOC(prim_assoc, "assoc", rt_equal)
