/* stack.c: one stack of our own, in regions.
 *
 * A thread runs on a slice of a region, from t->base up; base[0] is an underflow descriptor (or
 * halt at the very bottom) and t->cont is the chain of CONT objects below. Three events move the
 * boundary:
 *
 *   grow      the slice is full: all of it becomes an unshared CONT and a fresh region is entered.
 * When control comes back, the CONT's frames are simply the current slice again: nothing is copied.
 *   capture   call/cc: the slice becomes a shared CONT and the slice goes on, empty, in the same
 * region just above. Constant time; the chain below is marked shared up to the first that is.
 *   underflow control returns into the chain. A shared CONT keeps its frames: the topmost few are
 * copied up and a CONT for the remainder takes its place in the chain, so a return costs a bounded
 * copy.
 *
 * CONT frames never change, so an old CONT holds no young values and the collector scans only the
 * current slice and the CONTs of the generations it collects, however deep the recursion is.
 * Regions are freed after a collection that saw neither a thread nor a CONT on them. */
#include "rt/rt.h"

#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"

const FrameDesc rt_frame_underflow = {
    .kind = FRAME_UNDERFLOW, .size = 1, .resume = rt_native_return};
const FrameDesc rt_frame_halt = {.kind = FRAME_HALT, .size = 1, .resume = rt_native_return};
const FrameDesc rt_frame_fiber = {.kind = FRAME_FIBER, .size = 1, .resume = rt_native_return};

NativeFn rt_on_native_return;
NATIVE_CALL Value rt_native_return(NATIVE_PARAMETERS) {
    NATIVE_TAIL rt_on_native_return(a0, r, t, a1, a2, a3, a4, a5, a6, a7);
}

enum { SPARE_REGIONS = 64 }; /* of each class, kept by a thread over a collection */
enum { MARGIN_REGIONS = 64 };
enum { COPY_WORDS = 256 }; /* how much of a shared CONT an underflow copies, at least one frame */

enum { REGULAR = STACK_CLASSES - 1 }; /* the class of STACK_REGION_WORDS, and of all larger ones */

static os_mutex regions_lock = OS_MUTEX_INIT;
/* All of them. One is in the list of the oldest generation that a CONT on it had when a collection
 * last looked, so that a minor collection need not pass by what a hundred thousand parked fibers
 * stand on. */
static StackRegion *regions[GC_GENERATIONS];
static size_t regions_bytes;  /* their sizes; atomic, written under the lock */
static size_t regions_wanted; /* when regions_bytes passes this, a collection may free some */

static size_t class_words(unsigned class) {
    size_t words = STACK_FIBER_WORDS;
    for (unsigned i = 0; i < class; i++) words *= STACK_CLASS_FACTOR;
    return class == REGULAR ? STACK_REGION_WORDS : BASE_MIN(words, STACK_REGION_WORDS);
}

static size_t region_bytes(const StackRegion *r) {
    return (size_t)((const char *)r->end - (const char *)r) + STACK_SLACK_WORDS * sizeof(Word);
}

static void link_region(StackRegion *r, int list) {
    r->list = list;
    r->previous = NULL;
    r->next = regions[list];
    if (r->next) r->next->previous = r;
    regions[list] = r;
}

static void unlink_region(StackRegion *r) {
    *(r->previous ? &r->previous->next : &regions[r->list]) = r->next;
    if (r->next) r->next->previous = r->previous;
}

static StackRegion *region_new(size_t words, unsigned class) {
    StackRegion *r = base_alloc(sizeof *r + (words + STACK_SLACK_WORDS) * sizeof(Word));
    *r = (StackRegion){.end = r->words + words, .class = class};
    os_mutex_lock(&regions_lock);
    link_region(r, 0);
    size_t bytes = regions_bytes + region_bytes(r);
    __atomic_store_n(&regions_bytes, bytes, __ATOMIC_RELAXED);
    bool wanted = bytes > regions_wanted;
    if (wanted) regions_wanted = 2 * bytes;
    os_mutex_unlock(&regions_lock);
    if (wanted && rt_current()) rt_request(rt_current(), REQUEST_GC);
    return r;
}

