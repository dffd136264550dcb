/* The nursery and the slow paths of allocation.
 *
 * Chunks are handed out by moving nursery_next up. A lone thread gets all that is left of the
 * logical nursery at once; when there are several, each takes 64 KiB at a time. Nothing here
 * collects: past the logical size the hand-out goes on (the range is far larger) and asks for a
 * collection each time. While allocations are sampled (sampling.c) a mutator's alloc_limit lies
 * below its chunk's end where the next sample is due in this chunk. */
#include "gc/heap.h"

enum {
    COMMIT_BYTES = 1 << 20,
    SMALL_CHUNK = 4096,
    LARGE_BUDGET = 1 /* nurseries: reused while still in the cache */
};

void gc_nursery_init(Heap *h) {
    if (h->poison) {
        size_t half = h->nursery_span / 2;
        h->nursery[0] = (NurseryRange){h->base, half, 0};
        h->nursery[1] = (NurseryRange){h->base + half, half, 0};
    } else
        h->nursery[0] = (NurseryRange){h->base, h->nursery_span, 0};
    h->nursery_next = h->base;
}

/* Takes SIZE bytes from the nursery's range. */
static char *hand_out(Heap *h, size_t size) {
    NurseryRange *n = &h->nursery[h->nursery_active];
    size_t used = nursery_used(h);
    if (size > n->span - used) base_oom(size);
    if (used + size > n->committed) {
        size_t to =
            BASE_MIN(n->span, (used + size + COMMIT_BYTES - 1) & ~(size_t)(COMMIT_BYTES - 1));
        if (!os_commit(n->base + n->committed, to - n->committed)) base_oom(size);
        n->committed = to;
    }
    char *p = h->nursery_next;
    h->nursery_next += size;
    if (h->poison)
        for (size_t i = 0; i < size; i += 8) memcpy(p + i, &(Word){GC_POISON}, 8);
    return p;
}

/* Threads must not fight for the logical size, so each counts for four chunks. */
static size_t logical_size(const Heap *h) {
    return BASE_MAX(h->nursery_bytes, h->mutator_count * 4 * CHUNK_BYTES);
}

static size_t chunk_size(const Heap *h) {
    if (h->stress || h->poison) return SMALL_CHUNK; /* little to fill */
    size_t used = nursery_used(h), logical = logical_size(h);
    if (h->mutator_count > 1 || used + CHUNK_BYTES > logical) return CHUNK_BYTES;
    return logical - used;
}

static void report(Mutator *m) {
    uint64_t now = mutator_allocated(m);
    __atomic_fetch_add(&m->heap->stats.bytes_allocated, now - m->stores->reported,
                       __ATOMIC_RELAXED);
    m->stores->reported = now;
}

static void drop_chunk(Mutator *m, char *new_chunk) {
    m->allocated = mutator_allocated(m);
    m->alloc = m->alloc_limit = m->chunk_end = new_chunk;
}

static void *bump(Mutator *m, size_t bytes) {
    char *p = m->alloc;
    m->alloc += bytes;
    return p;
}

static void *take_small(Mutator *m, size_t bytes) {
    Heap *h = m->heap;
    size_t size = BASE_MAX(chunk_size(h), (bytes + SMALL_CHUNK - 1) & ~(size_t)(SMALL_CHUNK - 1));
    char *chunk = hand_out(h, size);
    report(m);
    if (chunk != m->chunk_end) drop_chunk(m, chunk); /* else the old chunk just grows */
    m->chunk_end += size;
    m->allocated += size;
    return bump(m, bytes);
}

static void *take_large(Mutator *m, size_t bytes) {
    m->allocated += bytes;
    report(m);
    return gc_large_new(m->heap, bytes);
}

static void *allocate(Mutator *m, size_t bytes) {
    Heap *h = m->heap;
    if (bytes <= GC_LARGE_BYTES && bytes <= (size_t)(m->chunk_end - m->alloc))
        return bump(m, bytes); /* but a sample was due */
    os_mutex_lock(&h->lock);
    /* A large object says nothing of the nursery, all of which may be one thread's chunk. */
    bool large = bytes > GC_LARGE_BYTES;
    bool full = h->stress || (large ? h->large_bytes[0] >= LARGE_BUDGET * h->nursery_bytes
                                    : nursery_used(h) >= logical_size(h));
    void *p = large ? take_large(m, bytes) : take_small(m, bytes);
    os_mutex_unlock(&h->lock);
    if (full) {
        __atomic_store_n(&h->wants, true, __ATOMIC_RELAXED);
        h->hooks.request(h->hooks.context);
    }
    return p;
}

void *gc_alloc_slow(Mutator *m, size_t bytes) {
    void *p = allocate(m, bytes);
    m->alloc_limit = m->chunk_end;
    if (unlikely(m->sampling != NULL) && gc_sample(m, (Value)p, bytes)) m->sampling->noted(m);
    return p;
}

void gc_make_room(Mutator *m, size_t bytes, unsigned tag) {
    char *p = allocate(m, bytes);
    m->alloc_limit = m->chunk_end;
    if (unlikely(m->sampling != NULL)) gc_sample(m, (Value)p | tag, bytes);
    m->alloc = p;
}

void gc_retire(Mutator *m) {
    report(m);
    gc_samples_forget(m);
    drop_chunk(m, m->heap->base);
    gc_roots_flush(m->stores);
}

/* After a collection: the nursery is empty. Memory that primitives took far beyond the logical size
 * is given back. */
void gc_nursery_reset(Heap *h) {
    NurseryRange *n = &h->nursery[h->nursery_active];
    if (h->poison) {
        if (n->committed) os_protect(n->base, n->committed);
        n->committed = 0;
        h->nursery_active ^= 1;
    } else {
        size_t keep = 2 * logical_size(h), used = nursery_used(h);
        if (used > keep) os_discard(n->base + keep, n->committed - keep);
    }
    h->nursery_next = h->nursery[h->nursery_active].base;
}

Object *gc_immobile(Mutator *m, enum heap_type type, uint64_t words) {
    Heap *h = m->heap;
    size_t bytes = (words + 1) * 8;
    os_mutex_lock(&h->lock);
    Space *s = &h->space[IMMOBILE][SPACE_WORDS];
    if (bytes > (size_t)(s->limit - s->free)) gc_space_grow(h, s);
    Object *o = (Object *)s->free;
    s->free += bytes;
    /* The caller's plain stores are not seen by the barrier. */
    memset(card_of(h, o), GC_CARD_DIRTY, (size_t)(card_of(h, s->free - 1) - card_of(h, o) + 1));
    os_mutex_unlock(&h->lock);
    o->header = make_header(type, words, 0);
    memset(o->slot, 0, words * 8);
    return o;
}

Value gc_flonum_boxed(Mutator *m, double d) {
    Object *o = gc_bytes(m, T_FLONUM, sizeof d, 0);
    memcpy(o->slot, &d, sizeof d);
    return v_object(o);
}
