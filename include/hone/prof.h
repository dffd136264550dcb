/* hone/prof.h: a sampling profiler for run times.
 *
 * This library turns "this thread is at these code addresses, and that much CPU time has gone by"
 * into reports, pprof files, flame graph input and comparisons. It knows nothing of the language
 * that runs: its whole input is opaque frame addresses, weights, and a resolver that names an
 * address. It starts no threads, sets no signals and has no global state: any number of instances
 * (struct hone_prof) may live in one process and do not see each other. Sampling by signals is the
 * host's to set up and the core's to make sense of, see SOURCES.
 *
 * THE PARTS, in the order in which a run time meets them
 *
 *   hone_prof_ticks    one per thread: shares the thread's only timer between three clients, the
 *                      sampler, an interrupt check and the preemption of fibers
 *   hone_prof          one profile being taken: start, stop, reset, snapshot
 *   hone_prof_thread   one per thread and instance: the table of stacks seen
 *   hone_prof_data     a finished, resolved profile, from an instance or from a file
 *   hone_prof_places   numbers for frames that are known by file and line alone; a help for hosts
 *   hone_prof_vmstats  counts and times of virtual machine instructions; independent of the above
 *
 * WORKED EXAMPLE: a whole program, a machine of four instructions that profiles what it runs. Built
 * with `cc app.c $(pkg-config --cflags --libs hone-prof)`, and a test does so.
 *
 *     #include <hone/prof.h>
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     // The machine: a program, a stack of program counters, fuel.
 *     enum op { CALL, LOOP, RETURN, AGAIN };
 *     struct code { enum op op; int arg; const char *proc; int line; };
 *     static const struct code program[] = {
 *         {CALL, 3, "main", 1}, {CALL, 5, "main", 2}, {AGAIN, 0, "main", 3},
 *         {LOOP, 90000, "work", 5}, {RETURN, 0, "work", 6},
 *         {LOOP, 10000, "rest", 8}, {RETURN, 0, "rest", 9}};
 *     struct machine {
 *         int frames[16], depth; // frames[depth] is the program counter
 *         uint64_t fuel;         // the device: counted down at each turn of a loop
 *         bool poked;
 *         hone_prof_ticks ticks;
 *         hone_prof_thread *prof;
 *     };
 *
 *     // What the profiler asks of a host: the stack, the names, attention.
 *     static void walk(void *host, void *thread, hone_prof_stack *out) {
 *         struct machine *m = thread;
 *         int k = m->depth;
 *         while (k >= 0 && hone_prof_stack_push(out, (uintptr_t)m->frames[k] + 1)) k--;
 *         out->truncated = k >= (int)out->root_max; // some are left out; the root is kept
 *         if (out->truncated) k = (int)out->root_max - 1;
 *         while (k >= 0) hone_prof_stack_root(out, (uintptr_t)m->frames[k--] + 1);
 *         (void)host;
 *     }
 *     static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
 *         const struct code *c = &program[address - 1]; // no address is 0
 *         hone_prof_emit(sink, &(hone_prof_frame){
 *             .name = c->proc, .file = "app.code", .line = (uint32_t)c->line});
 *         (void)host;
 *         return true;
 *     }
 *     static void wake(void *host, void *thread) {
 *         __atomic_store_n(&((struct machine *)thread)->poked, true, __ATOMIC_RELAXED);
 *         (void)host;
 *     }
 *
 *     // A safe point: the stack can be walked.
 *     static void safe_point(struct machine *m) {
 *         __atomic_store_n(&m->poked, false, __ATOMIC_RELAXED);
 *         hone_prof_ticks_fire(&m->ticks, HONE_PROF_ASK); // may take a sample
 *         for (int c; (c = hone_prof_ticks_take(&m->ticks)) != HONE_PROF_NONE;)
 *             printf("%s\n", c == HONE_PROF_INTERRUPT ? "look for an interrupt" : "switch");
 *     }
 *     static void loop(struct machine *m, int turns) {
 *         while (turns-- > 0)
 *             if (--m->fuel == 0 || __atomic_load_n(&m->poked, __ATOMIC_RELAXED)) safe_point(m);
 *     }
 *     static void run(struct machine *m, int rounds) {
 *         while (rounds > 0) {
 *             const struct code *c = &program[m->frames[m->depth]];
 *             switch (c->op) {
 *             case CALL: m->frames[++m->depth] = c->arg; break;
 *             case LOOP: loop(m, c->arg); m->frames[m->depth]++; break;
 *             case RETURN: m->frames[--m->depth]++; break;
 *             case AGAIN: m->frames[0] = 0; rounds--; break;
 *             }
 *         }
 *     }
 *
 *     int main(void) {
 *         struct machine m = {.depth = 0};
 *         hone_prof_config config = {
 *             .walk = walk, .resolve = resolve, .wake = wake, .program = "app"};
 *         hone_prof *p = hone_prof_new(&config);
 *         // each thread, as it starts
 *         hone_prof_ticks_init(&m.ticks, &(hone_prof_device){.slot = &m.fuel});
 *         m.prof = hone_prof_thread_add(p, &m, &m.ticks, "main");
 *
 *         int status = hone_prof_start(p, NULL);
 *         if (status) fprintf(stderr, "%s\n", hone_prof_status_text(status));
 *         run(&m, 500);
 *         hone_prof_stop(p);
 *
 *         hone_prof_thread_remove(m.prof); // each thread, before it ends
 *         hone_prof_data *d = hone_prof_snapshot(p);
 *         hone_prof_bytes text = hone_prof_report_text(d, NULL);
 *         fputs(text.at, stdout);
 *         free(text.at);
 *         hone_prof_error e;
 *         if (hone_prof_save(d, "app.pb.gz", NULL, NULL, &e)) fprintf(stderr, "%s\n", e.text);
 *         hone_prof_data_free(d);
 *         hone_prof_free(p);
 *         return 0;
 *     }
 *
 * THREADS
 *
 *   - A hone_prof_ticks belongs to one thread; every call on it comes from that thread.
 *   - hone_prof_start, _stop, _reset, _running, _snapshot, _account and _get_stats may be called
 *     from any thread at any time, from several at once too (not from inside walk or resolve).
 *   - hone_prof_thread_add: any thread, while the one that the entry stands for may be running;
 *     its hone_prof_ticks must be initialised and registered with no instance.
 *   - hone_prof_thread_remove: on that thread itself, or by another one after it has ended.
 *   - hone_prof_free: when no thread is registered or may still call in.
 *   - A hone_prof_data is immutable once made; any number of threads may read it at once.
 *   - When hone_prof_stop or hone_prof_reset has returned, no callback of the old run is under way
 *     and none follows.
 *   - walk is called on the sampled thread; wake on the one that starts or stops, with locks held:
 *     it only leaves a note. resolve is called on the thread that takes a snapshot, by one thread
 * at a time, while others run: what it reads must not change under it or must be locked.
 *
 * SEVERAL INSTANCES
 *
 *   There is no global state: each hone_prof has its threads, options, tables and names, and may
 *   start, stop and end while others sample. What can not be shared is a hone_prof_ticks, which
 *   serves one instance at a time, since a thread has one timer. A thread that is to be in two
 *   profiles at once has two of them, each with a device of its own; one that moves from one
 *   instance to another is removed from the first and added to the second.
 *
 * ERRORS
 *
 *   A function that returns int gives 0 (HONE_PROF_OK) or a negative hone_prof_status; those that
 *   take a hone_prof_error (NULL allowed) also write a sentence that names the file. Misuse, such
 *   as starting twice, is reported in this way and changes nothing. Functions that return a pointer
 *   never return NULL but where their comment says so. Running out of memory ends the process with
 * a message.
 *
 * WHAT TO MIND, for a host that is being written
 *
 *   - No samples at all: the thread never fired after the start. A disarmed device does not fire;
 *     it is `wake` that brings the thread to hone_prof_ticks_fire, even where one thread does all.
 *   - A tick may be anything that goes by while the thread computes. The sampler reads the CPU
 * clock at each fire and learns how many ticks an interval takes; ticks that are not all alike make
 *     more fires, not wrong weights.
 *   - Time belongs to the safe point that ends it. Code that runs long without one, a primitive
 * say, needs one at its end, with an address of its own as the innermost frame; else its time shows
 *     in whatever comes next. Where a clock says that a sample is due there: hone_prof_ticks_due.
 *   - A program whose loops take as long as the interval is met at the same place again and again
 * if the device is exact. Let it come a little later, by chance: weights are measured.
 *   - Frames without addresses that last: hone_prof_place.
 *   - Two addresses are two places even if they resolve alike; procedures are made one by name,
 *     file, func_line, func_column and func_id. Give equal ones to all addresses of a procedure.
 *   - Strings that are given in are copied, but for the callbacks' `host` and `host_thread`.
 */
