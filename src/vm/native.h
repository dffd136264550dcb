/* native.h: what native code and the interpreter owe each other.
 *
 * Native code (emitted by native/) and the interpreter's handlers have different signatures, so
 * neither tail-calls the other: who wants to go on in the other world stores (pc, r) in the thread
 * and returns VM_SWITCH to vm_run, which enters that world. Inside of each there is no return.
 * Where to go on is a pc in either: native places are the instructions NATIVE and RESUME, which
 * only static code objects and descriptors hold. So all slow paths, which give (pc, r), serve both.
 */
#ifndef HONE_VM_NATIVE_H
#define HONE_VM_NATIVE_H

#include "vm/slow.h"

#define VM_SWITCH IMMEDIATE(11)

static inline bool vm_is_native(const Insn *pc) {
    return insn_op(*pc) == OP_NATIVE || insn_op(*pc) == OP_RESUME;
}
static inline Value vm_to_native(Thread *t, const Insn *pc, Word *r) {
    t->native_pc = pc;
    t->native_r = r;
    return VM_SWITCH;
}
/* Runs native code from AT, which vm_is_native, until it switches or the thread's run ends. */
Value vm_native_run(Thread *t, Regs at);

/* ---- what native code tail-calls ---- */
/* Goes on at T->native_pc, T->native_r, in whichever world that is. */
NATIVE_CALL Value vm_native_go(NATIVE_PARAMETERS);
/* Calls the procedure R[0] with A0 arguments from R[1]. */
NATIVE_CALL Value vm_native_enter(NATIVE_PARAMETERS);
/* Returns A0 to the frame whose descriptor is R[-1], whatever it is. */
NATIVE_CALL Value vm_native_return(NATIVE_PARAMETERS);
/* Raises the failure noted in T; A0 is the descriptor, of one word, of the frame at R. */
NATIVE_CALL Value vm_native_raise(NATIVE_PARAMETERS);
/* The same for an unbound global A1, and for an undefined variable. */
NATIVE_CALL Value vm_native_unbound(NATIVE_PARAMETERS);
NATIVE_CALL Value vm_native_undefined(NATIVE_PARAMETERS);
/* What arithmetic does beyond its common cases, in a frame at R. The time of a beat that comes
 * meanwhile is the primitive's. */
#if defined(__clang__) && defined(__x86_64__)
#define NATIVE_COLD __attribute__((preserve_most, cold))
#else
#define NATIVE_COLD __attribute__((cold))
#endif
NATIVE_COLD Value vm_native_add(Thread *t, const Word *r, Value a, Value b);
NATIVE_COLD Value vm_native_sub(Thread *t, const Word *r, Value a, Value b);
NATIVE_COLD Value vm_native_mul(Thread *t, const Word *r, Value a, Value b);
NATIVE_COLD Value vm_native_div(Thread *t, const Word *r, Value a, Value b);
/* The safe point of the complete frame that ends at R, whose procedure wants A0 words. */
NATIVE_CALL Value vm_native_poll(NATIVE_PARAMETERS);

#endif
