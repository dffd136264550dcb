/* prims.c: primitives that have instructions of their own, from the table vm/integrate.def. */
#include "codegen/internal.h"

typedef struct Integration {
    const char *name;
    int arity;
    enum vm_op op;
} Integration;

static const Integration integrations[] = {
#define INTEGRATE(name, arity, op) {name, arity, OP_##op},
#define BRANCH(name, arity, op, immediate, swapped)
#define SMALL_OPERAND(name, op, excludes, commutes)
#include "vm/integrate.def"
#undef INTEGRATE
#undef BRANCH
#undef SMALL_OPERAND
};

typedef struct Immediate {
    const char *name;
    enum vm_op op;
    bool excludes; /* 0 and -1 */
    bool commutes;
} Immediate;

static const Immediate immediates[] = {
#define INTEGRATE(name, arity, op)
#define BRANCH(name, arity, op, immediate, swapped)
#define SMALL_OPERAND(name, op, excludes, commutes) {name, OP_##op, excludes, commutes},
#include "vm/integrate.def"
#undef INTEGRATE
#undef BRANCH
#undef SMALL_OPERAND
};

typedef struct Fusion {
    const char *name;
    int arity;
    enum vm_op op, immediate, swapped;
} Fusion;

static const Fusion fusions[] = {
#define INTEGRATE(name, arity, op)
#define BRANCH(name, arity, op, immediate, swapped)                                                \
    {name, arity, OP_##op, OP_##immediate, OP_##swapped},
#define SMALL_OPERAND(name, op, excludes, commutes)
#include "vm/integrate.def"
#undef INTEGRATE
#undef BRANCH
#undef SMALL_OPERAND
};

/* The rows by primitive, filled once: what each primitive is integrated as for each number of
 * arguments. */
static const Integration *by_prim[PRIM_COUNT][4];
static const Fusion *fusion_by_prim[PRIM_COUNT];
static const Immediate *immediate_by_prim[PRIM_COUNT];

static __attribute__((constructor)) void index_tables(void) {
    for (size_t i = 0; i < BASE_COUNT(integrations); i++) {
        const Prim *p = rt_prim_find(integrations[i].name);
        if (p) by_prim[p - rt_prims][integrations[i].arity] = &integrations[i];
    }
    for (size_t i = 0; i < BASE_COUNT(immediates); i++) {
        const Prim *p = rt_prim_find(immediates[i].name);
        if (p) immediate_by_prim[p - rt_prims] = &immediates[i];
    }
    for (size_t i = 0; i < BASE_COUNT(fusions); i++) {
        const Prim *p = rt_prim_find(fusions[i].name);
        if (p) fusion_by_prim[p - rt_prims] = &fusions[i];
    }
}

static bool small_fixnum(const Node *n, int *out) {
    if (n->kind != N_CONST || !is_fixnum(n->as.constant)) return false;
    int64_t v = fixnum(n->as.constant);
    if (v < -32767 || v > 32767) return false;
    *out = (int)v;
    return true;
}

static bool is_prim(const Node *n, const char *name) {
    return strcmp(n->as.prim.prim->name, name) == 0;
}

/* (+ x c), (+ c x) and (- x c) with a small fixnum c. */
static bool gen_add_immediate(Fn *fn, Node *n, Dest d) {
    Node **args = n->as.prim.args;
    bool plus = is_prim(n, "+");
    int c;
    Node *x;
    if (n->as.prim.count != 2 || !(plus || is_prim(n, "-"))) return false;
    if (small_fixnum(args[1], &c))
        x = args[0];
    else if (plus && small_fixnum(args[0], &c))
        x = args[1];
    else
        return false;
    unsigned reg = gen_operand(fn, x);
    unsigned to = d.context == TO_REGISTER ? d.reg : reg_new(fn);
    emit_site(fn, n->site);
    emit(fn, insn(OP_ADDI, to, reg, (unsigned)(plus ? c : -c)));
    gen_result(fn, d, to);
    return true;
}

/* (* x c), (quotient x c) and the like. */
static bool gen_immediate(Fn *fn, Node *n, Dest d) {
    const Immediate *row = immediate_by_prim[n->as.prim.prim - rt_prims];
    Node **args = n->as.prim.args;
    int c;
    if (!row || n->as.prim.count != 2) return false;
    Node *x = args[0];
    if (!small_fixnum(args[1], &c)) {
        if (!row->commutes || !small_fixnum(args[0], &c)) return false;
        x = args[1];
    }
    if (row->excludes && (c == 0 || c == -1)) return false;
    unsigned reg = gen_operand(fn, x);
    unsigned to = d.context == TO_REGISTER ? d.reg : reg_new(fn);
    emit_site(fn, n->site);
    emit(fn, insn(row->op, to, reg, (unsigned)c));
    gen_result(fn, d, to);
    return true;
}

/* (%record-ref x rtd index name) and (%record-set! x rtd index value name) with a constant index.
 */
static bool gen_record_access(Fn *fn, Node *n, Dest d) {
    bool get = is_prim(n, "%record-ref"), set = is_prim(n, "%record-set!");
    Node **args = n->as.prim.args;
    if (!(get || set) || n->as.prim.count < 3 + set) return false;
    if (args[2]->kind != N_CONST || !is_fixnum(args[2]->as.constant)) return false;
    unsigned x = gen_operand(fn, args[0]), rtd = gen_operand(fn, args[1]);
    unsigned value = set ? gen_operand(fn, args[3]) : 0;
    unsigned to = d.context == TO_REGISTER ? d.reg : reg_new(fn);
    emit_site(fn, n->site);
    emit(fn, get ? insn(OP_RECREF, to, x, rtd) : insn(OP_RECSET, x, rtd, value));
    emit(fn, (Insn)fixnum(args[2]->as.constant));
    if (set && d.context != TO_NOWHERE) emit_value(fn, to, V_UNSPEC);
    gen_result(fn, d, to);
    return true;
}

bool gen_integrated(Fn *fn, Node *n, Dest d) {
    if (gen_add_immediate(fn, n, d) || gen_immediate(fn, n, d) || gen_record_access(fn, n, d))
        return true;
    int count = n->as.prim.count;
    if (count < 1 || count > 3) return false;
    const Integration *row = by_prim[n->as.prim.prim - rt_prims][count];
    if (!row) return false;
    unsigned regs[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) regs[i] = gen_operand(fn, n->as.prim.args[i]);
    bool writes = vm_formats[vm_insns[row->op].format].operands[0] == 'd';
    unsigned to = d.context == TO_REGISTER ? d.reg : reg_new(fn);
    emit_site(fn, n->site);
    if (writes)
        emit(fn, insn(row->op, to, regs[0], regs[1]));
    else
        emit(fn, insn(row->op, regs[0], regs[1], regs[2]));
    if (!writes && d.context != TO_NOWHERE) emit_value(fn, to, V_UNSPEC);
    gen_result(fn, d, to);
    return true;
}

static bool gen_fused_zero(Fn *fn, Node *test, Label *otherwise) {
    if (test->as.prim.count != 1 || !is_prim(test, "zero?")) return false;
    unsigned reg = gen_operand(fn, test->as.prim.args[0]);
    emit_site(fn, test->site);
    emit_branch2(fn, OP_BNNUMEQI, reg, 0, otherwise);
    return true;
}

bool gen_fused_test(Fn *fn, Node *test, Label *otherwise) {
    if (test->kind != N_PRIM) return false;
    if (gen_fused_zero(fn, test, otherwise)) return true;
    const Fusion *row = fusion_by_prim[test->as.prim.prim - rt_prims];
    if (!row || test->as.prim.count != row->arity) return false;
    Node **args = test->as.prim.args;
    int c;
    if (row->arity == 1) {
        unsigned reg = gen_operand(fn, args[0]);
        emit_branch(fn, row->op, reg, otherwise);
    } else if (row->immediate != OP_HALT && small_fixnum(args[1], &c)) {
        unsigned reg = gen_operand(fn, args[0]);
        emit_site(fn, test->site);
        emit_branch2(fn, row->immediate, reg, (unsigned)c, otherwise);
    } else if (row->swapped != OP_HALT && small_fixnum(args[0], &c)) {
        unsigned reg = gen_operand(fn, args[1]);
        emit_site(fn, test->site);
        emit_branch2(fn, row->swapped, reg, (unsigned)c, otherwise);
    } else if (row->op == OP_BNEQ && args[1]->kind == N_CONST && !is_heap(args[1]->as.constant)) {
        emit_branch_word(fn, gen_operand(fn, args[0]), args[1]->as.constant, otherwise);
    } else {
        unsigned a = gen_operand(fn, args[0]), b = gen_operand(fn, args[1]);
        emit_site(fn, test->site);
        emit_branch2(fn, row->op, a, b, otherwise);
    }
    return true;
}
