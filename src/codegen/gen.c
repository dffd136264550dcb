/* gen.c: core to instructions.
 *
 * One pass over the tree. Registers are a stack: a variable gets one when it is bound, a temporary
 * while it is needed. Since every assigned variable lives in a cell (a re-entered continuation must
 * see assignments), a register never changes while its variable is in scope, so an operand that is
 * a variable needs no copy. A loop's variables are the exception: NEXT rebinds them, as a parallel
 * assignment. Free variables are found on the way: a reference to an outer function's variable adds
 * a capture to each function in between. */
#include "codegen/internal.h"

#include <stdlib.h>

static const Dest nowhere = {TO_NOWHERE, 0, NULL};

static Dest to_register(unsigned reg) { return (Dest){TO_REGISTER, reg, NULL}; }

/* ---- variables ---- */

static bool boxed(const Var *v) { return v->sets > 0; }

static void bind(Fn *fn, Var *v, unsigned reg) {
    Home *h = core_alloc(fn->core, sizeof *h);
    *h = (Home){fn, reg, boxed(v)};
    v->scratch = h;
}

/* The index of V among the captures of FN, added when it is new. */
static unsigned capture(Fn *fn, Var *v) {
    for (size_t i = 0; i < fn->captures.len; i++)
        if (fn->captures.at[i] == v) return (unsigned)i;
    BASE_PUSH(&fn->captures, v);
    return (unsigned)fn->captures.len - 1;
}

/* The register that holds V's value, or its cell when it is boxed: its own, or a new one for a free
 * variable. */
static unsigned variable(Fn *fn, Var *v) {
    const Home *h = v->scratch;
    if (h->fn == fn) return h->reg;
    if (v == fn->self) return 0;
    unsigned reg = reg_new(fn);
    emit(fn, insn(OP_FREE, reg, capture(fn, v), 0));
    return reg;
}

static void gen_local(Fn *fn, Node *n, unsigned to) {
    Var *v = n->as.local;
    const Home *h = v->scratch;
    unsigned top = fn->top;
    emit_site(fn, n->site);
    if (h->boxed) {
        unsigned cell = variable(fn, v);
        emit(fn, insn(OP_BOXREF, to, cell, 0));
    } else if (h->fn == fn || v == fn->self) {
        emit_move(fn, to, variable(fn, v));
    } else {
        emit(fn, insn(OP_FREE, to, capture(fn, v), 0));
    }
    fn->top = top;
}

unsigned gen_operand(Fn *fn, Node *n) {
    if (n->kind == N_LOCAL) {
        const Home *h = n->as.local->scratch;
        if (!h->boxed && (h->fn == fn || n->as.local == fn->self)) return variable(fn, n->as.local);
    }
    unsigned reg = reg_new(fn);
    gen(fn, n, to_register(reg));
    return reg;
}

/* ---- handing a value on ---- */

static void go_on(Fn *fn, Dest d) {
    if (d.context != TO_RETURN && d.after) emit_jump(fn, d.after);
}

void gen_result(Fn *fn, Dest d, unsigned reg) {
    if (d.context == TO_RETURN)
        emit(fn, insn(OP_RET, reg, 0, 0));
    else if (d.context == TO_REGISTER)
        emit_move(fn, d.reg, reg);
    go_on(fn, d);
}

/* The register to compute a value in that goes to D. */
static unsigned target(Fn *fn, Dest d) { return d.context == TO_REGISTER ? d.reg : reg_new(fn); }

static void gen_effect(Fn *fn, Node *n) {
    unsigned top = fn->top;
    gen(fn, n, nowhere);
    fn->top = top;
}

/* ---- procedures ---- */

static void gen_params(Fn *fn, const Clause *c) {
    fn->top = fn->most = (unsigned)c->nparams + 1;
    for (int i = 0; i < c->nparams; i++) {
        bind(fn, c->params[i], (unsigned)i + 1);
        if (boxed(c->params[i])) emit(fn, insn(OP_BOX, (unsigned)i + 1, (unsigned)i + 1, 0));
    }
}

