/* heap.h: what the files of gc/ share. Nobody outside this folder includes it.
 *
 * One reserved range of addresses holds everything, so that one compare tells a heap address and
 * one array of cards serves the write barrier:
 *
 *     heap_base                 +nursery_span                 +large_end                      +span
 *     | nursery: chunks        | large objects, in 16 KiB pages | blocks of 256 KiB: generations 1,
 * 2, immobile |
 *
 * - "In the nursery" is one compare; in a minor collection that compare alone sorts out nearly
 * every pointer.
 * - A block's generation is one byte of block_state; a large object is found from any address in it
 * through page_owner.
 * - A space is what copies of one generation and kind go to: a chain of blocks, filled one after
 * the other. WORDS (pairs and objects of values) and BYTES (no values in it) lie in different
 * blocks. So every word of a WORDS block below its top is a value, a raw aligned pointer or a
 * header, each told by its tag, and a scan of a card needs no object boundaries.
 * - Cards: 0 clean; GC_CARD_OLD: refers to generation 1 at the youngest, so a minor collection
 * passes it by; GC_CARD_DIRTY: stored into since. Cards of the nursery are written and never read.
 */
#ifndef HONE_GC_HEAP_H
#define HONE_GC_HEAP_H

#include "base/base.h"
#include "gc/gc.h"
#include "os/os.h"

enum {
    BLOCK_SHIFT = 18,
    BLOCK_BYTES = 1 << BLOCK_SHIFT,
    PAGE_SHIFT = 14, /* the grain of large objects */
    PAGE_BYTES = 1 << PAGE_SHIFT,
    CARD_BYTES = 1 << GC_CARD_SHIFT,
    CARDS_PER_BLOCK = BLOCK_BYTES / CARD_BYTES,
    CARD_OLD = 1,
    CHUNK_BYTES = 64 * 1024,
    ROOT_BUFFER = 256,
    IMMOBILE = GC_GENERATIONS /* the generation number of immobile objects */
};

enum space_kind { SPACE_WORDS, SPACE_BYTES, SPACE_KINDS };

/* Block states: 0 is a free block. */
enum { STATE_GENERATION = 3, STATE_USED = 4, STATE_BYTES = 8, STATE_FROM = 0x80 };

enum { NO_BLOCK = UINT32_MAX, NO_LARGE = UINT32_MAX };

typedef struct Block {
    char *top; /* end of its used part; stale in the block that a space is filling */
    uint32_t next;
} Block;

typedef struct Space {
    char *free, *limit; /* the rest of the last block */
    uint32_t first, last;
    size_t blocks;
    uint8_t state; /* of its blocks */
    /* during a collection: what lies behind this place has been copied and not yet scanned */
    uint32_t scan_block;
    char *scan;
} Space;

typedef struct LargeObject {
    char *start;
    uint32_t pages;
    uint32_t next;
    uint8_t generation;
    bool marked;
} LargeObject;

/* Free pages of the large space; sorted by page and coalesced after each sweep. */
typedef struct PageRun {
    uint32_t page, count;
    bool warm; /* it has memory behind it */
} PageRun;

/* The nursery's range; in poison mode two, used in turn, so that a stale pointer finds no memory.
 */
typedef struct NurseryRange {
    char *base;
    size_t span, committed;
} NurseryRange;

/* A mutator's part of the remembered set, and its place in the heap's list of mutators. */
struct StoreBuffer {
    Mutator *owner;
    struct StoreBuffer *next;
    uint64_t reported; /* what of mutator_allocated is in stats.bytes_allocated */
    uint32_t count;
    Value *root[ROOT_BUFFER]; /* root words written since they were last moved to Heap.roots */
};

/* A mutator's allocation sampling. */
struct GcSampling {
    uint64_t interval;
    uint64_t due; /* the reading of mutator_allocated that the next sample's object passes */
    uint64_t random;
    void (*noted)(Mutator *m);
    BASE_VEC(GcSample) samples; /* noted; an object without a tag is still to be told by its look */
    bool taken;                 /* they have been handed out */
};

struct Heap {
    GcHooks hooks;
    bool stress, poison, verify;
    /* Guards what several threads allocate from: nursery hand-out, large space, immobile space,
     * list of mutators, roots. */
    os_mutex lock;

    char *base;
    size_t nursery_span, large_end, span; /* offsets from base, see above */
    uint8_t *cards;

    NurseryRange nursery[2];
    int nursery_active;
    char *nursery_next;   /* what lies below it in the active range has been handed out */
    size_t nursery_bytes; /* the logical size */
    struct StoreBuffer *mutators;
    size_t mutator_count;
    bool wants;     /* atomic */
    base_map roots; /* address of a root word -> 0 */

    uint8_t *block_state;
    Block *block;
    uint32_t block_count, blocks_touched, blocks_committed;
    uint32_t free_warm, free_cold; /* chains of free blocks: with memory behind them and without */
    size_t free_warm_count, free_cold_count;
    Space space[GC_GENERATIONS + 1][SPACE_KINDS];