#ifndef HONE_PROF_H
#define HONE_PROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status codes -----------------------------------------------------------------------------
 */

/* Rows: name, value, text. */
#define HONE_PROF_STATUSES(ROW)                                                                    \
    ROW(OK, 0, "no error")                                                                         \
    ROW(ALREADY, -1, "the profiler is running already")                                            \
    ROW(STOPPED, -2, "the profiler is not running")                                                \
    ROW(BAD_ARGUMENT, -3, "an argument is out of its range")                                       \
    ROW(IO, -4, "a file could not be read or written")                                             \
    ROW(FORMAT, -5, "not a profile, or a damaged one")                                             \
    ROW(MISMATCH, -6, "the profiles are of different programs or kinds")                           \
    ROW(UNSUPPORTED, -7, "not to be had on this system or for this profile")

typedef enum hone_prof_status {
#define HONE_PROF_ROW(name, value, text) HONE_PROF_##name = value,
    HONE_PROF_STATUSES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
} hone_prof_status;

const char *hone_prof_status_text(int status); /* never NULL */

typedef struct hone_prof_error {
    int status;
    char text[400]; /* one sentence, no newline; cut where it would be longer */
} hone_prof_error;

/* ---- the tick scheduler
 * --------------------------------------------------------------------------
 *
 * A thread has one timer, the device, which counts ticks. What a tick is is the host's business: a
 * beat of a ticker thread, so many loop heads, so many instructions. Clients register a demand,
 * "call me in n ticks"; the scheduler arms the device with the smallest one outstanding. When that
 * many ticks have gone by the device makes the thread call hone_prof_ticks_fire at its next safe
 * point. That takes the ticks gone by from every demand and serves the due clients in the order of
 * the enum:
 *
 *   SAMPLER     is served inside fire (it only records and always returns);
 *   INTERRUPT   becomes pending, and so does it whenever a preemption is due, even before its own
 *               time, so that a short quantum can not starve it;
 *   PREEMPT     becomes pending.
 *
 * The host then takes the pending ones, one at a time, by hone_prof_ticks_take. Each is taken off
 * before it is handed out, so the host may escape from there (longjmp, a fiber switch) and never
 * come back: what was not taken stays pending and the device is armed to ask again at once. A
 * demand is served once; a client that wants more asks again. A client that can not act now (a lock
 * is held, a switch is committed) asks again through hone_prof_ticks_retry.
 */

enum {
    HONE_PROF_NONE = -1,
    HONE_PROF_SAMPLER,
    HONE_PROF_INTERRUPT,
    HONE_PROF_PREEMPT,
    HONE_PROF_CLIENTS
};

#define HONE_PROF_NEVER UINT64_MAX /* no demand */
#define HONE_PROF_ASK   UINT64_MAX /* to hone_prof_ticks_fire: let the device tell */

/* How the scheduler speaks to the timer. One of two kinds:
 *
 *   slot != NULL   Arming is a single store into *slot. With clock == NULL it is a countdown: the
 *                  host decrements it and fires at 0; disarmed it is INT64_MAX. With a clock (a
 * tick counter that only grows, possibly written by another thread) *slot is the reading at which
 * to fire; disarmed it is HONE_PROF_NEVER. The device sees a store by itself; a sleeping ticker has
 * to keep looking while any thread has a demand, which `armed` helps with. arm != NULL    Arming
 * calls arm(ctx, ticks), which replaces any earlier arming; ticks is at least 1, or HONE_PROF_NEVER
 * to disarm. elapsed(ctx), where given, tells the ticks gone by since the last arming; without it a
 * demand made while another is outstanding may come late by as much.
 *
 * All accesses to *slot and *clock are relaxed atomic ones. */
typedef struct hone_prof_device {
    uint64_t *slot;
    const uint64_t *clock;
    void (*armed)(void *ctx); /* NULL, or: after a store that made *slot sooner than it was, except
                                 by the solo path. For waking a sleeping ticker */
    void (*arm)(void *ctx, uint64_t ticks);
    uint64_t (*elapsed)(void *ctx);
    void *ctx;
} hone_prof_device;

/* All fields are private; the struct is here to be embedded and for the inline below. */
typedef struct hone_prof_ticks {
    uint64_t *solo; /* the slot, while PREEMPT is the only client; else NULL */
    hone_prof_device device;
    uint64_t left[HONE_PROF_CLIENTS]; /* ticks until due, as of the last sync; NEVER */
    uint64_t armed;                   /* what the device was last armed with */
    uint64_t sampler_ticks;           /* gone by since the sampler's demand */
    unsigned pending;                 /* bit set of clients */
    unsigned masked;                  /* depth */
    bool missed;                      /* it fired while masked */
    bool firing;
    uint64_t (*sample)(void *ctx, uint64_t ticks); /* gives the next demand, or NEVER */
    void (*attend)(void *ctx);
    void *sampler;
} hone_prof_ticks;

#define HONE_PROF_RETRY_TICKS 1

void hone_prof_ticks_init(hone_prof_ticks *s, const hone_prof_device *device);

