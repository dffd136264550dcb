/* slow.c: calls that are not the common case, returns to the bottom of a slice, failures, safe
 * points. */
#include "vm/slow.h"

#include <stdio.h>
#include <stdlib.h>
#include "fiber/fiber.h"
#include "num/num.h"
#include "rt/list.h"
#include "rt/string.h"
#include "vm/stats.h"
#include "vm/tails.h"

static const Insn halt_insn[1] = {OP_HALT};
static Global *raise_hook, *flush_procedure;

void vm_set_raise_hook(Global *g) { raise_hook = g; }
void vm_set_flush(Global *g) { flush_procedure = g; }

/* Where a switch of strands leads to. */
static Regs raise_at(Thread *t, Word *sp);
static Regs go_on(Thread *t, FiberGo go) {
    if (unlikely(go.value == V_FAIL)) return raise_at(t, go.sp);
    if (likely(!go.call)) return vm_return(t, go.sp, go.value);
    go.sp[0] = go.value;
    return vm_enter(t, go.sp, 0);
}

/* Ends the run of T: its frames are left as they are, and vm_run returns V_FAIL. */
static Regs end_run(Thread *t) {
    Word *sp = t->base + 1;
    t->m.fail.code = ERR_NONE;
    t->cont = V_FALSE;
    sp[0] = V_FAIL;
    return (Regs){halt_insn, sp};
}

/* Here is known who has allocated since the last time: the frames up to SP, in PRIM unless it is
 * NULL. */
static void tell_allocations(Thread *t, Word *sp, const Prim *prim) {
    if (likely(!gc_has_samples(&t->m))) return;
    t->sp = sp;
    t->long_primitive = prim;
    rt_on_allocation(t);
    t->long_primitive = NULL;
}

/* Calls the raise hook with the condition for the failure noted; SP[-1] is the descriptor of the
 * frame that failed. */
static Regs raise_at(Thread *t, Word *sp) {
    if (t->m.fail.code == ERR_TERMINATED) return end_run(t);
    if (t->m.fail.code == ERR_INTERRUPT && is_true(t->fiber)) {
        t->m.fail.code = ERR_NONE;
        return go_on(t, fiber_go_home(t, sp));
    }
    tell_allocations(t, sp, NULL);
    Value condition = rt_condition(&t->m);
    if (!raise_hook || raise_hook->value == V_UNBOUND) {
        char *text = rt_string_utf8(object_slots(condition)[2], NULL);
        fprintf(stderr, "hone: failure while starting: %s\n", text);
        exit(70);
    }
    sp[0] = raise_hook->value;
    sp[1] = condition;
    return vm_enter(t, sp, 1);
}

/* Completes the frame at R, stopped at PC. Returns the stack pointer above it. */
static Word *complete(Thread *t, const Insn *pc, Word *r) {
    Code *code = proc_code(r[0]);
    const FrameDesc *d = vm_desc_at(code, pc);
    Word *sp = r + d->size;
    sp[-1] = (Word)d;
    vm_tails_drop(t, sp);
    return sp;
}

Regs vm_raise(Thread *t, Word *sp) { return raise_at(t, sp); }

Regs vm_fail(Thread *t, const Insn *pc, Word *r) { return raise_at(t, complete(t, pc, r)); }

Regs vm_unbound(Thread *t, const Insn *pc, Word *r, Global *g) {
    mutator_fail(&t->m, ERR_UNBOUND, NULL, 0, rt_intern_c(&t->m, g->name));
    return vm_fail(t, pc, r);
}

Regs vm_undefined(Thread *t, const Insn *pc, Word *r) {
    mutator_fail(&t->m, ERR_UNDEFINED, NULL, 0, V_DEFAULT);
    return vm_fail(t, pc, r);
}

Value vm_note_wrong_record(Thread *t, Value object, Value rtd) {
    char *type = NULL;
    if (is_record(rtd) && is_symbol(object_slots(rtd)[1]))
        type = strdup(rt_symbol_name(object_slots(rtd)[1]));
    mutator_fail_text(&t->m, ERR_RECORD_TYPE, NULL, object, "not a record of type %s",
                      type ? type : "?");
    free(type);
    return V_FAIL;
}

