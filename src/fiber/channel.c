/* channel.c: channels, conditions, and operations: one of several, whichever can first.
 *
 * A channel holds two queues of registrations, of those who would get and of those who would put;
 * one of the two is empty, stale registrations apart. A condition holds one queue, of those who
 * wait. Both are guarded by a lock in the object.
 *
 * An operation on several objects takes the locks of all of them, in the order of the objects'
 * numbers so that no two operations wait for each other, looks whether one of its bases can be done
 * at once, and else registers with all. So whoever meets a registration meets a strand that is
 * wholly registered, and completing is one compare-and-exchange of the strand's FIBER_OP: no base
 * is done half. The scan begins at a random base, so that a choice among several that are ready is
 * fair.
 *
 * Stale registrations (of choices that another base won) are dropped when they come to the head of
 * a queue, and all of them when the number in an object has doubled since that was last done. */
#include "fiber/strand.h"

#include <stdlib.h>
#include "base/base.h"
#include "rt/args.h"

enum {
    OBJECT_LOCK = 1,
    OBJECT_NUMBER, /* unique, as a fixnum */
    OBJECT_COUNT,  /* registrations, stale ones too */
    OBJECT_SWEEP,  /* the count at which to drop stale ones */
    OBJECT_SIGNAL, /* a condition: whether it was signalled */
    OBJECT_QUEUES, /* first and last of each queue */
    GETTERS = OBJECT_QUEUES,
    PUTTERS = OBJECT_QUEUES + 2,
    WAITERS = GETTERS,
    OBJECT_WORDS = OBJECT_QUEUES + 4,
};
enum { SWEEP_LEAST = 32 };

static Value new_object(Mutator *m, enum opaque_kind kind) {
    static uint64_t numbers;
    Object *o = gc_object(m, T_OPAQUE, OBJECT_WORDS);
    o->slot[0] = v_fixnum(kind);
    o->slot[OBJECT_LOCK] = 0;
    o->slot[OBJECT_NUMBER] = v_fixnum((int64_t)__atomic_fetch_add(&numbers, 1, __ATOMIC_RELAXED));
    o->slot[OBJECT_COUNT] = 0;
    o->slot[OBJECT_SWEEP] = v_fixnum(SWEEP_LEAST);
    for (int i = OBJECT_SIGNAL; i < OBJECT_WORDS; i++) o->slot[i] = V_FALSE;
    return v_object(o);
}

static void lock(Value object) { spin_lock(&object_slots(object)[OBJECT_LOCK]); }
static void unlock(Value object) { spin_unlock(&object_slots(object)[OBJECT_LOCK]); }

/* ---- queues ---- */

static void append(Mutator *m, Word *slots, int queue, Value reg) {
    if (is_true(slots[queue]))
        gc_write(m, &object_slots(slots[queue + 1])[REG_NEXT], reg);
    else
        gc_write(m, &slots[queue], reg);
    gc_write(m, &slots[queue + 1], reg);
}

/* Drops the stale registrations of QUEUE; returns how many are left. */
static int64_t sweep(Mutator *m, Word *slots, int queue) {
    Value reg = slots[queue], next;
    int64_t left = 0;
    slots[queue] = slots[queue + 1] = V_FALSE;
    for (; is_true(reg); reg = next) {
        next = object_slots(reg)[REG_NEXT];
        if (fiber_stale(reg)) continue;
        object_slots(reg)[REG_NEXT] = V_FALSE;
        append(m, slots, queue, reg);
        left++;
    }
    return left;
}

static void enqueue(Mutator *m, Value object, int queue, Value reg) {
    Word *slots = object_slots(object);
    if ((int64_t)slots[OBJECT_COUNT] >= (int64_t)slots[OBJECT_SWEEP]) {
        int64_t left = sweep(m, slots, GETTERS) + sweep(m, slots, PUTTERS);
        slots[OBJECT_COUNT] = v_fixnum(left);
        slots[OBJECT_SWEEP] = v_fixnum(2 * left + SWEEP_LEAST);
    }
    append(m, slots, queue, reg);
    slots[OBJECT_COUNT] += v_fixnum(1);
}