/* Registers (or replaces) a client's demand; ticks 0 counts as 1. Takes back a pending of the same
 * client. `client` is INTERRUPT or PREEMPT; the sampler is registered by hone_prof_start. */
void hone_prof_ticks_demand(hone_prof_ticks *s, int client, uint64_t ticks);
void hone_prof_ticks_retry(hone_prof_ticks *s, int client); /* in HONE_PROF_RETRY_TICKS */
void hone_prof_ticks_cancel(hone_prof_ticks *s, int client);
/* Ticks until the client is due: 0 if it is pending, HONE_PROF_NEVER if it asked for nothing. */
uint64_t hone_prof_ticks_left(hone_prof_ticks *s, int client);

/* The device has fired (or the thread was woken): `elapsed` ticks have gone by since the last
 * arming. Call it at a safe point, where walk can run. May be called at any time and too early; it
 * then finds nothing due. Returns the set of pending clients, 1u << HONE_PROF_INTERRUPT and so on,
 * which hone_prof_ticks_take hands out. While masked it only keeps accounts and returns 0. */
unsigned hone_prof_ticks_fire(hone_prof_ticks *s, uint64_t elapsed);
/* The host knows, by a clock, that the sampler's time has come though the device has not counted so
 * far: the fire that follows serves it, if it asked for anything. */
void hone_prof_ticks_due(hone_prof_ticks *s);
/* The next pending client, taken off: HONE_PROF_INTERRUPT before HONE_PROF_PREEMPT; HONE_PROF_NONE
 * if there is none or while masked. */
int hone_prof_ticks_take(hone_prof_ticks *s);

/* Holds all three clients back, for the stretch in which a fiber is queued and the stack switched.
 * Nests. What came due meanwhile fires one tick after the outermost unmask. */
static inline void hone_prof_ticks_mask(hone_prof_ticks *s) { s->masked++; }
void hone_prof_ticks_catch_up(hone_prof_ticks *s); /* the slow part of unmasking */
static inline void hone_prof_ticks_unmask(hone_prof_ticks *s) {
    if (--s->masked == 0 && s->missed) hone_prof_ticks_catch_up(s);
}

/* The scheduler's hot path, for a quantum that begins anew at each yield: a demand of PREEMPT. With
 * no other client it is one store, and `armed` is not called. */
static inline void hone_prof_ticks_preempt(hone_prof_ticks *s, uint64_t ticks) {
    if (__builtin_expect(s->solo != NULL, 1)) {
        uint64_t now = s->device.clock ? __atomic_load_n(s->device.clock, __ATOMIC_RELAXED) : 0;
        __atomic_store_n(s->solo, now + ticks, __ATOMIC_RELAXED);
    } else {
        hone_prof_ticks_demand(s, HONE_PROF_PREEMPT, ticks);
    }
}

/* ---- what the host gives -----------------------------------------------------------------------
 */

/* A frame address is any non-zero number that the host's resolver can name: a return address, the
 * address of a descriptor, an index. Two frames with equal addresses are one and the same place.
 * For time in a primitive, push an address that stands for the primitive, then its caller's. */

/* Filled by walk. frames has room for inner_max + root_max addresses. */
typedef struct hone_prof_stack {
    uintptr_t *frames;            /* innermost first: first the inner ones, then the root ones */
    unsigned inner_max, root_max; /* set by the core */
    unsigned inner, root;         /* set by walk, or by the two inlines below; 0 at first */
    bool truncated;               /* set by walk: frames between inner and root were left out */
    bool refused;                 /* set by walk: can not be walked now; tried again in a tick */
    const struct hone_prof_capture *capture; /* set by the core: the strike that this stack is to
                                                end in, see SOURCES; NULL: none */
    uint64_t beat_ns; /* set by walk, if known: the moment (monotonic, in the clock of
                         config.wall_ns) at which the timer asked; gives the skid */
    uint32_t labels;  /* set by walk: the label set of what runs there, see
                         hone_prof_labels; 0 for none */
} hone_prof_stack;

/* Adds the next frame, from the innermost outwards. False when `inner_max` are in already. */
static inline bool hone_prof_stack_push(hone_prof_stack *s, uintptr_t address) {
    if (s->inner == s->inner_max) return false;
    s->frames[s->inner++] = address;
    return true;
}
/* Adds a frame of the thread's root, still from the inside outwards; once all inner ones are in. */
static inline bool hone_prof_stack_root(hone_prof_stack *s, uintptr_t address) {
    if (s->root == s->root_max) return false;
    s->frames[s->inner + s->root++] = address;
    return true;
}

/* One procedure at a resolved address. Strings are copied; NULL and "" mean unknown, 0 too. */
typedef struct hone_prof_frame {
    const char *name, *file;
    uint32_t line, column;           /* where in the procedure the address is */
    uint32_t func_line, func_column; /* where the procedure begins */
    uint64_t func_id; /* tells procedures apart that are alike in all the above; 0: those are one */
} hone_prof_frame;

typedef struct hone_prof_sink hone_prof_sink;
/* Adds one entry of the chain at an address: first the innermost inlined procedure, last the
 * procedure that the code belongs to. */
void hone_prof_emit(hone_prof_sink *sink, const hone_prof_frame *frame);

/* SOURCES: what decides when a sample is taken. Rows: name, word, what its samples mean.
 *
 * SAFEPOINT and WALL go by the tick scheduler and need nothing more of the host; WALL also wants to
 * be told of waits, by hone_prof_waited and config.waiting.
 *
 * SIGNAL and PERF go by a signal that strikes the thread, wherever it is. Its handler calls
 * hone_prof_strike, which reads the clocks, has config.capture note where the thread is, and keeps
 * that in a ring of the thread: no walk, no lock, no memory. At the thread's next safe point, which
 * the host asks for where hone_prof_strike says so, hone_prof_ticks_fire has config.walk give the
 * stack for each strike (hone_prof_stack.capture). The walk finds the stack as it is by then: the
 * host puts the captured place in as the leaf, and cuts what was entered since. */
#define HONE_PROF_SOURCES(ROW)                                                                     \
    ROW(SAFEPOINT, "safepoint", "CPU time of each thread, sampled at safe points")                 \
    ROW(SIGNAL, "signal",                                                                          \
        "CPU time of each thread, sampled by a timer signal; the innermost line is exact")         \
    ROW(PERF, "perf",                                                                              \
        "CPU time of each thread, sampled by a perf event; the innermost line is exact")           \
    ROW(WALL, "wall",                                                                              \
        "wall time of each thread and fiber: running, sampled at safe points, and waiting")
typedef enum hone_prof_source {
#define HONE_PROF_ROW(name, word, meaning) HONE_PROF_##name,
    HONE_PROF_SOURCES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
        HONE_PROF_SOURCE_COUNT
} hone_prof_source;
const char *hone_prof_source_word(hone_prof_source s);
bool hone_prof_source_named(const char *word, hone_prof_source *out); /* false: there is none */

