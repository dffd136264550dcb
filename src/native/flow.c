/* flow.c: a procedure's blocks cut into C functions; what is live where; frame slots.
 *
 * A function begins at each root: the entry, each return point, each place behind a safe point, and
 * each block that two functions get to, unless it is so small that both may have it. Between
 * functions values travel in registers; across a call or a safe point they lie in the frame, each
 * in a slot of its own that no register shares which is saved at the same time. A slot is clean
 * where it holds its register's value for certain: then it need not be stored again, and the
 * functions that follow load from it what they need. What the argument registers cannot take
 * between two functions is saved before the jump, so it is clean too. */
#include "native/internal.h"

static uint32_t set_words(const Proc *p) { return (p->bits + 63) / 64 + 1; }
static Set set_new(Proc *p) { return BASE_NEW_ARRAY(p->unit->arena, uint64_t, set_words(p)); }

void native_each_next(Block *b, void (*f)(void *context, Block *b, Block *next, int kind),
                      void *context) {
    End *e = &b->end;
    switch (e->kind) {
    case END_JUMP:
        f(context, b, e->to, 0);
        if (e->poll) f(context, b, e->poll, 2);
        break;
    case END_IF:
        f(context, b, e->yes, 0);
        f(context, b, e->no, 0);
        break;
    case END_CALL:
        if (e->to) f(context, b, e->to, 1);
        break;
    default: break;
    }
}

/* ---- reachable blocks, in an order in which most come before what follows them ---- */

typedef BASE_VEC(Block *) Order;

static void reach(void *context, Block *b, Block *next, int kind) {
    (void)b;
    if (kind) next->root = next->returned_to = true;
    if (next->owner) return;
    next->owner = next;
    BASE_PUSH((Order *)context, next);
}

static void keep_reachable(Proc *p) {
    Order order = {0};
    reach(&order, NULL, p->entry, 0);
    p->entry->root = true;
    for (size_t i = 0; i < order.len; i++) native_each_next(order.at[i], reach, &order);
    BASE_VEC_FREE(&p->blocks);
    p->blocks.at = order.at;
    p->blocks.len = order.len;
    p->blocks.cap = order.cap;
    for (size_t i = 0; i < order.len; i++)
        order.at[i]->owner = order.at[i]->root ? order.at[i] : NULL;
}

/* ---- registers that more than one block knows ---- */

static void note(Proc *p, Block *b, Reg *r) {
    if (!r || r->kind != REG_LOCAL) return;
    if (!r->home)
        r->home = b;
    else if (r->home != b && r->bit < 0)
        r->bit = (int)p->bits++;
}

static void note_all(Proc *p, Block *b, Reg **regs, int count) {
    for (int i = 0; i < count; i++) note(p, b, regs[i]);
}

static void number_registers(Proc *p) {
    for (size_t i = 0; i < p->args.len; i++) note(p, p->entry, p->args.at[i]);
    for (size_t i = 0; i < p->blocks.len; i++) {
        Block *b = p->blocks.at[i];
        note(p, b, b->result);
        for (size_t k = 0; k < b->ops.len; k++) {
            note_all(p, b, b->ops.at[k].args, b->ops.at[k].count);
            note(p, b, b->ops.at[k].to);
        }
        note_all(p, b, b->end.args, b->end.count);
        note(p, b, b->end.value);
    }
}

/* ---- liveness ---- */

static void use(Set live, Reg **regs, int count) {
    for (int i = 0; i < count; i++)
        if (reg_is_wide(regs[i])) set_add(live, regs[i]->bit);
}

typedef struct Flow {
    Proc *p;
    Set scratch;
    bool changed, made;
} Flow;

static void join_live(void *context, Block *b, Block *next, int kind) {
    (void)b, (void)kind;
    Flow *f = context;
    for (uint32_t w = 0; w < set_words(f->p); w++) f->scratch[w] |= next->live[w];
}

static void live_in(Flow *f, Block *b) {
    Set s = f->scratch;
    memset(s, 0, set_words(f->p) * sizeof *s);
    native_each_next(b, join_live, f);
    use(s, b->end.args, b->end.count);
    use(s, &b->end.value, 1);
    for (size_t i = b->ops.len; i-- > 0;) {
        Op *op = &b->ops.at[i];
        if (reg_is_wide(op->to)) set_drop(s, op->to->bit);
        use(s, op->args, op->count);
    }
    if (reg_is_wide(b->result)) set_drop(s, b->result->bit);
    if (memcmp(s, b->live, set_words(f->p) * sizeof *s) == 0) return;
    memcpy(b->live, s, set_words(f->p) * sizeof *s);
    f->changed = true;
}

