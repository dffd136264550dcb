/* sched.c: schedulers: carriers, rings of ready fibers, stealing, sleeping. See sched.h. */
#include "fiber/sched.h"

#include <stdlib.h>
#include <unistd.h>
#include "base/base.h"
#include "rt/args.h"

static Sched *scheds; /* grows only; its head is atomic */

void fiber_each_sched(void (*f)(Sched *s, void *context), void *context) {
    for (Sched *s = __atomic_load_n(&scheds, __ATOMIC_ACQUIRE); s; s = s->next) f(s, context);
}

/* ---- rings ---- */

static void ring_grow(Carrier *c) {
    enum { FIRST = 64 };
    uint32_t capacity = c->capacity ? 2 * c->capacity : FIRST;
    Value *ring = base_alloc(capacity * sizeof *ring);
    for (uint32_t i = 0; i < c->length; i++) ring[i] = c->ring[(c->head + i) & (c->capacity - 1)];
    free(c->ring);
    c->ring = ring;
    c->head = 0;
    c->capacity = capacity;
}

/* Under the ring's lock. */
static void push(Carrier *c, Value f) {
    if (unlikely(c->length == c->capacity)) ring_grow(c);
    c->ring[(c->head + c->length) & (c->capacity - 1)] = f;
    __atomic_store_n(&c->length, c->length + 1, __ATOMIC_RELAXED);
}

static Value pop(Carrier *c) {
    if (c->length == 0) return V_FALSE;
    Value f = c->ring[c->head & (c->capacity - 1)];
    c->head++;
    __atomic_store_n(&c->length, c->length - 1, __ATOMIC_RELAXED);
    return f;
}

Value fiber_ring_pop(Carrier *c) {
    if (fiber_ring_empty(c)) return V_FALSE;
    spin_lock(&c->lock);
    Value f = pop(c);
    spin_unlock(&c->lock);
    return f;
}

Value fiber_ring_swap(Carrier *c, Value f) {
    spin_lock(&c->lock);
    push(c, f);
    f = pop(c);
    spin_unlock(&c->lock);
    return f;
}

void fiber_ring_push(Carrier *c, Value f) {
    spin_lock(&c->lock);
    push(c, f);
    spin_unlock(&c->lock);
}

/* ---- waking and starting carriers ---- */

void fiber_ring_bell(Sched *s) {
    uint64_t one = 1;
    (void)!write(s->event, &one, sizeof one);
}

static void start_helper(Thread *t, Sched *s) {
    if (__atomic_load_n(&s->started, __ATOMIC_RELAXED) >= s->wanted) return;
    if (__atomic_fetch_add(&s->started, 1, __ATOMIC_SEQ_CST) >= s->wanted) {
        __atomic_fetch_sub(&s->started, 1, __ATOMIC_SEQ_CST);
        return;
    }
    __atomic_fetch_add(&s->users, 1, __ATOMIC_SEQ_CST);
    if (!fiber_thread_spawn(&t->m, s->loop)) __atomic_fetch_sub(&s->users, 1, __ATOMIC_SEQ_CST);
}

void fiber_kick(Thread *t, Sched *s) {
    if (__atomic_load_n(&s->idle, __ATOMIC_SEQ_CST))
        fiber_ring_bell(s);
    else
        start_helper(t, s);
}

void fiber_ready(Thread *t, Value f) {
    Sched *s = raw_pointer(strand_slots(f)[FIBER_SCHED]);
    bool local = t->carrier && t->carrier->sched == s;
    Carrier *c = local ? t->carrier : &s->carriers[0];
    spin_lock(&c->lock);
    bool current =
        __atomic_load_n(&s->run, __ATOMIC_RELAXED) == (uint64_t)fixnum(strand_slots(f)[FIBER_RUN]);
    if (current) push(c, f);
    uint32_t length = c->length;
    spin_unlock(&c->lock);
    if (!current || (local && s->wanted == 1)) return;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* see idle */
    if (!__atomic_load_n(&s->idle, __ATOMIC_RELAXED)) {
        if (length > 1) start_helper(t, s);
    } else if (length > 1 || !local || !__atomic_load_n(&s->watching, __ATOMIC_RELAXED)) {
        fiber_ring_bell(s);
    }
}