Regs vm_wrong_record(Thread *t, const Insn *pc, Word *r, Value object, Value rtd) {
    vm_note_wrong_record(t, object, rtd);
    return vm_fail(t, pc, r);
}

/* Every safe point of the interpreter passes here: its time is no instruction's. */
static bool safepoint(Thread *t, Word *sp) {
    vm_stats_part(t, VM_PART_SAFEPOINT);
    bool right = rt_safepoint(t, sp);
    t->long_primitive = NULL; /* what native code may have noted */
    return right;
}

/* Whether the tick scheduler, or the scheduler of fibers, wants something of T that only a place
 * can do where a call may be put in: where the frame, completed, goes on whatever is returned to
 * it. */
static bool wants_attention(const Thread *t) { return t->ticks.pending || t->attend; }

/* At such a place, with the frames below SP complete. What else is pending asks again. */
static Regs attend(Thread *t, Word *sp) {
    t->attend = false;
    switch (hone_prof_ticks_take(&t->ticks)) {
    case HONE_PROF_INTERRUPT:
        if (!is_true(fiber_check_hook())) break;
        sp[0] = fiber_check_hook();
        return vm_enter(t, sp, 0);
    case HONE_PROF_PREEMPT: return go_on(t, fiber_preempt(t, sp));
    default:
        if (fiber_is_over(t)) return go_on(t, fiber_preempt(t, sp));
        break;
    }
    return vm_return(t, sp, V_UNSPEC);
}

/* At another place: it is asked for again. */
static bool safepoint_elsewhere(Thread *t, Word *sp) {
    bool right = safepoint(t, sp);
    if (unlikely(wants_attention(t))) rt_request(t, REQUEST_ATTEND);
    return right;
}

Regs vm_poll_frame(Thread *t, Word *sp) {
    if (unlikely(!safepoint(t, sp))) return raise_at(t, sp);
    if (unlikely(wants_attention(t))) return attend(t, sp);
    const FrameDesc *d = frame_desc(sp);
    return (Regs){d->pc, sp - d->size};
}

Regs vm_poll(Thread *t, const Insn *pc, Word *r) { return vm_poll_frame(t, complete(t, pc, r)); }

Regs vm_return(Thread *t, Word *sp, Value v) {
    for (;;) {
        const FrameDesc *d = frame_desc(sp);
        switch (d->kind) {
        case FRAME_CODE: sp[-1] = v; return (Regs){d->pc, sp - d->size};
        case FRAME_HALT: sp[0] = v; return (Regs){halt_insn, sp};
        case FRAME_FIBER: return go_on(t, fiber_ended(t, v));
        case FRAME_CALL: return vm_enter(t, sp - d->size, (int)d->size - 2);
        case FRAME_UNDERFLOW:
            sp = rt_stack_underflow(t);
            if (sp) tell_allocations(t, sp, NULL);
            break;
        }
    }
}

/* ---- primitives that may run long or block ---- */

/* The safe point behind a primitive that made the value *V: a beat that came meanwhile found PRIM
 * running. */
static bool safepoint_behind(Thread *t, Word *sp, const Prim *prim, Value *v) {
    t->result = *v;
    t->long_primitive = prim;
    bool right = safepoint_elsewhere(t, sp);
    t->long_primitive = NULL;
    *v = t->result;
    t->result = V_FALSE;
    return right;
}

/* In a fiber a primitive did not block but failed by ERR_WOULD_BLOCK: the fiber parks with a frame
 * that calls it again, or, where its work is done but for sending it, flushes the port. */
static bool would_block(const Thread *t) { return t->m.fail.code == ERR_WOULD_BLOCK; }

static Regs flush_first(Thread *t, Word *sp) {
    t->m.fail.code = ERR_NONE;
    sp[0] = flush_procedure->value;
    sp[1] = t->block.flush;
    t->block.flush = V_FALSE;
    return vm_enter(t, sp, 1);
}

