/* interp.c: the interpreter: ops.inc as handlers that tail-call each other, or, without `musttail`,
 * as one loop of computed gotos.
 *
 * Everything that is not the common case lives in slow.c as plain C functions of (thread, pc, r)
 * that return the next (pc, r), so both forms share it. The dispatch table is a register; slow
 * paths may change the mode, so GO loads it anew. */
#include "rt/inline.h"
#include "vm/native.h"
#include "vm/slow.h"
#include "vm/stats.h"
#include "vm/tails.h"

#if defined(__has_attribute) && !defined(HONE_VM_GOTO)
#if __has_attribute(musttail) && __has_attribute(preserve_none)
#define TAIL_CALLS 1
#endif
#endif

#define A  (((const uint16_t *)pc)[1])
#define B  (((const uint16_t *)pc)[2])
#define C  (((const uint16_t *)pc)[3])
#define SB (((const int16_t *)pc)[2])
#define SC (((const int16_t *)pc)[3])
#define BC (((const int32_t *)pc)[1])

/* Another thread may switch the mode. */
#define TABLE(t) __atomic_load_n(&(t)->dispatch, __ATOMIC_RELAXED)

#define NEXT(n)                                                                                    \
    do {                                                                                           \
        pc += (n);                                                                                 \
        DISPATCH(table);                                                                           \
    } while (0)
/* Into C: a sampler that strikes there finds the place noted. */
#define LEAVE()                                                                                    \
    do {                                                                                           \
        t->at_pc = pc;                                                                             \
        t->at_r = r;                                                                               \
    } while (0)
#define GO(regs)                                                                                   \
    do {                                                                                           \
        LEAVE();                                                                                   \
        Regs go = (regs);                                                                          \
        pc = go.pc;                                                                                \
        r = go.r;                                                                                  \
        table = TABLE(t);                                                                          \
        DISPATCH(table);                                                                           \
    } while (0)
#define SET(x)                                                                                     \
    do {                                                                                           \
        Value set = (x);                                                                           \
        if (unlikely(set == V_FAIL)) GO(vm_fail(t, pc, r));                                        \
        r[A] = set;                                                                                \
    } while (0)
#define EFFECT(x)                                                                                  \
    do {                                                                                           \
        if (unlikely((x) == V_FAIL)) GO(vm_fail(t, pc, r));                                        \
    } while (0)

/* Making room does not run the instruction again for a mode's recorder. */
#define ROOM(bytes, tag)                                                                           \
    do {                                                                                           \
        if (unlikely(!gc_has_room(&t->m, (bytes)))) {                                              \
            LEAVE();                                                                               \
            vm_make_room(t, pc, r, (bytes), (tag));                                                \
            DISPATCH(plain);                                                                       \
        }                                                                                          \
    } while (0)
#define HANDLERS(t) __atomic_load_n(&(t)->handler_table, __ATOMIC_RELAXED)

/* The tables with other handlers for what is watched; filled in at the start. */
static const void *tails[OP_COUNT], *allocations[OP_COUNT], *both[OP_COUNT];

#ifdef TAIL_CALLS

typedef __attribute__((preserve_none)) Value (*Handler)(const Insn *pc, Word *r, Thread *t,
                                                        const void *const *table);
#define OP(name)                                                                                   \
    static __attribute__((preserve_none, section("hone_vm_handlers"))) Value op_##name(            \
        const Insn *pc, Word *r, Thread *t, const void *const *table)
#define DISPATCH(through)                                                                          \
    __attribute__((musttail)) return ((Handler)(through)[*(const uint16_t *)pc])(pc, r, t, table)

static const void *const plain[OP_COUNT];

#include "vm/ops.inc"

static const void *const plain[OP_COUNT] = {
#define INSN(name, format, doc) [OP_##name] = (const void *)op_##name,
#include "vm/insns.def"
#undef INSN
};
/* The other modes: one recorder stands in for every instruction, then jumps on to the real one. */
OP(record_statistics) {
    vm_stats_record(t, *(const uint16_t *)pc);
    DISPATCH(HANDLERS(t));
}
OP(record_counts) {
    vm_counts_record(pc, r);
    DISPATCH(HANDLERS(t));
}
OP(watched_call) {
    vm_tails_call(t, pc, r);
    DISPATCH(plain);
}
OP(watched_tail) {
    vm_tails_note(t, pc, r);
    DISPATCH(plain);
}
OP(watched_primitive) { GO(vm_watched_primitive(t, pc, r)); }
#define INSN(name, format, doc) [OP_##name] = (const void *)op_record_statistics,
static const void *const statistics[OP_COUNT] = {
#include "vm/insns.def"
};
#undef INSN
#define INSN(name, format, doc) [OP_##name] = (const void *)op_record_counts,
static const void *const counts[OP_COUNT] = {
#include "vm/insns.def"
};
#undef INSN
const void *const *const vm_tables[VM_MODES] = {plain, statistics, counts};