/* ---- looking for work ---- */

/* Half of what VICTIM has ready, at least one; the first is returned. */
static Value rob(Carrier *victim, Carrier *c) {
    spin_lock(&victim->lock);
    uint32_t count = (victim->length + 1) / 2;
    Value taken[64];
    count = BASE_MIN(count, (uint32_t)BASE_COUNT(taken));
    for (uint32_t i = 0; i < count; i++) taken[i] = pop(victim);
    spin_unlock(&victim->lock);
    if (count == 0) return V_FALSE;
    if (count > 1) {
        spin_lock(&c->lock);
        for (uint32_t i = 1; i < count; i++) push(c, taken[i]);
        spin_unlock(&c->lock);
    }
    return taken[0];
}

/* Whether C has been running one and the same fiber for a while, as far as lookers have seen. */
static bool is_stuck(Carrier *c) {
    uint32_t switches = __atomic_load_n(&c->switches, __ATOMIC_RELAXED);
    uint64_t now = os_mono_ns();
    if (__atomic_load_n(&c->seen, __ATOMIC_RELAXED) == switches)
        return now - __atomic_load_n(&c->seen_at, __ATOMIC_RELAXED) > WATCH_NS / 2;
    __atomic_store_n(&c->seen, switches, __ATOMIC_RELAXED);
    __atomic_store_n(&c->seen_at, now, __ATOMIC_RELAXED);
    return false;
}

/* Takes from a carrier that has several, or from one that is stuck. *LEFT: whether something is
 * ready that is not to be taken now. */
static Value steal(Carrier *c, bool *left) {
    Sched *s = c->sched;
    uint32_t count = BASE_MIN(__atomic_load_n(&s->started, __ATOMIC_ACQUIRE), FIBER_MOST_CARRIERS);
    *left = false;
    c->random = c->random * 1664525 + 1013904223;
    for (uint32_t i = 0; i < count; i++) {
        Carrier *victim = &s->carriers[(i + (c->random >> 16)) % count];
        uint32_t length = __atomic_load_n(&victim->length, __ATOMIC_RELAXED);
        if (victim == c || length == 0) continue;
        Value f = length > 1 || is_stuck(victim) ? rob(victim, c) : V_FALSE;
        if (is_true(f)) return f;
        *left = true;
    }
    return V_FALSE;
}

static Value find(Thread *t) {
    Carrier *c = t->carrier;
    bool left;
    Value f = fiber_ring_pop(c);
    if (is_true(f)) return f;
    fiber_poll(t, c->sched);
    f = fiber_ring_pop(c);
    return is_true(f) ? f : steal(c, &left);
}

/* Sleeps until there may be something. Another carrier that makes a fiber ready after this one has
 * said that it is idle rings the bell; one that did so before is seen by the last look. */
