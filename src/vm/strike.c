/* strike.c: where the interpreter was when a signal broke in.
 *
 * The handlers of instructions hand pc, r and the thread on in the argument registers of the
 * calling convention, so while the machine is in one of them those registers tell the instruction;
 * all handlers lie in one section. While it is in C, the place is the one noted before the call
 * (t->at_pc, t->at_r). In the one loop of computed gotos the registers are the compiler's: there is
 * only t->at, whose place is that of the last call into C.
 *
 * In the few machine instructions in which a handler changes pc or r they may belong to two
 * frames; whoever walks the stack sees to that. */
#include <stdlib.h>
#include <ucontext.h>
#include "vm/slow.h"

#if defined(__x86_64__)
enum { IN_PC = REG_R12, IN_R = REG_R13, IN_THREAD = REG_R14, AT = REG_RIP };
#define REGISTER(context, n) ((context)->uc_mcontext.gregs[n])
#define KNOWN_REGISTERS      1
#endif

VmStrike vm_strike(const Thread *t, const void *context) {
#ifdef KNOWN_REGISTERS
    const ucontext_t *c = context;
    const char *at = (const char *)REGISTER(c, AT);
    if (at < vm_handlers_begin || at >= vm_handlers_end) {
        VmStrike s = {.pc = t->at_pc, .r = t->at_r, .in_c = true};
        if (!s.pc || !vm_prim_at(s.pc)) s.native = at;
        return s;
    }
    if (vm_handlers_by_register && (Word)REGISTER(c, IN_THREAD) == (Word)t)
        return (VmStrike){.pc = (const Insn *)REGISTER(c, IN_PC),
                          .r = (const Word *)REGISTER(c, IN_R)};
#endif
    return (VmStrike){0};
}

/* ---- code by address ---- */

/* Sorted by the address of the instructions, but for the newest, which are behind. */
static struct {
    os_mutex lock;
    BASE_VEC(Code *) all;
    size_t sorted;
    const Code *newest; /* of those in `all` */
} table = {.lock = OS_MUTEX_INIT};

static int by_address(const void *a, const void *b) {
    const Insn *x = (*(Code *const *)a)->insns, *y = (*(Code *const *)b)->insns;
    return x < y ? -1 : x > y;
}

/* Adds the code objects made since the last time: they are the first in the list. */
static void refresh(void) {
    enum { UNSORTED = 64 };
    const Code *newest = vm_newest_code();
    for (const Code *c = newest; c && c != table.newest; c = c->next)
        if (c->insns) BASE_PUSH(&table.all, (Code *)c);
    table.newest = newest;
    if (table.all.len - table.sorted < UNSORTED + table.sorted / 8) return;
    qsort(table.all.at, table.all.len, sizeof *table.all.at, by_address);
    table.sorted = table.all.len;
}

static bool holds(const Code *code, const Insn *pc) {
    return pc >= code->insns && pc < code->insns + code->length;
}

static Code *find(const Insn *pc) {
    size_t low = 0, high = table.sorted;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table.all.at[middle]->insns <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && holds(table.all.at[low - 1], pc)) return table.all.at[low - 1];
    for (size_t i = table.sorted; i < table.all.len; i++)
        if (holds(table.all.at[i], pc)) return table.all.at[i];
    return NULL;
}

Code *vm_code_at(const Insn *pc) {
    os_mutex_lock(&table.lock);
    Code *code = find(pc);
    if (!code) {
        refresh();
        code = find(pc);
    }
    os_mutex_unlock(&table.lock);
    return code;
}