static void set_limit(Thread *t, Word *limit) {
    Word *old = t->real_limit;
    t->real_limit = limit;
    /* A request that came meanwhile stored a limit of its own; it stays. */
    __atomic_compare_exchange_n(&t->limit, &old, limit, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void enter_region(Thread *t, StackRegion *r, Word *base) {
    t->region = r;
    t->base = base;
    t->stack_turns++;
    set_limit(t, r->end);
}

/* Of CLASS, or of the first after it that holds NEED words. */
static StackRegion *take_region(Thread *t, size_t need, unsigned class) {
    while (class < REGULAR && class_words(class) < need) class ++;
    StackRegion *r = t->spare[class];
    if (r && (size_t)(r->end - r->words) >= need) {
        t->spare[class] = r->next_spare;
        return r;
    }
    return region_new(BASE_MAX(need, class_words(class)), class);
}

/* Nothing stands on R any more, unless a continuation does. */
static void give_region(Thread *t, StackRegion *r) {
    if (r->conts) return;
    r->next_spare = t->spare[r->class];
    t->spare[r->class] = r;
}

void rt_stack_init(Thread *t) {
    StackRegion *r = region_new(STACK_REGION_WORDS, REGULAR);
    t->cont = V_FALSE;
    t->region = r;
    t->base = r->words;
    t->base[0] = (Word)&rt_frame_halt;
    t->real_limit = r->end;
    __atomic_store_n(&t->limit, r->end, __ATOMIC_RELAXED);
}

/* The words BASE..TOP of the current region as a CONT on top of the chain. */
static Value push_cont(Thread *t, Word *base, Word *top, bool shared) {
    t->stack_turns++;
    Object *o = gc_object(&t->m, T_CONT, CONT_WORDS);
    *(ContSlots *)o->slot = (ContSlots){.next = t->cont,
                                        .region = (Word)t->region,
                                        .base = (Word)base,
                                        .top = (Word)top,
                                        .handlers = t->handlers,
                                        .params = t->params,
                                        .winders = t->winders,
                                        .strand = rt_strand(t),
                                        .shared = v_bool(shared)};
    t->cont = v_object(o);
    t->region->conts++;
    return t->cont;
}

static ContSlots *cont_slots(Value cont) { return (ContSlots *)object_slots(cont); }

Word *rt_stack_grow(Thread *t, Word *sp, size_t need) {
    if (gc_can_allocate(&t->m, __atomic_load_n(&regions_bytes, __ATOMIC_RELAXED) +
                                   (need + STACK_REGION_WORDS) * sizeof(Word)))
        t->stack_margin = 0;
    else if (t->stack_margin > 1)
        t->stack_margin--;
    else
        return NULL;
    push_cont(t, t->base, sp, false);
    StackRegion *r = take_region(t, need + 2, BASE_MIN(t->region->class + 1, REGULAR));
    enter_region(t, r, r->words);
    t->base[0] = (Word)&rt_frame_underflow;
    return t->base + 1;
}

void rt_stack_limit(Thread *t) {
    if (t->stack_margin) {
        fprintf(stderr, "hone: error: recursion too deep while an earlier such error is handled: "
                        "the heap limit is reached\n");
        exit(1);
    }
    t->stack_margin = MARGIN_REGIONS;
    mutator_fail(&t->m, ERR_STACK_LIMIT, NULL, 0, V_DEFAULT);
}

Value rt_stack_capture(Thread *t, Word **sp) {
    /* Whatever is below may now be entered again. */
    for (Value k = t->cont; is_true(k) && !is_true(cont_slots(k)->shared); k = cont_slots(k)->next)
        cont_slots(k)->shared = V_TRUE;
    if (*sp == t->base + 1 && t->base[0] == (Word)&rt_frame_underflow) {
        /* Nothing was pushed since the last capture: the CONT below is the continuation, if its
         * dynamic state is ours. */
        ContSlots *top = cont_slots(t->cont);
        if (top->handlers == t->handlers && top->params == t->params && top->winders == t->winders)
            return t->cont;
    }
    Value k = push_cont(t, t->base, *sp, true);
    t->base = *sp;
    t->base[0] = (Word)&rt_frame_underflow;
    *sp = t->base + 1;
    return k;
}

/* Where the topmost frames of BASE..TOP that are worth copying begin. */
static Word *copy_from(Word *base, Word *top) {
    Word *from = top;
    do {
        const FrameDesc *d = frame_desc(from);
        if (d->kind != FRAME_CODE) return base;
        from -= d->size;
    } while (top - from < COPY_WORDS && from > base + 1);
    return from <= base + 1 ? base : from;
}

static Word *copy_back(Thread *t, Value k) {
    t->stack_turns++;
    ContSlots *c = cont_slots(k);
    Word *base = (Word *)c->base, *top = (Word *)c->top, *from = copy_from(base, top);
    size_t words = (size_t)(top - from);
    Value rest = c->next;
    bool bottom = from == base; /* base[0] is the slice's own bottom descriptor */
    if (!bottom) {
        Object *o = gc_object(&t->m, T_CONT, CONT_WORDS);
        ContSlots *r = (ContSlots *)o->slot;
        *r = *c;
        r->top = (Word)from;
        rest = v_object(o);
    }
    const FrameDesc *d = frame_desc(top);
    size_t need = words + 2 + (d->room > d->size ? d->room - d->size : 0);
    if (t->base + need > t->region->end) {
        StackRegion *r = take_region(t, need, BASE_MIN(t->region->class + 1, REGULAR));
        enter_region(t, r, r->words);
    }
    t->cont = rest;
    t->base[0] = bottom ? base[0] : (Word)&rt_frame_underflow;
    memcpy(t->base + 1, bottom ? base + 1 : from, (words - bottom) * sizeof(Word));
    return t->base + 1 + words - bottom;
}

/* The frames of the unshared C are the current slice again. */
static Word *take_back(Thread *t, ContSlots *c) {
    t->cont = c->next;
    enter_region(t, (StackRegion *)c->region, (Word *)c->base);
    t->region->conts--;
    c->region = 0; /* spent */
    return (Word *)c->top;
}

Word *rt_stack_underflow(Thread *t) {
    for (;;) {
        Value k = t->cont;
        if (!is_true(k)) return NULL;
        ContSlots *c = cont_slots(k);
        Word *sp;
        if (is_true(c->shared)) {
            sp = copy_back(t, k);
        } else {
            StackRegion *old = t->region;
            sp = take_back(t, c);
            give_region(t, old);
        }
        if (sp > t->base + 1 || t->base[0] != (Word)&rt_frame_underflow) return sp;
    }
}

Word *rt_stack_reinstate(Thread *t, Value cont) {
    ContSlots *c = cont_slots(cont);
    t->handlers = c->handlers;
    t->params = c->params;
    t->winders = c->winders;
    t->cont = cont;
    return rt_stack_underflow(t);
}

/* ---- switching strands ---- */

Value rt_stack_leave(Thread *t, Word *sp) { return push_cont(t, t->base, sp, false); }

Word *rt_stack_enter(Thread *t, Value cont) {
    t->stack_turns++;
    ContSlots *c = cont_slots(cont);
    t->handlers = c->handlers;
    t->params = c->params;
    t->winders = c->winders;
    return take_back(t, c);
}

Word *rt_stack_begin(Thread *t) {
    t->stack_turns++;
    StackRegion *r = take_region(t, STACK_FIBER_WORDS, 0);
    t->cont = V_FALSE;
    enter_region(t, r, r->words);
    t->base[0] = (Word)&rt_frame_fiber;
    return t->base + 1;
}

void rt_stack_end(Thread *t) { give_region(t, t->region); }

/* ---- walking ---- */

static void walk(Value k, const Word *sp, bool (*f)(const FrameDesc *d, void *context),
                 void *context) {
    for (;;) {
        const FrameDesc *d = frame_desc(sp);
        if (d->kind == FRAME_HALT || d->kind == FRAME_FIBER) return;
        if (d->kind == FRAME_UNDERFLOW) {
            if (!is_true(k)) return;
            sp = (const Word *)cont_slots(k)->top;
            k = cont_slots(k)->next;
            continue;
        }
        if (!f(d, context)) return;
        sp -= d->size;
    }
}

void rt_walk_cont(Value cont, bool (*f)(const FrameDesc *d, void *context), void *context) {
    walk(cont_slots(cont)->next, (const Word *)cont_slots(cont)->top, f, context);
}

void rt_walk(Thread *t, const Word *sp, bool (*f)(const FrameDesc *d, void *context),
             void *context) {
    walk(t->cont, sp, f, context);
}

static bool is_bottom(const FrameDesc *d) { return d->kind != FRAME_CODE && d->kind != FRAME_CALL; }

unsigned rt_walk_outermost(Thread *t, const Word *sp, const FrameDesc **frames, unsigned max) {
    if (is_true(t->cont)) {
        Value k = t->cont;
        while (is_true(cont_slots(k)->next)) k = cont_slots(k)->next;
        sp = (const Word *)cont_slots(k)->top;
    }
    unsigned n = 0, at = 0;
    const FrameDesc *ring[max];
    for (const FrameDesc *d; !is_bottom(d = frame_desc(sp)); sp -= d->size) {
        if (d->kind != FRAME_CODE) continue;
        ring[at] = d;
        at = (at + 1) % max;
        n++;
    }
    unsigned kept = BASE_MIN(n, max), first = n > max ? at : 0;
    for (unsigned i = 0; i < kept; i++) frames[i] = ring[(first + i) % max];
    return kept;
}

/* ---- for the collector ---- */

static uint32_t epoch = 1; /* of the collection under way; changed while the world is stopped */

static void visit_frames(Collector *c, Word *base, Word *sp) {
    while (sp > base + 1) {
        const FrameDesc *d = frame_desc(sp);
        Word *slots = sp - d->size;
        const uint64_t *live = rt_frame_live(d);
        for (uint32_t i = 0; i + 1 < d->size; i++)
            if (live[i / 64] >> (i % 64) & 1) gc_visit(c, &slots[i]);
        sp = slots;
    }
}

/* A few spare regions stay; the others are freed after this collection. */
static void keep_spares(StackRegion **link) {
    for (int kept = 0; *link && kept < SPARE_REGIONS; kept++, link = &(*link)->next_spare)
        (*link)->mark = epoch;
    for (StackRegion *r = *link; r; r = r->next_spare) {
        r->generation = 0;
        unlink_region(r);
        link_region(r, 0);
    }
    *link = NULL;
}

void rt_stack_scan_thread(Thread *t, Collector *c) {
    visit_frames(c, t->base, t->sp);
    t->region->mark = epoch;
    for (int class = 0; class < STACK_CLASSES; class ++) keep_spares(&t->spare[class]);
}

void rt_stack_scan_cont(Collector *c, Object *o) {
    ContSlots *k = (ContSlots *)o->slot;
    StackRegion *r = (StackRegion *)k->region;
    if (!r) return;
    /* Continuations of generations that are not collected are not seen here: the region stays
     * theirs. */
    bool first = r->mark != epoch && r->generation <= collector_generation(c);
    int generation = gc_generation_of(rt_heap(), v_object(o));
    if (first || generation > r->generation) r->generation = generation;
    r->mark = epoch;
    visit_frames(c, (Word *)k->base, (Word *)k->top);
}

void rt_stack_after_mark(Collector *c) {
    int collected = collector_generation(c);
    for (int list = BASE_MIN(collected, GC_GENERATIONS - 1); list >= 0; list--) {
        for (StackRegion *r = regions[list], *next; r; r = next) {
            next = r->next;
            bool alive = r->mark == epoch || r->generation > collected;
            if (alive && r->generation == list) continue;
            unlink_region(r);
            if (alive) {
                link_region(r, r->generation);
                continue;
            }
            regions_bytes -= region_bytes(r);
            free(r);
        }
    }
    regions_wanted = 2 * regions_bytes + ((size_t)64 << 20);
    epoch++;
}

void (*rt_compute_live)(const FrameDesc *d);

const uint64_t *rt_frame_live(const FrameDesc *d) {
    if (!d->live) rt_compute_live(d);
    return d->live;
}
