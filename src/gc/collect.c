/* A collection.
 *
 * Generations 0..G are condemned: what is reached of them is copied to the next generation up (0 to
 * 1, 1 to 2, 2 to 2), so that no object becomes old for having been made just before a collection.
 * Roots are what the run time shows, the
 * remembered root words, and the cards of the generations above. Cheney's algorithm then scans each
 * copy once, block by block, with no stack. (To follow a list along its cdrs while copying it was
 * tried: 15 % slower on binary trees.)
 *
 * Since survivors of generation 0 land in generation 1 while those of 1 land in 2, a copy in 2 may
 * refer to 1: scanning it marks its card CARD_OLD. Generation 1 is never older than what it refers
 * to, except through cards marked by stores.
 *
 * A moved pair's first word is its new address | 7; a moved object's header word is its new value
 * (tag 3). Large objects are marked and put on a list to be scanned. CONT objects are copied as
 * words and then shown to the run time.
 *
 * gc_collect decides what to collect: generation 1 when it has grown to a few nurseries, generation
 * 2 when it and generation 1 have doubled since they were last collected or the heap limit is near.
 */
#include "gc/heap.h"

#include <stdlib.h>

enum { GEN1_NURSERIES = 2, FULL_MIN = 32 << 20, STRESS_VERIFY = 13 };

static inline int target_of(int generation) { return BASE_MIN(generation + 1, GC_GENERATIONS - 1); }

/* ---- copying ---- */

static inline Word *take_room(Collector *c, int to, enum space_kind kind, size_t bytes) {
    Space *s = &c->heap->space[to][kind];
    char *p = s->free;
    if (unlikely(bytes > (size_t)(s->limit - p))) p = gc_space_grow(c->heap, s);
    s->free = p + bytes;
    return (Word *)p;
}

static inline Value copy_pair(Collector *c, Pair *p, int to) {
    if (TAG_OF(p->car) == TAG_HEADER) return p->car - TAG_HEADER + TAG_PAIR;
    Pair *q = (Pair *)take_room(c, to, SPACE_WORDS, sizeof *q);
    *q = *p;
    p->car = (Word)q | TAG_HEADER;
    return v_pair(q);
}

static Value copy_object(Collector *c, Object *o, int to) {
    Word header = o->header;
    if (is_moved(header)) return header;
    enum heap_type type = header_type(header);
    size_t bytes = object_total(header);
    Word *q = take_room(c, to, type_has_bytes(type) ? SPACE_BYTES : SPACE_WORDS, bytes);
    Value moved = v_object((Object *)q);
    q[0] = header;
    for (size_t i = 1; i < bytes / 8; i++) q[i] = o->slot[i - 1];
    o->header = moved;
    if (unlikely(type_is_cont(type))) BASE_PUSH(&c->conts, (Object *)q);
    return moved;
}

static inline Value copy_value(Collector *c, Value v, int to) {
    return is_pair(v) ? copy_pair(c, pair_of(v), to) : copy_object(c, object_of(v), to);
}

static __attribute__((noinline)) void mark_large(Collector *c, size_t offset) {
    LargeObject *l = large_at(c->heap, offset);
    if (l->generation > c->generation || l->marked) return;
    l->marked = true;
    l->generation = (uint8_t)target_of(l->generation);
    BASE_PUSH(&c->large_gray, (uint32_t)(l - c->heap->large.at));
}

/* The place of V after this collection; V if it stays. OFFSET is V's, below span. */
static inline Value evacuate_major(Collector *c, Value v, size_t offset) {
    if (offset < c->nursery_span) return copy_value(c, v, 1);
    if (offset < c->large_end) {
        mark_large(c, offset);
        return v;
    }
    uint8_t state = c->heap->block_state[block_index(c->heap, offset)];
    return state & STATE_FROM ? copy_value(c, v, target_of(state & STATE_GENERATION)) : v;
}

static inline Value evacuate_minor(Collector *c, Value v, size_t offset) {
    if (likely(offset < c->nursery_span)) return copy_value(c, v, 1);
    mark_large(c, offset);
    return v;
}

static inline Value evacuate(Collector *c, Value v) {
    size_t offset = v - c->base;
    if (offset >= c->interesting) return v;
    return c->generation ? evacuate_major(c, v, offset) : evacuate_minor(c, v, offset);
}

void gc_visit(Collector *c, Value *slot) {
    if (!has_heap_tag(*slot)) return;
    if (unlikely(c->verifying))
        gc_verify_visit(c, slot);
    else
        *slot = evacuate(c, *slot);
}

/* ---- scanning ---- */

