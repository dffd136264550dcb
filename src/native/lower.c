/* lower.c: a procedure's core as a graph of blocks over registers.
 *
 * An expression's value is a register; one that is a variable is that variable's. Where control
 * joins, the branches move their values to one register. A call that is no tail call ends its
 * block; what follows is the return point. A loop is a block that is jumped to again, through a
 * safe point. Assigned variables live in boxes, so a register changes only as a loop's variable at
 * NEXT, when nobody looks at its old value any more. */
#include "native/internal.h"

typedef struct Loop {
    struct Loop *outer;
    Var *label;
    Var **vars;
    Reg **regs; /* the variables' own, boxes for those assigned */
    int count;
    Block *head;
} Loop;

typedef struct Lower {
    Proc *p;
    Block *at; /* where code goes; NULL: control does not get here */
    Loop *loops;
    const Site *site; /* of the last node that had one */
    Reg *closure;     /* the procedure's own */
} Lower;

/* Where a value goes: it is returned, dropped, or moved; then control goes on at AFTER, or, when
 * that is NULL, right here. */
typedef enum DestKind { TO_RETURN, TO_NOWHERE, TO_REG } DestKind;
typedef struct Dest {
    DestKind kind;
    Reg *reg;
    Block *after;
} Dest;

static void lower(Lower *l, Node *n, Dest d);
static Reg *operand(Lower *l, Node *n);

/* ---- registers and blocks ---- */

Reg *native_reg(Proc *p, const char *name) {
    UnitCode *u = p->unit;
    Reg *r = BASE_NEW(u->arena, Reg);
    *r = (Reg){.kind = REG_LOCAL, .name = name, .id = ++u->next_reg, .bit = -1, .slot = -1};
    BASE_PUSH(&p->regs, r);
    return r;
}

static Reg *reg_for(Lower *l, const Var *v) {
    return native_reg(l->p, native_mangle(l->p->unit->arena, v->name));
}

static Block *block_new(Lower *l) {
    UnitCode *u = l->p->unit;
    Block *b = BASE_NEW(u->arena, Block);
    b->id = ++u->next_block;
    b->proc = l->p;
    BASE_PUSH(&l->p->blocks, b);
    return b;
}

static const Site *site_of(Lower *l, const Node *n) {
    if (n->site) l->site = n->site;
    return l->site;
}

static Op *add(Lower *l, OpKind kind, const Site *site, Reg *to, int count) {
    static Op nowhere;
    Op op = {.kind = kind, .to = to, .count = count, .site = site};
    op.args = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, (size_t)count + 1);
    if (!l->at) {
        nowhere = op;
        return &nowhere;
    }
    BASE_PUSH(&l->at->ops, op);
    return &l->at->ops.at[l->at->ops.len - 1];
}

static Op *add1(Lower *l, OpKind kind, const Site *site, Reg *to, Reg *a) {
    Op *op = add(l, kind, site, to, 1);
    op->args[0] = a;
    return op;
}

static End *end(Lower *l, EndKind kind, const Site *site) {
    static End nowhere;
    End *e = l->at ? &l->at->end : &nowhere;
    *e = (End){.kind = kind, .site = site};
    l->at = NULL;
    return e;
}

static void jump(Lower *l, Block *to) { end(l, END_JUMP, NULL)->to = to; }

static Reg *constant(Lower *l, Value v) {
    UnitCode *u = l->p->unit;
    bool added;
    uint64_t *place = base_map_at(&u->regs, v, &added);
    if (added) {
        Reg *r = BASE_NEW(u->arena, Reg);
        *r = (Reg){.kind = REG_CONSTANT, .value = v, .bit = -1, .slot = -1};
        r->index = is_heap(v) ? native_constant(u, v) : -1;
        *place = (uint64_t)r;
    }
    return (Reg *)*place;
}

static Reg *closure_constant(Lower *l, enum reg_kind kind, int index) {
    Reg *r = BASE_NEW(l->p->unit->arena, Reg);
    *r = (Reg){.kind = kind, .index = index, .bit = -1, .slot = -1};
    return r;
}

/* ---- variables ---- */

static bool boxed(const Var *v) { return v->sets > 0; }

static int free_index(const Proc *p, const Var *v) {
    for (size_t i = 0; i < p->free.len; i++)
        if (p->free.at[i] == v) return (int)i;
    return -1;
}

