/* The verifier: walks the blocks object by object and checks every word.
 *
 * First every object of the older generations is entered into a bitmap of starts, one bit for pairs
 * and one for objects for each 8 bytes. Then each value in them and in the roots must point at a
 * start of its own kind, be an immediate that can exist, and, if it refers to a younger generation,
 * lie on a marked card. A pointer into the nursery can only be checked to lie in the part handed
 * out, since chunks have holes. Dead objects pass too: what they refer to lives as long as they do,
 * for the cards do not know that they are dead. */
#include "gc/heap.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Verifier {
    Heap *heap;
    uint64_t **starts; /* for each block START_WORDS words for pairs, then as many for objects */
    const char *where;
} Verifier;

enum { START_WORDS = BLOCK_BYTES / 8 / 64 };

_Noreturn static void fault(const Verifier *v, const void *slot, Value value, const char *what) {
    fprintf(stderr, "hone: heap fault: %s: word %#llx at %p in %s\n", what,
            (unsigned long long)value, slot, v->where);
    abort();
}

/* ---- the starts ---- */

static bool start_bit(const Verifier *v, size_t offset, bool pair, bool set) {
    uint32_t b = block_index(v->heap, offset);
    uint64_t *starts = v->starts[b];
    if (!starts) return false;
    size_t i = (offset & (BLOCK_BYTES - 1)) / 8;
    uint64_t *word = &starts[i / 64 + (pair ? 0 : START_WORDS)], bit = (uint64_t)1 << (i % 64);
    if (set) *word |= bit;
    return *word & bit;
}

/* The size of what begins at P, below TOP. */
static size_t step(const Verifier *v, const Word *p, const char *top) {
    if (TAG_OF(*p) != TAG_HEADER) return sizeof(Pair);
    if (header_type(*p) >= T_COUNT) fault(v, p, *p, "header of no known type");
    size_t bytes = object_total(*p);
    if (bytes > (size_t)(top - (const char *)p)) fault(v, p, *p, "object larger than its space");
    return bytes;
}

static void note_starts(Verifier *v, const Space *s) {
    for (uint32_t b = s->first; b != NO_BLOCK; b = v->heap->block[b].next) {
        char *top = block_top(v->heap, s, b);
        if (v->heap->block_state[b] != s->state) fault(v, top, 0, "block of another space");
        v->starts[b] = base_calloc(2 * START_WORDS, sizeof(uint64_t));
        for (char *p = block_start(v->heap, b); p < top; p += step(v, (Word *)p, top))
            start_bit(v, (size_t)(p - v->heap->base), TAG_OF(*(Word *)p) != TAG_HEADER, true);
    }
}

/* ---- values ---- */

static void check_large(const Verifier *v, const void *slot, Value value, size_t offset) {
    const Heap *h = v->heap;
    uint32_t page = (uint32_t)((offset - h->nursery_span) >> PAGE_SHIFT);
    if (page >= h->pages_touched || h->page_owner[page] == NO_LARGE)
        fault(v, slot, value, "pointer to free pages");
    if (!is_object(value) || (char *)object_of(value) != large_at(h, offset)->start)
        fault(v, slot, value, "pointer into the midst of a large object");
}

static void check_value(const Verifier *v, const Word *slot) {
    const Heap *h = v->heap;
    Value value = *slot;
    if (TAG_OF(value) == TAG_HEADER) fault(v, slot, value, "no value");
    if (TAG_OF(value) == TAG_IMMEDIATE && (value & 0xff) != TAG_IMMEDIATE && !is_char(value))
        fault(v, slot, value, "no known immediate");
    if (!is_heap(value)) return;
    size_t offset = heap_offset(h, value & ~(Value)TAG_MASK);
    if (offset >= h->span) fault(v, slot, value, "pointer out of the heap");
    if (offset < h->nursery_span) {
        const char *at = h->base + offset;
        if (at < h->nursery[h->nursery_active].base || at >= h->nursery_next)
            fault(v, slot, value, "pointer to the free nursery");
    } else if (offset < h->large_end)
        check_large(v, slot, value, offset);
    else if (!start_bit(v, offset, is_pair(value), false))
        fault(v, slot, value, "pointer to no object's start");
}

