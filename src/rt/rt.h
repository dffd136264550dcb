/* rt.h: the door of the run time: threads' state, the stack, the safe point, failures that become
 * conditions.
 *
 * The one safe point. Every procedure entry and every loop's back edge compares its stack pointer
 * with t->limit. Whoever wants a thread's attention sets a bit in t->requests and then stores a
 * limit that nothing passes (rt_request). The slow path (rt_safepoint) restores the limit first and
 * reads the requests after, so none is lost. Collections, samples and interrupts happen only there,
 * with the frame complete: no C frame holds a Value.
 *
 * A thread is running, stopped (at a safe point, for a collection) or away (in a blocking
 * primitive, between rt_block_begin and rt_block_end; it touches no heap object there, and its
 * frames are walkable from t->sp). */
#ifndef HONE_RT_RT_H
#define HONE_RT_RT_H

#include "gc/gc.h"
#include "hone/prof.h"
#include "os/os.h"
#include "rt/frame.h"
#include "rt/global.h"

/* ---- stack regions ---- */
#ifdef HONE_HOSTILE
enum {
    STACK_REGION_WORDS = 512,
    STACK_SLACK_WORDS = 64
}; /* so that every test crosses boundaries */
#else
enum { STACK_REGION_WORDS = 8192, STACK_SLACK_WORDS = 64 };
#endif
/* A fiber begins on a region of STACK_FIBER_WORDS; one that grows takes a region of the next class,
 * STACK_CLASS_FACTOR times as large, up to STACK_REGION_WORDS, on which threads begin. */
enum { STACK_FIBER_WORDS = 64, STACK_CLASS_FACTOR = 8, STACK_CLASSES = 4 };

/* Memory for frames. Slices of it belong to the thread that runs on it and to CONT objects; it is
 * freed when a collection finds neither. */
typedef struct StackRegion {
    struct StackRegion *next, *previous;
    struct StackRegion *next_spare; /* while it is kept for reuse by a thread */
    uint32_t mark;                  /* epoch of the last collection that saw it alive */
    int generation; /* oldest generation of a CONT that refers to it; 0: nursery only */
    int list;       /* the list that it is in: collections of younger generations pass it by */
    unsigned class; /* of its size */
    uint32_t conts; /* CONTs made on it and not yet entered again for good */
    Word *end;
    Word words[];
} StackRegion;

/* Payload of a CONT object. The words from BASE to TOP are complete frames. */
typedef struct ContSlots {
    Value next;                      /* the CONT below, or V_FALSE */
    Word region;                     /* StackRegion * */
    Word base, top;                  /* Word * */
    Value handlers, params, winders; /* the dynamic state when it was captured */
    Value strand; /* whose stack it is: the fiber, or the number of the thread, as a fixnum */
    Value shared; /* V_TRUE: may be entered more than once, so its frames are copied when it is
                     entered */
} ContSlots;
enum { CONT_WORDS = sizeof(ContSlots) / 8 };

/* ---- threads ---- */
enum rt_request {
    REQUEST_GC = 1,          /* a collection is wanted or under way */
    REQUEST_TICK = 2,        /* the ticker's beat: the tick scheduler is due */
    REQUEST_INTERRUPT = 4,   /* raise an interrupt condition */
    REQUEST_MODE = 8,        /* the dispatch table changed */
    REQUEST_ALLOCATION = 64, /* an allocation sample was noted, or sampling goes on or off */
    REQUEST_DIE = 16,        /* the thread ends here, whatever handlers and winders there are */
    REQUEST_ATTEND = 32,     /* the VM is to look at pending ticks and at its scheduler of fibers */
};
enum rt_state { THREAD_RUNNING, THREAD_STOPPED, THREAD_AWAY };

/* What a thread or a fiber may wait for. Rows: name, word in the reports. */
#define RT_WAITS(ROW)                                                                              \
    ROW(NOTHING, "nothing")                                                                        \
    ROW(CHANNEL, "channel")                                                                        \
    ROW(CONDITION, "condition")                                                                    \
    ROW(LOCK, "lock")                                                                              \
    ROW(SLEEP, "sleep")                                                                            \
    ROW(PORT, "port")                                                                              \
    ROW(JOIN, "join")                                                                              \
    ROW(FOREIGN, "foreign call")
