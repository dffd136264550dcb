/* A random program against a shadow model: the same graph is kept in plain C memory, and from time
 * to time the heap's graph is walked beside it. The two must agree in shape, content and identity.
 */
#include "gc_rig.h"

enum { GLOBAL_FIRST = RIG_ROOTS, PLACES = RIG_ROOTS + RIG_GLOBALS };

enum node_type { PAIR, VECTOR, BYTES, CELL, CONT, SYMBOL, NODE_TYPES };

/* A shadow reference: an immediate (tag 6 or fixnum) or a node's number + 1, marked by NODE_BIT. */
typedef uint64_t Ref;
#define NODE_BIT ((Ref)1 << 63)

typedef struct Node {
    enum node_type type;
    uint32_t count; /* fields, or bytes */
    uint32_t seed;  /* content of bytes */
    Ref *field;
    uint64_t seen; /* number of the last comparison that met it */
    Value real;    /* its value in that comparison */
} Node;

typedef struct Model {
    Rig *rig;
    BASE_VEC(Node) nodes;
    Ref place[PLACES]; /* roots, then globals */
    uint64_t random, comparison;
} Model;

static uint32_t rnd(Model *m, uint32_t below) {
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((m->random >> 33) % below);
}

/* ---- the places: C roots are plain, globals go through the barrier ---- */

static Value real_at(Model *m, uint32_t p) {
    return p < GLOBAL_FIRST ? m->rig->root[p] : m->rig->global[p - GLOBAL_FIRST];
}

static void set_place(Model *m, uint32_t p, Value real, Ref ref) {
    if (p < GLOBAL_FIRST)
        m->rig->root[p] = real;
    else
        gc_write(&m->rig->m, &m->rig->global[p - GLOBAL_FIRST], real);
    m->place[p] = ref;
}

static Node *node_at(Model *m, uint32_t p) {
    return m->place[p] & NODE_BIT ? &m->nodes.at[m->place[p] & ~NODE_BIT] : NULL;
}

static Ref new_node(Model *m, enum node_type type, uint32_t fields) {
    Node n = {type, fields, rnd(m, 1 << 30), NULL, 0, 0};
    if (type != BYTES) n.field = base_calloc(fields, sizeof(Ref));
    BASE_PUSH(&m->nodes, n);
    return NODE_BIT | (m->nodes.len - 1);
}

/* ---- operations ---- */

static Value *field_slot(Value real, enum node_type type, uint32_t i) {
    if (type == PAIR) return i ? &pair_of(real)->cdr : &pair_of(real)->car;
    if (type == CONT && i == 0) return &object_slots(real)[2];
    if (type == CONT) return (Value *)raw_pointer(object_slots(real)[0]) + (i - 1);
    return &object_slots(real)[i];
}

static uint8_t byte_of(uint32_t seed, uint32_t i) { return (uint8_t)(seed >> (i % 24) ^ i); }

static uint32_t pick_count(Model *m, enum node_type type) {
    switch (type) {
    case PAIR: return 2;
    case CELL: return 1;
    case SYMBOL: return 2;
    case CONT: return 1 + rnd(m, 6);
    case VECTOR: return rnd(m, 400) ? rnd(m, 20) : 4000 + rnd(m, 9000);
    default: return rnd(m, 400) ? rnd(m, 90) : 30000 + rnd(m, 60000);
    }
}

static Value real_node(Model *m, enum node_type type, uint32_t count, uint32_t seed) {
    Mutator *mu = &m->rig->m;
    Value nils[8] = {V_NIL, V_NIL, V_NIL, V_NIL, V_NIL, V_NIL, V_NIL, V_NIL};
    if (type == PAIR) return gc_cons(mu, V_NIL, V_NIL);
    if (type == CONT) return rig_cont(m->rig, nils, (int)count - 1, V_NIL);
    if (type == BYTES) {
        Object *o = gc_bytes(mu, T_BYTEVECTOR, count, 0);
        for (uint32_t i = 0; i < count; i++) object_bytes(v_object(o))[i] = byte_of(seed, i);
        return v_object(o);
    }
    Object *o = type == SYMBOL ? gc_immobile(mu, T_SYMBOL, count)
                               : gc_object(mu, type == CELL ? T_CELL : T_VECTOR, count);
    for (uint32_t i = 0; i < count; i++) o->slot[i] = V_NIL;
    return v_object(o);
}

static void make(Model *m) {
    uint32_t dice = rnd(m, 100);
    enum node_type type = dice < 50   ? PAIR
                          : dice < 75 ? VECTOR
                          : dice < 87 ? BYTES
                          : dice < 95 ? CELL
                          : dice < 99 ? CONT
                                      : SYMBOL;
    uint32_t count = pick_count(m, type);
    Ref ref = new_node(m, type, count);
    Node *n = &m->nodes.at[m->nodes.len - 1];
    Value real = real_node(m, type, count, n->seed);
    /* A new object's fields are set by plain stores, which is legal until the next safe point. */
    for (uint32_t i = 0; type != BYTES && i < count; i++) {
        uint32_t p = rnd(m, PLACES);
        n->field[i] = i < 40 ? m->place[p] : V_NIL;
        *field_slot(real, type, i) = i < 40 ? real_at(m, p) : V_NIL;
    }
    set_place(m, rnd(m, PLACES), real, ref);
}