static void scan_minor(Collector *c, Word *p, const Word *end) {
    size_t interesting = c->interesting;
    uintptr_t base = c->base;
    for (; p < end; p++) {
        Word v = *p;
        if (!has_heap_tag(v)) continue;
        size_t offset = v - base;
        if (offset < interesting) *p = evacuate_minor(c, v, offset);
    }
}

/* OWNER is the generation that the words lie in; cards that refer to a younger one are marked. */
static void scan_major(Collector *c, Word *p, const Word *end, int owner) {
    Heap *h = c->heap;
    for (; p < end; p++) {
        Word v = *p;
        if (!has_heap_tag(v) || v - c->base >= c->interesting) continue;
        *p = v = evacuate_major(c, v, v - c->base);
        if (owner > 1 && gc_generation_of(h, v) < owner) *card_of(h, p) = CARD_OLD;
    }
}

static inline void scan_words(Collector *c, Word *p, const Word *end, int owner) {
    if (c->generation)
        scan_major(c, p, end, owner);
    else
        scan_minor(c, p, end);
}

/* Scans what has been copied to generation G and not scanned yet. */
static bool scan_space(Collector *c, int g) {
    Space *s = &c->heap->space[g][SPACE_WORDS];
    bool any = false;
    if (s->scan_block == NO_BLOCK) {
        if (s->first == NO_BLOCK) return false;
        s->scan_block = s->first;
        s->scan = block_start(c->heap, s->first);
    }
    for (;;) {
        char *top = block_top(c->heap, s, s->scan_block);
        if (s->scan < top) {
            char *from = s->scan;
            s->scan = top;
            scan_words(c, (Word *)from, (Word *)top, g);
            any = true;
        } else if (s->scan_block != s->last) {
            s->scan_block = c->heap->block[s->scan_block].next;
            s->scan = block_start(c->heap, s->scan_block);
        } else
            return any;
    }
}

static bool scan_large(Collector *c) {
    if (!c->large_gray.len) return false;
    LargeObject *l = &c->heap->large.at[BASE_POP(&c->large_gray)];
    Object *o = (Object *)l->start;
    enum heap_type type = header_type(o->header);
    if (type_has_bytes(type)) return true;
    size_t words = header_size(o->header);
    memset(card_of(c->heap, o), 0, (object_total(o->header) + CARD_BYTES - 1) >> GC_CARD_SHIFT);
    int owner = l->generation; /* the record may move while scanning */
    scan_words(c, o->slot, o->slot + words, owner);
    if (type_is_cont(type)) BASE_PUSH(&c->conts, o);
    return true;
}

static bool scan_conts(Collector *c) {
    if (!c->conts.len) return false;
    Object *o = BASE_POP(&c->conts);
    c->heap->hooks.scan_cont(c->heap->hooks.context, c, o);
    return true;
}

static void drain(Collector *c) {
    bool any = true;
    while (any) {
        any = scan_space(c, 1);
        any |= scan_space(c, 2);
        any |= scan_large(c);
        any |= scan_conts(c);
    }
}

/* ---- the remembered set ---- */

static void scan_card(Collector *c, uint8_t *card, Word *p, const Word *end, int owner) {
    bool young = false;
    c->scanned += (size_t)((const char *)end - (const char *)p);
    for (; p < end; p++) {
        if (!has_heap_tag(*p)) continue;
        *p = evacuate(c, *p);
        young |= owner > 1 && gc_generation_of(c->heap, *p) < BASE_MIN(owner, GC_GENERATIONS - 1);
    }
    *card = young ? CARD_OLD : 0;
}

/* Scans the marked cards of START .. TOP, which begins at a card's start. In a minor collection
 * only those stored into. */
static void scan_cards(Collector *c, char *start, char *top, int owner) {
    uint64_t wanted = c->generation ? ~(uint64_t)0 : GC_CARD_DIRTY * 0x0101010101010101u;
    uint8_t *card = card_of(c->heap, start);
    for (char *p = start; p < top; p += 8 * CARD_BYTES, card += 8) {
        uint64_t eight;
        memcpy(&eight, card, 8);
        if (!(eight & wanted)) continue;
        for (int i = 0; i < 8; i++) {
            char *from = p + i * CARD_BYTES;
            if (from >= top || !(card[i] & (uint8_t)wanted)) continue;
            char *to = BASE_MIN(from + CARD_BYTES, top);
            scan_card(c, &card[i], (Word *)from, (Word *)to, owner);
        }
    }
}