    uint32_t *page_owner;
    uint32_t page_count, pages_touched, pages_committed;
    BASE_VEC(LargeObject) large;
    uint32_t large_unused; /* chain of free records */
    uint32_t large_list[GC_GENERATIONS];
    size_t large_bytes[GC_GENERATIONS + 1]; /* none is immobile */
    BASE_VEC(PageRun) runs;

    size_t limit, limit_margin; /* bytes */
    size_t full_at; /* bytes in generations 1 and 2 at which generation 2 is collected */
    size_t floor;   /* demand that the last full collection left */
    bool over;      /* atomic */
    uint64_t epoch; /* atomic */
    GcStats stats;  /* under lock, except bytes_allocated (atomic) */
};

struct Collector {
    Heap *heap;
    int generation; /* collected up to this one */
    bool verifying; /* gc_visit checks, nothing moves */
    uintptr_t base; /* these four: copies from the heap */
    size_t nursery_span, large_end, span;
    size_t interesting;       /* offsets below this may need work in a minor collection */
    uint64_t scanned;         /* bytes */
    size_t kept;              /* bytes of small objects in the generations that are not collected */
    BASE_VEC(Object *) conts; /* copied CONTs whose frames are not yet visited */
    BASE_VEC(uint32_t) large_gray; /* marked large objects that are not yet scanned */
    struct Verifier *verifier;
};

/* Bit sets over heap types, from the table of layouts. */
enum { KIND_WORDS, KIND_BYTES, KIND_CONT };
#define LAYOUT(type, name, kind) | (KIND_##kind == KIND_BYTES ? 1u << T_##type : 0)
enum {
    BYTES_TYPES = 0
#include "value/layouts.def"
};
#undef LAYOUT
#define LAYOUT(type, name, kind) | (KIND_##kind == KIND_CONT ? 1u << T_##type : 0)
enum {
    CONT_TYPES = 0
#include "value/layouts.def"
};
#undef LAYOUT

static inline bool type_has_bytes(enum heap_type type) { return BYTES_TYPES >> type & 1; }
static inline bool type_is_cont(enum heap_type type) { return CONT_TYPES >> type & 1; }
/* Bytes that an object with header H takes, header included. */
static inline size_t object_total(Word h) {
    uint64_t size = header_size(h);
    return ((type_has_bytes(header_type(h)) ? (size + 7) / 8 : size) + 1) * 8;
}
static inline bool has_heap_tag(Word w) { return (w & 6) == 2; }
static inline bool is_moved(Word first) { return TAG_OF(first) == TAG_OBJECT; } /* header word */
static inline size_t heap_offset(const Heap *h, Value v) { return v - (uintptr_t)h->base; }
static inline char *block_start(const Heap *h, uint32_t b) {
    return h->base + h->large_end + ((size_t)b << BLOCK_SHIFT);
}
static inline uint32_t block_index(const Heap *h, size_t offset) {
    return (uint32_t)((offset - h->large_end) >> BLOCK_SHIFT);
}
static inline uint8_t *card_of(const Heap *h, const void *address) {
    return h->cards + ((size_t)((const char *)address - h->base) >> GC_CARD_SHIFT);
}
static inline char *block_top(const Heap *h, const Space *s, uint32_t b) {
    return b == s->last ? s->free : h->block[b].top;
}

/* ---- block.c: the blocks and the spaces made of them ---- */
void gc_blocks_init(Heap *h);
/* A new block at the end of S; what is left of the one before it stays unused. */
char *gc_space_grow(Heap *h, Space *s);
void gc_space_clear(Space *s);
void gc_block_free(Heap *h, uint32_t b);
/* Gives back memory of free blocks beyond KEEP bytes. */
void gc_blocks_trim(Heap *h, size_t keep);

/* ---- large.c: large objects ---- */
void gc_large_init(Heap *h);
void *gc_large_new(Heap *h, size_t bytes); /* under the lock */
void gc_large_sweep(Heap *h, int generation);
static inline LargeObject *large_at(const Heap *h, size_t offset) {
    return &h->large.at[h->page_owner[(offset - h->nursery_span) >> PAGE_SHIFT]];
}

/* ---- alloc.c: the nursery ---- */
void gc_nursery_init(Heap *h);
/* Takes M's chunk away and moves its root words to the heap's set. Under the lock or with M
 * stopped. */
void gc_retire(Mutator *m);
void gc_nursery_reset(Heap *h);
static inline size_t nursery_used(const Heap *h) {
    return (size_t)(h->nursery_next - h->nursery[h->nursery_active].base);
}

/* ---- sampling.c: allocation samples ---- */
/* BYTES were just allocated at OBJECT: notes them if they are a sample, and lowers alloc_limit to
 * where the next one is due. */
bool gc_sample(Mutator *m, Value object, size_t bytes);
void gc_samples_forget(Mutator *m); /* what was noted is about to move */

/* ---- remember.c: the remembered set ---- */
void gc_roots_flush(struct StoreBuffer *b);

/* ---- collect.c, verify.c ---- */
void gc_collector_init(Collector *c, Heap *h, int generation);
void gc_collector_free(Collector *c);
void gc_verify_visit(Collector *c, const Value *slot);

#endif