static void fn_free(Fn *fn) {
    BASE_VEC_FREE(&fn->code);
    BASE_VEC_FREE(&fn->positions);
    BASE_VEC_FREE(&fn->constants);
    BASE_VEC_FREE(&fn->descs);
    BASE_VEC_FREE(&fn->captures);
}

/* The code of one clause, generated again with long branches when it is so large; CHILD's captures
 * are left for the caller. */
static Code *gen_clause(Fn *outer, Fn *child, Node *lambda, const Clause *c, Var *self) {
    for (int attempt = 0;; attempt++) {
        *child =
            (Fn){.outer = outer, .core = outer->core, .self = self, .long_branches = attempt > 0};
        gen_params(child, c);
        gen(child, c->body, (Dest){TO_RETURN, 0, NULL});
        if (!child->too_far) break;
        fn_free(child);
    }
    /* The lambda's own site is a place in the procedure around it; its entry is a place in itself.
     */
    const ProcInfo *info = lambda->as.lambda.info;
    const Site *entry = core_site(info->pos.file ? info->pos : lambda->site->pos, info, NULL);
    return finish(child, info, entry, c->rest ? c->nparams - 1 : c->nparams, c->rest);
}

/* A variable captured by a closure that is made before the variable has its value (a letrec
 * sibling): patched later. */
typedef struct Patch {
    unsigned closure, index;
    Var *var;
} Patch;
typedef BASE_VEC(Patch) Patches;

static bool is_pending(Var *v, Var **pending, int count) {
    for (int i = 0; i < count; i++)
        if (pending[i] == v) return true;
    return false;
}

/* CLOSURE to register TO over CHILD's captures. Those among PENDING get a place holder and an entry
 * in PATCHES. */
static void emit_closure(Fn *fn, const Fn *child, Code *code, unsigned to, Var **pending,
                         int pending_count, Patches *patches) {
    if (child->captures.len == 0) {
        emit_value(fn, to, vm_procedure(fn->core->m, code));
        return;
    }
    BASE_VEC(Insn) words = {0};
    for (size_t i = 0; i < child->captures.len; i++) {
        Var *v = child->captures.at[i];
        const Home *h = v->scratch;
        if (is_pending(v, pending, pending_count)) {
            BASE_PUSH(patches, (Patch){to, (unsigned)i, v});
            BASE_PUSH(&words, 0);
        } else if (h->fn == fn) {
            BASE_PUSH(&words, h->reg);
        } else if (v == fn->self) {
            BASE_PUSH(&words, 0);
        } else {
            BASE_PUSH(&words, 65536u + capture(fn, v));
        }
    }
    emit(fn, insn(OP_CLOSURE, to, (unsigned)words.len, 0));
    emit(fn, (Insn)(uintptr_t)code);
    for (size_t i = 0; i < words.len; i++) emit(fn, words.at[i]);
    BASE_VEC_FREE(&words);
}

/* A case-lambda is a closure over one closure for each clause. */
static void gen_case_lambda(Fn *fn, Node *n, unsigned to) {
    int count = n->as.lambda.count;
    Code **clauses = rt_forever_alloc((size_t)count * sizeof *clauses);
    unsigned top = fn->top, first = top;
    for (int i = 0; i < count; i++) {
        unsigned reg = reg_new(fn);
        Fn child;
        clauses[i] = gen_clause(fn, &child, n, &n->as.lambda.clauses[i], NULL);
        emit_closure(fn, &child, clauses[i], reg, NULL, 0, NULL);
        fn_free(&child);
    }
    Code *code = rt_forever_alloc(sizeof *code);
    *code = (Code){.kind = CODE_CASE,
                   .exact_args = -1,
                   .clauses = clauses,
                   .clause_count = count,
                   .info = n->as.lambda.info,
                   .site = n->site};
    vm_register_code(code);
    emit(fn, insn(OP_CLOSURE, to, (unsigned)count, 0));
    emit(fn, (Insn)(uintptr_t)code);
    for (int i = 0; i < count; i++) emit(fn, first + (unsigned)i);
    fn->top = top;
}

