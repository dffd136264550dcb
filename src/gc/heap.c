/* Making a heap, its mutators, its limits and its figures. */
#include "gc/heap.h"

#include <stdlib.h>

enum { DEFAULT_NURSERY = 8 << 20, MIN_NURSERY = 64 << 10 };
#define GIB ((size_t)1 << 30)

static size_t round_up(size_t n, size_t grain) { return (n + grain - 1) / grain * grain; }

/* Side tables are as long as the range allows; the system backs only what is touched. */
static void *side_table(size_t bytes) {
    void *p = os_reserve(bytes, 0);
    if (p && !os_commit(p, bytes)) {
        os_release(p, bytes);
        return NULL;
    }
    return p;
}

static size_t cards_bytes(const Heap *h) { return round_up(h->span >> GC_CARD_SHIFT, 4096); }
static size_t states_bytes(const Heap *h) { return round_up(h->block_count, 4096); }
static size_t blocks_bytes(const Heap *h) { return round_up(h->block_count * sizeof(Block), 4096); }
static size_t owners_bytes(const Heap *h) { return round_up(h->page_count * (size_t)4, 4096); }

static void release_all(Heap *h) {
    if (h->base) os_release(h->base, h->span);
    if (h->cards) os_release(h->cards, cards_bytes(h));
    if (h->block_state) os_release(h->block_state, states_bytes(h));
    if (h->block) os_release(h->block, blocks_bytes(h));
    if (h->page_owner) os_release(h->page_owner, owners_bytes(h));
    h->base = NULL;
    h->cards = h->block_state = NULL;
    h->block = NULL;
    h->page_owner = NULL;
}

/* Reserves PART bytes for each of the three parts. */
static bool reserve(Heap *h, size_t part) {
    h->nursery_span = part;
    h->large_end = 2 * part;
    h->span = 3 * part;
    h->page_count = (uint32_t)(part >> PAGE_SHIFT);
    h->block_count = (uint32_t)(part >> BLOCK_SHIFT);
    h->base = os_reserve(h->span, BLOCK_BYTES);
    if (!h->base) return false;
    h->cards = side_table(cards_bytes(h));
    h->block_state = side_table(states_bytes(h));
    h->block = side_table(blocks_bytes(h));
    h->page_owner = side_table(owners_bytes(h));
    if (h->cards && h->block_state && h->block && h->page_owner) return true;
    release_all(h);
    return false;
}

/* Twice the memory of the machine for each part, so that no part runs out before the memory does;
 * less where the process may not have as much address space. */
static bool reserve_range(Heap *h) {
    size_t part = 64 * GIB;
    while (part < 2 * os_physical_memory()) part *= 2;
    for (; part >= GIB / 4; part /= 2)
        if (reserve(h, part)) return true;
    return false;
}

static size_t nursery_bytes(const GcOptions *o) {
    size_t most = o->heap_limit ? o->heap_limit / 8 : DEFAULT_NURSERY;
    size_t bytes = o->nursery_bytes ? o->nursery_bytes : BASE_MIN(most, (size_t)DEFAULT_NURSERY);
    return round_up(BASE_MAX(bytes, MIN_NURSERY), CHUNK_BYTES);
}

Heap *gc_heap_new(const GcOptions *options, const GcHooks *hooks) {
    Heap *h = base_calloc(1, sizeof *h);
    h->hooks = *hooks;
    h->stress = options->stress;
    h->poison = options->poison;
    h->verify = options->verify;
    h->nursery_bytes = nursery_bytes(options);
    if (!reserve_range(h)) {
        free(h);
        return NULL;
    }
    os_mutex_init(&h->lock);
    gc_set_heap_limit(h, options->heap_limit);
    gc_nursery_init(h);
    gc_blocks_init(h);
    gc_large_init(h);
    return h;
}

void gc_heap_free(Heap *h) {
    for (struct StoreBuffer *b = h->mutators, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    base_map_free(&h->roots);
    BASE_VEC_FREE(&h->large);
    BASE_VEC_FREE(&h->runs);
    release_all(h);
    os_mutex_destroy(&h->lock);
    free(h);
}

void gc_mutator_init(Mutator *m, Heap *h) {
    struct StoreBuffer *b = base_calloc(1, sizeof *b);
    b->owner = m;
    *m = (Mutator){.alloc = h->base,
                   .alloc_limit = h->base,
                   .chunk_end = h->base,
                   .heap = h,
                   .stores = b,
                   .heap_base = (uintptr_t)h->base,
                   .heap_span = h->span,
                   .cards = h->cards,
                   .fail = {ERR_NONE, NULL, 0, {V_DEFAULT, V_DEFAULT}, V_DEFAULT}};
    os_mutex_lock(&h->lock);
    b->next = h->mutators;
    h->mutators = b;
    h->mutator_count++;
    os_mutex_unlock(&h->lock);
}

void gc_mutator_leave(Mutator *m) {
    Heap *h = m->heap;
    gc_sampling_stop(m);
    os_mutex_lock(&h->lock);
    gc_retire(m);
    struct StoreBuffer **link = &h->mutators;
    while (*link != m->stores) link = &(*link)->next;
    *link = m->stores->next;
    h->mutator_count--;
    os_mutex_unlock(&h->lock);
    free(m->stores);
    m->stores = NULL;
}

void gc_set_heap_limit(Heap *h, size_t bytes) {
    size_t limit = bytes ? bytes : (size_t)(os_physical_memory() / 4 * 3);
    __atomic_store_n(&h->limit, limit, __ATOMIC_RELAXED);
    __atomic_store_n(&h->limit_margin, 0, __ATOMIC_RELAXED);
}

bool gc_can_allocate(Mutator *m, size_t bytes) {
    Heap *h = m->heap;
    size_t limit = __atomic_load_n(&h->limit, __ATOMIC_RELAXED);
    size_t floor = __atomic_load_n(&h->floor, __ATOMIC_RELAXED);
    return bytes <= GC_LARGE_BYTES || (floor < limit && bytes <= limit - floor);
}

bool gc_wants_collection(const Heap *h) {
    return h->stress || __atomic_load_n(&h->wants, __ATOMIC_RELAXED);
}

bool gc_over_limit(const Heap *h) { return __atomic_load_n(&h->over, __ATOMIC_RELAXED); }

bool gc_in_nursery(const Heap *h, const void *address) {
    return (uintptr_t)address - (uintptr_t)h->base < h->nursery_span;
}

int gc_generation_of(const Heap *h, Value v) {
    size_t offset = heap_offset(h, v);
    if (!is_heap(v) || offset >= h->span) return GC_GENERATIONS;
    if (offset < h->nursery_span) return 0;
    if (offset < h->large_end) return large_at(h, offset)->generation;
    return h->block_state[block_index(h, offset)] & STATE_GENERATION;
}

uint64_t gc_epoch(const Heap *h) { return __atomic_load_n(&h->epoch, __ATOMIC_RELAXED); }

void gc_stats(const Heap *heap, GcStats *out) {
    Heap *h = (Heap *)heap; /* for the lock */
    os_mutex_lock(&h->lock);
    *out = h->stats;
    os_mutex_unlock(&h->lock);
    out->bytes_allocated = __atomic_load_n(&heap->stats.bytes_allocated, __ATOMIC_RELAXED);
}
