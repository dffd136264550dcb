/* The remembered set: fields by cards, root words outside the heap by address.
 *
 * Fields cost a byte store in gc_write and no memory. A root word goes to its thread's buffer (most
 * repeats are the same word as the last one and are dropped there), and full buffers go to one set
 * for the heap. The set forgets a word when it no longer refers to a generation below the oldest,
 * see collect.c. */
#include "gc/heap.h"

void gc_roots_flush(struct StoreBuffer *b) {
    for (uint32_t i = 0; i < b->count; i++)
        base_map_at(&b->owner->heap->roots, (uint64_t)(uintptr_t)b->root[i], NULL);
    b->count = 0;
}

void gc_write_slow(Mutator *m, Value *slot, Value v) {
    (void)v;
    struct StoreBuffer *b = m->stores;
    if (b->count && b->root[b->count - 1] == slot) return;
    if (b->count == ROOT_BUFFER) {
        os_mutex_lock(&m->heap->lock);
        gc_roots_flush(b);
        os_mutex_unlock(&m->heap->lock);
    }
    b->root[b->count++] = slot;
}

void gc_forget_roots(Heap *h, const void *start, size_t bytes) {
    for (struct StoreBuffer *b = h->mutators; b; b = b->next) gc_roots_flush(b);
    base_map kept = {0};
    size_t it = 0;
    uint64_t slot;
    while (base_map_next(&h->roots, &it, &slot, NULL))
        if (slot - (uintptr_t)start >= bytes) base_map_at(&kept, slot, NULL);
    base_map_free(&h->roots);
    h->roots = kept;
}