static void gen_lambda(Fn *fn, Node *n, unsigned to, Var *self, Var **pending, int pending_count,
                       Patches *patches) {
    emit_site(fn, n->site);
    if (n->as.lambda.count != 1) {
        gen_case_lambda(fn, n, to);
        return;
    }
    Fn child;
    Code *code = gen_clause(fn, &child, n, &n->as.lambda.clauses[0], self);
    emit_closure(fn, &child, code, to, pending, pending_count, patches);
    fn_free(&child);
}

/* ---- binding forms ---- */

static void gen_let(Fn *fn, Node *n, Dest d) {
    int count = n->as.let.count;
    unsigned first = fn->top;
    for (int i = 0; i < count; i++) {
        unsigned reg = reg_new(fn);
        gen(fn, n->as.let.inits[i], to_register(reg));
        fn->top = reg + 1;
    }
    for (int i = 0; i < count; i++) {
        Var *v = n->as.let.vars[i];
        bind(fn, v, first + (unsigned)i);
        if (boxed(v)) emit(fn, insn(OP_BOX, first + (unsigned)i, first + (unsigned)i, 0));
    }
    gen(fn, n->as.let.body, d);
}

/* All inits are lambdas whose variables are never assigned. */
static void gen_letrec(Fn *fn, Node *n, Dest d) {
    int count = n->as.let.count;
    Patches patches = {0};
    unsigned first = fn->top;
    for (int i = 0; i < count; i++) bind(fn, n->as.let.vars[i], reg_new(fn));
    for (int i = 0; i < count; i++) {
        unsigned top = fn->top;
        gen_lambda(fn, n->as.let.inits[i], first + (unsigned)i, n->as.let.vars[i],
                   n->as.let.vars + i, count - i, &patches);
        fn->top = top;
    }
    for (size_t i = 0; i < patches.len; i++) {
        const Home *h = patches.at[i].var->scratch;
        emit(fn, insn(OP_PATCH, patches.at[i].closure, patches.at[i].index, h->reg));
    }
    BASE_VEC_FREE(&patches);
    gen(fn, n->as.let.body, d);
}

/* ---- loops ---- */

static void gen_loop(Fn *fn, Node *n, Dest d) {
    LoopState loop = {.outer = fn->loops,
                      .label = n->as.loop.label,
                      .vars = n->as.loop.vars,
                      .count = n->as.loop.count,
                      .head = {.at = NOWHERE}};
    Label end = {.at = NOWHERE};
    unsigned first = fn->top;
    for (int i = 0; i < loop.count; i++) {
        unsigned reg = reg_new(fn);
        gen(fn, n->as.loop.inits[i], to_register(reg));
        fn->top = reg + 1;
    }
    for (int i = 0; i < loop.count; i++) {
        bind(fn, loop.vars[i], first + (unsigned)i);
        if (boxed(loop.vars[i]))
            emit(fn, insn(OP_BOX, first + (unsigned)i, first + (unsigned)i, 0));
    }
    label_place(fn, &loop.head);
    emit_site(fn, n->as.loop.body->site);
    fn->loops = &loop;
    bool own_end = d.context != TO_RETURN && !d.after;
    gen(fn, n->as.loop.body, own_end ? (Dest){d.context, d.reg, &end} : d);
    fn->loops = loop.outer;
    if (own_end) label_place(fn, &end);
    label_free(&loop.head);
    label_free(&end);
}

