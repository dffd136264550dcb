/* Hash tables.
 *
 * A table keeps its entries in the order in which they were added, in a vector of [key, value,
 * hash] triples, and an index of 32-bit numbers, open addressing, that holds 1 + an entry's number,
 * or 0. So the order in which a table is walked is a fact of the program and never of addresses or
 * of when a collection came. A removed entry stays, with the key V_DELETED, until the next rebuild.
 *
 * A hash that depends on an address (rt/equal.h) holds until the next collection. A table with such
 * keys remembers the collector's epoch; when that has changed, the first access computes the hashes
 * anew.
 *
 * Races: every access takes index and entries once, keeps within the bounds of what it took, and
 * bounds its probing. */
#include "rt/table.h"
#include "base/base.h"
#include "rt/args.h"
#include "rt/equal.h"
#include "rt/list.h"
#include "rt/prim.h"
#include "rt/string.h"

enum slot { KIND, COUNT, USED, EPOCH, BY_ADDRESS, INDEX, ENTRIES, TABLE_WORDS };
enum { KEY, VALUE, HASH, ENTRY_WORDS };
enum { FIRST_CAPACITY = 8, MOST_ENTRIES = 1 << 30 };

static const char *const kind_names[TABLE_KINDS] = {"eq", "eqv", "equal", "string"};

static bool is_table(Value v) { return is_type(v, T_TABLE); }
static enum rt_table_kind kind_of(Value t) {
    return (enum rt_table_kind)fixnum(object_slots(t)[KIND]);
}
const char *rt_table_kind_name(Value table) { return kind_names[kind_of(table)]; }
int64_t rt_table_count(Value table) { return fixnum(object_slots(table)[COUNT]); }

static uint64_t hash_of(enum rt_table_kind kind, Value key, bool *by_address) {
    switch (kind) {
    case TABLE_EQ: return rt_eq_hash(key, by_address);
    case TABLE_EQV: return rt_eqv_hash(key, by_address);
    case TABLE_STRING: return rt_string_hash(key);
    default: return rt_equal_hash(key, by_address);
    }
}

static bool same_key(enum rt_table_kind kind, Value a, Value b) {
    if (a == b) return true;
    switch (kind) {
    case TABLE_EQ: return false;
    case TABLE_EQV: return rt_eqv(a, b);
    case TABLE_STRING: return is_string(b) && rt_string_equal(a, b);
    default: return rt_equal(a, b);
    }
}

/* ---- storage ---- */

static uint64_t index_size(Value index) { return object_size(index) / 4; }
static uint32_t *index_of(Value index) { return (uint32_t *)object_bytes(index); }

static void index_add(Value index, uint64_t hash, uint64_t entry) {
    uint64_t mask = index_size(index) - 1;
    uint64_t i = hash & mask;
    for (uint64_t probes = 0; probes <= mask && index_of(index)[i]; probes++) i = (i + 1) & mask;
    index_of(index)[i] = (uint32_t)entry + 1;
}

/* Gives T room for CAPACITY entries, a power of two, and moves those it has; hashes that depend on
 * addresses are computed anew where FRESH. */
static void rebuild(Mutator *m, Value t, uint64_t capacity, bool fresh) {
    Word *slots = object_slots(t);
    Value old = slots[ENTRIES];
    uint64_t used = (uint64_t)fixnum(slots[USED]), at = 0;
    if (used > object_size(old) / ENTRY_WORDS) used = object_size(old) / ENTRY_WORDS;
    Object *entries = gc_object(m, T_VECTOR, capacity * ENTRY_WORDS);
    Value index = v_object(gc_bytes(m, T_BYTEVECTOR, capacity * 2 * 4, 0));
    memset(object_bytes(index), 0, capacity * 2 * 4);
    bool by_address = false;
    for (uint64_t i = 0; i < used && at < capacity; i++) {
        Word *from = object_slots(old) + i * ENTRY_WORDS;
        if (from[KEY] == V_DELETED) continue;
        Word *to = entries->slot + at * ENTRY_WORDS;
        memcpy(to, from, ENTRY_WORDS * sizeof *to);
        if (fresh) to[HASH] = v_fixnum((int64_t)hash_of(kind_of(t), to[KEY], &by_address));
        index_add(index, (uint64_t)fixnum(to[HASH]), at++);
    }
    for (uint64_t i = at * ENTRY_WORDS; i < capacity * ENTRY_WORDS; i++) entries->slot[i] = V_EMPTY;
    gc_write(m, &slots[INDEX], index);
    gc_write(m, &slots[ENTRIES], v_object(entries));
    slots[USED] = slots[COUNT] = v_fixnum((int64_t)at);
    if (fresh) slots[BY_ADDRESS] = v_bool(by_address);
}