static Value idle(Thread *t) {
    Carrier *c = t->carrier;
    Sched *s = c->sched;
    bool left;
    __atomic_fetch_add(&s->idle, 1, __ATOMIC_SEQ_CST);
    Value f = fiber_ring_pop(c);
    if (!is_true(f)) f = steal(c, &left);
    if (!is_true(f) && !sched_over(s)) {
        uint32_t nobody = 0;
        bool watch = left && __atomic_compare_exchange_n(&s->watching, &nobody, 1, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        bool check = strand_get(t->own, FIBER_CHECKS) != V_NIL;
        fiber_sleep(t, s, watch || check ? os_mono_ns() + WATCH_NS : FIBER_NO_DEADLINE);
        if (watch) __atomic_store_n(&s->watching, 0, __ATOMIC_SEQ_CST);
    }
    __atomic_fetch_sub(&s->idle, 1, __ATOMIC_SEQ_CST);
    return f;
}

/* (%carrier-wait): the fiber to enter, #f at the end of the run, the mark of an interrupt, or #t
 * where the thread's own interrupt check is to run. */
PRIM_FN(prim_carrier_wait) {
    PRIM_UNUSED;
    Thread *t = rt_thread(m);
    for (;;) {
        if (sched_over(t->carrier->sched)) return V_FALSE;
        Value f = find(t);
        if (!is_true(f)) f = idle(t);
        if (is_true(f)) return f;
        if (rt_interrupt_pending(m)) return FIBER_INTERRUPTED;
        if (strand_get(t->own, FIBER_CHECKS) != V_NIL) return V_TRUE;
    }
}

/* ---- a run ---- */

static void begin_carrier(Thread *t, Sched *s, uint32_t number) {
    Carrier *c = &s->carriers[number];
    spin_lock(&s->lock);
    c->sched = s;
    c->thread = t;
    c->random = number;
    spin_unlock(&s->lock);
    t->carrier = c;
    fiber_strand(t);
}

static void end_carrier(Thread *t) {
    Carrier *c = t->carrier;
    Sched *s = c->sched;
    spin_lock(&s->lock);
    c->thread = NULL;
    spin_unlock(&s->lock);
    t->carrier = NULL;
    t->fiber = V_FALSE;
    hone_prof_ticks_cancel(&t->ticks, HONE_PROF_PREEMPT);
    if (sched_over(s)) fiber_ring_bell(s); /* the next one that sleeps */
    __atomic_fetch_sub(&s->users, 1, __ATOMIC_SEQ_CST);
}

static Sched *take_sched(void) {
    os_mutex_lock(&fiber_lock);
    Sched *s = scheds;
    while (s && (s->taken || __atomic_load_n(&s->users, __ATOMIC_SEQ_CST))) s = s->next;
    if (!s) {
        s = aligned_alloc(64, sizeof *s);
        if (!s) base_oom(sizeof *s);
        memset(s, 0, sizeof *s);
        s->run = 1;
        s->fibers = s->main = s->loop = V_FALSE;
        fiber_events_open(s);
        s->next = scheds;
        __atomic_store_n(&scheds, s, __ATOMIC_RELEASE);
    }
    s->taken = true;
    os_mutex_unlock(&fiber_lock);
    return s;
}

/* (%scheduler-open carriers quantum drain?): begins a run whose first carrier is the caller; a
 * handle.
 */
PRIM_FN(prim_scheduler_open) {
    PRIM_UNUSED;
    int64_t wanted, quantum;
    if (!arg_index(m, "run-fibers", a, 1, FIBER_MOST_CARRIERS + 1, &wanted)) return V_FAIL;
    if (!arg_index(m, "run-fibers", a, 2, INT32_MAX, &quantum)) return V_FAIL;
    if (rt_thread(m)->carrier)
        return mutator_fail_text(m, ERR_MISUSE, "run-fibers", V_DEFAULT, "fibers run already");
    Sched *s = take_sched();
    s->wanted = wanted ? (uint32_t)wanted : os_cpu_count();
    s->wanted = BASE_MIN(s->wanted, (uint32_t)FIBER_MOST_CARRIERS);
    s->quantum = (uint64_t)quantum;
    s->drain = is_true(a[2]);
    s->main_ended = false;
    s->idle = s->watching = 0;
    s->living = 0;
    __atomic_store_n(&s->over, false, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->users, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s->started, 1, __ATOMIC_SEQ_CST);
    begin_carrier(rt_thread(m), s, 0);
    return (Value)(uintptr_t)s;
}

/* (%scheduler-loop! handle procedure): what a helping carrier runs. */
PRIM_FN(prim_scheduler_loop) {
    PRIM_UNUSED;
    Sched *s = raw_pointer(a[0]);
    s->loop = a[1];
    return V_UNSPEC;
}

/* (%carrier-join handle): the calling thread helps. */
PRIM_FN(prim_carrier_join) {
    PRIM_UNUSED;
    Sched *s = raw_pointer(a[0]);
    uint32_t number = 1;
    spin_lock(&s->lock);
    while (number < FIBER_MOST_CARRIERS && s->carriers[number].thread) number++;
    s->carriers[number].thread = rt_thread(m);
    spin_unlock(&s->lock);
    begin_carrier(rt_thread(m), s, number);
    return V_UNSPEC;
}

void fiber_sched_end(Sched *s) {
    __atomic_store_n(&s->over, true, __ATOMIC_SEQ_CST);
    spin_lock(&s->lock);
    for (uint32_t i = 0; i < FIBER_MOST_CARRIERS; i++)
        if (s->carriers[i].thread) rt_request(s->carriers[i].thread, REQUEST_ATTEND);
    spin_unlock(&s->lock);
    fiber_ring_bell(s);
}

/* T's run is over. Whoever still waits in it is garbage from here on. */
static void close_run(Thread *t) {
    Sched *s = t->carrier->sched;
    fiber_sched_end(s);
    __atomic_fetch_add(&s->run, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < FIBER_MOST_CARRIERS; i++) {
        Carrier *c = &s->carriers[i];
        spin_lock(&c->lock);
        __atomic_store_n(&c->length, 0, __ATOMIC_RELAXED);
        spin_unlock(&c->lock);
    }
    fiber_events_clear(s);
    spin_lock(&s->lock);
    s->fibers = s->main = V_FALSE;
    spin_unlock(&s->lock);
    end_carrier(t);
    os_mutex_lock(&fiber_lock);
    s->taken = false;
    os_mutex_unlock(&fiber_lock);
}

void fiber_carrier_leave(Thread *t) {
    if (!t->carrier) return;
    bool first = t->carrier == &t->carrier->sched->carriers[0];
    (first ? close_run : end_carrier)(t);
}

/* (%carrier-leave): the caller is no carrier any more; the run ends where it was the first. */
PRIM_FN(prim_carrier_leave) {
    PRIM_UNUSED;
    fiber_carrier_leave(rt_thread(m));
    return V_UNSPEC;
}

/* ---- for the collector and the profiler ---- */

static void scan_sched(Sched *s, void *context) {
    Collector *c = context;
    gc_visit(c, &s->fibers);
    gc_visit(c, &s->main);
    gc_visit(c, &s->loop);
    for (uint32_t i = 0; i < FIBER_MOST_CARRIERS; i++) {
        Carrier *k = &s->carriers[i];
        for (uint32_t n = 0; n < k->length; n++)
            gc_visit(c, &k->ring[(k->head + n) & (k->capacity - 1)]);
    }
    fiber_events_scan(s, c);
}

static void scan(void *context, Collector *c) {
    (void)context;
    fiber_each_sched(scan_sched, c);
}

void fiber_sched_start(void) { rt_add_roots(scan, NULL); }

typedef struct Each {
    void (*f)(const FiberParked *fiber, void *context);
    void *context;
} Each;

static void each_of(Sched *s, void *context) {
    const Each *each = context;
    for (Value f = s->fibers; is_true(f); f = strand_slots(f)[FIBER_NEXT]) {
        const Word *slots = strand_slots(f);
        if (strand_get(f, FIBER_STATE) != v_fixnum(FIBER_PARKED)) continue;
        each->f(&(FiberParked){.cont = slots[FIBER_CONT],
                               .labels = (uint32_t)fixnum(slots[FIBER_LABELS]),
                               .why = (RtWait)fixnum(slots[FIBER_WAITS]),
                               .since_ns = (uint64_t)fixnum(slots[FIBER_SINCE])},
                each->context);
    }
}

void fiber_each_parked(void (*f)(const FiberParked *fiber, void *context), void *context) {
    fiber_each_sched(each_of, &(Each){f, context});
}
