/* slow.h: the interpreter's slow paths, shared by both dispatch forms. Each gets the state and
 * returns where to go on. */
#ifndef HONE_VM_SLOW_H
#define HONE_VM_SLOW_H

#include "vm/vm.h"

typedef struct Regs {
    const Insn *pc;
    Word *r;
} Regs;

/* Calls the procedure at SP[0] with N arguments from SP[1]; SP[-1] is the return descriptor. */
Regs vm_enter(Thread *t, Word *sp, int n);
/* Returns V to the frame whose descriptor is SP[-1]. */
Regs vm_return(Thread *t, Word *sp, Value v);
/* Raises the failure noted in T; SP[-1] is the descriptor of the frame that failed. */
Regs vm_raise(Thread *t, Word *sp);
/* The safe point of a complete frame, whose descriptor SP[-1] says where to go on. */
Regs vm_poll_frame(Thread *t, Word *sp);
/* Notes that OBJECT is no record of type RTD; V_FAIL. */
Value vm_note_wrong_record(Thread *t, Value object, Value rtd);
/* Raises the failure noted in T; the instruction at PC failed. */
Regs vm_fail(Thread *t, const Insn *pc, Word *r);
Regs vm_unbound(Thread *t, const Insn *pc, Word *r, Global *g);
Regs vm_undefined(Thread *t, const Insn *pc, Word *r);
Regs vm_wrong_record(Thread *t, const Insn *pc, Word *r, Value object, Value rtd);
/* The safe point of a loop's back edge to PC. */
Regs vm_poll(Thread *t, const Insn *pc, Word *r);
/* The PRIML instruction. */
Regs vm_long_primitive(Thread *t, const Insn *pc, Word *r);
/* The uncommon cases of the arithmetic instruction at PC. */
Regs vm_arithmetic(Thread *t, const Insn *pc, Word *r);

/* PRIM while allocations are watched. */
Regs vm_watched_primitive(Thread *t, const Insn *pc, Word *r);
/* Makes room for BYTES, which are not large, for the instruction at PC: what it is about to
 * allocate carries TAG. */
void vm_make_room(Thread *t, const Insn *pc, Word *r, size_t bytes, unsigned tag);

/* P's value in T's dynamic state. P is a parameter. */
Value vm_parameter_value(Thread *t, Value p);
/* The primitive flush-output-port. */
void vm_set_flush(Global *g);
/* Fills tables; once. */
void vm_slow_start(void);

#endif