/* A field of an object in generation OWNER. */
static void check_field(const Verifier *v, const Word *slot, int owner) {
    check_value(v, slot);
    int target = gc_generation_of(v->heap, *slot);
    if (target >= BASE_MIN(owner, GC_GENERATIONS - 1)) return;
    uint8_t card = *card_of(v->heap, slot);
    if (card != GC_CARD_DIRTY && (target == 0 || card != CARD_OLD))
        fault(v, slot, *slot, "pointer to a younger generation on an unmarked card");
}

static void check_fields(const Verifier *v, const Object *o, int owner) {
    if (type_has_bytes(header_type(o->header))) return;
    for (uint64_t i = 0; i < header_size(o->header); i++) check_field(v, &o->slot[i], owner);
}

void gc_verify_visit(Collector *c, const Value *slot) { check_value(c->verifier, slot); }

/* ---- the walk ---- */

static void show_cont(Collector *c, Object *o) {
    c->verifier->where = "a continuation's frames";
    if (type_is_cont(header_type(o->header)))
        c->heap->hooks.scan_cont(c->heap->hooks.context, c, o);
    c->verifier->where = "an old space";
}

static void check_space(Collector *c, const Space *s, int owner) {
    Heap *h = c->heap;
    for (uint32_t b = s->first; b != NO_BLOCK; b = h->block[b].next) {
        char *top = block_top(h, s, b);
        for (char *p = block_start(h, b); p < top; p += step(c->verifier, (Word *)p, top)) {
            Object *o = (Object *)p;
            if (TAG_OF(o->header) == TAG_HEADER) {
                check_fields(c->verifier, o, owner);
                show_cont(c, o);
            } else {
                check_field(c->verifier, &((Pair *)p)->car, owner);
                check_field(c->verifier, &((Pair *)p)->cdr, owner);
            }
        }
    }
}

static void check_large_objects(Collector *c, int g) {
    Heap *h = c->heap;
    for (uint32_t id = h->large_list[g]; id != NO_LARGE; id = h->large.at[id].next) {
        const LargeObject *l = &h->large.at[id];
        if (l->generation != g || l->marked) fault(c->verifier, l->start, 0, "large object astray");
        check_fields(c->verifier, (Object *)l->start, g);
        show_cont(c, (Object *)l->start);
    }
}

static void check_roots(Collector *c) {
    Heap *h = c->heap;
    c->verifier->where = "the roots";
    h->hooks.scan_roots(h->hooks.context, c);
    size_t it = 0;
    uint64_t slot;
    c->verifier->where = "the remembered root words";
    while (base_map_next(&h->roots, &it, &slot, NULL)) check_value(c->verifier, (Word *)slot);
}

void gc_verify(Heap *h) {
    Verifier v = {h, base_calloc(h->blocks_touched + 1, sizeof *v.starts), "an old space"};
    Collector c;
    gc_collector_init(&c, h, GC_GENERATIONS - 1);
    c.verifying = true;
    c.verifier = &v;
    for (int g = 1; g <= IMMOBILE; g++)
        for (int k = 0; k < SPACE_KINDS; k++) note_starts(&v, &h->space[g][k]);
    for (int g = 1; g <= IMMOBILE; g++) check_space(&c, &h->space[g][SPACE_WORDS], g);
    for (int g = 1; g < GC_GENERATIONS; g++) check_large_objects(&c, g);
    check_roots(&c);
    gc_collector_free(&c);
    for (uint32_t b = 0; b < h->blocks_touched; b++) free(v.starts[b]);
    free(v.starts);
}