static Regs failed_long(Thread *t, const Insn *pc, Word *r, int words) {
    if (likely(!would_block(t))) return vm_fail(t, pc, r);
    if (!is_true(t->block.flush)) return go_on(t, fiber_would_block(t, complete(t, pc, r)));
    r[insn_a(*pc)] = V_UNSPEC;
    return flush_first(t, complete(t, pc + words, r));
}

/* A value that a C function made stands ready at the instruction PC. */
static Regs finish_long(Thread *t, const Insn *pc, Word *r, int words, const Prim *prim, Value v) {
    if (unlikely(v == V_FAIL)) return failed_long(t, pc, r, words);
    if (unlikely(r >= rt_limit(t))) {
        Word *sp = complete(t, pc, r);
        if (unlikely(!safepoint_behind(t, sp, prim, &v))) return raise_at(t, sp);
    }
    r[insn_a(*pc)] = v;
    return (Regs){pc + words, r};
}

Regs vm_long_primitive(Thread *t, const Insn *pc, Word *r) {
    const Prim *prim = (const Prim *)pc[1];
    /* A beat from before the call is the caller's time. */
    if (unlikely(r >= rt_limit(t))) {
        Word *sp = complete(t, pc, r);
        if (unlikely(!safepoint_elsewhere(t, sp))) return raise_at(t, sp);
    }
    vm_stats_part(t, VM_PART_PRIMITIVE);
    if (prim->flags & PRIM_BLOCKS) t->sp = complete(t, pc, r);
    Value v = prim->fn(&t->m, &r[insn_b(*pc)], (int)insn_c(*pc));
    return finish_long(t, pc, r, 2, prim, v);
}

Regs vm_watched_primitive(Thread *t, const Insn *pc, Word *r) {
    const Prim *prim = (const Prim *)pc[1];
    Value v = prim->fn(&t->m, &r[insn_b(*pc)], (int)insn_c(*pc));
    if (unlikely(gc_has_samples(&t->m))) tell_allocations(t, complete(t, pc, r), prim);
    if (unlikely(v == V_FAIL)) return vm_fail(t, pc, r);
    r[insn_a(*pc)] = v;
    return (Regs){pc + 2, r};
}

void vm_make_room(Thread *t, const Insn *pc, Word *r, size_t bytes, unsigned tag) {
    gc_make_room(&t->m, bytes, tag);
    if (unlikely(gc_has_samples(&t->m))) tell_allocations(t, complete(t, pc, r), NULL);
}

/* What an arithmetic instruction does beyond its fast cases, and the primitive that the time is
 * charged to. */
static struct Operation {
    Value (*f)(Mutator *, Value, Value);
    const char *name;
    const Prim *prim; /* set by vm_slow_start */
} operations[OP_COUNT] = {
    [OP_ADD] = {num_add, "+", NULL},
    [OP_SUB] = {num_sub, "-", NULL},
    [OP_MUL] = {num_mul, "*", NULL},
    [OP_DIV] = {num_div, "/", NULL},
    [OP_ADDI] = {num_add, "+", NULL},
    [OP_QUOTIENT] = {num_quotient, "quotient", NULL},
    [OP_REMAINDER] = {num_remainder, "remainder", NULL},
    [OP_MODULO] = {num_modulo, "modulo", NULL},
    [OP_MULI] = {num_mul, "*", NULL},
    [OP_QUOTIENTI] = {num_quotient, "quotient", NULL},
    [OP_REMAINDERI] = {num_remainder, "remainder", NULL},
    [OP_MODULOI] = {num_modulo, "modulo", NULL},
};

void vm_slow_start(void) {
    for (int op = 0; op < OP_COUNT; op++)
        if (operations[op].f) operations[op].prim = rt_prim_find(operations[op].name);
}

const Prim *vm_prim_at(const Insn *pc) {
    enum vm_op op = insn_op(*pc);
    if (op == OP_PRIM || op == OP_PRIML) return (const Prim *)pc[1];
    return op < OP_COUNT ? operations[op].prim : NULL;
}

