/* Symbols: one immobile object for each name, for ever.
 *
 * The table is open addressing over entries that hold the name's bytes; each symbol points to its
 * entry, so its name is at hand as C text. One lock guards it; nothing that waits or collects runs
 * under the lock. */
#include "base/base.h"
#include "os/os.h"
#include "rt/args.h"
#include "rt/prim.h"
#include "rt/string.h"

typedef struct Entry {
    Object *symbol;
    uint64_t hash;
    size_t length;
    char name[];
} Entry;

static struct {
    Entry **slots; /* CAP of them, a power of two */
    size_t cap, count;
    base_arena arena;
    os_mutex lock;
} symbols = {.lock = OS_MUTEX_INIT};

static Entry **slot_for(const char *name, size_t length, uint64_t hash) {
    size_t i = hash & (symbols.cap - 1);
    for (;; i = (i + 1) & (symbols.cap - 1)) {
        Entry *e = symbols.slots[i];
        if (!e) return &symbols.slots[i];
        if (e->hash == hash && e->length == length && !memcmp(e->name, name, length))
            return &symbols.slots[i];
    }
}

static void grow(void) {
    Entry **old = symbols.slots;
    size_t count = symbols.cap;
    symbols.cap = count ? count * 2 : 2048;
    symbols.slots = base_calloc(symbols.cap, sizeof *symbols.slots);
    for (size_t i = 0; i < count; i++)
        if (old[i]) *slot_for(old[i]->name, old[i]->length, old[i]->hash) = old[i];
    free(old);
}

static Entry *add(Mutator *m, const char *name, size_t length, uint64_t hash) {
    Entry *e = base_arena_alloc(&symbols.arena, sizeof *e + length + 1);
    e->hash = hash;
    e->length = length;
    memcpy(e->name, name, length);
    Value text = rt_string_new(m, name, length);
    object_of(text)->header |= FLAG_IMMUTABLE;
    Object *symbol = gc_immobile(m, T_SYMBOL, 3);
    symbol->slot[0] = V_FALSE;
    symbol->slot[1] = v_fixnum((int64_t)(hash >> 4));
    symbol->slot[2] = (Word)e;
    gc_write(m, &symbol->slot[0], text);
    e->symbol = symbol;
    return e;
}

Value rt_intern(Mutator *m, const char *utf8, size_t bytes) {
    uint64_t hash = base_hash_bytes(utf8, bytes);
    os_mutex_lock(&symbols.lock);
    if (symbols.count * 2 >= symbols.cap) grow();
    Entry **slot = slot_for(utf8, bytes, hash);
    if (!*slot) {
        *slot = add(m, utf8, bytes, hash);
        symbols.count++;
    }
    Value symbol = v_object((*slot)->symbol);
    os_mutex_unlock(&symbols.lock);
    return symbol;
}

Value rt_intern_c(Mutator *m, const char *utf8) { return rt_intern(m, utf8, strlen(utf8)); }

static const Entry *entry_of(Value symbol) { return raw_pointer(object_slots(symbol)[2]); }
const char *rt_symbol_name(Value symbol) { return entry_of(symbol)->name; }
size_t rt_symbol_length(Value symbol) { return entry_of(symbol)->length; }

/* ---- primitives ---- */

PRIM_FN(prim_symbol_p) {
    PRIM_UNUSED;
    return v_bool(is_symbol(a[0]));
}

PRIM_FN(prim_symbol_eq) {
    for (int i = 0; i < n; i++) ARG_CHECK(is_symbol(a[i]), "symbol=?", i + 1);
    for (int i = 1; i < n; i++)
        if (a[i] != a[0]) return V_FALSE;
    return V_TRUE;
}

PRIM_FN(prim_symbol_to_string) {
    PRIM_UNUSED;
    ARG_CHECK(is_symbol(a[0]), "symbol->string", 1);
    return object_slots(a[0])[0];
}

PRIM_FN(prim_string_to_symbol) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "string->symbol", 1);
    base_buf name = {0};
    rt_string_encode(&name, a[0], 0, rt_string_length(a[0]));
    Value symbol = rt_intern(m, base_buf_str(&name), name.len);
    base_buf_free(&name);
    return symbol;
}