static void scan_block_cards(Collector *c, int g) {
    Heap *h = c->heap;
    Space *s = &h->space[g][SPACE_WORDS];
    /* The copies made meanwhile are scanned anyway, so the space is taken as it was. */
    uint32_t last = s->last;
    char *last_top = s->free;
    for (uint32_t b = s->first; b != NO_BLOCK; b = h->block[b].next) {
        char *start = block_start(h, b);
        scan_cards(c, start, b == last ? last_top : h->block[b].top, g);
        if (b == last) break;
    }
}

static void scan_large_cards(Collector *c, int g) {
    Heap *h = c->heap;
    for (uint32_t id = h->large_list[g]; id != NO_LARGE; id = h->large.at[id].next) {
        Object *o = (Object *)h->large.at[id].start;
        if (!type_has_bytes(header_type(o->header)))
            scan_cards(c, (char *)o, (char *)o + object_total(o->header), g);
    }
}

static void dirty_immobile(Heap *h) {
    Space *s = &h->space[IMMOBILE][SPACE_WORDS];
    for (uint32_t b = s->first; b != NO_BLOCK; b = h->block[b].next)
        memset(card_of(h, block_start(h, b)), GC_CARD_DIRTY, CARDS_PER_BLOCK);
}

static void scan_remembered(Collector *c) {
    Heap *h = c->heap;
    if (c->generation == GC_GENERATIONS - 1) dirty_immobile(h);
    for (int g = c->generation + 1; g <= IMMOBILE; g++) {
        if (g == 0) continue;
        scan_block_cards(c, g);
        if (g < GC_GENERATIONS) scan_large_cards(c, g);
    }
    base_map kept = {0};
    size_t it = 0;
    uint64_t key;
    while (base_map_next(&h->roots, &it, &key, NULL)) {
        Value *slot = (Value *)(uintptr_t)key;
        gc_visit(c, slot);
        if (gc_generation_of(h, *slot) < GC_GENERATIONS - 1) base_map_at(&kept, key, NULL);
    }
    base_map_free(&h->roots);
    h->roots = kept;
}

/* ---- one collection ---- */

void gc_collector_init(Collector *c, Heap *h, int generation) {
    *c = (Collector){.heap = h,
                     .generation = generation,
                     .base = (uintptr_t)h->base,
                     .nursery_span = h->nursery_span,
                     .large_end = h->large_end,
                     .span = h->span};
    c->interesting = generation ? h->span : h->large_bytes[0] ? h->large_end : h->nursery_span;
}

void gc_collector_free(Collector *c) {
    BASE_VEC_FREE(&c->conts);
    BASE_VEC_FREE(&c->large_gray);
}

/* Bytes of small objects in generation G, dead ones and the unused ends of blocks included. */
static size_t small_bytes(const Heap *h, int g) {
    size_t bytes = 0;
    for (int k = 0; k < SPACE_KINDS; k++) {
        const Space *s = &h->space[g][k];
        bytes += s->blocks * BLOCK_BYTES - (size_t)(s->limit - s->free);
    }
    return bytes;
}

/* The blocks of the condemned generations, chained through Block.next. */
static uint32_t condemn(Collector *c) {
    Heap *h = c->heap;
    uint32_t from = NO_BLOCK;
    for (int g = 1; g <= c->generation; g++)
        for (int k = 0; k < SPACE_KINDS; k++) {
            Space *s = &h->space[g][k];
            if (s->last == NO_BLOCK) continue;
            for (uint32_t b = s->first; b != NO_BLOCK; b = h->block[b].next)
                h->block_state[b] |= STATE_FROM;
            h->block[s->last].next = from;
            from = s->first;
            gc_space_clear(s);
        }
    for (int g = 1; g < GC_GENERATIONS; g++) {
        Space *s = &h->space[g][SPACE_WORDS];
        s->scan_block = s->last;
        s->scan = s->free;
        c->kept += small_bytes(h, g);
    }
    return from;
}

static void free_chain(Heap *h, uint32_t from) {
    for (uint32_t next; from != NO_BLOCK; from = next) {
        next = h->block[from].next;
        gc_block_free(h, from);
    }
}

static size_t blocks_memory(const Heap *h) {
    return (size_t)(h->blocks_touched - h->free_warm_count - h->free_cold_count) * BLOCK_BYTES;
}

static size_t large_memory(const Heap *h) {
    size_t bytes = 0;
    for (int g = 0; g < GC_GENERATIONS; g++) bytes += h->large_bytes[g];
    return bytes;
}

static size_t generation_bytes(const Heap *h, int g) {
    return small_bytes(h, g) + h->large_bytes[g];
}

/* What the heap limit bounds: to collect generation 2 takes room for a copy of all that is not
 * large. */
static size_t demand(const Heap *h) {
    return 2 * blocks_memory(h) + large_memory(h) + h->nursery_bytes;
}