Regs vm_arithmetic(Thread *t, const Insn *pc, Word *r) {
    enum vm_op op = insn_op(*pc);
    bool immediate = vm_insns[op].format == FMT_D_U_IMM;
    Value b = immediate ? v_fixnum((int16_t)insn_c(*pc)) : r[insn_c(*pc)];
    vm_stats_part(t, VM_PART_ARITHMETIC);
    Value v = operations[op].f(&t->m, r[insn_b(*pc)], b);
    return finish_long(t, pc, r, 1, operations[op].prim, v);
}

/* ---- entering procedures ---- */

static Regs bad_arity(Thread *t, Word *sp, const Code *code, int n) {
    base_buf takes = {0};
    int clauses = code->kind == CODE_CASE ? code->clause_count : 1;
    for (int i = 0; i < clauses; i++) {
        const Code *c = code->kind == CODE_CASE ? code->clauses[i] : code;
        base_buf_printf(&takes, "%s%s%d", i ? " or " : "", c->rest ? "at least " : "", c->required);
    }
    const char *name = code->info && code->info->name[0] ? code->info->name : "procedure";
    mutator_fail_text(&t->m, ERR_ARITY, NULL, sp[0], "%s: takes %s argument%s, got %d", name,
                      base_buf_str(&takes),
                      clauses == 1 && code->required == 1 && !code->rest ? "" : "s", n);
    base_buf_free(&takes);
    return raise_at(t, sp);
}

/* The descriptor of a frame that holds the closure and its parameters alone. */
static const FrameDesc *entry_desc(Code *code) {
    FrameDesc *d = __atomic_load_n(&code->entry, __ATOMIC_ACQUIRE);
    if (d) return d;
    uint32_t parameters = (uint32_t)code->required + code->rest;
    FrameDesc *made = rt_forever_alloc(sizeof *made);
    *made = (FrameDesc){.kind = FRAME_CODE,
                        .size = parameters + 2,
                        .room = code->frame_words,
                        .pc = code->insns,
                        .code = code,
                        .site = code->site};
    made->live = rt_forever_alloc(((size_t)parameters + 64) / 64 * 8);
    for (uint32_t i = 0; i <= parameters; i++) made->live[i / 64] |= (uint64_t)1 << (i % 64);
    FrameDesc *expected = NULL;
    return __atomic_compare_exchange_n(&code->entry, &expected, made, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE)
               ? made
               : expected;
}

static Regs enter_code(Thread *t, Word *sp, int n, Code *code) {
    if (n < code->required || (n > code->required && !code->rest)) return bad_arity(t, sp, code, n);
    int parameters = code->required;
    if (code->rest) {
        Value rest = V_NIL;
        for (int i = n; i > code->required; i--) rest = gc_cons(&t->m, sp[i], rest);
        sp[++parameters] = rest;
    }
    if (sp + code->frame_words > t->real_limit) {
        Word *grown = rt_stack_grow(t, sp, code->frame_words);
        if (unlikely(!grown)) {
            /* Perhaps what is dead makes room. */
            Word *top = sp + parameters + 2;
            top[-1] = (Word)entry_desc(code);
            rt_collect(t, top, GC_GENERATIONS - 1);
            grown = rt_stack_grow(t, sp, code->frame_words);
        }
        if (unlikely(!grown)) {
            rt_stack_limit(t);
            return raise_at(t, sp);
        }
        memcpy(grown, sp, ((size_t)parameters + 1) * sizeof(Word));
        sp = grown;
    }
    if (sp >= rt_limit(t)) {
        Word *top = sp + parameters + 2;
        top[-1] = (Word)entry_desc(code);
        if (!safepoint(t, top)) return raise_at(t, top);
        if (unlikely(wants_attention(t))) return attend(t, top);
    }
    return (Regs){code->insns, sp};
}

/* The closure of a case-lambda's clause that takes N arguments, or V_FALSE. */
static Value choose_clause(Value proc, int n) {
    Code *code = proc_code(proc);
    for (int i = 0; i < code->clause_count; i++) {
        const Code *c = code->clauses[i];
        if (n == c->required || (c->rest && n > c->required)) return object_slots(proc)[1 + i];
    }
    return V_FALSE;
}