typedef enum RtWait {
#define ROW(name, word) RT_WAIT_##name,
    RT_WAITS(ROW)
#undef ROW
        RT_WAIT_COUNT
} RtWait;

/* What a primitive would have to wait for that runs in a fiber, and therefore does not. */
typedef struct RtBlock {
    int fd;            /* -1: the time alone */
    bool output;       /* until it can be written, else read */
    uint64_t deadline; /* of os_mono_ns, while fd is -1 */
    RtWait why;
    Value flush; /* a port: what is to be tried again is to flush it; else V_FALSE: the primitive */
} RtBlock;

typedef struct Thread {
    Mutator m;                        /* first: a primitive's Mutator is its Thread */
    Word *limit;                      /* polled; written by others (relaxed) */
    Word *real_limit;                 /* what it is when nobody wants anything */
    const void *const *dispatch;      /* the interpreter's current table */
    const void *const *handler_table; /* whose handlers do the work: a mode's recorders go on to
                                    it */
    hone_prof_vmcounts *stats;        /* instruction statistics, NULL while off */
    Word *base; /* bottom of the current slice: base[0] is an underflow or halt descriptor */
    StackRegion *region;
    StackRegion *spare[STACK_CLASSES]; /* regions kept for reuse: a stack that breathes neither
                                          maps nor frees memory */
    int stack_margin; /* regions that it may still take though the heap limit is reached, for
                         handlers; 0: none */
    Word *sp;         /* top of the complete frames while stopped or away */
    Value cont;       /* CONT below base, or V_FALSE */
    Value handlers, params, winders; /* dynamic state, owned by lib/hone/base */
    Value object;                    /* the OPAQUE_THREAD, or V_FALSE for the first thread */
    Value fiber;             /* the fiber that it carries; V_FALSE: it runs on its own behalf */
    Value own;               /* what stands for the thread itself where fibers are woken, made at
                                first need, else V_FALSE */
    struct Carrier *carrier; /* its place in a scheduler of fibers, or NULL */
    RtBlock block;           /* what a primitive that failed by ERR_WOULD_BLOCK waits for */
    uint32_t interruptible;  /* call-interruptible extents of the thread itself that are entered;
                                under fiber_lock: SIGINT looks at the first thread's */
    bool attend;             /* REQUEST_ATTEND was served: the VM looks what there is to do */
    bool switching;          /* between strands: the stack cannot be walked (for signal handlers) */
    Value result;            /* a value kept across a safe point */
    const uint64_t
        *native_pc; /* where to go on in native code or the interpreter, see vm/native.c */
    Word *native_r;
    Word *
        native_polled; /* the frame whose native procedure has just passed its entry's safe point */
    uint32_t requests; /* enum rt_request bits, atomic */
    enum rt_state state;        /* under the world's lock */
    uint64_t tick_mono_ns;      /* when the pending beat was made (relaxed) */
    const void *long_primitive; /* Prim that the beat found running, else NULL: the sample's leaf */
    hone_prof_ticks
        ticks; /* the tick scheduler: owner of this thread's timer, see fiber/ticker.c */
    const uint64_t
        *at_pc;        /* the instruction and registers that last called into C: where a signal */
    const Word *at_r;  /* that strikes there finds the program */
    os_alarm alarm;    /* the sampler's, that strikes this thread */
    uint64_t tick_due; /* its device: the beat at which to ask for attention */
    uint64_t
        tick_interval; /* beats between its last service and the demand that followed; 0: unknown */
    hone_prof_thread *prof; /* the sampler's table of this thread */
    uint64_t alloc_run;     /* run of the allocation profile that m.sampling is of; 0: none */
    struct TailRing *tails; /* recent tail calls; NULL while they are not recorded */
    uint32_t stack_turns;   /* counts moves of frames and stretches of stack, see below */
    uint32_t labels;        /* the profiler's label set of what runs: of the thread, or of
                               the fiber that it carries; 0: none */
    RtWait waits_for;       /* while away */
    uint64_t away_since_ns; /* os_mono_ns when it went away */
    bool ended;             /* it is in no profile from here on */
    struct Thread *next, *previous; /* under the world's lock */
    uint32_t id;
    os_thread os;
} Thread;