static Value dequeue(Mutator *m, Value object, int queue) {
    Word *slots = object_slots(object);
    Value reg = slots[queue];
    if (!is_true(reg)) return V_FALSE;
    gc_write(m, &slots[queue], object_slots(reg)[REG_NEXT]);
    slots[OBJECT_COUNT] -= v_fixnum(1);
    return reg;
}

/* ---- what can be done at once, under the lock ---- */

static bool put_now(Mutator *m, Value channel, Value message) {
    for (Value reg; is_true(reg = dequeue(m, channel, GETTERS));)
        if (fiber_complete(m, reg, message)) return true;
    return false;
}

static bool get_now(Mutator *m, Value channel, Value *message) {
    for (Value reg; is_true(reg = dequeue(m, channel, PUTTERS));) {
        *message = object_slots(reg)[REG_VALUE];
        if (fiber_complete(m, reg, V_UNSPEC)) return true;
    }
    return false;
}

static bool is_signalled(Value condition) {
    return is_true(object_slots(condition)[OBJECT_SIGNAL]);
}

/* ---- one operation ---- */

static const FiberLate for_ever = {FIBER_NO_DEADLINE, V_FALSE, V_UNSPEC};

static FiberGo done(Word *sp, Value v) { return (FiberGo){.sp = sp, .value = v}; }

/* Under OBJECT's lock, which is released: waits in its QUEUE. */
static FiberGo wait_in(Thread *t, Word *sp, Value object, int queue, Value value, RtWait why) {
    Value strand = fiber_strand(t);
    fiber_wait_begin(strand);
    enqueue(&t->m, object, queue, fiber_registration(&t->m, strand, V_FALSE, value));
    unlock(object);
    return fiber_block(t, sp, why, for_ever);
}

static bool right_object(Mutator *m, Value v, enum opaque_kind kind, const char *who) {
    if (likely(is_opaque(v, kind))) return true;
    mutator_fail(m, ERR_WRONG_TYPE, who, 1, v);
    return false;
}

FiberGo fiber_channel_put(Thread *t, Word *sp) {
    Value channel = sp[1], message = sp[2];
    if (!right_object(&t->m, channel, OPAQUE_CHANNEL, "put-message")) return done(sp, V_FAIL);
    lock(channel);
    if (!put_now(&t->m, channel, message))
        return wait_in(t, sp, channel, PUTTERS, message, RT_WAIT_CHANNEL);
    unlock(channel);
    return done(sp, V_UNSPEC);
}

FiberGo fiber_channel_get(Thread *t, Word *sp) {
    Value channel = sp[1], message;
    if (!right_object(&t->m, channel, OPAQUE_CHANNEL, "get-message")) return done(sp, V_FAIL);
    lock(channel);
    if (!get_now(&t->m, channel, &message))
        return wait_in(t, sp, channel, GETTERS, V_FALSE, RT_WAIT_CHANNEL);
    unlock(channel);
    return done(sp, message);
}

FiberGo fiber_condition_wait(Thread *t, Word *sp) {
    Value condition = sp[1];
    if (!right_object(&t->m, condition, OPAQUE_CONDITION, "wait")) return done(sp, V_FAIL);
    lock(condition);
    if (!is_signalled(condition))
        return wait_in(t, sp, condition, WAITERS, V_FALSE, RT_WAIT_CONDITION);
    unlock(condition);
    return done(sp, V_UNSPEC);
}

/* ---- one of several ---- */

/* A base, as (hone fiber) makes it: a vector #(kind object value). Rows: name. The kinds are the
 * library's as fixnums. */
enum base_kind { BASE_PUT, BASE_GET, BASE_WAIT, BASE_TIMER };
enum { BASE_KIND, BASE_OBJECT, BASE_VALUE };

static enum base_kind kind_of(Value base) {
    return (enum base_kind)fixnum(object_slots(base)[BASE_KIND]);
}

static int by_number(const void *a, const void *b) {
    Word x = object_slots(*(const Value *)a)[OBJECT_NUMBER],
         y = object_slots(*(const Value *)b)[OBJECT_NUMBER];
    return (x > y) - (x < y);
}

typedef struct Choice {
    const Word *bases;
    uint32_t count, locked;
    Value few[8], *objects; /* locked, in their order, each once */
} Choice;