/* The register that holds V's value, or its box. */
static Reg *variable(Lower *l, Var *v) {
    VarInfo *info = var_info(v);
    Proc *p = l->p;
    if (info->proc && !info->proc->lifted && info->proc->free.len == 0)
        return closure_constant(l, REG_PROC, info->proc->closure_index);
    if (info->owner == p) return info->reg;
    if (v == p->self && !p->lifted) return l->closure;
    int i = free_index(p, v);
    if (p->lifted) return p->args.at[p->clause->nparams + i];
    Reg *r = reg_for(l, v);
    add1(l, DO_READ_FREE, l->site, r, l->closure)->index = i;
    return r;
}

static Reg *box(Lower *l, const Var *v, Reg *value) {
    Reg *r = reg_for(l, v);
    add1(l, DO_MAKE_BOX, l->site, r, value);
    return r;
}

static void bind(Lower *l, Var *v, Reg *value) {
    var_info(v)->reg = boxed(v) ? box(l, v, value) : value;
}

static Reg *local(Lower *l, Node *n) {
    Var *v = n->as.local;
    Reg *r = variable(l, v);
    if (!boxed(v)) return r;
    Reg *value = reg_for(l, v);
    add1(l, DO_READ_BOX, site_of(l, n), value, r);
    return value;
}

/* ---- procedures as values ---- */

static Reg *make_closure(Lower *l, Proc *inner, Reg *to, const Site *site) {
    if (inner->free.len == 0) return closure_constant(l, REG_PROC, inner->closure_index);
    if (!to)
        to = native_reg(l->p, inner->self ? native_mangle(l->p->unit->arena, inner->self->name)
                                          : "procedure");
    Reg **captures = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, inner->free.len);
    for (size_t i = 0; i < inner->free.len; i++) captures[i] = variable(l, inner->free.at[i]);
    Op *op = add(l, DO_MAKE_PROC, site, to, (int)inner->free.len);
    memcpy(op->args, captures, inner->free.len * sizeof *captures);
    op->proc = inner;
    return to;
}

static Proc *proc_of(Lower *l, const Clause *clause) {
    return (Proc *)*base_map_find(&l->p->unit->clauses, (uint64_t)clause);
}

static Reg *lambda_value(Lower *l, Node *n) {
    UnitCode *u = l->p->unit;
    const Site *site = site_of(l, n);
    if (n->as.lambda.count == 1)
        return make_closure(l, proc_of(l, &n->as.lambda.clauses[0]), NULL, site);
    Case *c = BASE_NEW(u->arena, Case);
    c->lambda = n;
    c->closure_index = -1;
    int count = n->as.lambda.count;
    Reg **clauses = BASE_NEW_ARRAY(u->arena, Reg *, (size_t)count);
    bool closed = true;
    for (int i = 0; i < count; i++) {
        Proc *inner = proc_of(l, &n->as.lambda.clauses[i]);
        BASE_PUSH(&c->clauses, inner);
        clauses[i] = make_closure(l, inner, NULL, site);
        closed = closed && inner->free.len == 0;
    }
    BASE_PUSH(&u->cases, c);
    if (closed) {
        c->closure_index = u->closures++;
        return closure_constant(l, REG_CASE, c->closure_index);
    }
    Reg *to = native_reg(l->p, "procedure");
    Op *op = add(l, DO_MAKE_PROC, site, to, count);
    memcpy(op->args, clauses, (size_t)count * sizeof *clauses);
    op->index = (int64_t)u->cases.len - 1;
    return to;
}

/* ---- handing a value on ---- */

static void deliver(Lower *l, Dest d, Reg *value) {
    if (d.kind == TO_RETURN) {
        End *e = end(l, END_RETURN, l->site);
        e->args = BASE_NEW(l->p->unit->arena, Reg *);
        e->args[0] = value;
        e->count = 1;
        return;
    }
    if (d.kind == TO_REG && l->at) add1(l, DO_MOVE_REG, l->site, d.reg, value);
    if (d.after) jump(l, d.after);
}

static void effect(Lower *l, Node *n) { lower(l, n, (Dest){TO_NOWHERE, NULL, NULL}); }

/* ---- binding forms ---- */

static void lower_let(Lower *l, Node *n) {
    for (int i = 0; i < n->as.let.count; i++) {
        Var *v = n->as.let.vars[i];
        Proc *known = var_info(v)->proc;
        if (known && known->lifted) continue;
        bind(l, v, operand(l, n->as.let.inits[i]));
    }
}