static inline Thread *rt_thread(Mutator *m) { return (Thread *)m; }
static inline Word *rt_limit(Thread *t) { return __atomic_load_n(&t->limit, __ATOMIC_RELAXED); }

/* ---- the world: all threads, the heap ---- */
/* Starts the run time of the process. False: memory cannot be had (a message is on stderr). */
bool rt_start(const GcOptions *options);
Heap *rt_heap(void);
/* A new thread's state, registered. The calling OS thread must be the one that runs it. */
Thread *rt_thread_attach(void);
void rt_thread_detach(Thread *t);
Thread *rt_current(void); /* of the calling OS thread; NULL: none */
/* Calls f on each thread under the world's lock. */
void rt_each_thread(void (*f)(Thread *t, void *context), void *context);
/* Asks for T's attention. From any thread; async-signal-safe. */
void rt_request(Thread *t, uint32_t request);
void rt_request_all(uint32_t request);

/* Serves all requests. SP: the top of T's complete frames. False: a failure was noted (interrupt,
 * heap limit): raise it. */
bool rt_safepoint(Thread *t, Word *sp);
/* Around a system call that may block, for the reason WHY. Between them T touches no heap object;
 * afterwards a primitive re-reads its arguments from A[], since they may have moved. Only in
 * primitives flagged PRIM_BLOCKS. */
void rt_block_begin(Mutator *m, RtWait why);
void rt_block_end(Mutator *m);
/* Stops every thread at a safe point or away, for a look at stacks and heap: until
 * rt_world_release, none runs. The caller is no running thread: it has no Thread, or is away. It
 * must hold no lock that a running thread may wait for. Not for allocating. */
void rt_world_hold(void);
/* The same, but gives up at that moment of os_mono_ns: false. */
bool rt_world_hold_until(uint64_t mono_ns);
void rt_world_release(void);
/* Whether T is away at this moment. From any thread. */
bool rt_is_away(const Thread *t);
/* True where an interrupt or the thread's end is pending: a primitive that loops over EINTR gives
 * up and fails by ERR_INTERRUPT. The interrupt is thereby served; the end comes at the next safe
 * point. */
bool rt_interrupt_pending(Mutator *m);
/* A full collection, from a safe point. */
void rt_collect(Thread *t, Word *sp, int generation);

/* In a fiber, for a primitive that may block: true with a failure noted unless FD can be read (or
 * written, OUTPUT) at once. The primitive undoes nothing that was done and returns V_FAIL; it is
 * called again. */
bool rt_would_block(Mutator *m, int fd, bool output, const char *who);
/* The same for a moment that is to come: V_FAIL. */
Value rt_would_sleep(Mutator *m, uint64_t deadline, RtWait why, const char *who);

/* ---- the stack ---- */
/* Gives T its first region; t->base[0] is a halt descriptor. */
void rt_stack_init(Thread *t);
/* The frames below SP become a CONT; a new region is entered. Returns the new SP, whose sp[-1] is
 * the underflow descriptor; at least NEED words are free above it. NULL: the heap limit is reached
 * (see rt_stack_limit). */
Word *rt_stack_grow(Thread *t, Word *sp, size_t need);
/* What to do when the stack cannot grow even after a full collection: notes the failure and grants
 * T a margin for the handlers. */
void rt_stack_limit(Thread *t);
/* call/cc: the frames below SP become a shared CONT, in constant time. *SP becomes the new bottom.
 * Returns the CONT. */
Value rt_stack_capture(Thread *t, Word **sp);
/* A return reached the bottom of the slice: brings back the frames below. Returns the new SP
 * (sp[-1] a frame's descriptor), or NULL at the very bottom. */
