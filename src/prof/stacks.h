/* The table of stacks of one thread: a tree of frames, counted at the nodes. Private to prof. */
#ifndef HONE_PROF_STACKS_H
#define HONE_PROF_STACKS_H

#include <hone/prof.h>

#include "base/base.h"

/* The address that stands for frames left out of a truncated stack. */
#define PROF_TRUNCATED UINTPTR_MAX
/* The one that stands for an account (enum hone_prof_account_kind) in place of a stack. */
#define PROF_ACCOUNT(kind) (UINTPTR_MAX - 1 - (uintptr_t)(kind))

typedef struct prof_node {
    uint32_t parent; /* smaller than the node's own number; 0: below the root */
    uint32_t row;    /* 0: none */
    uintptr_t address;
} prof_node;

typedef struct prof_row {
    uint32_t node;
    uint64_t samples, cpu_ns, wall_ns;
} prof_row;

/* Node 0 is the root of all; its children stand for label sets (address: the number); below
 * those are frames, outermost first. Row 0 is not used. Zero-initialised it is empty and ready. */
typedef struct prof_stacks {
    BASE_VEC(prof_node) nodes;
    BASE_VEC(prof_row) rows;
    uint32_t *slots; /* hash of (parent, address) -> node */
    size_t slot_count;
    BASE_VEC(uint32_t) last; /* nodes of the last path, outermost first */
} prof_stacks;

/* The node of a whole stack; 0 if the tree would grow beyond max_nodes. frames are innermost first.
 * For whoever keeps rows of its own kind: node.row is then its. */
uint32_t prof_stacks_intern(prof_stacks *s, uint32_t labels, const uintptr_t *frames, size_t depth,
                            size_t max_nodes);
/* Adds one sample. frames are innermost first. False, and nothing counted, if the tree would grow
 * beyond max_nodes. */
bool prof_stacks_add(prof_stacks *s, uint32_t labels, const uintptr_t *frames, size_t depth,
                     const prof_row *values, size_t max_nodes);
/* Adds all of `from`, with no bound. */
void prof_stacks_merge(prof_stacks *to, const prof_stacks *from);
/* A copy of nodes and rows, for reading while the original goes on. */
void prof_stacks_copy(prof_stacks *to, const prof_stacks *from);
void prof_stacks_free(prof_stacks *s);

#endif
