/* gc.h: the door of the collector.
 *
 * Precise, generational, copying, stop-the-world. A nursery (one reserved range of addresses;
 * threads allocate from chunks of their own by bumping a pointer), two older generations, large
 * objects apart (they do not move), and immobile objects (symbols). A collection runs only when the
 * run time calls gc_collect at a safe point with every other thread stopped or away. Roots come
 * from the run time through GcHooks.
 *
 * Thread rules: gc_alloc_* and gc_write take the calling thread's own Mutator. gc_collect is called
 * by one thread while all others are stopped. The counters may be read by anyone (relaxed atomics).
 */
#ifndef HONE_GC_GC_H
#define HONE_GC_GC_H

#include "gc/mutator.h"

typedef struct Heap Heap;
typedef struct Collector Collector; /* one collection under way */

enum {
    GC_GENERATIONS = 3,         /* 0 is the nursery */
    GC_LARGE_BYTES = 32 * 1024, /* objects of more bytes than this are large: they do not move */
    GC_CARD_SHIFT = 9,          /* the write barrier marks cards of 512 bytes */
    GC_CARD_DIRTY = 2           /* ... with this: the card may refer to any younger generation */
};
#define GC_POISON 0xdeadbeefdeadbeefu /* tag 7: no value */

/* What the run time gives the collector. All but `request` are called inside gc_collect, on the
 * collecting thread and with the heap's lock held: they do not allocate, nor call gc_stats,
 * gc_mutator_init or gc_mutator_leave. The two scanners are called by the verifier too. */
typedef struct GcHooks {
    void *context;
    /* Visit every root with gc_visit: threads' fields and stacks, globals, code constants. Roots
     * that can only point to generations above collector_generation(c) may be passed by. */
    void (*scan_roots)(void *context, Collector *c);
    /* Visit the frames of the CONT object O (already copied; its payload words are visited by the
     * collector). */
    void (*scan_cont)(void *context, Collector *c, Object *o);
    /* All survivors are known and everything moved: weak structures (symbol table, ports, regions
     * of stack) are put in order here with gc_forwarded. */
    void (*after_mark)(void *context, Collector *c);
    /* The collector wants a collection soon: the nursery is full or a limit was passed. Called on
     * the allocating thread, from within an allocation: it must only set the request. */
    void (*request)(void *context);
} GcHooks;

typedef struct GcOptions {
    size_t nursery_bytes; /* 0: the default, at most an eighth of heap_limit */
    /* Bytes that the heap may take: live data, large objects, nursery, and the room that copying
     * the live data takes for a moment. 0: three quarters of memory. */
    size_t heap_limit;
    bool stress; /* collect at every safe point: gc_wants_collection is always true */
    /* Fill fresh chunks with GC_POISON and forbid access to what a collection left, so that an
     * unset slot is found by the verifier and a stale pointer faults at its use. */
    bool poison;
    /* Walk the whole heap after each collection and abort on a bad word; with stress, which would
     * walk it at each safe point, after every 13th. */
    bool verify;
} GcOptions;

/* Makes a heap. NULL when memory cannot be reserved. */
Heap *gc_heap_new(const GcOptions *options, const GcHooks *hooks);
void gc_heap_free(Heap *heap);

/* A thread joins and leaves. Leaving hands its chunk and its store buffer back. */
void gc_mutator_init(Mutator *m, Heap *heap);
void gc_mutator_leave(Mutator *m);

/* ---- allocation: never fails, never collects; see gc_over_limit and gc_can_allocate ---- */
/* BYTES is a multiple of 8 and not 0. */
void *gc_alloc_slow(Mutator *m, size_t bytes);
static inline void *gc_alloc(Mutator *m, size_t bytes) {
    char *p = m->alloc;
    if (unlikely(bytes > GC_LARGE_BYTES || bytes > (size_t)(m->alloc_limit - p)))
        return gc_alloc_slow(m, bytes);
    m->alloc = p + bytes;
    return p;
}
/* Whether an object of BYTES may be allocated at all: false when it does not fit below the heap
 * limit beside what is known to live. A primitive whose result's size is the program's choice asks
 * first and fails with HEAP_LIMIT; any BYTES may be asked, also ones that overflow an address. */
bool gc_can_allocate(Mutator *m, size_t bytes);
static inline Value gc_cons(Mutator *m, Value a, Value d) {
    Pair *p = gc_alloc(m, sizeof *p);
    p->car = a;
    p->cdr = d;
    return v_pair(p);
}
/* An object of a WORDS layout. The slots are not initialised: the caller fills all of them before
 * it returns. */
static inline Object *gc_object(Mutator *m, enum heap_type type, uint64_t words) {
    Object *o = gc_alloc(m, (words + 1) * 8);
    o->header = make_header(type, words, 0);
    return o;
}
/* An object of a BYTES layout; the payload is not initialised (the padding of the last word is
 * zero). FLAGS: FLAG_... bits. */
static inline Object *gc_bytes(Mutator *m, enum heap_type type, uint64_t bytes, unsigned flags) {
    uint64_t words = (bytes + 7) / 8;
    Object *o = gc_alloc(m, (words + 1) * 8);
    if (words) o->slot[words - 1] = 0;
    o->header = make_header(type, bytes, flags);
    return o;
}
/* An object of a WORDS layout that never moves and is never freed (symbols). The slots read as
 * fixnum 0; the caller fills them by plain stores before it returns, later stores go through
 * gc_write. */
Object *gc_immobile(Mutator *m, enum heap_type type, uint64_t words);
Value gc_flonum_boxed(Mutator *m, double d);
static inline Value v_flonum(Mutator *m, double d) {
    Value v = flonum_word(d);
    return likely(is_immediate_flonum(v)) ? v : gc_flonum_boxed(m, d);
}

