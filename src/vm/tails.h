/* tails.h: the ring of recent tail calls of a thread, while they are watched (VM_WATCH_TAILS). */
#ifndef HONE_VM_TAILS_H
#define HONE_VM_TAILS_H

#include "vm/vm.h"

/* The instruction at PC is a call, or a tail call, of the frame at R. */
void vm_tails_call(Thread *t, const Insn *pc, const Word *r);
void vm_tails_note(Thread *t, const Insn *pc, const Word *r);
/* A frame begins at BASE: whatever tail calls are known of it and of frames above are of others. */
void vm_tails_drop(Thread *t, const Word *base);
/* Frees the ring. */
void vm_tails_end(Thread *t);

#endif