static bool mentions(const Node *n, const Var *v);
typedef struct Mention {
    const Var *var;
    bool found;
} Mention;
static void mention_child(void *context, Node **child) {
    Mention *m = context;
    if (!m->found && mentions(*child, m->var)) m->found = true;
}
static bool mentions(const Node *n, const Var *v) {
    if (n->kind == N_LOCAL) return n->as.local == v;
    Mention m = {v, false};
    core_each_child((Node *)n, mention_child, &m);
    return m.found;
}

/* Whether the order in which N is evaluated among its siblings cannot be seen (but for which
 * failure comes first). */
static bool is_pure(const Node *n) {
    if (n->kind == N_CONST) return true;
    if (n->kind == N_LOCAL) return n->as.local->sets == 0;
    if (n->kind != N_PRIM || !(n->as.prim.prim->flags & (PRIM_FOLDABLE | PRIM_PREDICATE)))
        return false;
    for (int i = 0; i < n->as.prim.count; i++)
        if (!is_pure(n->as.prim.args[i])) return false;
    return true;
}

/* The order to evaluate a NEXT's arguments in: as written, unless all are pure; then so that as few
 * as possible need a temporary because a later one still reads the variable's old value. */
static void next_order(const LoopState *loop, Node **args, int *order) {
    int count = loop->count;
    bool pure = true;
    for (int i = 0; i < count; i++) {
        order[i] = i;
        pure = pure && is_pure(args[i]);
    }
    for (int done = 0; pure && done < count; done++) {
        int best = done;
        for (int i = done; i < count && best == done; i++) {
            bool read = false;
            for (int j = done; j < count && !read; j++)
                read = j != i && mentions(args[order[j]], loop->vars[order[i]]);
            if (!read) {
                best = i;
                break;
            }
        }
        int chosen = order[best];
        memmove(&order[done + 1], &order[done], (size_t)(best - done) * sizeof *order);
        order[done] = chosen;
    }
}

static void gen_next(Fn *fn, Node *n) {
    LoopState *loop = fn->loops;
    while (loop->label != n->as.next.label) loop = loop->outer;
    unsigned top = fn->top;
    int count = loop->count;
    Node **args = n->as.next.args;
    unsigned *from = core_alloc(fn->core, ((size_t)count + 1) * sizeof *from);
    int *order = core_alloc(fn->core, ((size_t)count + 1) * sizeof *order);
    next_order(loop, args, order);
    for (int k = 0; k < count; k++) {
        int i = order[k];
        const Home *h = loop->vars[i]->scratch;
        bool needed = false; /* a later argument still reads the old value */
        for (int j = k + 1; j < count && !needed; j++)
            needed = mentions(args[order[j]], loop->vars[i]);
        from[i] = needed || h->boxed ? reg_new(fn) : h->reg;
        unsigned inner = fn->top;
        gen(fn, args[i], to_register(from[i]));
        fn->top = inner;
    }
    for (int i = 0; i < count; i++) {
        const Home *h = loop->vars[i]->scratch;
        if (h->boxed)
            emit(fn, insn(OP_BOX, h->reg, from[i], 0));
        else
            emit_move(fn, h->reg, from[i]);
    }
    emit_site(fn, n->site);
    emit_loop(fn, &loop->head);
    fn->top = top;
}

/* ---- tests ---- */

/* Jumps to OTHERWISE where TEST is false, else falls through. */
static void gen_test(Fn *fn, Node *test, Label *otherwise) {
    unsigned top = fn->top;
    if (test->kind == N_CONST) {
        if (!is_true(test->as.constant)) emit_jump(fn, otherwise);
    } else if (test->kind == N_PRIM && strcmp(test->as.prim.prim->name, "not") == 0 &&
               test->as.prim.count == 1) {
        Label yes = {.at = NOWHERE};
        gen_test(fn, test->as.prim.args[0], &yes);
        emit_jump(fn, otherwise);
        label_place(fn, &yes);
        label_free(&yes);
    } else if (test->kind == N_IF) {
        Label inner = {.at = NOWHERE}, yes = {.at = NOWHERE};
        gen_test(fn, test->as.branch.test, &inner);
        gen_test(fn, test->as.branch.then, otherwise);
        emit_jump(fn, &yes);
        label_place(fn, &inner);
        gen_test(fn, test->as.branch.otherwise, otherwise);
        label_place(fn, &yes);
        label_free(&inner);
        label_free(&yes);
    } else if (!gen_fused_test(fn, test, otherwise)) {
        unsigned reg = gen_operand(fn, test);
        emit_site(fn, test->site);
        emit_branch(fn, OP_BFALSE, reg, otherwise);
    }
    fn->top = top;
}