/* All are lambdas whose variables are never assigned. Closures that hold each other are completed
 * once all are made. */
static void lower_letrec(Lower *l, Node *n) {
    int count = n->as.let.count;
    Var **vars = n->as.let.vars;
    for (int i = 0; i < count; i++) {
        Proc *inner = var_info(vars[i])->proc;
        if (proc_has_closure(inner)) var_info(vars[i])->reg = reg_for(l, vars[i]);
    }
    for (int i = 0; i < count; i++) {
        Proc *inner = var_info(vars[i])->proc;
        if (!proc_has_closure(inner)) continue;
        Op *op = add(l, DO_MAKE_PROC, site_of(l, n->as.let.inits[i]), var_info(vars[i])->reg,
                     (int)inner->free.len);
        op->proc = inner;
        Reg **args = op->args;
        for (size_t k = 0; k < inner->free.len; k++) {
            Var *v = inner->free.at[k];
            bool later = false;
            for (int j = i; j < count; j++) later = later || vars[j] == v;
            args[k] = later ? constant(l, V_FALSE) : NULL;
        }
        /* Reading a captured variable may add an instruction: it must stand before this one. */
        Op made = *op;
        if (l->at) l->at->ops.len--;
        for (size_t k = 0; k < inner->free.len; k++)
            if (!args[k]) args[k] = variable(l, inner->free.at[k]);
        if (l->at) BASE_PUSH(&l->at->ops, made);
    }
    for (int i = 0; i < count; i++) {
        Proc *inner = var_info(vars[i])->proc;
        if (!proc_has_closure(inner)) continue;
        for (size_t k = 0; k < inner->free.len; k++)
            for (int j = i; j < count; j++)
                if (vars[j] == inner->free.at[k]) {
                    Op *op = add(l, DO_PATCH_PROC, l->site, NULL, 2);
                    op->args[0] = var_info(vars[i])->reg;
                    op->args[1] = var_info(vars[j])->reg;
                    op->index = (int64_t)k;
                }
    }
}

/* ---- loops ---- */

static void lower_loop(Lower *l, Node *n, Dest d) {
    int count = n->as.loop.count;
    Loop loop = {
        .outer = l->loops, .label = n->as.loop.label, .vars = n->as.loop.vars, .count = count};
    loop.regs = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, (size_t)count + 1);
    Reg **inits = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, (size_t)count + 1);
    for (int i = 0; i < count; i++) inits[i] = operand(l, n->as.loop.inits[i]);
    for (int i = 0; i < count; i++) {
        loop.regs[i] = reg_for(l, loop.vars[i]);
        add1(l, boxed(loop.vars[i]) ? DO_MAKE_BOX : DO_MOVE_REG, l->site, loop.regs[i], inits[i]);
        var_info(loop.vars[i])->reg = loop.regs[i];
    }
    loop.head = block_new(l);
    jump(l, loop.head);
    l->at = loop.head;
    if (n->as.loop.body->site) l->site = n->as.loop.body->site;
    l->loops = &loop;
    Dest inner = d;
    if (d.kind != TO_RETURN && !d.after) inner.after = block_new(l);
    lower(l, n->as.loop.body, inner);
    l->loops = loop.outer;
    if (inner.after && !d.after) l->at = inner.after;
}

static void lower_next(Lower *l, Node *n) {
    Loop *loop = l->loops;
    while (loop->label != n->as.next.label) loop = loop->outer;
    int count = loop->count;
    Reg **values = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, (size_t)count + 1);
    for (int i = 0; i < count; i++) values[i] = operand(l, n->as.next.args[i]);
    /* A parallel assignment: what is a variable of the loop itself, and is not to stay, goes by way
     * of a copy. */
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (values[i] == loop->regs[j] && i != j && !boxed(loop->vars[j])) {
                Reg *copy = reg_for(l, loop->vars[i]);
                add1(l, DO_MOVE_REG, l->site, copy, values[i]);
                values[i] = copy;
                break;
            }
    for (int i = 0; i < count; i++) {
        if (boxed(loop->vars[i]))
            add1(l, DO_MAKE_BOX, l->site, loop->regs[i], values[i]);
        else if (values[i] != loop->regs[i])
            add1(l, DO_MOVE_REG, l->site, loop->regs[i], values[i]);
    }
    const Site *site = site_of(l, n);
    if (!l->at) return;
    Block *behind = block_new(l);
    End *e = end(l, END_JUMP, site);
    e->to = loop->head;
    e->poll = behind;
    l->at = behind;
    jump(l, loop->head);
}

