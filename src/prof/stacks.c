/* The table of stacks: a hash-consed tree of frames.
 *
 * A path from the root is interned node by node, so equal stacks meet in one node and stacks share
 * their outer parts. Consecutive samples of a thread mostly share a long outer part too: the path
 * of the last sample is kept, and only where the new one leaves it does the hash table get asked.
 * Memory grows with distinct stacks, never with the length of a run.
 */
#include "prof/stacks.h"

#include <stdlib.h>

static uint64_t node_hash(uint32_t parent, uintptr_t address) {
    return base_hash_u64(address ^ (uint64_t)parent << 40 ^ parent);
}

static void grow_slots(prof_stacks *s) {
    size_t count = s->slot_count ? s->slot_count * 2 : 256;
    while (count * 3 < s->nodes.len * 4) count *= 2; /* a copy has none at first */
    free(s->slots);
    s->slots = base_calloc(count, sizeof *s->slots);
    s->slot_count = count;
    for (uint32_t n = 1; n < s->nodes.len; n++) {
        size_t i = node_hash(s->nodes.at[n].parent, s->nodes.at[n].address) & (count - 1);
        while (s->slots[i]) i = (i + 1) & (count - 1);
        s->slots[i] = n;
    }
}

/* The child of `parent` for `address`, made if need be; 0 if that would be one too many. */
static uint32_t child(prof_stacks *s, uint32_t parent, uintptr_t address, size_t max_nodes) {
    size_t mask = s->slot_count - 1, i = node_hash(parent, address) & mask;
    for (uint32_t n; (n = s->slots[i]); i = (i + 1) & mask)
        if (s->nodes.at[n].parent == parent && s->nodes.at[n].address == address) return n;
    if (s->nodes.len > max_nodes || s->nodes.len >= UINT32_MAX) return 0;
    uint32_t n = (uint32_t)s->nodes.len;
    BASE_PUSH(&s->nodes, (prof_node){.parent = parent, .address = address});
    s->slots[i] = n;
    if (s->nodes.len * 4 > s->slot_count * 3) grow_slots(s);
    return n;
}

/* The node of a whole stack. Element 0 of the path is the label set, then frames from the
 * outermost. */
uint32_t prof_stacks_intern(prof_stacks *s, uint32_t labels, const uintptr_t *frames, size_t depth,
                            size_t max_nodes) {
    uint32_t node = 0;
    size_t known = s->last.len; /* the new path is like the last one for so many elements */
    if (!s->nodes.len) BASE_PUSH(&s->nodes, (prof_node){0});
    if (!s->slot_count) grow_slots(s);
    s->last.len = 0;
    BASE_RESERVE(&s->last, depth + 1);
    for (size_t i = 0; i <= depth; i++) {
        uintptr_t address = i ? frames[depth - i] : (uintptr_t)labels;
        if (i < known && s->nodes.at[s->last.at[i]].address == address) {
            node = s->last.at[i];
        } else {
            known = 0;
            node = child(s, node, address, max_nodes);
            if (!node) return 0;
            s->last.at[i] = node;
        }
        s->last.len = i + 1;
    }
    return node;
}

static void count(prof_stacks *s, uint32_t node, const prof_row *values) {
    if (!s->rows.len) BASE_PUSH(&s->rows, (prof_row){0});
    prof_node *n = &s->nodes.at[node];
    if (!n->row) {
        n->row = (uint32_t)s->rows.len;
        BASE_PUSH(&s->rows, (prof_row){.node = node});
    }
    prof_row *row = &s->rows.at[n->row];
    row->samples = base_sat_add(row->samples, values->samples);
    row->cpu_ns = base_sat_add(row->cpu_ns, values->cpu_ns);
    row->wall_ns = base_sat_add(row->wall_ns, values->wall_ns);
}

bool prof_stacks_add(prof_stacks *s, uint32_t labels, const uintptr_t *frames, size_t depth,
                     const prof_row *values, size_t max_nodes) {
    uint32_t node = prof_stacks_intern(s, labels, frames, depth, max_nodes);
    if (node) count(s, node, values);
    return node != 0;
}

void prof_stacks_merge(prof_stacks *to, const prof_stacks *from) {
    uint32_t *map = base_calloc(from->nodes.len + 1, sizeof *map); /* node of from -> node of to */
    if (!to->nodes.len) BASE_PUSH(&to->nodes, (prof_node){0});
    if (!to->slot_count) grow_slots(to);
    for (uint32_t n = 1; n < from->nodes.len; n++)
        map[n] = child(to, map[from->nodes.at[n].parent], from->nodes.at[n].address, SIZE_MAX);
    for (uint32_t r = 1; r < from->rows.len; r++)
        count(to, map[from->rows.at[r].node], &from->rows.at[r]);
    free(map);
}

void prof_stacks_copy(prof_stacks *to, const prof_stacks *from) {
    *to = (prof_stacks){0};
    BASE_RESERVE(&to->nodes, from->nodes.len);
    BASE_RESERVE(&to->rows, from->rows.len);
    to->nodes.len = from->nodes.len;
    to->rows.len = from->rows.len;
    if (to->nodes.len) memcpy(to->nodes.at, from->nodes.at, to->nodes.len * sizeof(prof_node));
    if (to->rows.len) memcpy(to->rows.at, from->rows.at, to->rows.len * sizeof(prof_row));
}

void prof_stacks_free(prof_stacks *s) {
    BASE_VEC_FREE(&s->nodes);
    BASE_VEC_FREE(&s->rows);
    BASE_VEC_FREE(&s->last);
    free(s->slots);
    *s = (prof_stacks){0};
}