/* A strike that waits to be walked. */
typedef struct hone_prof_capture {
    uintptr_t place[4]; /* the host's, for walk; strikes at equal places may be counted as one */
    uint32_t labels;    /* the host's, as in hone_prof_stack */
    uint32_t times;     /* the core's: strikes that this stands for */
    uint64_t cpu_ns, wall_ns; /* the core's: clocks at the last of them */
} hone_prof_capture;

typedef struct hone_prof_waiting hone_prof_waiting;

/* Places, for a host whose code has no addresses that last, because sources are collected or moved,
 * or whose frames are named by file and line: it describes a frame and pushes the number it gets.
 * The same procedure (func_id, file, func_line, func_column), line and column always give the same
 * number. The name is not compared: a procedure keeps the first one that it is given at any of its
 * places; *named (NULL allowed) tells whether it has one, since a name may be dear to find. Without
 * one it is called FILE:LINE when it is resolved. Any thread, at any time, in walk too; takes a
 * lock and two look-ups. A hone_prof_places may serve several instances and must outlive them. */
typedef struct hone_prof_places hone_prof_places;
hone_prof_places *hone_prof_places_new(void);
void hone_prof_places_free(hone_prof_places *p); /* NULL allowed */
uintptr_t hone_prof_place(hone_prof_places *p, const hone_prof_frame *frame, bool *named);
/* As config.resolve, with the places as config.host; or called from there. */
bool hone_prof_places_resolve(void *places, uintptr_t address, hone_prof_sink *sink);

typedef struct hone_prof_config {
    void *host; /* handed to each callback */
    /* Called on the sampled thread, in hone_prof_ticks_fire, with the thread's table locked: must
     * not call into this library but for the pushes and hone_prof_place. Required. */
    void (*walk)(void *host, void *host_thread, hone_prof_stack *out);
    /* Names an address by calls of hone_prof_emit. False: unknown; it is then counted as
     * `native:SYMBOL` where the system's loader knows a symbol there, else as `native`. Called on
     * the thread that takes a snapshot, once per address. NULL: all is native. */
    bool (*resolve)(void *host, uintptr_t address, hone_prof_sink *sink);
    /* Makes the thread call hone_prof_ticks_fire soon, at its next safe point. Called from the
     * thread that starts or stops the profiler. NULL: threads notice only when they fire. */
    void (*wake)(void *host, void *host_thread);
    /* Clocks in nanoseconds; NULL: the system's. cpu_ns is read on the thread concerned. */
    uint64_t (*cpu_ns)(void *host, void *host_thread);
    uint64_t (*wall_ns)(void *host);
    uint64_t (*process_cpu_ns)(void *host);
    /* The four of SIGNAL and PERF; capture NULL: they are not to be had.
     * device_check: whether alarms of that kind can be set; what counts goes into *event, for the
     * reports. Else false, with a reason and a remedy in error->text.
     * device_start sets one for the calling thread, at a safe point; device_stop takes it away:
     * `last` on that thread, or when it has ended; else from any thread, and it is enough that no
     * more strikes come.
     * capture: in the signal handler, on the struck thread; context is that of hone_prof_strike.
     * Must be safe there, and so must cpu_ns and wall_ns. False: nothing is to be noted. */
    bool (*device_check)(void *host, hone_prof_source s, uint64_t interval_ns, const char **event,
                         hone_prof_error *error);
    void (*device_start)(void *host, void *host_thread, hone_prof_source s, uint64_t interval_ns);
    void (*device_stop)(void *host, void *host_thread, bool last);
    bool (*capture)(void *host, void *host_thread, void *context, hone_prof_capture *out);
    /* Of WALL: calls hone_prof_waiting_add for each thread and fiber that waits at this moment,
     * all in one go: until it returns none of them goes on or ends. Called by hone_prof_snapshot
     * and hone_prof_stop with no lock held. NULL: a wait shows when it is over, if that is before
     * the stop. */
    void (*waiting)(void *host, hone_prof_waiting *list);
    const char *program; /* name of what is profiled; copied; merging compares it */
    const char *meaning; /* what a sample of SAFEPOINT means, for the reports; NULL: as its row */
} hone_prof_config;

/* ---- taking a profile
 * ----------------------------------------------------------------------------- */

typedef struct hone_prof hone_prof;
typedef struct hone_prof_thread hone_prof_thread;

typedef struct hone_prof_options {
    uint64_t interval_ns; /* CPU time between samples, less a 32nd at most; 0: 1 ms. 10 us to 10 s;
                             SIGNAL and PERF take less than 100 us as 100 us */
    unsigned depth;       /* innermost frames kept; 0: 64. At most 65536 */
    unsigned root_depth;  /* outermost frames kept of a deeper stack; 0: 8. At most 4096 */
    size_t max_nodes;     /* bound on each thread's stack tree, in frames; 0: 4 million (about 100
                             MB). Samples beyond it are counted as lost, by that cause */
    hone_prof_source source;
    hone_prof_error *error; /* NULL, or where a sentence goes if starting fails */
} hone_prof_options;

hone_prof *hone_prof_new(const hone_prof_config *config); /* NULL if walk is missing */
void hone_prof_free(hone_prof *p);                        /* stops it if need be; NULL allowed */
/* Starts sampling all threads, registered now or later; adds to what an earlier run left. Options
 * NULL: all defaults, and the source of the last run. ALREADY: it runs, with this source or
 * another: stop it first. MISMATCH: what an earlier run left is of another source: reset first.
 * UNSUPPORTED: the source is not to be had here. BAD_ARGUMENT. */
int hone_prof_start(hone_prof *p, const hone_prof_options *options);
/* Waits under way count up to now. STOPPED: it does not run. */
int hone_prof_stop(hone_prof *p);
bool hone_prof_running(const hone_prof *p);
int hone_prof_reset(hone_prof *p); /* forgets all samples and accounts; running or not */

/* Registers a thread. `ticks` is its scheduler, which can serve one instance at a time. name is
 * copied; NULL: "thread". If the profiler runs, sampling begins when this thread next fires (it is
 * armed, or woken, for that). The table of a removed thread stays in the profile. */
hone_prof_thread *hone_prof_thread_add(hone_prof *p, void *host_thread, hone_prof_ticks *ticks,
                                       const char *name);
void hone_prof_thread_remove(hone_prof_thread *t);
void hone_prof_thread_rename(hone_prof_thread *t, const char *name);

/* In the signal handler of a thread whose device struck. True: make the thread call
 * hone_prof_ticks_fire soon. Async-signal-safe; keeps no errno. */
bool hone_prof_strike(hone_prof_thread *t, void *context);

/* The thread t, or (own false) a fiber that it carries on with, waited from since_ns to now, in the
 * clock of config.wall_ns. Called on that thread, where walk gives the stack that waited; `mark` is
 * an address that stands for the kind of wait and becomes the leaf. Counts with WALL alone; a wait
 * shorter than the interval only if a sampling instant fell in it, so that the sums are right and
 * the cost is bounded. */
