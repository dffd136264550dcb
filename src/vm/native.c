/* native.c: between native code and the interpreter; native code's slow paths. */
#include "vm/native.h"

#include "num/num.h"
#include "rt/string.h"

/* Goes on where a slow path said. The words in registers mean nothing then. */
#define GO(regs)                                                                                   \
    do {                                                                                           \
        Regs go = (regs);                                                                          \
        t->native_pc = go.pc;                                                                      \
        t->native_r = go.r;                                                                        \
        NATIVE_TAIL vm_native_go(a0, r, t, a1, a2, a3, a4, a5, a6, a7);                            \
    } while (0)

NATIVE_CALL Value vm_native_go(NATIVE_PARAMETERS) {
    const Insn *pc = t->native_pc;
    r = t->native_r;
    switch (insn_op(*pc)) {
    case OP_NATIVE: NATIVE_TAIL((NativeFn)pc[1])(a0, r, t, a1, a2, a3, a4, a5, a6, a7);
    case OP_RESUME:
        r += insn_bc(*pc);
        a0 = r[-1];
        NATIVE_TAIL((NativeFn)pc[1])(a0, r, t, a1, a2, a3, a4, a5, a6, a7);
    case OP_HALT: return r[0];
    default: return VM_SWITCH;
    }
}

Value vm_native_run(Thread *t, Regs at) {
    t->native_pc = at.pc;
    t->native_r = at.r;
    return vm_native_go(0, at.r, t, 0, 0, 0, 0, 0, 0, 0);
}

NATIVE_CALL Value vm_native_interpret(NATIVE_PARAMETERS) {
    GO(((Regs){proc_code(r[0])->insns, r}));
}

NATIVE_CALL Value vm_native_enter(NATIVE_PARAMETERS) { GO(vm_enter(t, r, (int)a0)); }
NATIVE_CALL Value vm_native_return(NATIVE_PARAMETERS) { GO(vm_return(t, r, a0)); }

NATIVE_CALL Value vm_native_raise(NATIVE_PARAMETERS) {
    r[0] = a0;
    GO(vm_raise(t, r + 1));
}

NATIVE_CALL Value vm_native_unbound(NATIVE_PARAMETERS) {
    mutator_fail(&t->m, ERR_UNBOUND, NULL, 0, rt_intern_c(&t->m, ((const Global *)a1)->name));
    NATIVE_TAIL vm_native_raise(a0, r, t, a1, a2, a3, a4, a5, a6, a7);
}

NATIVE_CALL Value vm_native_undefined(NATIVE_PARAMETERS) {
    mutator_fail(&t->m, ERR_UNDEFINED, NULL, 0, V_DEFAULT);
    NATIVE_TAIL vm_native_raise(a0, r, t, a1, a2, a3, a4, a5, a6, a7);
}

/* Gives the frame that ends at *SP a region with NEED words for it; false: there is no memory. */
static bool make_room(Thread *t, Word **sp, size_t need) {
    const FrameDesc *d = frame_desc(*sp);
    Word *r = *sp - d->size;
    Word *grown = rt_stack_grow(t, r, need);
    if (!grown) {
        /* Perhaps what is dead makes room. */
        rt_collect(t, *sp, GC_GENERATIONS - 1);
        grown = rt_stack_grow(t, r, need);
    }
    if (!grown) return false;
    memcpy(grown, r, d->size * sizeof(Word));
    *sp = grown + d->size;
    return true;
}

NATIVE_CALL Value vm_native_poll(NATIVE_PARAMETERS) {
    Word *sp = r, *start = sp - frame_desc(sp)->size;
    if (start + a0 > t->real_limit && !make_room(t, &sp, a0)) {
        rt_stack_limit(t);
        GO(vm_raise(t, start));
    }
    GO(vm_poll_frame(t, sp));
}

#define ARITHMETIC(name, primitive)                                                                \
    NATIVE_COLD Value vm_native_##name(Thread *t, const Word *r, Value a, Value b) {               \
        bool before = r >= rt_limit(t);                                                            \
        Value v = num_##name(&t->m, a, b);                                                         \
        if (unlikely(r >= rt_limit(t)) && !before) t->long_primitive = &rt_prims[primitive];       \
        return v;                                                                                  \
    }
ARITHMETIC(add, PRIM_prim_add)
ARITHMETIC(sub, PRIM_prim_sub)
ARITHMETIC(mul, PRIM_prim_mul)
ARITHMETIC(div, PRIM_prim_div)
#undef ARITHMETIC
