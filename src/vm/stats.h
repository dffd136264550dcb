/* stats.h: statistics of instructions and counts of lines, for the interpreter's recorders.
 *
 * Both modes are dispatch tables (interp.c), so they cost nothing while off. Each thread counts in
 * tables of its own. */
#ifndef HONE_VM_STATS_H
#define HONE_VM_STATS_H

#include "hone/prof.h"
#include "vm/vm.h"

/* Parts of the VM that are no instruction and have rows of their own. A row: PART(NAME, "row's
 * name") */
#define VM_PARTS(PART)                                                                             \
    PART(CALL_INTERPRETED, "call: interpreted, not in line")                                       \
    PART(CALL_CASE, "call: case-lambda")                                                           \
    PART(CALL_PRIMITIVE, "call: primitive as a value")                                             \
    PART(CALL_APPLY, "call: apply")                                                                \
    PART(CALL_CALLCC, "call: call/cc")                                                             \
    PART(CALL_CONTINUATION, "call: continuation")                                                  \
    PART(CALL_PARAMETER, "call: parameter")                                                        \
    PART(CALL_BACKTRACE, "call: backtrace")                                                        \
    PART(CALL_FIBER, "call: switch of fibers")                                                     \
    PART(PRIMITIVE, "primitive in C")                                                              \
    PART(ARITHMETIC, "arithmetic not in line: bignums, ratios, ...")                               \
    PART(SAFEPOINT, "safe point: collection, samples")

enum vm_part {
#define PART(name, text) VM_PART_##name,
    VM_PARTS(PART)
#undef PART
        VM_PART_COUNT
};

/* The process's statistics; made at first need. */
hone_prof_vmstats *vm_statistics(void);

/* One instruction of T begins. PRIM hands on to the part `primitive` at once: what it does takes
 * place in C. */
void vm_stats_record(Thread *t, unsigned op);
/* One instruction is executed, for line counts. */
void vm_counts_record(const Insn *pc, const Word *r);

static inline void vm_stats_part(Thread *t, enum vm_part part) {
    if (unlikely(t->stats != NULL)) hone_prof_vm_part(t->stats, part, os_mono_ns());
}
/* What was interrupted by another part goes on. */
static inline void vm_stats_resume(Thread *t, enum vm_part part) {
    if (unlikely(t->stats != NULL)) hone_prof_vm_resume(t->stats, part, os_mono_ns());
}
/* A call is taken by the general path. The parts begin with one for each enum code_kind, in its
 * order. */
static inline void vm_stats_call(Thread *t, enum code_kind kind) {
    vm_stats_part(t, (enum vm_part)(VM_PART_CALL_INTERPRETED + (int)kind));
}
_Static_assert((int)VM_PART_CALL_FIBER == (int)CODE_FIBER, "one part for each kind of callee");

#endif