Word *rt_stack_underflow(Thread *t);
/* Makes CONT the whole continuation: the next return goes to it. Returns the SP to return from. */
Word *rt_stack_reinstate(Thread *t, Value cont);
/* The strand that runs on T, as in ContSlots: continuations are for the strand that made them. */
static inline Value rt_strand(const Thread *t) {
    return is_true(t->fiber) ? t->fiber : v_fixnum(t->id);
}

/* Switching between strands. The frames below SP, complete, and the dynamic state become an
 * unshared CONT, which is returned; another strand must be entered before T goes on. */
Value rt_stack_leave(Thread *t, Word *sp);
/* Enters the strand that rt_stack_leave left: no frame is copied. Returns its SP. */
Word *rt_stack_enter(Thread *t, Value cont);
/* Enters a fresh stack of the smallest class: base[0] is a FRAME_FIBER descriptor. Returns the SP.
 */
Word *rt_stack_begin(Thread *t);
/* The strand that began so has ended: its region is kept for the next one. */
void rt_stack_end(Thread *t);

/* Each of the above that moves frames, or the slice that T runs on, counts t->stack_turns up: what
 * is remembered of T's frames by their addresses holds only as long as it stays the same. */

/* For the collector's hooks (rt/world.c): the frames of a stopped thread, of a CONT, and the
 * regions that died. */
void rt_stack_scan_thread(Thread *t, Collector *c);
void rt_stack_scan_cont(Collector *c, Object *o);
void rt_stack_after_mark(Collector *c);

/* Walks frames from SP, innermost first, through the CONT chain. f returns false to stop. */
void rt_walk(Thread *t, const Word *sp, bool (*f)(const FrameDesc *d, void *context),
             void *context);
/* The same from the top of a CONT. While the world is held. */
void rt_walk_cont(Value cont, bool (*f)(const FrameDesc *d, void *context), void *context);
/* The outermost MAX frames, from the inside outwards, in FRAMES; returns their number. Costs one
 * slice's walk, however deep. */
unsigned rt_walk_outermost(Thread *t, const Word *sp, const FrameDesc **frames, unsigned max);

/* The live slots of a frame, computed by the VM at first need. Called while the world is stopped.
 */
const uint64_t *rt_frame_live(const FrameDesc *d);
extern void (*rt_compute_live)(const FrameDesc *d); /* set by vm/ */

/* ---- failures and conditions ---- */
/* The condition record for the failure noted in M, which is cleared. */
Value rt_condition(Mutator *m);
/* Called at each safe point that serves a beat; runs the tick scheduler's clients. Set by fiber/.
 */
extern void (*rt_on_tick)(Thread *t);
/* Called on a new thread before others can see it. Set by fiber/. */
extern void (*rt_on_attach)(Thread *t);
/* Called after each collection with its CPU nanoseconds, on the collecting thread. Set by driver/.
 */
extern void (*rt_on_collection)(Thread *t, uint64_t ns);
/* Called on a thread that comes back from being away, before its primitive goes on; its frames are
 * walkable from t->sp. For the sampler of waiting threads, so NULL most of the time. Atomic; set by
 * driver/. */
extern void (*rt_on_unblock)(Thread *t, RtWait why, uint64_t since_ns);
/* Called at the safe point that serves REQUEST_ALLOCATION, and wherever else the interpreter knows
 * who has just allocated: takes the samples that were noted; T's frames are complete up to t->sp.
 * Set by driver/. */
extern void (*rt_on_allocation)(Thread *t);
/* Called at the safe point where a thread notices that its dispatch table was changed. Set by vm/.
 */
extern void (*rt_on_mode)(Thread *t);

/* The rtd of conditions, made by rt_start: fields (kind message irritants who position backtrace).
 */
Value rt_condition_type(void);

void rt_condition_start(Mutator *m);

/* Globals and other roots outside the heap. */
typedef void (*rt_root_scanner)(void *context, Collector *c);
void rt_add_roots(rt_root_scanner f, void *context);
/* Called after each collection's marking, to drop what died. */
void rt_add_after_mark(rt_root_scanner f, void *context);

/* The arena of sites, never freed. Takes a lock. */
void *rt_forever_alloc(size_t bytes);
const char *rt_forever_string(const char *s);

#endif