/* Puts T's hashes right if a collection has moved its keys. */
static void refresh(Mutator *m, Value t) {
    Word *slots = object_slots(t);
    Value epoch = v_fixnum((int64_t)gc_epoch(m->heap));
    if (likely(slots[BY_ADDRESS] == V_FALSE || slots[EPOCH] == epoch)) return;
    rebuild(m, t, object_size(slots[ENTRIES]) / ENTRY_WORDS, true);
    slots[EPOCH] = epoch;
}

static void make_empty(Mutator *m, Value t, uint64_t capacity) {
    Word *slots = object_slots(t);
    slots[USED] = slots[COUNT] = v_fixnum(0);
    slots[BY_ADDRESS] = V_FALSE;
    rebuild(m, t, capacity, false);
}

Value rt_table_new(Mutator *m, enum rt_table_kind kind) {
    Object *o = gc_object(m, T_TABLE, TABLE_WORDS);
    for (int i = 0; i < TABLE_WORDS; i++) o->slot[i] = v_fixnum(0);
    o->slot[KIND] = v_fixnum(kind);
    o->slot[ENTRIES] = v_object(gc_object(m, T_VECTOR, 0));
    make_empty(m, v_object(o), FIRST_CAPACITY);
    return v_object(o);
}

/* The entry of KEY, whose hash is HASH, or NULL. */
static Word *find(Value t, Value key, uint64_t hash) {
    Value index = object_slots(t)[INDEX], entries = object_slots(t)[ENTRIES];
    enum rt_table_kind kind = kind_of(t);
    uint64_t mask = index_size(index) - 1, limit = object_size(entries) / ENTRY_WORDS;
    uint64_t i = hash & mask;
    for (uint64_t probes = 0; probes <= mask; probes++, i = (i + 1) & mask) {
        uint64_t entry = index_of(index)[i];
        if (!entry || entry > limit) return NULL;
        Word *e = object_slots(entries) + (entry - 1) * ENTRY_WORDS;
        if (e[HASH] == v_fixnum((int64_t)hash) && e[KEY] != V_DELETED &&
            same_key(kind, key, e[KEY]))
            return e;
    }
    return NULL;
}

Value rt_table_get(Mutator *m, Value table, Value key, Value otherwise) {
    bool ignored = false;
    refresh(m, table);
    Word *e = find(table, key, hash_of(kind_of(table), key, &ignored));
    return e ? e[VALUE] : otherwise;
}

void rt_table_put(Mutator *m, Value table, Value key, Value value) {
    Word *slots = object_slots(table);
    bool by_address = false;
    refresh(m, table);
    uint64_t hash = hash_of(kind_of(table), key, &by_address);
    Word *e = find(table, key, hash);
    if (e) {
        gc_write(m, &e[VALUE], value);
        return;
    }
    if (by_address && slots[BY_ADDRESS] == V_FALSE) {
        slots[BY_ADDRESS] = V_TRUE;
        slots[EPOCH] = v_fixnum((int64_t)gc_epoch(m->heap));
    }
    uint64_t capacity = object_size(slots[ENTRIES]) / ENTRY_WORDS;
    uint64_t used = (uint64_t)fixnum(slots[USED]);
    if (used >= capacity) {
        bool crowded = (uint64_t)fixnum(slots[COUNT]) > capacity / 2;
        rebuild(m, table, crowded ? capacity * 2 : capacity, false);
        used = (uint64_t)fixnum(slots[USED]);
    }
    e = object_slots(slots[ENTRIES]) + used * ENTRY_WORDS;
    e[HASH] = v_fixnum((int64_t)hash);
    gc_write(m, &e[VALUE], value);
    gc_write(m, &e[KEY], key);
    index_add(slots[INDEX], hash, used);
    slots[USED] = v_fixnum((int64_t)used + 1);
    slots[COUNT] = v_fixnum(fixnum(slots[COUNT]) + 1);
}

bool rt_table_remove(Mutator *m, Value table, Value key) {
    bool ignored = false;
    refresh(m, table);
    Word *e = find(table, key, hash_of(kind_of(table), key, &ignored));
    if (!e) return false;
    e[KEY] = V_DELETED;
    e[VALUE] = V_FALSE;
    object_slots(table)[COUNT] = v_fixnum(fixnum(object_slots(table)[COUNT]) - 1);
    return true;
}

/* ---- primitives ---- */

#define TABLE_CHECK(who) ARG_CHECK(is_table(a[0]), who, 1)
/* A key that the table cannot hold is an error also where it is only looked for. */
#define KEY_CHECK(who)                                                                             \
    do {                                                                                           \
        TABLE_CHECK(who);                                                                          \
        ARG_CHECK(kind_of(a[0]) != TABLE_STRING || is_string(a[1]), who, 2);                       \
    } while (0)

PRIM_FN(prim_make_table) {
    PRIM_UNUSED;
    ARG_CHECK(is_symbol(a[0]), "%make-table", 1);
    for (int kind = 0; kind < TABLE_KINDS; kind++)
        if (!strcmp(rt_symbol_name(a[0]), kind_names[kind]))
            return rt_table_new(m, (enum rt_table_kind)kind);
    return mutator_fail(m, ERR_RANGE, "%make-table", 1, a[0]);
}