static void find_live(Proc *p) {
    Flow f = {.p = p, .scratch = set_new(p)};
    for (size_t i = 0; i < p->blocks.len; i++) p->blocks.at[i]->live = set_new(p);
    do {
        f.changed = false;
        for (size_t i = p->blocks.len; i-- > 0;) live_in(&f, p->blocks.at[i]);
    } while (f.changed);
}

/* ---- functions ---- */

static bool is_small(const Block *b) {
    return b->ops.len == 0 &&
           (b->end.kind == END_RETURN || (b->end.kind == END_CALL && !b->end.to));
}

static void own(void *context, Block *b, Block *next, int kind) {
    Flow *f = context;
    if (kind || next->root || next->shared || next->owner == b->owner) return;
    f->changed = true;
    if (!next->owner) {
        next->owner = b->owner;
    } else if (is_small(next)) {
        next->shared = true;
    } else {
        next->root = f->made = true;
        next->owner = next;
    }
}

/* Blocks get the owner of what leads to them; one that two lead to becomes a root itself. What lies
 * behind it has been given an owner that may be wrong then, so all begins anew until no root is
 * made. */
static void find_owners(Proc *p) {
    Flow f = {.p = p};
    do {
        f.made = false;
        for (size_t i = 0; i < p->blocks.len; i++)
            if (!p->blocks.at[i]->root && !p->blocks.at[i]->shared) p->blocks.at[i]->owner = NULL;
        do {
            f.changed = false;
            for (size_t i = 0; i < p->blocks.len; i++)
                if (p->blocks.at[i]->owner && !p->blocks.at[i]->shared)
                    native_each_next(p->blocks.at[i], own, &f);
        } while (f.changed);
    } while (f.made);
}

/* ---- slots ---- */

/* Where registers lie in the frame together. */
typedef struct Point {
    Set regs;
    BASE_VEC(uint64_t) taken; /* slots */
} Point;
typedef BASE_VEC(Point) Points;

static bool is_taken(const Point *point, int slot) {
    return (size_t)slot / 64 < point->taken.len && point->taken.at[slot / 64] >> (slot % 64) & 1;
}

static void take(Point *point, int slot) {
    while (point->taken.len <= (size_t)slot / 64) BASE_PUSH(&point->taken, 0);
    point->taken.at[slot / 64] |= (uint64_t)1 << (slot % 64);
}

static void give_slots(Proc *p, Points *points) {
    for (size_t i = 0; i < p->regs.len; i++) {
        Reg *r = p->regs.at[i];
        if (!reg_is_wide(r) || r->slot >= 0) continue;
        int slot = 0;
        bool wanted = false, again = true;
        while (again) {
            again = false;
            for (size_t k = 0; k < points->len; k++) {
                if (!set_has(points->at[k].regs, r->bit)) continue;
                wanted = true;
                if (is_taken(&points->at[k], slot)) {
                    slot++;
                    again = true;
                }
            }
        }
        if (!wanted) continue;
        r->slot = slot;
        for (size_t k = 0; k < points->len; k++)
            if (set_has(points->at[k].regs, r->bit)) take(&points->at[k], slot);
    }
}

typedef struct PointsOf {
    Points *points;
} PointsOf;
static void add_point(void *context, Block *b, Block *next, int kind) {
    (void)b;
    if (kind) BASE_PUSH(((PointsOf *)context)->points, (Point){.regs = next->live});
}

/* ---- clean slots ---- */

/* What is clean where control goes from B to NEXT. */
static void join_clean(void *context, Block *b, Block *next, int kind) {
    Flow *f = context;
    uint32_t words = set_words(f->p);
    for (uint32_t w = 0; w < words; w++) {
        uint64_t out = kind ? next->live[w] : f->scratch[w];
        if (!kind && next->forced) out |= next->forced[w];
        uint64_t now = next->clean[w] & out;
        if (now != next->clean[w]) f->changed = true;
        next->clean[w] = now;
    }
    (void)b;
}