/* ---- tests ---- */

static void branch(Lower *l, const Prim *prim, const Site *site, int count, Reg **args, Block *yes,
                   Block *no) {
    End *e = end(l, END_IF, site);
    e->prim = prim;
    e->args = args;
    e->count = count;
    e->yes = yes;
    e->no = no;
}

static bool is_call_prim(const Prim *p) { return (p->flags & PRIM_BLOCKS) != 0; }

static void lower_test(Lower *l, Node *n, Block *yes, Block *no) {
    UnitCode *u = l->p->unit;
    if (n->kind == N_CONST) {
        jump(l, is_true(n->as.constant) ? yes : no);
    } else if (n->kind == N_PRIM && strcmp(n->as.prim.prim->name, "not") == 0 &&
               n->as.prim.count == 1) {
        lower_test(l, n->as.prim.args[0], no, yes);
    } else if (n->kind == N_IF) {
        Block *then = block_new(l), *otherwise = block_new(l);
        lower_test(l, n->as.branch.test, then, otherwise);
        l->at = then;
        lower_test(l, n->as.branch.then, yes, no);
        l->at = otherwise;
        lower_test(l, n->as.branch.otherwise, yes, no);
    } else if (n->kind == N_PRIM && !is_call_prim(n->as.prim.prim)) {
        int count = n->as.prim.count;
        Reg **args = BASE_NEW_ARRAY(u->arena, Reg *, (size_t)count + 1);
        for (int i = 0; i < count; i++) args[i] = operand(l, n->as.prim.args[i]);
        branch(l, n->as.prim.prim, site_of(l, n), count, args, yes, no);
    } else {
        Reg **args = BASE_NEW(u->arena, Reg *);
        args[0] = operand(l, n);
        branch(l, NULL, site_of(l, n), 1, args, yes, no);
    }
}

static void lower_if(Lower *l, Node *n, Dest d) {
    Block *yes = block_new(l), *no = block_new(l);
    lower_test(l, n->as.branch.test, yes, no);
    Dest inner = d;
    if (d.kind != TO_RETURN && !d.after) inner.after = block_new(l);
    l->at = yes;
    lower(l, n->as.branch.then, inner);
    l->at = no;
    lower(l, n->as.branch.otherwise, inner);
    if (inner.after && !d.after) l->at = inner.after;
}

/* ---- calls ---- */

/* See never_returns in codegen/gen.c. */
static bool never_returns(const Node *callee) {
    if (callee->kind != N_GLOBAL || strcmp(callee->as.global->library, "(hone base)") != 0)
        return false;
    const char *name = callee->as.global->name;
    return !strcmp(name, "error") || !strcmp(name, "raise");
}

/* COUNT arguments as a procedure with these parameters takes them; EXTRA words more are left room
 * for. */
static Reg **arrange(Lower *l, Reg **given, int count, int required, bool rest, int extra,
                     int *total) {
    UnitCode *u = l->p->unit;
    *total = required + rest + extra;
    Reg **args = BASE_NEW_ARRAY(u->arena, Reg *, (size_t)*total + 1);
    memcpy(args, given, (size_t)required * sizeof *args);
    if (!rest) return args;
    Reg *list = constant(l, V_NIL);
    const Prim *cons = rt_prim_find("cons");
    for (int i = count; i-- > required;) {
        Reg *longer = native_reg(l->p, "rest");
        Op *op = add(l, DO_CALL_PRIM, l->site, longer, 2);
        op->prim = cons;
        op->args[0] = given[i];
        op->args[1] = list;
        list = longer;
    }
    args[required] = list;
    return args;
}

typedef struct Callee {
    CalleeKind kind;
    Reg *value;
    Global *global;
    const char *target;
    Proc *proc; /* KNOWN, in this unit */
    int required;
    bool rest;
} Callee;

static bool takes(const Callee *c, int count) {
    return count == c->required || (c->rest && count > c->required);
}

