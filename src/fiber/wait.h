/* wait.h: threads that wait for something of the heap: a mutex, a condition variable, a thread's
 * end. Private to fiber/.
 *
 * Mutexes, condition variables and threads are OPAQUE objects whose whole state lies in their
 * slots, read and written by running threads under fiber_lock; so they need no finalization. Only
 * the waiting is C: a Waiter, on the C stack of a thread that is away, names the object that it
 * waits for. Whoever changes that object looks for waiters of it in the one list. Threads are few,
 * so the list is short.
 *
 * fiber_lock is held for a few instructions at a time, also by running threads, and nothing is
 * waited for while it is held: the world's lock in particular is only ever taken before it, never
 * inside. */
#ifndef HONE_FIBER_WAIT_H
#define HONE_FIBER_WAIT_H

#include "fiber/fiber.h"

extern os_mutex fiber_lock;

#define FIBER_NO_DEADLINE UINT64_MAX /* of os_mono_ns */

typedef struct Waiter {
    Thread *thread;
    Value what; /* a root while the waiter is in the list; V_FALSE: nothing, the time alone */
    bool woken;
    os_cond cond;
    struct Waiter *next, *previous;
} Waiter;

enum fiber_wait { WAIT_WOKEN, WAIT_TIMEOUT, WAIT_INTERRUPTED };

/* Under fiber_lock, which it releases: waits, away and for the reason WHY, until someone wakes the
 * waiters for WHAT, the DEADLINE comes, or the thread is interrupted or ended (its primitive then
 * fails by fiber_interrupted). Objects move meanwhile. A wake-up is never lost: one that comes
 * together with the others wins. */
enum fiber_wait fiber_wait(Mutator *m, Value what, RtWait why, uint64_t deadline);
/* In a fiber, which has no Waiter: it parks for a millisecond, or until DEADLINE, and its primitive
 * is called again. V_FAIL. */
Value fiber_try_later(Mutator *m, uint64_t deadline, RtWait why);
/* Under fiber_lock. */
void fiber_wake_one(Value what);
void fiber_wake_all(Value what);
/* Under fiber_lock: asks T, which has not ended, and gets it out of whatever it waits in. */
void fiber_ask(Thread *t, uint32_t request);

Value fiber_interrupted(Mutator *m, const char *who);
/* Argument number POS, a fixnum of os_mono_ns or #f, as a deadline. False: the failure is noted. */
bool fiber_deadline(Mutator *m, const char *who, const Value *a, int pos, uint64_t *out);

/* ---- slots of the objects ---- */
/* A thread: [kind, what it is doing, data of (srfi 18), the first mutex it owns]. */
enum { THREAD_DOING = 1, THREAD_DATA, THREAD_OWNED };
/* Doing: one of these as a fixnum, or, while it runs, its raw Thread *. */
enum fiber_doing { DOING_NOTHING_YET, DOING_START, DOING_NOTHING_MORE, DOING_KILLED, DOING_STATES };
/* A mutex: [kind, enum fiber_mutex as a fixnum, data, owner or #f, the owner's next mutex]. */
enum { MUTEX_STATE = 1, MUTEX_DATA, MUTEX_OWNER, MUTEX_NEXT, MUTEX_WORDS };
enum fiber_mutex { MUTEX_FREE, MUTEX_LOCKED, MUTEX_ABANDONED };

/* Under fiber_lock: the mutexes that the ended THREAD owned are free, and abandoned. */
void fiber_abandon(Mutator *m, Value thread);
/* Starts a thread that runs PROC. False: the system has none. */
bool fiber_thread_spawn(Mutator *m, Value proc);
/* The calling thread's object, made at first need. */
Value fiber_object(Mutator *m);
/* Under fiber_lock. */
bool fiber_has_ended(Value thread);

void fiber_wait_start(void);

#endif