static void clean_out(Flow *f, Block *b) {
    Set s = f->scratch;
    memcpy(s, b->clean, set_words(f->p) * sizeof *s);
    if (reg_is_wide(b->result)) set_drop(s, b->result->bit);
    for (size_t i = 0; i < b->ops.len; i++)
        if (reg_is_wide(b->ops.at[i].to)) set_drop(s, b->ops.at[i].to->bit);
    native_each_next(b, join_clean, f);
}

static void find_clean(Proc *p) {
    Flow f = {.p = p, .scratch = set_new(p)};
    Set slotted = set_new(p);
    for (size_t i = 0; i < p->regs.len; i++)
        if (reg_is_wide(p->regs.at[i]) && p->regs.at[i]->slot >= 0)
            set_add(slotted, p->regs.at[i]->bit);
    for (size_t i = 0; i < p->blocks.len; i++) {
        Block *b = p->blocks.at[i];
        if (!b->clean) b->clean = set_new(p);
        for (uint32_t w = 0; w < set_words(p); w++)
            b->clean[w] = b == p->entry ? 0 : slotted[w] & b->live[w];
    }
    do {
        f.changed = false;
        for (size_t i = 0; i < p->blocks.len; i++) clean_out(&f, p->blocks.at[i]);
    } while (f.changed);
}

/* Roots with more values than argument registers: what is too much must be clean. */
static bool force(Proc *p, Points *points) {
    bool any = false;
    for (size_t i = 0; i < p->blocks.len; i++) {
        Block *b = p->blocks.at[i];
        if (!b->root || b->returned_to || b == p->entry) continue;
        int count = 0;
        for (size_t k = 0; k < p->regs.len; k++) {
            Reg *r = p->regs.at[k];
            if (!reg_is_wide(r) || !set_has(b->live, r->bit) || set_has(b->clean, r->bit)) continue;
            if (++count <= REGISTER_WORDS) continue;
            if (!b->forced) {
                b->forced = set_new(p);
                BASE_PUSH(points, (Point){.regs = b->live});
                Point *point = &points->at[points->len - 1];
                for (size_t j = 0; j < p->regs.len; j++)
                    if (reg_is_wide(p->regs.at[j]) && set_has(b->live, p->regs.at[j]->bit) &&
                        p->regs.at[j]->slot >= 0)
                        take(point, p->regs.at[j]->slot);
            }
            set_add(b->forced, r->bit);
            any = true;
        }
    }
    return any;
}

uint32_t native_frame_words(Proc *p, Set saved) {
    int last = -1;
    for (size_t i = 0; i < p->regs.len; i++) {
        const Reg *r = p->regs.at[i];
        if (reg_is_wide(r) && r->slot > last && set_has(saved, r->bit)) last = r->slot;
    }
    return (uint32_t)last + 2;
}

/* ---- the room that it needs ---- */

static void measure(void *context, Block *b, Block *next, int kind) {
    Proc *p = context;
    if (!kind) return;
    next->frame = native_frame_words(p, next->live);
    uint32_t above = kind == 1 ? (uint32_t)b->end.count + 1 : 0;
    p->room = BASE_MAX(p->room, next->frame + above);
}

void native_flow(Proc *p) {
    keep_reachable(p);
    number_registers(p);
    find_live(p);
    find_owners(p);
    Points points = {0};
    PointsOf of = {&points};
    for (size_t i = 0; i < p->blocks.len; i++) native_each_next(p->blocks.at[i], add_point, &of);
    give_slots(p, &points);
    find_clean(p);
    if (force(p, &points)) {
        give_slots(p, &points);
        find_clean(p);
    }
    for (size_t i = 0; i < points.len; i++) BASE_VEC_FREE(&points.at[i].taken);
    BASE_VEC_FREE(&points);
    enum { RAISE_WORDS = 4 }; /* a descriptor and a call of the raise hook */
    p->room = (uint32_t)p->args.len + 2;
    for (size_t k = 0; k < p->regs.len; k++)
        p->room = BASE_MAX(p->room, (uint32_t)(p->regs.at[k]->slot + 2));
    for (size_t i = 0; i < p->blocks.len; i++) {
        Block *b = p->blocks.at[i];
        native_each_next(b, measure, p);
        if (b->end.kind == END_CALL) p->room = BASE_MAX(p->room, (uint32_t)b->end.count + 1);
    }
    p->room += RAISE_WORDS;
}
