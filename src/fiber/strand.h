/* strand.h: fibers and what they have in common with threads. Private to fiber/.
 *
 * A strand is what runs Scheme code and may wait: a fiber, or a thread on its own behalf. Both have
 * an OPAQUE_FIBER object; a thread's (t->own) is made when it is first needed. All state of a
 * strand lies in the slots, so that it needs no finalization: one that nobody can wake is garbage
 * once its scheduler has closed.
 *
 * FIBER_STATE answers the question whether a strand that is woken must be queued. It is RUNNING
 * while the strand runs or stands in a queue, PARKED while it waits with its frames complete in
 * FIBER_CONT, WOKEN where it was woken before it had parked: parking then returns at once. So a
 * fiber is queued once for each time it parks or yields, whatever other carriers do meanwhile.
 *
 * FIBER_OP answers the question which of several events ends a wait. It only grows, and is odd
 * while nothing has happened yet. A registration, in the queue of a channel or in the heap of
 * timers, holds the odd number that it expects; whoever changes that to the next even one has
 * completed the wait, and every other registration of it is stale from then on.
 *
 * Rules for locks: a channel's lock may be held when one of a ring, of the timers or fiber_lock is
 * taken, never the other way round. All are held for a few instructions in which nothing waits and
 * nothing is a safe point, so no fiber is ever preempted while it holds one. */
#ifndef HONE_FIBER_STRAND_H
#define HONE_FIBER_STRAND_H

#include "base/base.h"
#include "fiber/wait.h"

enum fiber_slot {
    FIBER_STATE = 1, /* enum fiber_state as a fixnum, atomic */
    FIBER_OP,        /* see above, as a fixnum, atomic */
    FIBER_RESULT, /* of the last wait; before a fiber runs: its parameters; once it ended: its value
                   */
    FIBER_INDEX,  /* which of several operations it was, as a fixnum, or V_FALSE */
    FIBER_CONT,   /* while it does not run: its frames, or the procedure to begin with */
    FIBER_CHECKS, /* the list of (hone fiber)'s interruptible extents, innermost first */
    FIBER_CHECK_AT, /* the first time-out among them: os_mono_ns as a fixnum, or V_FALSE */
    FIBER_SCHED,    /* raw Sched *; 0: a thread */
    FIBER_RUN,      /* the number of the scheduler's run that it belongs to, as a fixnum */
    FIBER_WAITS,    /* while parked: RtWait as a fixnum */
    FIBER_SINCE,    /* while parked and somebody wants to know: os_mono_ns as a fixnum, else 0 */
    FIBER_RETRY,   /* V_TRUE: what goes on is a new try of a primitive, which knows no interrupts */
    FIBER_LABELS,  /* while it does not run: the profiler's label set, as a fixnum */
    FIBER_NAME,    /* a string, a symbol or V_FALSE */
    FIBER_SITE,    /* raw const Site * of the call that spawned it, or 0 */
    FIBER_HANDLER, /* the procedure that gets an object that was raised and not handled, or V_FALSE
                    */
    FIBER_NEXT,    /* the living fibers of a run, a list */
    FIBER_PREVIOUS,
    FIBER_WORDS,
};
enum fiber_state { FIBER_RUNNING, FIBER_PARKED, FIBER_WOKEN, FIBER_ENDED };

/* A registration, a VECTOR. */
enum { REG_STRAND, REG_OP, REG_INDEX, REG_VALUE, REG_NEXT, REG_WORDS };

/* What a wait gives that was ended by interrupt! or by a time-out: its extent's check is to run. */
#define FIBER_INTERRUPTED V_DELETED

static inline Word *strand_slots(Value strand) { return object_slots(strand); }
static inline Word strand_get(Value strand, enum fiber_slot slot) {
    return __atomic_load_n(&strand_slots(strand)[slot], __ATOMIC_ACQUIRE);
}
/* For words that are no pointers into the heap. */
static inline void strand_set(Value strand, enum fiber_slot slot, Word w) {
    __atomic_store_n(&strand_slots(strand)[slot], w, __ATOMIC_RELEASE);
}

/* The calling strand's object. */
Value fiber_strand(Thread *t);
/* Begins a wait of STRAND: from here its registrations count. */
void fiber_wait_begin(Value strand);
/* A registration for the wait of STRAND that has begun. */
Value fiber_registration(Mutator *m, Value strand, Value index, Value value);
/* Whether the wait that REG belongs to is over. */
bool fiber_stale(Value reg);
/* Completes the wait that REG belongs to and wakes its strand. False: something else did so before.
 */
bool fiber_complete(Mutator *m, Value reg, Value value);
/* The calling strand, whose wait has begun, waits until it is completed: for the reason WHY, and at
 * most until DEADLINE, which completes it by LATE. SP: its complete frames. A thread waits here,
 * away; a fiber parks. */
typedef struct FiberLate {
    uint64_t deadline; /* FIBER_NO_DEADLINE: none */
    Value index, value;
} FiberLate;
FiberGo fiber_block(Thread *t, Word *sp, RtWait why, FiberLate late);
/* Ends the wait of STRAND, if it waits, by FIBER_INTERRUPTED. */
void fiber_interrupt_wait(Mutator *m, Value strand);
/* What the strand that goes on now returns. */
Value fiber_result(Mutator *m, Value strand);

/* The group name of a fiber: NAME, or where it was spawned: by spawn-fiber or, the first, by
 * run-fibers. */
void fiber_group_name(base_buf *out, Value name, const Site *site, bool first);

/* Control procedures of channels and operations (channel.c). */
FiberGo fiber_channel_put(Thread *t, Word *sp);
FiberGo fiber_channel_get(Thread *t, Word *sp);
FiberGo fiber_condition_wait(Thread *t, Word *sp);
FiberGo fiber_perform(Thread *t, Word *sp);

/* ---- a spin lock in a word ---- */
static inline void spin_lock(Word *lock) {
    for (unsigned n = 0; __atomic_exchange_n(lock, v_fixnum(1), __ATOMIC_ACQUIRE); n++) {
        if (n > 100) os_thread_yield();
    }
}
static inline void spin_unlock(Word *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#endif