void hone_prof_waited(hone_prof_thread *t, uintptr_t mark, uint64_t since_ns, bool own);
/* From config.waiting: one that waits still. t NULL: of no thread (a parked fiber). Takes no lock
 * but t's own. */
void hone_prof_waiting_add(hone_prof_waiting *list, hone_prof_thread *t,
                           const hone_prof_stack *stack, uint64_t since_ns);

/* In the child of a fork, before anything else is called: the instance is stopped there, with empty
 * tables and no devices; other threads are gone. */
void hone_prof_forked(hone_prof *p);

/* Labels. A label is a key with a value, both text: request=GET /x, fiber=reader. A label set is
 * known by its number; 0 is the empty one. The host keeps the number of what runs (a thread, a
 * fiber, the extent of some form) and gives it to each sample by hone_prof_stack.labels; samples of
 * one stack with different sets are counted apart.
 *
 * hone_prof_labels gives the number of the set `base` with key=value added, in place of an earlier
 * value of that key; value NULL or "" takes the key out. The same labels always have the same
 * number, whatever the order in which they were added. Any thread, at any time but in walk; it
 * takes a lock and a look-up, so call it where a label is made, not at each sample. The instance
 * keeps at most HONE_PROF_MAX_LABEL_SETS; of one too many the number of `base` is given back, and
 * stats count it (label_overflow). The key "thread" is the thread's name and no label; it and ""
 * change nothing. Numbers stay valid until hone_prof_free. */
#define HONE_PROF_MAX_LABEL_SETS 65536
uint32_t hone_prof_labels(hone_prof *p, uint32_t base, const char *key, const char *value);

/* Time that is no procedure's. Rows: name, word in the reports, whether it is CPU time. */
#define HONE_PROF_ACCOUNTS(ROW)                                                                    \
    ROW(COLLECTOR, "collector", true)                                                              \
    ROW(COMPILING, "compiling", true)                                                              \
    ROW(NATIVE, "native", true)                                                                    \
    ROW(IDLE, "idle", false)
typedef enum hone_prof_account_kind {
#define HONE_PROF_ROW(name, word, cpu) HONE_PROF_##name,
    HONE_PROF_ACCOUNTS(HONE_PROF_ROW)
#undef HONE_PROF_ROW
        HONE_PROF_ACCOUNT_COUNT
} hone_prof_account_kind;
/* Adds `ns` (and one to the count) to an account of the run; ignored while stopped. If `t` is not
 * NULL, that thread spent it, is the caller, and the time is taken off its next sample, so that a
 * collection is not blamed on the procedure that happened to ask for it. */
void hone_prof_account(hone_prof *p, hone_prof_thread *t, hone_prof_account_kind kind, uint64_t ns);

/* Why a sample could not be recorded. Rows: name, word in the reports. */
#define HONE_PROF_LOSSES(ROW)                                                                      \
    ROW(LOST_TABLE_FULL, "stack table full")                                                       \
    ROW(LOST_NO_STACK, "no frames")                                                                \
    ROW(LOST_RING_FULL, "strikes too many before a safe point")
typedef enum hone_prof_loss {
#define HONE_PROF_ROW(name, word) HONE_PROF_##name,
    HONE_PROF_LOSSES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
        HONE_PROF_LOSS_COUNT
} hone_prof_loss;

typedef struct hone_prof_stats {
    uint64_t samples;        /* taken and recorded, lost ones not included */
    uint64_t cpu_ns;         /* their sum of CPU time */
    uint64_t wall_ns;        /* their sum of wall time, over all threads */
    uint64_t fires;          /* times the sampler was served; most only read the clock */
    uint64_t refused;        /* walks put off by the host */
    uint64_t truncated;      /* samples with a truncated stack */
    uint64_t label_overflow; /* label sets that were one too many */
    uint64_t lost[HONE_PROF_LOSS_COUNT];
    uint64_t lost_ns;             /* CPU time of the lost samples */
    uint64_t skid_ns, skid_count; /* sum, and samples of which it is known */
    uint64_t alloc_error; /* allocation profile: standard error of the sum of bytes, in bytes */
    uint64_t account_ns[HONE_PROF_ACCOUNT_COUNT], account_count[HONE_PROF_ACCOUNT_COUNT];
} hone_prof_stats;
void hone_prof_get_stats(hone_prof *p, hone_prof_stats *out);

/* The profile so far, resolved; the profiler may be running. Never NULL. Freed by
 * hone_prof_data_free. */
typedef struct hone_prof_data hone_prof_data;
hone_prof_data *hone_prof_snapshot(hone_prof *p);

/* ---- allocation profile
 * ---------------------------------------------------------------------------------
 *
 * Who allocates: objects and bytes by stack, and how many of them are still alive. It is a second
 * profile of an instance, with a start and stop of its own, so that both kinds may be taken at
 * once; threads, labels, walk and resolver are the instance's.
 *
 * Every so many bytes of allocation, the object in which that byte lies is a sample. The host
 * counts the bytes of each thread, where it counts them anyway: at the end of the piece of memory
 * that the thread allocates from, which it puts where the next sample is due. The distances are
 * drawn from an exponential distribution, anew from the end of each sample, so an object of s bytes
 * is a sample with the probability p = 1 - exp(-s / interval), whatever came before, and stands for
 * 1 / p objects. The sums are thereby unbiased; the standard error of the sum of bytes is in the
 * stats.
 *
 *     on each thread, at start:  t->run = hone_prof_alloc_run(p, &t->interval);
 *                                t->random = any number; left = hone_prof_alloc_distance(...)
 *     at an allocation of s bytes with s > left: it is a sample; the next distance counts from its
 * end soon after it, where walk can run: hone_prof_alloc_record(t->prof, t->run, &object, 1, -1)
 *     after each collection:     hone_prof_alloc_sweep(p, is_alive, ctx)
 */

typedef struct hone_prof_alloc_options {
    uint64_t interval; /* mean bytes between samples; 0: 512 KiB. 1 to 2^40 */
    unsigned depth;    /* these three as in hone_prof_options */
    unsigned root_depth;
    size_t max_nodes;
} hone_prof_alloc_options;

/* As hone_prof_start, _stop and _reset; thread rules as there. Telling the threads that a run began
 * or ended is the host's business: what they record of another run than the current one is ignored.
 */
int hone_prof_alloc_start(hone_prof *p, const hone_prof_alloc_options *options);
int hone_prof_alloc_stop(hone_prof *p);
int hone_prof_alloc_reset(hone_prof *p); /* those sampled objects that live are forgotten too */
/* The number of the run under way, and its interval; 0: none. */
uint64_t hone_prof_alloc_run(hone_prof *p, uint64_t *interval);

/* The next distance in bytes, from 0. *state is the caller's generator: any number at first. */
uint64_t hone_prof_alloc_distance(uint64_t *state, uint64_t interval);