static Callee callee_of(Lower *l, Node *n, int count) {
    Callee c = {.kind = CALL_VALUE};
    if (n->kind == N_GLOBAL) {
        c.kind = CALL_GLOBAL;
        c.global = n->as.global;
        uint64_t *place = base_map_find(&l->p->unit->build->known, (uint64_t)c.global);
        if (!place) return c;
        const KnownGlobal *k = (const KnownGlobal *)*place;
        Callee known = {CALL_KNOWN,  NULL,   k->early ? NULL : c.global, k->target, k->proc,
                        k->required, k->rest};
        return takes(&known, count) ? known : c;
    }
    if (n->kind == N_LOCAL && var_info(n->as.local)->proc) {
        Proc *p = var_info(n->as.local)->proc;
        Callee known = {CALL_KNOWN,     NULL, NULL,
                        p->name,        p,    p->clause->nparams - p->clause->rest,
                        p->clause->rest};
        if (takes(&known, count)) {
            if (proc_has_closure(p)) known.value = variable(l, n->as.local);
            return known;
        }
    }
    c.value = operand(l, n);
    return c;
}

/* Ends the block by the call. The result's register; NULL for a tail call. */
static Reg *finish_call(Lower *l, const Callee *c, const Prim *prim, Reg **args, int count,
                        const Site *site, bool tail) {
    End *e = end(l, END_CALL, site);
    e->callee = c->kind;
    e->value = c->value;
    e->global = c->global;
    e->target = c->target;
    e->foreign = !c->proc;
    e->prim = prim;
    e->args = args;
    e->count = count;
    if (tail) return NULL;
    Block *after = block_new(l);
    after->result = native_reg(l->p, "value");
    e->to = after;
    l->at = after;
    return after->result;
}

static Reg *lower_call(Lower *l, Node *n, bool tail) {
    UnitCode *u = l->p->unit;
    int count = n->as.call.count;
    Callee c = callee_of(l, n->as.call.callee, count);
    Reg **given = BASE_NEW_ARRAY(u->arena, Reg *, (size_t)count + 1), **args = given;
    for (int i = 0; i < count; i++) given[i] = operand(l, n->as.call.args[i]);
    const Site *site = site_of(l, n);
    int total = count;
    if (c.kind == CALL_KNOWN) {
        int extra = c.proc && c.proc->lifted ? (int)c.proc->free.len : c.value ? 1 : 0;
        args = arrange(l, given, count, c.required, c.rest, extra, &total);
        if (c.value) args[total - 1] = c.value;
        if (c.proc && c.proc->lifted)
            for (int i = 0; i < extra; i++)
                args[total - extra + i] = variable(l, c.proc->free.at[i]);
        if (c.global) native_global(u, c.global);
    } else if (c.kind == CALL_GLOBAL) {
        native_global(u, c.global);
    }
    return finish_call(l, &c, NULL, args, total, site, tail && !never_returns(n->as.call.callee));
}

/* ---- primitives ---- */

static bool is_prim(const Node *n, const char *name) {
    return strcmp(n->as.prim.prim->name, name) == 0;
}

/* (%record-ref x rtd index name) and (%record-set! x rtd index value name) with a constant index.
 */
static Reg *lower_field(Lower *l, Node *n) {
    bool get = is_prim(n, "%record-ref"), set = is_prim(n, "%record-set!");
    Node **args = n->as.prim.args;
    if (!(get || set) || n->as.prim.count < 3 + set) return NULL;
    if (args[2]->kind != N_CONST || !is_fixnum(args[2]->as.constant)) return NULL;
    Reg *x = operand(l, args[0]), *rtd = operand(l, args[1]);
    Reg *value = set ? operand(l, args[3]) : NULL;
    Reg *to = get ? native_reg(l->p, "field") : NULL;
    Op *op = add(l, get ? DO_READ_FIELD : DO_SET_FIELD, site_of(l, n), to, 2 + set);
    op->args[0] = x;
    op->args[1] = rtd;
    if (set) op->args[2] = value;
    op->index = fixnum(args[2]->as.constant);
    return get ? to : constant(l, V_UNSPEC);
}

static Reg *lower_prim(Lower *l, Node *n) {
    Reg *field = lower_field(l, n);
    if (field) return field;
    int count = n->as.prim.count;
    Reg **args = BASE_NEW_ARRAY(l->p->unit->arena, Reg *, (size_t)count + 1);
    for (int i = 0; i < count; i++) args[i] = operand(l, n->as.prim.args[i]);
    const Site *site = site_of(l, n);
    if (is_call_prim(n->as.prim.prim)) {
        Callee c = {.kind = CALL_PRIMITIVE};
        c.global = native_primitive(l->p->unit, n->as.prim.prim);
        return finish_call(l, &c, n->as.prim.prim, args, count, site, false);
    }
    Reg *to = native_reg(l->p, "v");
    Op *op = add(l, DO_CALL_PRIM, site, to, count);
    memcpy(op->args, args, (size_t)count * sizeof *args);
    op->prim = n->as.prim.prim;
    return to;
}

