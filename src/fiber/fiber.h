/* fiber.h: the door of threads and fibers: the ticker, OS threads, their mutexes and condition
 * variables, fibers and what the profiler may know of them. */
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
/* Raises an interrupt condition in T, which has not ended, also while it waits for something. */
void fiber_interrupt(Thread *t);
/* The same if T is in a call-interruptible of its own; the interrupt is then served within it.
 * Whether it is. */
bool fiber_interrupt_extent(Thread *t);
/* A thread that was just about to enter a system call may miss an interrupt there. Whether T has
 * yet to notice one; gets it out of what it waits in. Never interrupts twice. */
bool fiber_interrupt_unnoticed(Thread *t);

/* ---- fibers ----
 *
 * Scheme code switches stacks only by calling a control procedure. The VM calls its function with
 * the caller's complete frames below SP and the arguments from sp[1]; the function says where to go
 * on. Nothing between is a safe point, so no tick, collection or preemption comes into a switch. */
typedef struct FiberGo {
    Word *sp;    /* the top of the complete frames that go on */
    Value value; /* what is returned to them; V_FAIL: a failure was noted, to be raised there */
    bool call;   /* instead: VALUE is a procedure to be called there without arguments */
} FiberGo;
typedef struct FiberControl {
    const char *name; /* in (hone prim) */
    int arguments;
    FiberGo (*f)(Thread *t, Word *sp);
} FiberControl;
extern const FiberControl fiber_controls[];
extern const unsigned fiber_control_count;

/* For the VM. The fiber on T returned V from its first procedure. */
FiberGo fiber_ended(Thread *t, Value v);
/* T is to be preempted at a safe point with the frames below SP. Any T. */
FiberGo fiber_preempt(Thread *t, Word *sp);
/* Whether T carries a fiber whose run is over: preempting it ends it. */
bool fiber_is_over(const Thread *t);
/* A primitive failed by ERR_WOULD_BLOCK (see Thread.block): the fiber parks until it is worth a new
 * try, then goes on with the frames below SP, which make it. */
FiberGo fiber_would_block(Thread *t, Word *sp);
/* The thread, not the fiber that it carries, was interrupted (Ctrl-C): the fiber waits for its next
 * turn, and the thread goes home to raise the condition there. */
FiberGo fiber_go_home(Thread *t, Word *sp);
/* The procedure to call where an interrupt check is due, or V_FALSE. */
Value fiber_check_hook(void);

/* ---- for the profiler's host ---- */
/* Called on the carrier after a parked fiber's stack has become the current one and can be walked
 * from t->sp; SINCE_NS: os_mono_ns when it parked. NULL most of the time: parking then reads no
 * clock. Atomic. A fiber that parked while it was NULL is not reported. */
extern void (*fiber_on_resume)(Thread *t, RtWait why, uint64_t since_ns);
/* Whether a file is Hone's own. The first fiber of run-fibers, which a file of Hone's spawns, is
 * called by the innermost place that is in none of them. NULL: none is. Set by driver/. */
extern bool (*fiber_is_library)(const SourceFile *file);
/* Turns the label set of who spawns, and the fiber's group name (its name, "spawn-fiber at
 * FILE:LINE:COLUMN", or "run-fibers at" the like for the first), into the label set of the fiber.
 * NULL: it inherits. Kept for each place that spawns. Set by driver/. */
extern uint32_t (*fiber_label)(uint32_t inherited, const char *name);
typedef struct FiberParked {
    Value cont; /* for rt_walk_cont */
    uint32_t labels;
    RtWait why;
    uint64_t since_ns; /* 0: not known, see fiber_on_resume */
} FiberParked;
/* Each fiber that waits for something. Only while the world is held. */
void fiber_each_parked(void (*f)(const FiberParked *fiber, void *context), void *context);

#endif
