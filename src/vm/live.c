/* live.c: which registers of a frame are live where it stands: backward dataflow over the
 * instructions.
 *
 * Computed for all descriptors of a code object at once, the first time that a collection meets one
 * of them. What the instructions read and write comes from the format table. Register 0, the
 * closure, is always live. */
#include <stdlib.h>
#include "vm/vm.h"

void vm_compute_live(const FrameDesc *d);

typedef struct Flow {
    const Code *code;
    size_t words; /* of one bit set */
    uint64_t *in; /* a set for each instruction word */
    bool changed;
} Flow;

static uint64_t *set_at(const Flow *f, const Insn *pc) {
    return f->in + (size_t)(pc - f->code->insns) * f->words;
}

static void add(uint64_t *set, unsigned r) { set[r / 64] |= (uint64_t)1 << (r % 64); }
static void take(uint64_t *set, unsigned r) { set[r / 64] &= ~((uint64_t)1 << (r % 64)); }
static void add_range(uint64_t *set, unsigned from, unsigned count) {
    for (unsigned i = 0; i < count; i++) add(set, from + i);
}

/* Where control may go from PC: at most two places. */
static int successors(const Insn *pc, const Insn *to[2]) {
    int n = 0;
    switch (insn_op(*pc)) {
    case OP_RET:
    case OP_TAIL:
    case OP_TAILG:
    case OP_HALT: return 0;
    case OP_JUMP:
    case OP_LOOP: to[n++] = pc + insn_bc(*pc); return n;
    default: break;
    }
    to[n++] = pc + vm_insn_words(pc);
    const char *operands = vm_formats[vm_insns[insn_op(*pc)].format].operands;
    if (strchr(operands, 'J')) to[n++] = pc + insn_bc(*pc);
    if (strchr(operands, 'j')) to[n++] = pc + (int16_t)insn_c(*pc);
    return n;
}

/* Turns the set behind the instruction into the one before it. */
static void transfer(const Insn *pc, uint64_t *set) {
    unsigned fields[3] = {insn_a(*pc), insn_b(*pc), insn_c(*pc)};
    const char *operands = vm_formats[vm_insns[insn_op(*pc)].format].operands;
    for (int i = 0; i < 3 && operands[i]; i++)
        if (operands[i] == 'd') take(set, fields[i]);
    for (int i = 0; i < 3 && operands[i]; i++)
        if (operands[i] == 'u') add(set, fields[i]);
    switch (insn_op(*pc)) {
    case OP_CALL:
        take(set, fields[0]);
        add_range(set, fields[0] + 1, fields[1] + 1);
        break;
    case OP_CALLG:
        take(set, fields[0]);
        add_range(set, fields[0] + 2, fields[1]);
        break;
    case OP_TAIL: add_range(set, fields[0] + 1, fields[1] + 1); break;
    case OP_TAILG: add_range(set, fields[0] + 2, fields[1]); break;
    case OP_PRIM:
    case OP_PRIML: add_range(set, fields[1], fields[2]); break;
    case OP_CLOSURE:
        for (unsigned i = 0; i < fields[1]; i++)
            if (!(pc[2 + i] >> 16)) add(set, (unsigned)pc[2 + i]);
        break;
    default: break;
    }
    add(set, 0);
}

static void visit(Flow *f, const Insn *pc, uint64_t *scratch) {
    memset(scratch, 0, f->words * 8);
    const Insn *to[2];
    int n = successors(pc, to);
    for (int i = 0; i < n; i++) {
        const uint64_t *from = set_at(f, to[i]);
        for (size_t w = 0; w < f->words; w++) scratch[w] |= from[w];
    }
    transfer(pc, scratch);
    uint64_t *set = set_at(f, pc);
    if (memcmp(set, scratch, f->words * 8) != 0) {
        memcpy(set, scratch, f->words * 8);
        f->changed = true;
    }
}

static void give(const Flow *f, FrameDesc *d) {
    if (d->live) return;
    uint64_t *live = rt_forever_alloc(f->words * 8);
    memcpy(live, set_at(f, d->pc), f->words * 8);
    d->live = live;
}

void vm_compute_live(const FrameDesc *wanted) {
    const Code *code = wanted->code;
    Flow f = {.code = code, .words = (code->registers + 64) / 64};
    f.in = base_calloc(code->length, f.words * 8);
    uint64_t *scratch = base_calloc(f.words, 8);
    BASE_VEC(const Insn *) order = {0};
    for (const Insn *pc = code->insns; pc < code->insns + code->length; pc += vm_insn_words(pc))
        BASE_PUSH(&order, pc);
    do {
        f.changed = false;
        for (size_t i = order.len; i-- > 0;) visit(&f, order.at[i], scratch);
    } while (f.changed);
    for (uint32_t i = 0; i < code->desc_count; i++) give(&f, code->descs[i]);
    size_t it = 0;
    uint64_t point;
    while (code->points && base_map_next(code->points, &it, NULL, &point))
        give(&f, (FrameDesc *)point);
    BASE_VEC_FREE(&order);
    free(scratch);
    free(f.in);
}