typedef struct hone_prof_alloc_object {
    uintptr_t object; /* the host's reference, for the sweep; 0: it is taken for dead */
    uint64_t bytes;
} hone_prof_alloc_object;
/* Objects of the thread t that are samples, all allocated by the stack that walk gives now. Called
 * on that thread. account: -1, or the account (enum hone_prof_account_kind) that stands in place of
 * the stack. */
void hone_prof_alloc_record(hone_prof_thread *t, uint64_t run,
                            const hone_prof_alloc_object *objects, size_t n, int account);
/* Asks for each sampled object that lived so far whether it does still. alive may change *object,
 * where it was moved. It must not call into this library. */
void hone_prof_alloc_sweep(hone_prof *p, bool (*alive)(void *ctx, uintptr_t *object), void *ctx);
/* The profile so far. Its values are samples, alloc_objects, alloc_space (bytes), inuse_objects and
 * inuse_space (bytes); the main one is alloc_space or, if `live`, inuse_space. period_ns is the
 * interval in bytes. Never NULL; empty if there was no start. */
hone_prof_data *hone_prof_alloc_snapshot(hone_prof *p, bool live);

/* ---- profiles as data
 * ---------------------------------------------------------------------------------
 *
 * A profile is a set of samples. A sample has a stack of locations, a value for each of the
 * profile's value types, and labels. A location is a chain of inlined lines; a line is a procedure
 * and a place in it. Accounts (the collector and so on) appear as samples of a procedure named
 * `[collector]`, with no samples counted, so that the sum of all is the time that was used.
 * Values saturate at 2^63-1. */

#define HONE_PROF_MAX_VALUES 16

typedef struct hone_prof_value_type {
    const char *type, *unit; /* "samples" "count", "cpu" "nanoseconds", ... */
} hone_prof_value_type;

typedef struct hone_prof_info {
    const char *program, *meaning;
    const hone_prof_value_type *values;
    unsigned value_count;
    unsigned main_value;     /* index: what shares and orders are made of */
    int sample_value;        /* index of the number of samples, or -1 */
    uint64_t period_ns;      /* asked between samples, bytes where that is the main unit; 0:
                                unknown or not sampled */
    uint64_t duration_ns;    /* wall time while running */
    uint64_t process_cpu_ns; /* CPU time of the process while running; 0: unknown */
    int64_t start_ns;        /* since 1970; 0: unknown */
    hone_prof_stats stats;   /* zero where the file did not tell */
    uint32_t sources;        /* number of profiles merged in this one */
    bool own;                /* made by this library, not by another tool */
} hone_prof_info;

typedef struct hone_prof_func {
    const char *name, *file;
    uint32_t line, column;
    const char
        *label; /* name, with its place added where several procedures share a name; unique */
} hone_prof_func;

typedef struct hone_prof_line {
    uint32_t func, line, column; /* func: index for hone_prof_data_func */
} hone_prof_line;

/* A label of a sample: a text or, in files of other tools, a number. */
typedef struct hone_prof_label {
    const char *key;
    const char *value; /* NULL: it is the number */
    int64_t number;
    const char *unit; /* of the number, "" for none; NULL counts as "" where it is given */
} hone_prof_label;

typedef struct hone_prof_sample {
    const uint32_t *locations; /* innermost first; indices for hone_prof_data_location */
    uint32_t depth;
    const uint64_t *values;
    const char *thread;            /* the thread's name, or "" */
    const hone_prof_label *labels; /* in order of key, then value */
    uint32_t label_count;
} hone_prof_sample;

void hone_prof_data_free(hone_prof_data *d); /* NULL allowed */
const hone_prof_info *hone_prof_data_info(const hone_prof_data *d);
uint32_t hone_prof_data_funcs(const hone_prof_data *d);
const hone_prof_func *hone_prof_data_func(const hone_prof_data *d, uint32_t i);
uint32_t hone_prof_data_locations(const hone_prof_data *d);
/* Lines of a location, innermost inlined one first. */
const hone_prof_line *hone_prof_data_location(const hone_prof_data *d, uint32_t i, uint32_t *count);
uint32_t hone_prof_data_samples(const hone_prof_data *d);
void hone_prof_data_sample(const hone_prof_data *d, uint32_t i, hone_prof_sample *out);
uint64_t hone_prof_data_total(const hone_prof_data *d, unsigned value);

/* Building a profile by hand, as for execution counts: new, then funcs, locations and samples, then
 * finish. Equal functions, locations and samples become one. Until finish nothing else may be
 * called on it. info: only program, meaning, values (copied), main_value, sample_value and the
 * plain numbers are used. */
hone_prof_data *hone_prof_data_new(const hone_prof_info *info);
uint32_t hone_prof_data_add_func(hone_prof_data *d, const char *name, const char *file,
                                 uint32_t line, uint32_t column, uint64_t id);
uint32_t hone_prof_data_add_location(hone_prof_data *d, const hone_prof_line *lines,
                                     uint32_t count);
void hone_prof_data_add_sample(hone_prof_data *d, const uint32_t *locations, uint32_t depth,
                               const uint64_t *values, const char *thread,
                               const hone_prof_label *labels, uint32_t label_count);
void hone_prof_data_finish(hone_prof_data *d);

/* Execution counts in the shape of a profile: one value, "count" "count". */
typedef struct hone_prof_count {
    hone_prof_frame place;
    uint64_t count;
} hone_prof_count;
hone_prof_data *hone_prof_data_from_counts(const char *program, const hone_prof_count *counts,
                                           size_t n);

/* Reading pprof files, gzipped or not, of this library or another tool. Damaged, cut off, foreign
 * or too large ones give FORMAT or IO, a text that names the file, and *out NULL. `name` stands in
 * error texts. Files above 256 MB, or that unpack to more than that, are refused. */
int hone_prof_data_read(const char *path, hone_prof_data **out, hone_prof_error *error);
int hone_prof_data_parse(const void *bytes, size_t len, const char *name, hone_prof_data **out,
                         hone_prof_error *error);

/* Adds profiles up. weights NULL: all 1; each is from 0 to 1e6. The order of the inputs does not
 * matter. MISMATCH if the value types differ, or the programs do and `mix_programs` is false. */
int hone_prof_merge(const hone_prof_data *const *inputs, const double *weights, size_t n,
                    bool mix_programs, hone_prof_data **out, hone_prof_error *error);

/* What `after` has beyond `before`, an earlier snapshot of the same instance: the profile of the
 * time between. before NULL: nothing. Where it held more than `after` does, since there was a reset
 * in between, the difference is 0. start_ns: when that time began, since 1970; 0: as in `after`. */
hone_prof_data *hone_prof_subtract(const hone_prof_data *after, const hone_prof_data *before,
                                   int64_t start_ns);

/* The samples with the label key=value alone, a new profile. A number is compared with its digits.
 * The key "thread" means the thread's name. Facts of the whole process (its CPU time, the accounts)
 * stay as they are. */
