/* gc.h: the door of the collector.
 *
 * Precise, generational, copying, stop-the-world. A nursery (one reserved range of addresses; threads allocate from chunks of
 * their own by bumping a pointer), two older generations, large objects apart (they do not move), and immobile
 * objects (symbols). A collection runs only when the run time calls gc_collect at a safe point with every other thread
 * stopped or away. Roots come from the run time through GcHooks.
 *
 * Thread rules: gc_alloc_* and gc_write take the calling thread's own Mutator. gc_collect is called by one thread while all
 * others are stopped. The counters may be read by anyone (relaxed atomics). */
#ifndef HONE_GC_GC_H
#define HONE_GC_GC_H

#include "gc/mutator.h"

typedef struct Heap Heap;
typedef struct Collector Collector; /* one collection under way */

enum { GC_GENERATIONS = 3 }; /* 0 is the nursery */

/* What the run time gives the collector. Each is called inside gc_collect, on the collecting thread. */
typedef struct GcHooks {
    void *context;
    /* Visit every root with gc_visit: threads' fields and stacks, globals, code constants. Roots that can only point to
     * generations above collector_generation(c) may be passed by. */
    void (*scan_roots)(void *context, Collector *c);
    /* Visit the frames of the CONT object O (already copied; its payload words are visited by the collector). */
    void (*scan_cont)(void *context, Collector *c, Object *o);
    /* All survivors are known and everything moved: weak structures (symbol table, ports, regions of stack) are put in
     * order here with gc_forwarded. */
    void (*after_mark)(void *context, Collector *c);
    /* The collector wants a collection soon: the nursery is full or a limit was passed. Called on the allocating thread, from
     * within an allocation: it must only set the request. */
    void (*request)(void *context);
} GcHooks;

typedef struct GcOptions {
    size_t nursery_bytes; /* 0: the default */
    size_t heap_limit;    /* bytes of live data and free space that the heap may take; 0: three quarters of memory */
    bool stress;          /* collect at every safe point: gc_wants_collection is always true */
    bool poison;          /* fill what a collection left, so that a stale pointer is seen */
    bool verify;          /* walk the whole heap after each collection and abort on a bad word */
} GcOptions;

/* Makes a heap. NULL when memory cannot be reserved. */
Heap *gc_heap_new(const GcOptions *options, const GcHooks *hooks);
void gc_heap_free(Heap *heap);

/* A thread joins and leaves. Leaving hands its chunk and its store buffer back. */
void gc_mutator_init(Mutator *m, Heap *heap);
void gc_mutator_leave(Mutator *m);

/* ---- allocation: never fails, never collects; see gc_over_limit ---- */
void *gc_alloc_slow(Mutator *m, size_t bytes); /* BYTES is a multiple of 8 */
static inline void *gc_alloc(Mutator *m, size_t bytes) {
    char *p = m->alloc;
    if (unlikely(bytes > (size_t)(m->alloc_limit - p))) return gc_alloc_slow(m, bytes);
    m->alloc = p + bytes;
    return p;
}
static inline Value gc_cons(Mutator *m, Value a, Value d) {
    Pair *p = gc_alloc(m, sizeof *p);
    p->car = a;
    p->cdr = d;
    return v_pair(p);
}
/* An object of a WORDS layout. The slots are not initialised: the caller fills all of them before it returns. */
static inline Object *gc_object(Mutator *m, enum heap_type type, uint64_t words) {
    Object *o = gc_alloc(m, (words + 1) * 8);
    o->header = make_header(type, words, 0);
    return o;
}
/* An object of a BYTES layout; the payload is not initialised (the padding of the last word is zero). FLAGS: FLAG_... bits. */
static inline Object *gc_bytes(Mutator *m, enum heap_type type, uint64_t bytes, unsigned flags) {
    uint64_t words = (bytes + 7) / 8;
    Object *o = gc_alloc(m, (words + 1) * 8);
    if (words) o->slot[words - 1] = 0;
    o->header = make_header(type, bytes, flags);
    return o;
}
/* An object that never moves and is never freed (symbols). */
Object *gc_immobile(Mutator *m, enum heap_type type, uint64_t words);
Value gc_flonum_boxed(Mutator *m, double d);
static inline Value v_flonum(Mutator *m, double d) {
    Value v = flonum_word(d);
    return likely(is_immediate_flonum(v)) ? v : gc_flonum_boxed(m, d);
}

/* ---- the one write barrier ---- */
/* SLOT may be a field of an old object, of an immobile object or a root word outside the heap that the run time
 * registered by storing through here. */
void gc_write_slow(Mutator *m, Value *slot, Value v);
bool gc_in_nursery(const Heap *heap, const void *address);
static inline void gc_write(Mutator *m, Value *slot, Value v) {
    __atomic_store_n(slot, v, __ATOMIC_RELAXED);
    if (is_heap(v)) gc_write_slow(m, slot, v);
}

/* ---- collection ---- */
/* Collects generations 0..GENERATION (or more when those above have grown); -1: the collector chooses. All
 * other mutators are stopped. Every mutator's chunk is reset. */
void gc_collect(Heap *heap, int generation);
bool gc_wants_collection(const Heap *heap);
/* True once live data passed the heap limit even after a full collection; the run time raises HEAP_LIMIT, and the collector
 * then allows a margin so that handlers can run. */
bool gc_over_limit(const Heap *heap);

/* For the hooks. */
int collector_generation(const Collector *c);  /* generations up to this one are being collected */
void gc_visit(Collector *c, Value *slot);      /* copy what *slot refers to and update *slot */
/* After marking: true and *v updated if V survived (or is not in a collected generation). */
bool gc_forwarded(const Collector *c, Value *v);
int gc_generation_of(const Heap *heap, Value v); /* 0.., GC_GENERATIONS for immobile and immediate values */

/* Counts every collection that moved objects of generation 0 (address-keyed tables compare it with theirs). */
uint64_t gc_epoch(const Heap *heap);

typedef struct GcStats {
    uint64_t collections[GC_GENERATIONS]; /* by the oldest generation collected */
    uint64_t nanoseconds;                 /* thread CPU time spent in gc_collect */
    uint64_t bytes_allocated, bytes_copied, live_bytes, heap_bytes, peak_heap_bytes;
} GcStats;
void gc_stats(const Heap *heap, GcStats *out);
void gc_set_heap_limit(Heap *heap, size_t bytes);

/* Walks everything reachable and everything allocated; prints the first fault on stderr and aborts. */
void gc_verify(Heap *heap);

#endif