/* Whether gc_alloc of BYTES takes the short way. Large objects never do, and count as having room:
 * no room can be made for them. */
static inline bool gc_has_room(const Mutator *m, size_t bytes) {
    return bytes > GC_LARGE_BYTES || bytes <= (size_t)(m->alloc_limit - m->alloc);
}
/* Sees to it that the next gc_alloc of BYTES, which are not large, takes the short way. If that
 * object is an allocation sample it is noted now, with the tag TAG, so that its place in the
 * program can be told before it is made. */
void gc_make_room(Mutator *m, size_t bytes, unsigned tag);

/* ---- allocation sampling ----
 *
 * Every so many bytes that a thread allocates, the object in which that byte lies is a sample. The
 * distances are drawn from an exponential distribution (hone_prof_alloc_distance), so an object of
 * s bytes is one with the probability 1 - exp(-s / interval), whatever came before it.
 *
 * Off, it costs nothing. On, the thread's alloc_limit is lowered to where the next sample is due,
 * so that the object that passes it takes the long way. What is noted there is who and how large;
 * where in the program is for the run time to find out, which is told by `noted`. */
typedef struct GcSample {
    Value object; /* 0: not known any more, since a collection came between */
    uint64_t bytes;
} GcSample;

/* Turns it on for this thread, with INTERVAL bytes in the mean (from 1), or on anew. NOTED is
 * called from within an allocation after a sample was noted: it must only set a request. Samples
 * that were noted and not taken yet are dropped. */
void gc_sampling_start(Mutator *m, uint64_t interval, uint64_t seed, void (*noted)(Mutator *m));
void gc_sampling_stop(Mutator *m); /* on or not */
/* The samples noted since the last time; they stay valid until the next allocation. */
const GcSample *gc_samples_take(Mutator *m, size_t *count);
bool gc_samples_pending(const Mutator *m); /* needs m->sampling */
static inline bool gc_has_samples(const Mutator *m) {
    return unlikely(m->sampling != NULL) && gc_samples_pending(m);
}

/* ---- the one write barrier ---- */
/* SLOT may be a field of any object of the heap, or a root word outside the heap (a global's cell)
 * that the run time registers by storing through here: the collector then visits that word in each
 * collection until it no longer refers to a generation below the oldest; collections of the oldest
 * generation visit it through scan_roots alone. Costs a store of one byte for a field and a
 * deduplicated record for a root word; repeated stores take no memory. */
void gc_write_slow(Mutator *m, Value *slot, Value v);
bool gc_in_nursery(const Heap *heap, const void *address);
static inline void gc_write(Mutator *m, Value *slot, Value v) {
    __atomic_store_n(slot, v, __ATOMIC_RELEASE); /* another thread sees V's content set */
    if (!is_heap(v)) return;
    size_t offset = (uintptr_t)slot - m->heap_base;
    if (likely(offset < m->heap_span))
        __atomic_store_n(&m->cards[offset >> GC_CARD_SHIFT], GC_CARD_DIRTY, __ATOMIC_RELAXED);
    else
        gc_write_slow(m, slot, v);
}
/* The root words in START .. START + BYTES are about to be freed: the collector forgets them.
 * Called while all other mutators are stopped (in after_mark, say). */
void gc_forget_roots(Heap *heap, const void *start, size_t bytes);

/* ---- collection ---- */
/* Collects generations 0..GENERATION (or more when those above have grown); -1: the collector
 * chooses. All other mutators are stopped. Every mutator's chunk is reset. */
void gc_collect(Heap *heap, int generation);
bool gc_wants_collection(const Heap *heap); /* any thread */
/* True if the last gc_collect found that live data pass the heap limit even after a full
 * collection; the run time raises HEAP_LIMIT, and the limit is then a margin (a sixteenth) higher
 * so that handlers can run, up to a quarter in all. */
bool gc_over_limit(const Heap *heap);

/* For the hooks. */
int collector_generation(const Collector *c); /* generations up to this one are being collected */
/* True when the verifier asks: nothing moves, and the hooks keep no notes of what they show. */
bool collector_verifying(const Collector *c);
void gc_visit(Collector *c, Value *slot); /* copy what *slot refers to and update *slot */
/* After marking: true and *v updated if V survived (or is not in a collected generation). */
bool gc_forwarded(const Collector *c, Value *v);
/* 0.., GC_GENERATIONS for immobile and immediate values */
int gc_generation_of(const Heap *heap, Value v);

/* Counts collections; each moves objects of generation 0 (address-keyed tables compare it with
 * theirs). */
uint64_t gc_epoch(const Heap *heap);

typedef struct GcStats {
    uint64_t collections[GC_GENERATIONS]; /* by the oldest generation collected */
    uint64_t nanoseconds;                 /* thread CPU time spent in gc_collect */
    uint64_t bytes_allocated; /* large objects and chunks that are used up; current chunks are not
                                 in it */
    uint64_t bytes_copied;
    uint64_t bytes_scanned; /* copies, large objects and marked cards looked at for pointers */
    uint64_t live_bytes; /* what the last collection left, dead objects of generations it passed by
                            included */
    uint64_t heap_bytes; /* memory that holds it: nursery, blocks, large objects */
    uint64_t
        peak_heap_bytes; /* the most that heap_bytes was, in the midst of collections included */
} GcStats;
void gc_stats(const Heap *heap, GcStats *out);    /* any thread */
void gc_set_heap_limit(Heap *heap, size_t bytes); /* as GcOptions.heap_limit; any thread */

/* Walks everything allocated in the older generations and all roots; prints the first fault on
 * stderr and aborts. Called while all other mutators are stopped, like gc_collect. */
void gc_verify(Heap *heap);

#endif