/* A primitive called as a value has no frame. These describe one of itself and its arguments, for a
 * collection before or while it runs; having no site they are in no backtrace and no sample. */
enum { MOST_ARGUMENTS = 8 };
static uint64_t all_live = ~(uint64_t)0;
#define ROW(n) {.kind = FRAME_CALL, .size = (n) + 2, .live = &all_live}
static const FrameDesc call_descs[MOST_ARGUMENTS + 1] = {ROW(0), ROW(1), ROW(2), ROW(3), ROW(4),
                                                         ROW(5), ROW(6), ROW(7), ROW(8)};
#undef ROW

/* Blocking primitives take no more than MOST_ARGUMENTS. */
static Word *complete_call(Word *sp, int n) {
    const FrameDesc *d = &call_descs[BASE_MIN(n, MOST_ARGUMENTS)];
    sp[d->size - 1] = (Word)d;
    return sp + d->size;
}

/* A beat from before the call is the caller's time, as in vm_long_primitive. */
static bool safepoint_before_call(Thread *t, Word *sp, int n) {
    if (likely(sp < rt_limit(t)) || n > MOST_ARGUMENTS) return true;
    bool right = safepoint_elsewhere(t, complete_call(sp, n));
    vm_stats_resume(t, VM_PART_CALL_PRIMITIVE);
    return right;
}

static Regs enter_primitive(Thread *t, Word *sp, int n, Code *code) {
    const Prim *prim = code->prim;
    if (n < prim->min_args || (prim->max_args >= 0 && n > prim->max_args)) {
        char most[32] = "";
        if (prim->max_args >= 0 && prim->max_args != prim->min_args)
            snprintf(most, sizeof most, " to %d", prim->max_args);
        mutator_fail_text(&t->m, ERR_ARITY, NULL, V_DEFAULT, "%s: takes %s%d%s argument%s, got %d",
                          prim->name, prim->max_args < 0 ? "at least " : "", prim->min_args, most,
                          prim->max_args == 1 ? "" : "s", n);
        return raise_at(t, sp);
    }
    if (unlikely(!safepoint_before_call(t, sp, n))) return raise_at(t, sp);
    if (prim->flags & PRIM_BLOCKS) t->sp = complete_call(sp, n);
    Value v = prim->fn(&t->m, sp + 1, n);
    if (unlikely(v == V_FAIL)) {
        if (likely(!would_block(t))) return raise_at(t, sp);
        return is_true(t->block.flush) ? flush_first(t, sp)
                                       : go_on(t, fiber_would_block(t, complete_call(sp, n)));
    }
    if (unlikely(sp >= rt_limit(t)) && !safepoint_behind(t, sp, prim, &v)) return raise_at(t, sp);
    return vm_return(t, sp, v);
}

/* (apply f a ... list): spreads the list. SP moves if the stack must grow. N comes back as the new
 * count, -1: failed. */
static Word *spread(Thread *t, Word *sp, int *n) {
    if (*n < 1) {
        mutator_fail_text(&t->m, ERR_ARITY, NULL, V_DEFAULT,
                          "apply: takes at least 1 argument, got 0");
        return NULL;
    }
    int fixed = *n - 1; /* sp[1] is f; sp[2..n-1] are arguments; sp[n] is the list */
    Value list = fixed ? sp[*n] : V_NIL;
    int64_t length = rt_list_length(list);
    if (length < 0) {
        mutator_fail(&t->m, ERR_NOT_LIST, "apply", *n, list);
        return NULL;
    }
    int given = fixed ? fixed - 1 : 0;
    if (length > INT32_MAX / 2) {
        mutator_fail(&t->m, ERR_TOO_LARGE, "apply", *n, V_DEFAULT);
        return NULL;
    }
    size_t need = (size_t)given + (size_t)length + 2;
    Word *to = sp;
    if (sp + need > t->real_limit) {
        to = rt_stack_grow(t, sp, need + STACK_SLACK_WORDS);
        if (!to) {
            rt_stack_limit(t);
            return NULL;
        }
    }
    for (int i = 0; i <= given; i++) to[i] = sp[i + 1];
    for (int64_t i = 0; i < length; i++, list = cdr(list)) to[given + 1 + i] = car(list);
    *n = given + (int)length;
    return to;
}