/* ---- everything ---- */

static Reg *global_value(Lower *l, Node *n) {
    Reg *to = native_reg(l->p, native_mangle(l->p->unit->arena, n->as.global->name));
    native_global(l->p->unit, n->as.global);
    Op *op = add(l, DO_READ_GLOBAL, site_of(l, n), to, 0);
    op->global = n->as.global;
    return to;
}

static Reg *assign(Lower *l, Node *n) {
    if (n->kind == N_SET_LOCAL) {
        Reg *value = operand(l, n->as.set_local.value);
        Reg *cell = variable(l, n->as.set_local.var);
        Op *op = add(l, DO_SET_BOX, site_of(l, n), NULL, 2);
        op->args[0] = cell;
        op->args[1] = value;
    } else {
        Reg *value = operand(l, n->as.set_global.value);
        native_global(l->p->unit, n->as.set_global.global);
        add1(l, n->as.set_global.define ? DO_DEFINE : DO_SET, site_of(l, n), NULL, value)->global =
            n->as.set_global.global;
    }
    return constant(l, V_UNSPEC);
}

/* N's value where it is not control that joins again: those go through lower. */
static Reg *operand(Lower *l, Node *n) {
    switch (n->kind) {
    case N_CONST: return constant(l, n->as.constant);
    case N_LOCAL: return local(l, n);
    case N_GLOBAL: return global_value(l, n);
    case N_LAMBDA: return lambda_value(l, n);
    case N_SET_LOCAL:
    case N_SET_GLOBAL: return assign(l, n);
    case N_PRIM: return lower_prim(l, n);
    case N_CALL: return lower_call(l, n, false);
    case N_LET: lower_let(l, n); return operand(l, n->as.let.body);
    case N_LETREC: lower_letrec(l, n); return operand(l, n->as.let.body);
    case N_SEQ:
        for (int i = 0; i + 1 < n->as.seq.count; i++) effect(l, n->as.seq.items[i]);
        return operand(l, n->as.seq.items[n->as.seq.count - 1]);
    default: {
        Reg *r = native_reg(l->p, "v");
        lower(l, n, (Dest){TO_REG, r, NULL});
        return r;
    }
    }
}

static void lower(Lower *l, Node *n, Dest d) {
    switch (n->kind) {
    case N_IF: lower_if(l, n, d); return;
    case N_LOOP: lower_loop(l, n, d); return;
    case N_NEXT: lower_next(l, n); return;
    case N_LET:
        lower_let(l, n);
        lower(l, n->as.let.body, d);
        return;
    case N_LETREC:
        lower_letrec(l, n);
        lower(l, n->as.let.body, d);
        return;
    case N_SEQ:
        for (int i = 0; i + 1 < n->as.seq.count; i++) effect(l, n->as.seq.items[i]);
        lower(l, n->as.seq.items[n->as.seq.count - 1], d);
        return;
    case N_CALL: {
        Reg *value = lower_call(l, n, d.kind == TO_RETURN);
        if (value) deliver(l, d, value);
        return;
    }
    case N_CONST:
    case N_LAMBDA:
        if (d.kind == TO_NOWHERE) {
            if (d.after) jump(l, d.after);
            return;
        }
        break;
    default: break;
    }
    deliver(l, d, operand(l, n));
}

void native_lower(Proc *p) {
    Lower l = {.p = p, .site = p->site};
    l.at = p->entry = block_new(&l);
    const Clause *c = p->clause;
    for (int i = 0; i < c->nparams; i++) BASE_PUSH(&p->args, reg_for(&l, c->params[i]));
    if (p->lifted)
        for (size_t i = 0; i < p->free.len; i++) BASE_PUSH(&p->args, reg_for(&l, p->free.at[i]));
    if (proc_has_closure(p)) {
        l.closure = native_reg(p, "closure");
        BASE_PUSH(&p->args, l.closure);
    }
    for (int i = 0; i < c->nparams; i++) bind(&l, c->params[i], p->args.at[i]);
    lower(&l, c->body, (Dest){TO_RETURN, NULL, NULL});
}