static void gen_if(Fn *fn, Node *n, Dest d) {
    Label otherwise = {.at = NOWHERE}, end = {.at = NOWHERE};
    unsigned top = fn->top;
    gen_test(fn, n->as.branch.test, &otherwise);
    bool own_end = d.context != TO_RETURN && !d.after;
    Dest inner = own_end ? (Dest){d.context, d.reg, &end} : d;
    gen(fn, n->as.branch.then, inner);
    fn->top = top;
    label_place(fn, &otherwise);
    gen(fn, n->as.branch.otherwise, d);
    fn->top = top;
    if (own_end) label_place(fn, &end);
    label_free(&otherwise);
    label_free(&end);
}

/* ---- calls ---- */

/* A call of `error` or `raise` in tail position keeps its frame: it does not come back, so space
 * does not grow, and the error names the place where it was raised. */
static bool never_returns(const Node *callee) {
    if (callee->kind != N_GLOBAL || strcmp(callee->as.global->library, "(hone base)") != 0)
        return false;
    const char *name = callee->as.global->name;
    return !strcmp(name, "error") || !strcmp(name, "raise");
}

static void gen_call(Fn *fn, Node *n, Dest d) {
    Node *callee = n->as.call.callee;
    int count = n->as.call.count;
    /* The frame ends at BASE; the result comes to BASE. */
    bool in_place = d.context == TO_REGISTER && d.reg + 1 == fn->top;
    unsigned base = in_place ? d.reg : reg_new(fn);
    bool global = callee->kind == N_GLOBAL;
    unsigned slot = reg_new(fn);
    if (!global) {
        gen(fn, callee, to_register(slot));
        fn->top = slot + 1;
    }
    for (int i = 0; i < count; i++) {
        unsigned reg = reg_new(fn);
        gen(fn, n->as.call.args[i], to_register(reg));
        fn->top = reg + 1;
    }
    emit_site(fn, n->site);
    Insn g = global ? (Insn)(uintptr_t)callee->as.global : 0;
    if (d.context == TO_RETURN && !never_returns(callee)) {
        emit(fn, insn(global ? OP_TAILG : OP_TAIL, base, (unsigned)count, 0));
        if (global) emit(fn, g);
        return;
    }
    emit(fn, insn(global ? OP_CALLG : OP_CALL, base, (unsigned)count, 0));
    emit_desc(fn, base, global ? 2 : 1);
    if (global) emit(fn, g);
    fn->top = base + 1;
    gen_result(fn, d, base);
}

static void gen_primitive(Fn *fn, Node *n, Dest d) {
    const Prim *p = n->as.prim.prim;
    int count = n->as.prim.count;
    unsigned first = fn->top;
    if (count == 1) {
        first = gen_operand(fn, n->as.prim.args[0]);
    } else {
        for (int i = 0; i < count; i++) {
            unsigned reg = reg_new(fn);
            gen(fn, n->as.prim.args[i], to_register(reg));
            fn->top = reg + 1;
        }
    }
    unsigned to = target(fn, d);
    emit_site(fn, n->site);
    emit(fn, insn(p->flags & (PRIM_LONG | PRIM_BLOCKS) ? OP_PRIML : OP_PRIM, to, first,
                  (unsigned)count));
    emit(fn, (Insn)(uintptr_t)p);
    gen_result(fn, d, to);
}

/* ---- everything ---- */