hone_prof_data *hone_prof_filter(const hone_prof_data *d, const char *key, const char *value);
/* All samples, each below a root frame named for its value of that label, `[KEY: VALUE]`, or
 * `[no KEY]`. */
hone_prof_data *hone_prof_split(const hone_prof_data *d, const char *key);

/* ---- tables
 * ---------------------------------------------------------------------------------------- */

/* One row for each procedure. Recursion counts once in total and in total_samples. */
typedef struct hone_prof_proc {
    uint32_t func;
    uint64_t self, total;                 /* of the main value */
    uint64_t self_samples, total_samples; /* 0 if the profile counts no samples */
    double self_share, total_share;       /* 0 to 1 of the main value; 0 for an empty profile */
    double self_error, total_error;       /* standard error of those, from the number of samples */
} hone_prof_proc;
/* Rows in order of self, then total, then label. The caller frees the array with free(). */
hone_prof_proc *hone_prof_procs(const hone_prof_data *d, size_t *count);

/* One row for each line of each procedure that was seen. self: the line was the innermost one. */
typedef struct hone_prof_line_row {
    uint32_t func, line;
    uint64_t self, total, self_samples, total_samples;
} hone_prof_line_row;
hone_prof_line_row *hone_prof_lines(const hone_prof_data *d, size_t *count);

/* Calls between procedures; a call within one procedure is an edge too. Weight: of the samples in
 * which the edge occurs, counted once each. Ordered by caller, then weight. */
typedef struct hone_prof_edge {
    uint32_t caller, callee;
    uint64_t weight, samples;
} hone_prof_edge;
hone_prof_edge *hone_prof_edges(const hone_prof_data *d, size_t *count);

/* The call tree as an array: node 0 is the root of all (func UINT32_MAX); children follow their
 * parent directly in depth-first order, heaviest first, so `parent` is smaller than the index.
 * A truncated mark is a node of the procedure labelled `[truncated]`. */
typedef struct hone_prof_node {
    uint32_t func, parent, depth, children;
    uint32_t levels; /* in a folded tree: most levels of one stack that are this node; else 1 */
    uint32_t cycle; /* in the tree of rounds: nodes of the longest cycle that begins here; else 1 */
    uint64_t self, total, self_samples, total_samples;
} hone_prof_node;
hone_prof_node *hone_prof_tree(const hone_prof_data *d, size_t *count);
/* The same with recursion folded: a procedure that is its own ancestor is one node with it, so that
 * no procedure is twice on one path, but on the two sides of a truncated mark. The total of a node
 * is that of the stacks that pass through it, once each: with mutual recursion those of its
 * children may add up to more than its own. */
hone_prof_node *hone_prof_tree_folded(const hone_prof_data *d, size_t *count);
/* The same with the rounds of a cycle of up to 16 procedures, each calling the next, folded into
 * one round. What lies between two calls of a procedure stays, and totals add up as in the whole
 * tree; but a stack a million deep has few nodes. */
hone_prof_node *hone_prof_tree_rounds(const hone_prof_data *d, size_t *count);

/* Whether a procedure takes at least `share` (0 to 1) of the main value, or too few samples were
 * taken to tell. min_samples 0: 100. A share within two standard errors of the bound is UNKNOWN. */
typedef enum hone_prof_verdict {
    HONE_PROF_UNKNOWN,
    HONE_PROF_COLD,
    HONE_PROF_HOT
} hone_prof_verdict;
hone_prof_verdict hone_prof_is_hot(const hone_prof_data *d, const hone_prof_proc *row, double share,
                                   uint64_t min_samples);

/* Makes the value of this type, as "inuse_space", the main one: what tables, shares and orders are
 * made of. For a profile that no one else looks at yet. BAD_ARGUMENT, with a text that lists the
 * types, if it has none such. */
int hone_prof_data_choose(hone_prof_data *d, const char *type, hone_prof_error *error);

/* Comparison of two profiles by procedure: name and file tell which belong together. */
typedef struct hone_prof_change {
    const char *label, *file; /* owned by the profiles */
    uint32_t line;
    double before, after; /* self share, 0 to 1 */
    double before_total, after_total;
    double noise; /* changes of self share below this are not to be trusted (two standard errors) */
    bool credible; /* |after - before| > noise */
} hone_prof_change;
/* Rows in order of |after - before|. The caller frees the array with free(). */
hone_prof_change *hone_prof_diff(const hone_prof_data *before, const hone_prof_data *after,
                                 size_t *count);

/* ---- formats
 * ------------------------------------------------------------------------------------------ */

typedef struct hone_prof_bytes {
    char *at; /* NUL behind it; freed with free() */
    size_t len;
} hone_prof_bytes;

typedef struct hone_prof_report {
    unsigned top;    /* rows of the tables; 0: 25 */
    bool full_tree;  /* the whole call tree, not only the paths to the rows of the table */
    bool no_tree;    /* no call tree at all */
    bool lines;      /* hot lines with their source text, read from the files where they exist */
    bool no_sources; /* a page shows no source text. Else it holds that of the files named */
} hone_prof_report;

/* A row of the one table of formats. */
typedef struct hone_prof_format {
    const char *name;          /* "text", "folded", "pprof", "speedscope", "html", "csv", "scm" */
    const char *extensions[4]; /* ".folded", ...; NULL ends them */
    const char *help;          /* one line */
    /* Private: appends the profile to a base_buf. */
    void (*write)(const hone_prof_data *d, const hone_prof_report *options, void *buf);
} hone_prof_format;
const hone_prof_format *hone_prof_formats(size_t *count);
const hone_prof_format *hone_prof_format_by_name(const char *name); /* NULL if there is none */
const hone_prof_format *hone_prof_format_by_path(const char *path); /* by its extension */
/* Whether hone_prof_save, or hone_prof_vmstats_save, has a format for the path's extension: OK, or
 * UNSUPPORTED with a text that lists those there are. */
int hone_prof_check_path(const char *path, hone_prof_error *error);
int hone_prof_vmstats_check_path(const char *path, hone_prof_error *error);
/* options NULL: the defaults; formats other than text take none. */
hone_prof_bytes hone_prof_write(const hone_prof_data *d, const hone_prof_format *format,
                                const hone_prof_report *options);
/* Writes a whole file, aside and then renamed. format NULL: by the path's extension; an unknown one
 * is UNSUPPORTED with a text that lists those there are. For ".txt" and options NULL everything is
 * written: the table, the full tree, the lines. */
int hone_prof_save(const hone_prof_data *d, const char *path, const hone_prof_format *format,
                   const hone_prof_report *options, hone_prof_error *error);
/* The report for people, as `--profile` prints it; the text format with these options. */
hone_prof_bytes hone_prof_report_text(const hone_prof_data *d, const hone_prof_report *options);
/* Source files with the cost of each line beside it, files of most cost first; what lies far from
 * any cost is left out, but for files that are named. A file's line counts once per sample. */