static void lock_all(Choice *c) {
    c->objects = c->count > BASE_COUNT(c->few) ? base_alloc(c->count * sizeof(Value)) : c->few;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (kind_of(c->bases[i]) != BASE_TIMER)
            c->objects[n++] = object_slots(c->bases[i])[BASE_OBJECT];
    qsort(c->objects, n, sizeof(Value), by_number);
    c->locked = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (c->locked && c->objects[c->locked - 1] == c->objects[i]) continue;
        c->objects[c->locked++] = c->objects[i];
        lock(c->objects[i]);
    }
}

static void unlock_all(Choice *c) {
    for (uint32_t i = c->locked; i-- > 0;) unlock(c->objects[i]);
    if (c->objects != c->few) free(c->objects);
}

static bool try_now(Mutator *m, Value base, Value *value) {
    const Word *b = object_slots(base);
    *value = V_UNSPEC;
    switch (kind_of(base)) {
    case BASE_PUT: return put_now(m, b[BASE_OBJECT], b[BASE_VALUE]);
    case BASE_GET: return get_now(m, b[BASE_OBJECT], value);
    case BASE_WAIT: return is_signalled(b[BASE_OBJECT]);
    case BASE_TIMER: return (uint64_t)fixnum(b[BASE_OBJECT]) <= os_mono_ns();
    }
    return false;
}

/* Registers with all; the first timer is left to fiber_block. */
static FiberGo wait_for_all(Thread *t, Word *sp, Choice *c) {
    Value strand = fiber_strand(t);
    FiberLate late = for_ever;
    RtWait why = RT_WAIT_SLEEP;
    fiber_wait_begin(strand);
    for (uint32_t i = 0; i < c->count; i++) {
        const Word *b = object_slots(c->bases[i]);
        enum base_kind kind = kind_of(c->bases[i]);
        if (kind == BASE_TIMER) {
            if ((uint64_t)fixnum(b[BASE_OBJECT]) < late.deadline)
                late = (FiberLate){(uint64_t)fixnum(b[BASE_OBJECT]), v_fixnum(i), V_UNSPEC};
            continue;
        }
        Value reg = fiber_registration(&t->m, strand, v_fixnum(i), b[BASE_VALUE]);
        enqueue(&t->m, b[BASE_OBJECT], kind == BASE_PUT ? PUTTERS : GETTERS, reg);
        if (why == RT_WAIT_SLEEP) why = kind == BASE_WAIT ? RT_WAIT_CONDITION : RT_WAIT_CHANNEL;
    }
    unlock_all(c);
    return fiber_block(t, sp, why, late);
}

static uint32_t random_below(uint32_t n) {
    static _Thread_local uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)state * n >> 32);
}

/* (%perform bases): (index . value) of the base that was done. Without bases it waits for ever. */
FiberGo fiber_perform(Thread *t, Word *sp) {
    Choice c = {.bases = object_slots(sp[1]), .count = (uint32_t)object_size(sp[1])};
    uint32_t first = c.count ? random_below(c.count) : 0;
    lock_all(&c);
    for (uint32_t n = 0; n < c.count; n++) {
        uint32_t i = (first + n) % c.count;
        Value value;
        if (!try_now(&t->m, c.bases[i], &value)) continue;
        unlock_all(&c);
        return done(sp, gc_cons(&t->m, v_fixnum(i), value));
    }
    return wait_for_all(t, sp, &c);
}

/* ---- primitives ---- */

PRIM_FN(prim_make_channel) {
    PRIM_UNUSED;
    return new_object(m, OPAQUE_CHANNEL);
}

PRIM_FN(prim_channel_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_CHANNEL));
}

PRIM_FN(prim_make_condition) {
    PRIM_UNUSED;
    return new_object(m, OPAQUE_CONDITION);
}

PRIM_FN(prim_condition_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_CONDITION));
}

/* Whether it was the first time. */
PRIM_FN(prim_signal_condition) {
    PRIM_UNUSED;
    ARG_CHECK(is_opaque(a[0], OPAQUE_CONDITION), "signal-condition!", 1);
    lock(a[0]);
    bool first = !is_signalled(a[0]);
    object_slots(a[0])[OBJECT_SIGNAL] = V_TRUE;
    for (Value reg; is_true(reg = dequeue(m, a[0], WAITERS));) fiber_complete(m, reg, V_UNSPEC);
    unlock(a[0]);
    return v_bool(first);
}
