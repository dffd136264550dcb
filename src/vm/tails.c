/* tails.c: which procedures left by tail calls.
 *
 * A tail call takes the frame over, and nothing on the stack tells who had it before. While they
 * are watched, each thread keeps a ring of its recent tail calls: frame, procedure, instruction. A
 * reader that walks the stack shows for each frame those of the ring that are of it.
 *
 * That they are of it is proved thus. The entries' frames never go down from an older entry to a
 * newer one: before a frame's tail call is noted, entries of frames above it are dropped, since
 * those frames are gone; before a call makes a new frame, entries of that place and above are
 * dropped too. So all entries of a place are of the frame that lies there now, or of one that is
 * gone and whose place is above the top of the stack. Where frames move (the stack grows to another
 * region, a continuation is captured or entered, another fiber runs) t->stack_turns differs, and
 * all is forgotten.
 *
 * What is old is overwritten: a procedure that stays in its frame by a thousand tail calls shows
 * the last ones. A procedure that follows itself is one entry. */
#include "vm/tails.h"

#include <stdlib.h>

enum { RING = 64 /* a power of 2 */ };

typedef struct TailCall {
    const Word *base;
    Code *code;
    const Insn *pc;
} TailCall;

typedef struct TailRing {
    uint32_t next, count; /* the newest is next - 1 */
    uint32_t turns;       /* of the stack that the entries are of */
    TailCall at[RING];
} TailRing;

static TailCall *entry(TailRing *ring, uint32_t back) {
    return &ring->at[(ring->next - 1 - back) % RING];
}

static TailRing *ring_of(Thread *t) {
    if (unlikely(!t->tails)) t->tails = base_calloc(1, sizeof *t->tails);
    TailRing *ring = t->tails;
    if (unlikely(ring->turns != t->stack_turns)) ring->count = 0;
    ring->turns = t->stack_turns;
    return ring;
}

/* Drops entries of frames from BASE on. */
static void drop(TailRing *ring, const Word *base) {
    while (ring->count && entry(ring, 0)->base >= base) {
        ring->next--;
        ring->count--;
    }
}

void vm_tails_drop(Thread *t, const Word *base) {
    if (unlikely(t->tails != NULL)) drop(ring_of(t), base);
}

void vm_tails_call(Thread *t, const Insn *pc, const Word *r) {
    (void)pc;
    drop(ring_of(t), r + 1);
}

void vm_tails_note(Thread *t, const Insn *pc, const Word *r) {
    TailRing *ring = ring_of(t);
    Code *code = proc_code(r[0]);
    drop(ring, r + 1);
    TailCall *last = entry(ring, 0);
    if (ring->count && last->base == r && last->code == code) {
        last->pc = pc;
        return;
    }
    ring->at[ring->next++ % RING] = (TailCall){r, code, pc};
    if (ring->count < RING) ring->count++;
}

typedef struct Walk {
    const Thread *t;
    TailRing *ring;   /* NULL: none of these frames */
    const Word *base; /* of the frame last met */
    bool (*f)(const FrameDesc *d, bool tail, void *context);
    void *context;
} Walk;

/* The tail calls of the frame at w->base, which now runs RUNNING. */
static bool show_tails(const Walk *w, const Code *running) {
    const Code *shown[VM_TAILS_SHOWN + 1] = {running};
    int n = 0;
    for (uint32_t back = 0; back < w->ring->count && n < VM_TAILS_SHOWN; back++) {
        const TailCall *e = entry(w->ring, back);
        if (e->base < w->base) break;
        bool pass = e->base > w->base;
        for (int i = 0; i <= n && !pass; i++) pass = shown[i] == e->code;
        if (pass) continue;
        shown[++n] = e->code;
        if (!w->f(vm_desc_at(e->code, e->pc), true, w->context)) return false;
    }
    return true;
}

/* The entries are of the slice that T runs on: below it frames lie elsewhere. */
static bool show_frame(const FrameDesc *d, void *context) {
    Walk *w = context;
    if (!w->f(d, false, w->context)) return false;
    if (!w->ring) return true;
    w->base -= d->size;
    if (w->base > w->t->base) return show_tails(w, d->code);
    w->ring = NULL;
    return true;
}

void vm_walk(Thread *t, const Word *sp, bool (*f)(const FrameDesc *d, bool tail, void *context),
             void *context) {
    TailRing *ring = t->tails && t->tails->turns == t->stack_turns ? t->tails : NULL;
    Walk w = {.t = t, .ring = ring, .base = sp, .f = f, .context = context};
    rt_walk(t, sp, show_frame, &w);
}

void vm_tails_end(Thread *t) {
    free(t->tails);
    t->tails = NULL;
}