static void gen_value(Fn *fn, Node *n, Dest d) {
    if (d.context == TO_NOWHERE) {
        /* A reference may still fail; a constant or a lambda does nothing. */
        if (n->kind == N_CONST || n->kind == N_LAMBDA) {
            go_on(fn, d);
            return;
        }
    }
    unsigned to = target(fn, d);
    if (d.context == TO_RETURN) emit_site(fn, n->site); /* the return is all that its line does */
    switch (n->kind) {
    case N_CONST: emit_value(fn, to, n->as.constant); break;
    case N_LOCAL:
        if (d.context == TO_RETURN)
            to = gen_operand(fn, n);
        else
            gen_local(fn, n, to);
        break;
    case N_GLOBAL:
        emit_site(fn, n->site);
        emit(fn, insn(OP_GREF, to, 0, 0));
        emit(fn, (Insn)(uintptr_t)n->as.global);
        break;
    default: gen_lambda(fn, n, to, NULL, NULL, 0, NULL); break;
    }
    gen_result(fn, d, to);
}

static void gen_assignment(Fn *fn, Node *n, Dest d) {
    if (n->kind == N_SET_LOCAL) {
        unsigned value = gen_operand(fn, n->as.set_local.value);
        unsigned cell = variable(fn, n->as.set_local.var);
        emit_site(fn, n->site);
        emit(fn, insn(OP_BOXSET, cell, value, 0));
    } else {
        unsigned value = gen_operand(fn, n->as.set_global.value);
        emit_site(fn, n->site);
        emit(fn, insn(n->as.set_global.define ? OP_GDEF : OP_GSET, value, 0, 0));
        emit(fn, (Insn)(uintptr_t)n->as.set_global.global);
    }
    if (d.context == TO_NOWHERE) {
        go_on(fn, d);
        return;
    }
    unsigned to = target(fn, d);
    emit_value(fn, to, V_UNSPEC);
    gen_result(fn, d, to);
}

void gen(Fn *fn, Node *n, Dest d) {
    unsigned top = fn->top;
    switch (n->kind) {
    case N_CONST:
    case N_LOCAL:
    case N_GLOBAL:
    case N_LAMBDA: gen_value(fn, n, d); break;
    case N_SET_LOCAL:
    case N_SET_GLOBAL: gen_assignment(fn, n, d); break;
    case N_IF: gen_if(fn, n, d); break;
    case N_LET: gen_let(fn, n, d); break;
    case N_LETREC: gen_letrec(fn, n, d); break;
    case N_CALL: gen_call(fn, n, d); break;
    case N_PRIM:
        if (!gen_integrated(fn, n, d)) gen_primitive(fn, n, d);
        break;
    case N_SEQ:
        for (int i = 0; i + 1 < n->as.seq.count; i++) gen_effect(fn, n->as.seq.items[i]);
        gen(fn, n->as.seq.items[n->as.seq.count - 1], d);
        break;
    case N_LOOP: gen_loop(fn, n, d); break;
    case N_NEXT: gen_next(fn, n); break;
    case N_COUNT: break;
    }
    fn->top = top;
}

Code *codegen_unit(CoreContext *c, const Unit *unit) {
    /* The last form is no tail call, so that errors name the place at top level that they came
     * from. */
    Node *value =
        unit->count ? core_seq(c, NULL, unit->count, unit->forms) : core_const(c, NULL, V_UNSPEC);
    Var *result = core_var(c, "value");
    Clause body = {.body = core_let(c, NULL, 1, &result, &value, core_local(c, NULL, result))};
    const Site *site = core_site((SrcPos){unit->file, 1, 1}, unit->info, NULL);
    Node *lambda = core_lambda(c, site, unit->info, 1, &body);
    Fn outer = {.core = c}, fn;
    Code *code = gen_clause(&outer, &fn, lambda, &lambda->as.lambda.clauses[0], NULL);
    fn_free(&fn);
    return code;
}
