/* Blocks of 256 KiB and the spaces that are made of them.
 *
 * Blocks are kept when a collection empties them: mapping an old space anew for each collection
 * cost a third of the collector's time in the system. The most recently freed are taken first;
 * gc_blocks_trim gives back the rest. In poison mode a free block is forbidden ground. */
#include "gc/heap.h"

enum { COMMIT_BLOCKS = 16 };

void gc_space_clear(Space *s) {
    s->free = s->limit = NULL;
    s->first = s->last = NO_BLOCK;
    s->blocks = 0;
}

void gc_blocks_init(Heap *h) {
    h->free_warm = h->free_cold = NO_BLOCK;
    for (unsigned g = 0; g <= IMMOBILE; g++)
        for (unsigned k = 0; k < SPACE_KINDS; k++) {
            h->space[g][k].state = (uint8_t)(STATE_USED | g | (k == SPACE_BYTES ? STATE_BYTES : 0));
            gc_space_clear(&h->space[g][k]);
        }
}

static void must(bool ok, size_t bytes) {
    if (!ok) base_oom(bytes);
}

static uint32_t pop(Heap *h, uint32_t *chain) {
    uint32_t b = *chain;
    *chain = h->block[b].next;
    return b;
}

static uint32_t touch_new_block(Heap *h) {
    must(h->blocks_touched < h->block_count, BLOCK_BYTES);
    if (h->blocks_touched == h->blocks_committed) {
        uint32_t n = BASE_MIN(COMMIT_BLOCKS, h->block_count - h->blocks_committed);
        must(os_commit(block_start(h, h->blocks_committed), (size_t)n * BLOCK_BYTES), BLOCK_BYTES);
        h->blocks_committed += n;
    }
    return h->blocks_touched++;
}

static uint32_t take_block(Heap *h) {
    uint32_t b;
    if (h->free_warm != NO_BLOCK) {
        b = pop(h, &h->free_warm);
        h->free_warm_count--;
    } else if (h->free_cold != NO_BLOCK) {
        b = pop(h, &h->free_cold);
        h->free_cold_count--;
    } else
        return touch_new_block(h);
    if (h->poison) must(os_commit(block_start(h, b), BLOCK_BYTES), BLOCK_BYTES);
    return b;
}

char *gc_space_grow(Heap *h, Space *s) {
    uint32_t b = take_block(h);
    char *start = block_start(h, b);
    h->block_state[b] = s->state;
    h->block[b].next = NO_BLOCK;
    memset(card_of(h, start), 0, CARDS_PER_BLOCK);
    if (s->last == NO_BLOCK)
        s->first = b;
    else {
        h->block[s->last].top = s->free;
        h->block[s->last].next = b;
    }
    s->last = b;
    s->blocks++;
    s->limit = start + BLOCK_BYTES;
    s->free = start;
    return start;
}

void gc_block_free(Heap *h, uint32_t b) {
    if (h->poison) os_protect(block_start(h, b), BLOCK_BYTES);
    h->block_state[b] = 0;
    h->block[b].next = h->free_warm;
    h->free_warm = b;
    h->free_warm_count++;
}

void gc_blocks_trim(Heap *h, size_t keep) {
    while (h->free_warm_count * BLOCK_BYTES > keep) {
        uint32_t b = pop(h, &h->free_warm);
        h->free_warm_count--;
        os_discard(block_start(h, b), BLOCK_BYTES);
        h->block[b].next = h->free_cold;
        h->free_cold = b;
        h->free_cold_count++;
    }
}