static void mutate(Model *m) {
    uint32_t to = rnd(m, PLACES), from = rnd(m, PLACES);
    Node *n = node_at(m, to);
    if (!n || n->type == BYTES || !n->count) return;
    uint32_t i = n->type == CONT ? 0 : rnd(m, n->count);
    n->field[i] = m->place[from];
    gc_write(&m->rig->m, field_slot(real_at(m, to), n->type, i), real_at(m, from));
}

static void load(Model *m) {
    uint32_t from = rnd(m, PLACES);
    Node *n = node_at(m, from);
    if (!n || n->type == BYTES || !n->count) return;
    uint32_t i = rnd(m, n->count);
    set_place(m, rnd(m, PLACES), *field_slot(real_at(m, from), n->type, i), n->field[i]);
}

static void drop(Model *m) {
    Value v = v_fixnum(rnd(m, 1000));
    set_place(m, rnd(m, PLACES), v, v);
}

/* ---- comparison ---- */

typedef struct Work {
    Ref ref;
    Value real;
} Work;
typedef BASE_VEC(Work) WorkList;

static bool same_bytes(const Node *n, Value real) {
    if (!is_bytevector(real) || object_size(real) != n->count) return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (object_bytes(real)[i] != byte_of(n->seed, i)) return false;
    return true;
}

static bool same_shape(const Node *n, Value real) {
    switch (n->type) {
    case PAIR: return is_pair(real);
    case VECTOR: return is_vector(real) && object_size(real) == n->count;
    case CELL: return is_type(real, T_CELL) && object_size(real) == 1;
    case SYMBOL: return is_symbol(real) && object_size(real) == 2;
    case CONT: return is_type(real, T_CONT) && object_slots(real)[1] == v_fixnum(n->count - 1);
    default: return same_bytes(n, real);
    }
}

static bool compare_one(Model *m, Work w, base_map *owners, WorkList *todo) {
    if (!(w.ref & NODE_BIT)) return w.ref == w.real;
    Node *n = &m->nodes.at[w.ref & ~NODE_BIT];
    if (n->seen == m->comparison) return n->real == w.real;
    n->seen = m->comparison;
    n->real = w.real;
    if (!same_shape(n, w.real)) return false;
    bool added;
    base_map_at(owners, w.real, &added);
    if (!added && n->count) return false; /* two nodes at one place */
    for (uint32_t i = 0; n->type != BYTES && i < n->count; i++)
        BASE_PUSH(todo, (Work){n->field[i], *field_slot(w.real, n->type, i)});
    return true;
}

static bool compare(Model *m) {
    base_map owners = {0};
    WorkList todo = {0};
    m->comparison++;
    for (uint32_t p = 0; p < PLACES; p++) BASE_PUSH(&todo, (Work){m->place[p], real_at(m, p)});
    bool same = true;
    while (same && todo.len) same = compare_one(m, BASE_POP(&todo), &owners, &todo);
    BASE_VEC_FREE(&todo);
    base_map_free(&owners);
    return same;
}

/* ---- the program ---- */

static void step(Model *m) {
    uint32_t dice = rnd(m, 100);
    if (dice < 45)
        make(m);
    else if (dice < 70)
        mutate(m);
    else if (dice < 85)
        load(m);
    else
        drop(m);
    if (rnd(m, 20000) == 0)
        gc_collect(m->rig->heap, (int)rnd(m, 3));
    else if (rnd(m, 8) == 0)
        rig_poll(m->rig);
}

static void run(uint64_t seed, int steps, int compare_every, GcOptions options) {
    Model m = {.rig = rig_new(options), .random = seed};
    for (uint32_t p = 0; p < PLACES; p++) m.place[p] = V_NIL;
    bool same = true;
    for (int i = 1; same && i <= steps; i++) {
        step(&m);
        if (i % compare_every == 0) same = compare(&m);
    }
    CHECK(same);
    gc_collect(m.rig->heap, 2);
    CHECK(compare(&m));
    GcStats s;
    gc_stats(m.rig->heap, &s);
    CHECK(s.collections[0] > 0 && s.collections[1] > 0 && s.collections[2] > 0);
    rig_free(m.rig);
    for (size_t i = 0; i < m.nodes.len; i++) free(m.nodes.at[i].field);
    BASE_VEC_FREE(&m.nodes);
}

/* A tiny nursery and small thresholds bring many collections of every generation. */
static void test_plain(void) {
    for (uint64_t seed = 1; seed <= 3; seed++)
        run(seed, 1000000, 50000, (GcOptions){.nursery_bytes = 64 << 10});
}

static void test_verified(void) {
    for (uint64_t seed = 11; seed <= 13; seed++)
        run(seed, 100000, 10000,
            (GcOptions){.nursery_bytes = 64 << 10, .verify = true, .poison = true});
}

static void test_stress(void) {
    for (uint64_t seed = 21; seed <= 23; seed++)
        run(seed, 20000, 500, (GcOptions){.stress = true, .poison = true});
    run(31, 5000, 100, (GcOptions){.stress = true, .poison = true, .verify = true});
}

CHECK_MAIN(test_plain, test_verified, test_stress)
