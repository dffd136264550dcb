/* sched.h: schedulers and their carriers. Private to fiber/.
 *
 * A Sched is one run of run-fibers; the caller's thread is its first carrier, others are started
 * when there is more to run than it can run itself. Each carrier has a ring of ready fibers, first
 * in, first out. A carrier whose ring is empty goes home: to the stack of the thread that it is,
 * where a loop in Scheme calls %carrier-wait. That looks for due timers, ready descriptors and
 * other carriers' fibers, and sleeps in epoll_wait where there is nothing.
 *
 * Who is woken when. A fiber that becomes ready will run when the carrier that woke it parks the
 * one that it runs, mostly in a moment: waking another carrier for it would cost more than it
 * brings. So one that sleeps is woken if two fibers are ready, or if nobody watches. A carrier that
 * watches wakes each WATCH_NS while some ring is not empty, and takes even a single fiber from a
 * carrier that has not switched since the last look: one that computes, or sits in a system call.
 *
 * Scheds are never freed but used again, since a late wake-up may still look at one: it sees that
 * the run has another number. */
#ifndef HONE_FIBER_SCHED_H
#define HONE_FIBER_SCHED_H

#include "fiber/strand.h"

enum { FIBER_MOST_CARRIERS = 128, WATCH_NS = 5000000 };

typedef struct Carrier {
    struct Sched *sched;
    Thread *thread; /* NULL: not there; under the Sched's lock */
    Word lock;      /* a spin lock: the ring */
    uint32_t head, length, capacity;
    Value *ring;             /* roots */
    uint32_t switches, seen; /* fibers entered; what that was when somebody last saw it change, */
    uint64_t seen_at;        /* at this os_mono_ns; all three relaxed atomics */
    uint32_t random;
} __attribute__((aligned(64))) Carrier;

/* A registration that becomes complete at AT by VALUE. */
typedef struct Timer {
    uint64_t at;
    Value reg, value; /* roots */
} Timer;

/* The registrations that wait for a descriptor: lists; roots. */
typedef struct FdWaits {
    Value in, out;
} FdWaits;

typedef struct Sched {
    struct Sched *next; /* all of them, for ever */
    uint64_t run;       /* number of the run; atomic */
    bool taken;         /* under fiber_lock */
    bool over;          /* the run is at its end: its fibers are to stop; atomic */
    bool drain;         /* it ends only when all fibers have ended */
    bool main_ended;    /* atomic */
    uint32_t users;     /* carriers that use it; atomic */
    uint32_t wanted, started;
    uint32_t idle, watching; /* carriers in epoll_wait; atomic */
    uint64_t quantum;        /* beats; 0: no preemption */
    int epoll, event;
    Word lock; /* a spin lock: fibers, living, carriers' threads */
    Value fibers, main;
    Value loop; /* what a helping carrier runs */
    uint64_t living;
    os_mutex event_lock; /* timers and descriptors */
    Timer *timers;       /* a heap by `at` */
    size_t timer_count, timer_capacity, timer_sweep;
    uint64_t next_timer; /* at of the first, UINT64_MAX: none; relaxed atomic */
    FdWaits *fds;
    size_t fd_count, fd_waiting;
    Carrier carriers[FIBER_MOST_CARRIERS];
} Sched;

static inline bool sched_over(const Sched *s) {
    return __atomic_load_n(&s->over, __ATOMIC_ACQUIRE);
}

/* ---- rings (sched.c) ---- */
/* Makes the fiber F ready: T, the calling thread, queues it where it belongs. */
void fiber_ready(Thread *t, Value f);
/* The next fiber of C's own ring, or V_FALSE. */
Value fiber_ring_pop(Carrier *c);
/* Queues F, which C itself ran, behind the others. */
void fiber_ring_push(Carrier *c, Value f);
/* Both at once. */
Value fiber_ring_swap(Carrier *c, Value f);
static inline bool fiber_ring_empty(const Carrier *c) {
    return __atomic_load_n(&c->length, __ATOMIC_RELAXED) == 0;
}
/* Sees to it that some carrier looks around, if one sleeps or may be started. */
void fiber_kick(Thread *t, Sched *s);
/* Wakes one carrier that sleeps, now or when next it would. */
void fiber_ring_bell(Sched *s);
/* The run is at its end: every carrier goes home. */
void fiber_sched_end(Sched *s);
/* T ends, or is no carrier any more. */
void fiber_carrier_leave(Thread *t);
void fiber_each_sched(void (*f)(Sched *s, void *context), void *context);

/* ---- events (events.c) ---- */
void fiber_events_open(Sched *s);
void fiber_events_clear(Sched *s);
void fiber_events_scan(Sched *s, Collector *c);
/* At the time AT the wait of REG is completed by VALUE. */
void fiber_timer(Sched *s, uint64_t at, Value reg, Value value);
/* REG waits until FD can be read (IN) or written. False: it cannot be waited for, since it never
 * blocks. */
bool fiber_await_fd(Mutator *m, Sched *s, int fd, bool in, Value reg);
/* Completes what is due and what is ready, without waiting. */
void fiber_poll(Thread *t, Sched *s);
/* Sleeps, away, until something is ready or DEADLINE; then as fiber_poll. */
void fiber_sleep(Thread *t, Sched *s, uint64_t deadline);

/* ---- strands (strand.c) ---- */
/* The exception handlers that a fiber begins with. */
void fiber_set_initial_handlers(Value list);
/* Asks for an interrupt check of STRAND, which runs on T. */
void fiber_check_start(Thread *t, Value strand);
void fiber_sched_start(void);
void fiber_prims_start(void);
/* T, at home, enters F. */
FiberGo fiber_enter_from_home(Thread *t, Word *sp, Value f);

#endif
