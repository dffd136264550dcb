/* fiber.h: the door of threads: the ticker, OS threads, their mutexes and condition variables. */
#ifndef HONE_FIBER_FIBER_H
#define HONE_FIBER_FIBER_H

#include "rt/rt.h"

/* Length of a beat in nanoseconds: the finest time that a tick scheduler's demand can name. */
enum { FIBER_BEAT_NS = 250000 };

/* Starts the ticker thread, asleep until a thread has a demand. Once. */
void fiber_start(void);
/* By a new thread itself, before it runs; its tick scheduler is there since it was attached. */
void fiber_thread_begin(Thread *t);
void fiber_thread_end(Thread *t);
/* Makes T look at its tick scheduler at its next safe point. Any thread. */
void fiber_wake(Thread *t);

/* What each new thread does beyond the above, and each ending one (the sampler registers it). Set
 * by driver/. */
extern void (*fiber_on_thread_begin)(Thread *t);
extern void (*fiber_on_thread_end)(Thread *t);
/* Runs PROC, a procedure of no arguments, on T, and returns its value, or V_FAIL where T was told
 * to end. Set by driver/, since the VM is above this room. */
extern Value (*fiber_run)(Thread *t, Value proc);

/* Registers roots. Once, before any other thread starts. */
void fiber_threads_start(void);
/* Raises an interrupt condition in T, which has not ended, also while it waits for something. A
 * thread that was just about to enter a system call may miss it there: call again while
 * REQUEST_INTERRUPT is set in t->requests. */
void fiber_interrupt(Thread *t);

#endif