static void note_figures(Collector *c) {
    Heap *h = c->heap;
    h->stats.collections[c->generation]++;
    h->stats.bytes_copied += small_bytes(h, 1) + small_bytes(h, 2) - c->kept;
    h->stats.bytes_scanned += c->scanned;
    h->stats.live_bytes = generation_bytes(h, 1) + generation_bytes(h, 2) + generation_bytes(h, 3);
    h->stats.heap_bytes = blocks_memory(h) + large_memory(h);
}

static void note_peak(Heap *h) {
    size_t bytes = blocks_memory(h) + large_memory(h) + nursery_used(h);
    h->stats.peak_heap_bytes = BASE_MAX(h->stats.peak_heap_bytes, bytes);
}

/* Generation 2 has just been collected: when to do so again, and whether the limit is passed. */
static void set_goals(Heap *h) {
    size_t live = generation_bytes(h, 1) + generation_bytes(h, 2);
    size_t limit = __atomic_load_n(&h->limit, __ATOMIC_RELAXED);
    size_t needed = demand(h);
    h->full_at = BASE_MAX(2 * live, FULL_MIN);
    __atomic_store_n(&h->floor, needed, __ATOMIC_RELAXED);
    if (needed > limit + h->limit_margin) {
        __atomic_store_n(&h->over, true, __ATOMIC_RELAXED);
        h->limit_margin = BASE_MIN(h->limit_margin + limit / 16, limit / 4);
    } else if (needed <= limit)
        h->limit_margin = 0;
    gc_blocks_trim(h, 2 * h->full_at);
}

static void collect_once(Heap *h, int generation) {
    for (struct StoreBuffer *b = h->mutators; b; b = b->next) gc_retire(b->owner);
    Collector c;
    gc_collector_init(&c, h, generation);
    uint32_t from = condemn(&c);
    h->hooks.scan_roots(h->hooks.context, &c);
    scan_remembered(&c);
    drain(&c);
    h->hooks.after_mark(h->hooks.context, &c);
    note_peak(h);
    free_chain(h, from);
    gc_large_sweep(h, generation);
    gc_nursery_reset(h);
    if (generation == GC_GENERATIONS - 1) set_goals(h);
    note_figures(&c);
    gc_collector_free(&c);
    __atomic_fetch_add(&h->epoch, 1, __ATOMIC_RELAXED);
    if (h->verify && (!h->stress || h->epoch % STRESS_VERIFY == 0)) gc_verify(h);
}

static int choose_generation(const Heap *h) {
    if (h->stress) return h->epoch % 16 == 15 ? 2 : h->epoch % 4 == 3;
    if (generation_bytes(h, 1) + generation_bytes(h, 2) >= h->full_at) return 2;
    return generation_bytes(h, 1) >= GEN1_NURSERIES * h->nursery_bytes;
}

void gc_collect(Heap *h, int generation) {
    uint64_t start = os_thread_cpu_ns();
    os_mutex_lock(&h->lock);
    __atomic_store_n(&h->wants, false, __ATOMIC_RELAXED);
    __atomic_store_n(&h->over, false, __ATOMIC_RELAXED);
    if (generation < 0) generation = choose_generation(h);
    generation = BASE_MIN(generation, GC_GENERATIONS - 1);
    collect_once(h, generation);
    size_t limit = __atomic_load_n(&h->limit, __ATOMIC_RELAXED);
    if (generation < GC_GENERATIONS - 1 && demand(h) > limit + h->limit_margin)
        collect_once(h, GC_GENERATIONS - 1);
    h->stats.nanoseconds += os_thread_cpu_ns() - start;
    os_mutex_unlock(&h->lock);
}

/* ---- for the hooks ---- */

int collector_generation(const Collector *c) { return c->generation; }
bool collector_verifying(const Collector *c) { return c->verifying; }

bool gc_forwarded(const Collector *c, Value *v) {
    size_t offset = *v - c->base;
    if (!is_heap(*v) || offset >= c->span) return true;
    if (offset >= c->nursery_span && offset < c->large_end) {
        const LargeObject *l = large_at(c->heap, offset);
        return l->marked || l->generation > c->generation;
    }
    if (offset >= c->large_end &&
        !(c->heap->block_state[block_index(c->heap, offset)] & STATE_FROM))
        return true;
    Word first = *(Word *)(*v & ~(Value)TAG_MASK);
    if (is_pair(*v)) {
        if (TAG_OF(first) == TAG_HEADER) *v = first - TAG_HEADER + TAG_PAIR;
        return TAG_OF(first) == TAG_HEADER;
    }
    if (is_moved(first)) *v = first;
    return is_moved(first);
}