typedef struct hone_prof_annotation {
    const char *const *files; /* only those: whole paths, or the last parts of one */
    size_t file_count;        /* 0: all that can be read and cost something */
    bool colour;              /* escape sequences of a terminal */
} hone_prof_annotation;
/* BAD_ARGUMENT if a named file is not in the profile or has no line with a cost, IO if it can not
 * be read; how may not be NULL. */
int hone_prof_annotate(const hone_prof_data *d, const hone_prof_annotation *how,
                       hone_prof_bytes *out, hone_prof_error *error);
/* The comparison for people. top 0: 25. */
hone_prof_bytes hone_prof_diff_text(const hone_prof_data *before, const hone_prof_data *after,
                                    unsigned top);
/* The comparison as a page with a differential flame graph; empty if hone_prof_has_page says so. */
hone_prof_bytes hone_prof_diff_html(const hone_prof_data *before, const hone_prof_data *after,
                                    const hone_prof_report *options);
/* Whether this library holds the libraries that pages are built on: OK or UNSUPPORTED. Without them
 * saving as HTML gives that error, and writing gives a page that says so. */
int hone_prof_has_page(hone_prof_error *error);

/* The folded format, exactly: one line per stack, `root;...;leaf COUNT`, all threads together,
 * sorted by bytes, where COUNT is the number of samples (of the main value if the profile counts
 * none, or if that is bytes) and stacks with 0 are left out. In a name, `%`, `;`, control
 * characters, U+2028 and U+2029 are written as %XX for each byte of their UTF-8; spaces stay as
 * they are, since the count is behind the last one. hone_prof_unfold undoes it in place, for one
 * name. */
void hone_prof_unfold(char *name);

/* ---- statistics of instructions
 * --------------------------------------------------------------------------
 *
 * For a virtual machine with `n` instructions and `m` other parts (the call path, the collector):
 * executions, time, and how often each instruction followed each other. Each thread counts in a
 * hone_prof_vmcounts of its own, through the inlines below; a dump adds them up. */

typedef struct hone_prof_vmstats hone_prof_vmstats;

/* Private but for the inlines. Counters are read by a dump while the thread writes: relaxed. */
typedef struct hone_prof_vmcounts {
    uint64_t *count, *ns; /* n + m of each */
    uint64_t *pairs;      /* n * n: pairs[before * n + after] */
    uint64_t last;        /* clock at the last step */
    uint32_t n;
    uint32_t before; /* last instruction, for pairs; UINT32_MAX: none */
    uint32_t owner;  /* who is charged for the time since `last`; UINT32_MAX: no one */
    bool dropped;    /* by a reset: the thread is to end them and to make new ones. Atomic */
    hone_prof_vmstats *stats;
    struct hone_prof_vmcounts *next;
} hone_prof_vmcounts;

/* names: n of instructions and m of parts; copied. `now` is the clock that the host hands to the
 * inlines, in nanoseconds (NULL: the monotonic clock); its cost is measured here and taken off
 * in dumps. */
hone_prof_vmstats *hone_prof_vmstats_new(const char *const *names, uint32_t n,
                                         const char *const *parts, uint32_t m,
                                         uint64_t (*now)(void));
void hone_prof_vmstats_free(hone_prof_vmstats *s);
/* The counters of a thread, made at first need. Any thread may make them; one thread counts in
 * them. Ending adds them to those of ended threads, unless a reset has dropped them. */
hone_prof_vmcounts *hone_prof_vmstats_thread(hone_prof_vmstats *s);
void hone_prof_vmstats_thread_end(hone_prof_vmcounts *c);
/* Forgets all that was counted. Any thread may call it while others count: what they had is dropped
 * from all sums at once; each finds out by hone_prof_vm_dropped, ends its counters and makes new
 * ones. */
void hone_prof_vmstats_reset(hone_prof_vmstats *s);

static inline bool hone_prof_vm_dropped(const hone_prof_vmcounts *c) {
    return __atomic_load_n(&c->dropped, __ATOMIC_ACQUIRE);
}
static inline void hone_prof_vm_bump(uint64_t *counter, uint64_t by) {
    uint64_t sum = __atomic_load_n(counter, __ATOMIC_RELAXED) + by;
    __atomic_store_n(counter, sum > (uint64_t)INT64_MAX ? (uint64_t)INT64_MAX : sum,
                     __ATOMIC_RELAXED);
}
static inline void hone_prof_vm_charge(hone_prof_vmcounts *c, uint32_t owner, uint64_t now) {
    if (c->owner != UINT32_MAX) hone_prof_vm_bump(&c->ns[c->owner], now - c->last);
    c->owner = owner;
    c->last = now;
}
/* Instruction `op` (below n) begins at `now`. */
static inline void hone_prof_vm_step(hone_prof_vmcounts *c, uint32_t op, uint64_t now) {
    hone_prof_vm_charge(c, op, now);
    hone_prof_vm_bump(&c->count[op], 1);
    if (c->before != UINT32_MAX) hone_prof_vm_bump(&c->pairs[(size_t)c->before * c->n + op], 1);
    c->before = op;
}
/* Part number `part` (below m) takes over from the current instruction, until the next step. */
static inline void hone_prof_vm_part(hone_prof_vmcounts *c, uint32_t part, uint64_t now) {
    hone_prof_vm_charge(c, c->n + part, now);
    hone_prof_vm_bump(&c->count[c->n + part], 1);
}
/* Part number `part`, interrupted by another one, goes on. */
static inline void hone_prof_vm_resume(hone_prof_vmcounts *c, uint32_t part, uint64_t now) {
    hone_prof_vm_charge(c, c->n + part, now);
}
/* Counting pauses (the switch goes off, the thread blocks): time until the next step is no one's.
 */
static inline void hone_prof_vm_pause(hone_prof_vmcounts *c, uint64_t now) {
    hone_prof_vm_charge(c, UINT32_MAX, now);
}

typedef struct hone_prof_vmrow {
    const char *name;
    bool part;
    uint64_t count, total_ns; /* the clock's own cost taken off */
    double average_ns;
} hone_prof_vmrow;
/* All n + m rows, in the order of the tables. Freed with free(). */
hone_prof_vmrow *hone_prof_vmstats_rows(hone_prof_vmstats *s, size_t *count);
uint64_t hone_prof_vmstats_pair(hone_prof_vmstats *s, uint32_t before, uint32_t after);
double hone_prof_vmstats_clock_ns(const hone_prof_vmstats *s); /* cost of one reading */
/* The dump as "csv", "scheme" or "text"; `at` NULL for another format. */
hone_prof_bytes hone_prof_vmstats_dump(hone_prof_vmstats *s, const char *format);
/* format NULL: by the path's extension, .csv, .scm or .txt. */
int hone_prof_vmstats_save(hone_prof_vmstats *s, const char *path, const char *format,
                           hone_prof_error *error);
/* A table for people, of the costliest `top` (0: 25). */
hone_prof_bytes hone_prof_vmstats_text(hone_prof_vmstats *s, unsigned top);

#ifdef __cplusplus
}
#endif

#endif