static const void *const handler_of[] = {
#define ROW(bit, insn, handler) (const void *)op_##handler,
    VM_WATCHED(ROW)
#undef ROW
};

static Value interpret(Thread *t, Regs at) {
    const void *const *table = TABLE(t);
    return ((Handler)table[*(const uint16_t *)at.pc])(at.pc, at.r, t, table);
}

const char *vm_dispatch_form(void) { return "tail-call"; }

const bool vm_handlers_by_register = true;

#else /* computed goto */

const char *vm_dispatch_form(void) { return "goto"; }
const bool vm_handlers_by_register = false;

#define OP(name)                L_##name:
#define DISPATCH(through)       goto *(through)[*(const uint16_t *)pc]

/* The tables hold labels, which only this function can name: the first call, with T NULL, fills
 * them in. */
static const void *plain[OP_COUNT], *statistics[OP_COUNT], *counts[OP_COUNT];
const void *const *const vm_tables[VM_MODES] = {plain, statistics, counts};
enum {
#define ROW(bit, insn, handler) WATCH_##insn,
    VM_WATCHED(ROW)
#undef ROW
        WATCH_COUNT
};
static const void *handler_of[WATCH_COUNT];

__attribute__((section("hone_vm_handlers"))) static Value interpret(Thread *t, Regs at) {
    const Insn *pc = at.pc;
    Word *r = at.r;
    if (!t) {
#define INSN(name, format, doc)                                                                    \
    plain[OP_##name] = &&L_##name;                                                                 \
    statistics[OP_##name] = &&L_record_statistics;                                                 \
    counts[OP_##name] = &&L_record_counts;
#include "vm/insns.def"
#undef INSN
#define ROW(bit, insn, handler) handler_of[WATCH_##insn] = &&L_##handler;
        VM_WATCHED(ROW)
#undef ROW
        return V_FALSE;
    }
    const void *const *table = TABLE(t);
    DISPATCH(table);
L_record_statistics:
    vm_stats_record(t, *(const uint16_t *)pc);
    DISPATCH(HANDLERS(t));
L_record_counts:
    vm_counts_record(pc, r);
    DISPATCH(HANDLERS(t));
L_watched_call:
    vm_tails_call(t, pc, r);
    DISPATCH(plain);
L_watched_tail:
    vm_tails_note(t, pc, r);
    DISPATCH(plain);
L_watched_primitive:
    GO(vm_watched_primitive(t, pc, r));
#include "vm/ops.inc"
}

#endif

const void *const *const vm_handlers[VM_WATCHES] = {plain, tails, allocations, both};

static void fill_watching(const void **table, unsigned bits) {
    memcpy(table, plain, sizeof plain);
    int i = 0;
#define ROW(bit, insn, handler)                                                                    \
    if (bits & VM_WATCH_##bit) table[OP_##insn] = handler_of[i];                                   \
    i++;
    VM_WATCHED(ROW)
#undef ROW
}

static __attribute__((constructor)) void fill_tables(void) {
#ifndef TAIL_CALLS
    interpret(NULL, (Regs){0});
#endif
    fill_watching(tails, VM_WATCH_TAILS);
    fill_watching(allocations, VM_WATCH_ALLOCATIONS);
    fill_watching(both, VM_WATCH_TAILS | VM_WATCH_ALLOCATIONS);
}

/* From the linker. */
extern const char __start_hone_vm_handlers[], __stop_hone_vm_handlers[];
const char *const vm_handlers_begin = __start_hone_vm_handlers;
const char *const vm_handlers_end = __stop_hone_vm_handlers;

Value vm_run(Thread *t, Value proc, int n, const Value *args) {
    Word *sp = t->base + 1;
    sp[0] = proc;
    for (int i = 0; i < n; i++) sp[1 + i] = args[i];
    Regs at = vm_enter(t, sp, n);
    for (;;) {
        Value v = vm_is_native(at.pc) ? vm_native_run(t, at) : interpret(t, at);
        if (likely(v != VM_SWITCH)) return v;
        at = (Regs){t->native_pc, t->native_r};
    }
}