Value vm_parameter_value(Thread *t, Value p) {
    for (Value l = t->params; is_pair(l); l = cdr(l))
        if (car(car(l)) == p) return cdr(car(l));
    return object_slots(p)[1];
}

typedef struct Backtrace {
    uintptr_t sites[64];
    int count;
} Backtrace;

static bool note_site(const FrameDesc *d, bool tail, void *context) {
    Backtrace *b = context;
    b->sites[b->count++] = (uintptr_t)d->site | tail;
    return b->count < 64;
}

static Value backtrace(Thread *t, Word *sp) {
    Backtrace b = {.count = 0};
    vm_walk(t, sp, note_site, &b);
    Object *o = gc_bytes(&t->m, T_BYTEVECTOR, (uint64_t)b.count * sizeof b.sites[0], 0);
    memcpy(o->slot, b.sites, (size_t)b.count * sizeof b.sites[0]);
    return v_object(o);
}

static Value values_of(Thread *t, const Word *sp, int n) {
    if (n == 1) return sp[1];
    Object *o = gc_object(&t->m, T_VALUES, (uint64_t)n);
    memcpy(o->slot, sp + 1, (size_t)n * sizeof(Word));
    return v_object(o);
}

static Value continuation_proc(Thread *t, Value cont) {
    static Code code = {.kind = CODE_CONTINUATION, .exact_args = -1, .rest = true};
    Object *o = gc_object(&t->m, T_PROC, 2);
    o->slot[0] = (Word)&code;
    o->slot[1] = cont;
    return v_object(o);
}

Regs vm_enter(Thread *t, Word *sp, int n) {
    for (;;) {
        Value f = sp[0];
        if (unlikely(!is_proc(f))) {
            mutator_fail(&t->m, ERR_NOT_PROCEDURE, NULL, 0, f);
            return raise_at(t, sp);
        }
        Code *code = proc_code(f);
        vm_stats_call(t, code->kind);
        switch (code->kind) {
        case CODE_INTERPRETED: return enter_code(t, sp, n, code);
        case CODE_CASE: {
            Value clause = choose_clause(f, n);
            if (!is_true(clause)) return bad_arity(t, sp, code, n);
            sp[0] = clause;
            break;
        }
        case CODE_PRIMITIVE: return enter_primitive(t, sp, n, code);
        case CODE_APPLY: {
            Word *to = spread(t, sp, &n);
            if (!to) return raise_at(t, sp);
            sp = to;
            break;
        }
        case CODE_CALLCC: {
            if (n != 1) return bad_arity(t, sp, code, n);
            Value receiver = sp[1];
            Value k = rt_stack_capture(t, &sp);
            sp[0] = receiver;
            sp[1] = continuation_proc(t, k);
            tell_allocations(t, sp, NULL);
            break;
        }
        case CODE_CONTINUATION: {
            Value v = values_of(t, sp, n), cont = object_slots(f)[1];
            if (((ContSlots *)object_slots(cont))->strand != rt_strand(t)) {
                mutator_fail_text(&t->m, ERR_THREAD, "continuation", V_DEFAULT,
                                  "it belongs to another %s",
                                  is_true(t->fiber) ? "fiber" : "thread");
                return raise_at(t, sp);
            }
            return vm_return(t, rt_stack_reinstate(t, cont), v);
        }
        case CODE_PARAMETER:
            if (n != 0) return bad_arity(t, sp, code, n);
            return vm_return(t, sp, vm_parameter_value(t, f));
        case CODE_BACKTRACE: return vm_return(t, sp, backtrace(t, sp));
        case CODE_FIBER:
            if (n != code->required) return bad_arity(t, sp, code, n);
            tell_allocations(t, sp, NULL);
            return go_on(t, code->control->f(t, sp));
        }
    }
}
