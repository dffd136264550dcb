/* mutator.h: what a C primitive may know of the thread it runs on: where to allocate and how to
 * fail.
 *
 * The run time's Thread begins with a Mutator, so the rooms below rt/ take a Mutator and know no
 * threads.
 *
 * Rules for every C function that handles values:
 *  - it never collects: an allocation that finds its chunk full takes another, so plain Values stay
 * valid until the function returns to Scheme;
 *  - it never calls Scheme;
 *  - it fails by `return mutator_fail(...)`, which notes the failure here and yields V_FAIL; its
 * caller passes V_FAIL on at once. */
#ifndef HONE_GC_MUTATOR_H
#define HONE_GC_MUTATOR_H

#include "value/errors.h"
#include "value/value.h"

typedef struct Failure {
    enum error_code code;
    const char *who;   /* the primitive's Scheme name; static storage */
    int position;      /* the argument's place, from 1; 0: none */
    Value irritant[2]; /* V_DEFAULT: none */
    Value message;     /* a Scheme string for %m, or V_DEFAULT */
} Failure;

typedef struct Mutator {
    char *alloc;       /* next free byte of this thread's chunk, 8-byte aligned */
    char *alloc_limit; /* the chunk's end, or where the next allocation sample is due */
    char *chunk_end;
    struct Heap *heap;
    struct StoreBuffer *stores; /* this thread's part of the remembered set */
    uint64_t allocated;  /* bytes of all chunks and large objects taken; see mutator_allocated */
    uintptr_t heap_base; /* the heap's range of addresses, for the write barrier */
    size_t heap_span;
    uint8_t *cards;              /* one byte for each GC_CARD_BYTES of that range */
    Failure fail;                /* valid while a V_FAIL is on its way up */
    struct GcSampling *sampling; /* NULL: allocations are not sampled */
} Mutator;

/* Bytes that this thread has allocated since it joined. Only the thread itself may ask. */
static inline uint64_t mutator_allocated(const Mutator *m) {
    return m->allocated - (uint64_t)(m->chunk_end - m->alloc);
}

/* Notes a failure and returns V_FAIL. WHO is static; POSITION the argument's place from 1 or 0. */
Value mutator_fail(Mutator *m, enum error_code code, const char *who, int position, Value irritant);
/* As above with two irritants. */
Value mutator_fail2(Mutator *m, enum error_code code, const char *who, Value irritant1,
                    Value irritant2);
/* As above with a message text (printf form, at most 500 bytes), for the codes whose message is %m.
 */
Value mutator_fail_text(Mutator *m, enum error_code code, const char *who, Value irritant,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
