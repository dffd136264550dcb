/* emit.c: instruction words, positions, labels, registers, and the finished code object. */
#include "codegen/internal.h"

#include <stdlib.h>

uint32_t emit(Fn *fn, Insn word) {
    BASE_PUSH(&fn->code, word);
    return (uint32_t)fn->code.len - 1;
}

/* What is emitted from here on stands at SITE. */
void emit_site(Fn *fn, const Site *site) {
    if (!site || site == fn->site) return;
    fn->site = site;
    uint32_t pc = (uint32_t)fn->code.len;
    if (fn->positions.len && fn->positions.at[fn->positions.len - 1].pc == pc)
        fn->positions.at[fn->positions.len - 1].site = site;
    else
        BASE_PUSH(&fn->positions, (PosEntry){pc, site});
}

void emit_move(Fn *fn, unsigned to, unsigned from) {
    if (to != from) emit(fn, insn(OP_MOVE, to, from, 0));
}

uint32_t constant_index(Fn *fn, Value v) {
    for (size_t i = 0; i < fn->constants.len && i < 64; i++)
        if (fn->constants.at[i] == v) return (uint32_t)i;
    BASE_PUSH(&fn->constants, v);
    return (uint32_t)fn->constants.len - 1;
}

void emit_value(Fn *fn, unsigned reg, Value v) {
    if (is_heap(v)) {
        emit(fn, insn_wide(OP_LOADK, reg, (int32_t)constant_index(fn, v)));
    } else {
        emit(fn, insn(OP_LOADI, reg, 0, 0));
        emit(fn, v);
    }
}

unsigned reg_new(Fn *fn) {
    unsigned r = fn->top++;
    if (fn->top > fn->most) fn->most = fn->top;
    return r;
}

/* ---- labels ---- */

static bool is_wide(enum vm_op op) {
    return strchr(vm_formats[vm_insns[op].format].operands, 'J') != NULL;
}

static void patch(Fn *fn, uint32_t at, uint32_t target) {
    Insn word = fn->code.at[at];
    int32_t offset = (int32_t)target - (int32_t)at;
    if (is_wide(insn_op(word))) {
        fn->code.at[at] = insn_wide(insn_op(word), insn_a(word), offset);
    } else {
        if (offset != (int16_t)offset) fn->too_far = true;
        fn->code.at[at] = insn(insn_op(word), insn_a(word), insn_b(word), (unsigned)offset);
    }
}

static void refer(Fn *fn, uint32_t at, Label *to) {
    if (to->at != NOWHERE)
        patch(fn, at, to->at);
    else
        BASE_PUSH(&to->uses, at);
}

void label_place(Fn *fn, Label *l) {
    l->at = (uint32_t)fn->code.len;
    for (size_t i = 0; i < l->uses.len; i++) patch(fn, l->uses.at[i], l->at);
    /* Control comes here from elsewhere: the next instruction states its site anew. */
    fn->site = NULL;
}

void label_free(Label *l) { BASE_VEC_FREE(&l->uses); }

void emit_jump(Fn *fn, Label *to) { refer(fn, emit(fn, insn(OP_JUMP, 0, 0, 0)), to); }

void emit_branch(Fn *fn, enum vm_op op, unsigned a, Label *to) {
    refer(fn, emit(fn, insn(op, a, 0, 0)), to);
}

void emit_branch_word(Fn *fn, unsigned a, Value w, Label *to) {
    uint32_t at = emit(fn, insn(OP_BNEQW, a, 0, 0));
    emit(fn, w);
    refer(fn, at, to);
}

void emit_branch2(Fn *fn, enum vm_op op, unsigned a, unsigned b, Label *to) {
    if (!fn->long_branches) {
        refer(fn, emit(fn, insn(op, a, b, 0)), to);
        return;
    }
    emit(fn, insn(op, a, b, 2));        /* false: to the second jump */
    emit(fn, insn_wide(OP_JUMP, 0, 2)); /* true: over it */
    emit_jump(fn, to);
}

void emit_loop(Fn *fn, Label *head) { refer(fn, emit(fn, insn(OP_LOOP, 0, 0, 0)), head); }

/* The operand word of a call with its frame up to register A; the next instruction is WORDS
 * further. */
void emit_desc(Fn *fn, unsigned a, uint32_t words) {
    FrameDesc *d = rt_forever_alloc(sizeof *d);
    *d = (FrameDesc){
        .kind = FRAME_CODE, .size = a + 1, .site = fn->site, .resume = rt_native_return};
    d->pc = (const Insn *)(uintptr_t)(fn->code.len + words); /* an offset until finish() */
    BASE_PUSH(&fn->descs, d);
    emit(fn, (Insn)(uintptr_t)d);
}

/* ---- the code object ---- */

static void *keep(const void *items, size_t bytes) {
    void *p = rt_forever_alloc(bytes ? bytes : 1);
    return bytes ? memcpy(p, items, bytes) : p;
}

const Site *codegen_cut_chain(base_map *cuts, const Site *site, const ProcInfo *info) {
    const Site *end = NULL;
    for (const Site *s = site; s; s = s->caller)
        if (s->proc == info) end = s;
    if (!end || !end->caller) return site;
    bool added;
    uint64_t *cut = base_map_at(cuts, (uint64_t)site, &added);
    if (!added) return (const Site *)*cut;
    const Site *made = core_site(site->pos, site->proc,
                                 site == end ? NULL : codegen_cut_chain(cuts, site->caller, info));
    *base_map_at(cuts, (uint64_t)site, &added) = (uint64_t)made; /* the map may have moved */
    return made;
}

static void cut_chains(Fn *fn, const ProcInfo *info) {
    base_map cuts = {0};
    for (size_t i = 0; i < fn->positions.len; i++)
        fn->positions.at[i].site = codegen_cut_chain(&cuts, fn->positions.at[i].site, info);
    for (size_t i = 0; i < fn->descs.len; i++) {
        FrameDesc *d = fn->descs.at[i];
        if (d->site) d->site = codegen_cut_chain(&cuts, d->site, info);
    }
    base_map_free(&cuts);
}

Code *finish(Fn *fn, const ProcInfo *info, const Site *site, int required, bool rest) {
    enum {
        RAISE_WORDS = 4
    }; /* room above the registers for a descriptor and a call of the raise hook */
    cut_chains(fn, info);
    Code *code = rt_forever_alloc(sizeof *code);
    *code = (Code){.kind = CODE_INTERPRETED,
                   .exact_args = rest ? -1 : required,
                   .required = required,
                   .rest = rest,
                   .registers = fn->most,
                   .frame_words = fn->most + RAISE_WORDS,
                   .info = info,
                   .site = site,
                   .native = vm_native_interpret};
    code->length = (uint32_t)fn->code.len;
    code->insns = keep(fn->code.at, fn->code.len * sizeof(Insn));
    code->position_count = (uint32_t)fn->positions.len;
    code->positions = keep(fn->positions.at, fn->positions.len * sizeof(PosEntry));
    code->constant_count = (uint32_t)fn->constants.len;
    code->constants = keep(fn->constants.at, fn->constants.len * sizeof(Value));
    code->desc_count = (uint32_t)fn->descs.len;
    code->descs = keep(fn->descs.at, fn->descs.len * sizeof(FrameDesc *));
    for (size_t i = 0; i < fn->descs.len; i++) {
        FrameDesc *d = fn->descs.at[i];
        d->code = code;
        d->room = code->frame_words;
        d->pc = code->insns + (uintptr_t)d->pc;
        if (!d->site) d->site = site;
    }
    vm_register_code(code);
    return code;
}