PRIM_FN(prim_table_p) {
    PRIM_UNUSED;
    return v_bool(is_table(a[0]));
}

PRIM_FN(prim_table_kind) {
    PRIM_UNUSED;
    TABLE_CHECK("%table-kind");
    return rt_intern_c(m, rt_table_kind_name(a[0]));
}

PRIM_FN(prim_table_ref) {
    PRIM_UNUSED;
    KEY_CHECK("hash-table-ref");
    return rt_table_get(m, a[0], a[1], a[2]);
}

PRIM_FN(prim_table_contains_p) {
    PRIM_UNUSED;
    KEY_CHECK("hash-table-contains?");
    return v_bool(rt_table_get(m, a[0], a[1], V_EMPTY) != V_EMPTY);
}

/* Whether one more entry can be had; else the failure is noted. */
static bool has_room(Mutator *m, Value t) {
    uint64_t used = (uint64_t)fixnum(object_slots(t)[USED]);
    uint64_t words = object_size(object_slots(t)[ENTRIES]);
    if (likely(used * ENTRY_WORDS < words)) return true;
    if (used < MOST_ENTRIES) return rt_room(m, "hash-table-set!", words * 2 * sizeof(Word));
    mutator_fail(m, ERR_TOO_LARGE, "hash-table-set!", 0, V_DEFAULT);
    return false;
}

PRIM_FN(prim_table_set) {
    PRIM_UNUSED;
    KEY_CHECK("hash-table-set!");
    if (!has_room(m, a[0])) return V_FAIL;
    rt_table_put(m, a[0], a[1], a[2]);
    return V_UNSPEC;
}

PRIM_FN(prim_table_delete) {
    PRIM_UNUSED;
    KEY_CHECK("hash-table-delete!");
    return v_bool(rt_table_remove(m, a[0], a[1]));
}

PRIM_FN(prim_table_count) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table-size");
    return object_slots(a[0])[COUNT];
}

PRIM_FN(prim_table_clear) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table-clear!");
    make_empty(m, a[0], FIRST_CAPACITY);
    return V_UNSPEC;
}

PRIM_FN(prim_table_copy) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table-copy");
    Object *o = gc_object(m, T_TABLE, TABLE_WORDS);
    memcpy(o->slot, object_slots(a[0]), TABLE_WORDS * sizeof(Word));
    uint64_t capacity = object_size(o->slot[ENTRIES]) / ENTRY_WORDS;
    rebuild(m, v_object(o), capacity, false);
    return v_object(o);
}

/* What a walk makes of an entry. */
enum part { PART_KEY, PART_VALUE, PART_PAIR };

static Value collect(Mutator *m, Value t, enum part part) {
    Value entries = object_slots(t)[ENTRIES], list = V_NIL;
    uint64_t used = (uint64_t)fixnum(object_slots(t)[USED]);
    if (used > object_size(entries) / ENTRY_WORDS) used = object_size(entries) / ENTRY_WORDS;
    for (uint64_t i = used; i-- > 0;) {
        Word *e = object_slots(entries) + i * ENTRY_WORDS;
        if (e[KEY] == V_DELETED) continue;
        Value item = part == PART_KEY ? e[KEY] : e[VALUE];
        list = gc_cons(m, part == PART_PAIR ? gc_cons(m, e[KEY], e[VALUE]) : item, list);
    }
    return list;
}

PRIM_FN(prim_table_keys) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table-keys");
    return collect(m, a[0], PART_KEY);
}

PRIM_FN(prim_table_values) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table-values");
    return collect(m, a[0], PART_VALUE);
}

PRIM_FN(prim_table_to_alist) {
    PRIM_UNUSED;
    TABLE_CHECK("hash-table->alist");
    return collect(m, a[0], PART_PAIR);
}

/* HASH as a fixnum >= 0, below the bound that is the second argument if that was given. */
static Value bounded(Mutator *m, const Value *a, int n, uint64_t hash, const char *who) {
    if (!arg_given(a, n, 2)) return v_fixnum((int64_t)hash);
    ARG_CHECK(is_fixnum(a[1]) && fixnum(a[1]) > 0, who, 2);
    return v_fixnum((int64_t)(hash % (uint64_t)fixnum(a[1])));
}

/* A hash for the program's own use, so it may not change: objects without contents to hash share
 * one. */
PRIM_FN(prim_hash) {
    bool by_address = false;
    uint64_t hash = rt_equal_hash(a[0], &by_address);
    if (by_address) hash = is_object(a[0]) ? header_type(object_of(a[0])->header) : 0;
    return bounded(m, a, n, hash, "hash");
}

PRIM_FN(prim_eq_hash) {
    bool ignored = false;
    return bounded(m, a, n, rt_eq_hash(a[0], &ignored), "%eq-hash");
}
