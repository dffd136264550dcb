/* The live side of the profiler: an instance and its threads. Private to prof. */
#ifndef HONE_PROF_SAMPLER_H
#define HONE_PROF_SAMPLER_H

#include "os/os.h"
#include "prof/codemap.h"
#include "prof/labels.h"
#include "prof/stacks.h"

/* How much of a stack is kept unless options say otherwise, and the most that they may ask for. */
enum { PROF_DEPTH = 64, PROF_ROOT_DEPTH = 8, PROF_MOST_DEPTH = 65536, PROF_MOST_ROOT_DEPTH = 4096 };
#define PROF_MAX_NODES ((size_t)4 << 20)
/* Completes them; false: out of range. */
bool prof_complete_depths(unsigned *depth, unsigned *root_depth, size_t *max_nodes);

/* A walk's result as one array, innermost first, with the mark where frames were left out: there
 * is room for it. Its length. */
size_t prof_join_frames(const hone_prof_stack *stack);

enum { PROF_RING = 32 };
typedef struct prof_ring {
    hone_prof_capture at[PROF_RING];
    unsigned head, tail; /* count up; head is the handler's */
    unsigned closed;     /* entries before it are not the handler's any more */
    uint64_t last_cpu;   /* clock at the last strike that counted */
    uint64_t lost;
} prof_ring;

/* Someone who waits while a snapshot is taken or the sampling stops. */
typedef struct prof_wait {
    hone_prof_thread *thread; /* NULL: none */
    uint32_t labels;
    uint64_t since_ns;
    uintptr_t *frames;
    size_t depth;
    bool truncated;
} prof_wait;
struct hone_prof_waiting {
    hone_prof *stopping; /* each is counted at once, there; NULL: they are kept, for a snapshot */
    prof_wait *at;       /* */
    size_t len, cap;
    hone_prof_options run;                    /* when the host was asked */
    uint64_t started_wall;                    /* */
    uint64_t until_wall, fibers_counted_wall; /* clock at the first one; see sampler.c */
};

struct hone_prof_thread {
    hone_prof *prof;
    void *host_thread;
    hone_prof_ticks *ticks;
    char *name;                   /* under prof->lock */
    uint64_t id;                  /* counts from 1, in order of registration */
    unsigned attention;           /* atomic: the run state has changed, look at it */
    os_mutex lock;                /* all below; held by the thread while it samples */
    bool active;                  /* samples are to be taken */
    hone_prof_options run;        /* as of the start that the thread last noticed */
    prof_stacks stacks;           /* */
    hone_prof_stats stats;        /* the per-thread part */
    uintptr_t *frames;            /* room for depth + mark + root_depth */
    uint64_t last_cpu, last_wall; /* clocks at the last sample */
    uint64_t accounted_ns;        /* CPU time since then that is no procedure's */
    uint64_t ticks_since;         /* ticks since the last sample */
    double fewest_ticks;          /* that an interval took, of a clock; HUGE_VAL: unknown */
    double ticks_per_interval;    /* as measured; starts at 1 */
    uint64_t began_wall;          /* clock when the sampling of this thread began */
    uint64_t waited_ns;           /* waits that were counted and not yet taken off a sample */
    uint64_t counted_wall;        /* up to this clock a stop has counted a wait. Atomic */
    bool striking, in_strike;     /* atomic: see strikes.c */
    bool has_device;              /* the host's device is set; the thread's own */
    prof_ring *ring;              /* NULL until strikes are asked for; the thread's own */
};

struct hone_prof {
    hone_prof_config config; /* callbacks all set; strings owned */
    os_mutex lock;           /* all below but accounts. Taken before a thread's lock, never after */
    bool running;
    hone_prof_options run;
    char *event; /* what the device of the run counts; NULL: nothing to tell */
    BASE_VEC(hone_prof_thread *) threads; /* alive */
    BASE_VEC(hone_prof_thread *) ended;   /* their tables are kept */
    hone_prof_thread nobody;              /* what stops counted for fibers that no thread carried */
    uint64_t next_id;
    uint64_t started_wall, started_process; /* clocks at the last start or reset */
    uint64_t ran_ns, ran_process_ns;        /* of earlier runs */
    int64_t start_ns;                       /* first start, since 1970; 0: not started yet */
    uint64_t account_ns[HONE_PROF_ACCOUNT_COUNT],
        account_count[HONE_PROF_ACCOUNT_COUNT]; /* atomic */
    prof_labels labels;                         /* with a lock of its own */
    struct prof_alloc *alloc;                   /* NULL until it is needed; atomic */
    os_mutex resolving;                         /* the code map; taken with no other lock held */
    prof_codemap codemap;                       /* */
};

typedef struct prof_account {
    const char *word;
    bool cpu;
} prof_account;
extern const prof_account prof_accounts[HONE_PROF_ACCOUNT_COUNT]; /* the header's table */

/* The location in D of an address, by the code map; PLACES remembers those had already. Needs
 * p->resolving. */
uint32_t prof_locate(hone_prof *p, hone_prof_data *d, base_map *places, uintptr_t address);
/* Threads of one name get numbers, so that their rows stay apart: worker, worker#2. FIRST is the
 * first of COUNT owned names, which lie STRIDE bytes apart. */
void prof_number_names(void *first, size_t count, size_t stride);

/* alloc.c: the allocation profile, which is made at first need; NULL allowed. */
void prof_alloc_free(struct prof_alloc *a);
void prof_alloc_forked(struct prof_alloc *a); /* in the child: stopped, and empty */

/* strikes.c. All but the last two on the thread itself, with its lock held. */
bool prof_source_strikes(hone_prof_source s);
void prof_drain(hone_prof_thread *t);        /* walks and counts what struck */
void prof_device_begin(hone_prof_thread *t); /* if the source has one */
void prof_device_end(hone_prof_thread *t);   /* also after the thread has ended */
/* The wall time of a running sample, of `gone` since the last one: less what waits counted. */
uint64_t prof_running_wall(hone_prof_thread *t, uint64_t gone, uint64_t used);
void prof_device_silence(hone_prof_thread *t); /* any thread; no strike follows */
uint64_t prof_wait_weight(uint64_t since, uint64_t until, uint64_t interval);
/* Who waits now, as the host says. With no lock held. */
void prof_ask_waiting(hone_prof *p, hone_prof_waiting *list);
void prof_waiting_free(hone_prof_waiting *list);

/* sampler.c: walks and counts, with the thread's lock held. The capture is NULL for a sample at a
 * safe point. False: the host can not walk now. */
bool prof_record(hone_prof_thread *t, uint64_t used, const hone_prof_capture *capture);
void prof_record_wait(hone_prof_thread *t, uintptr_t mark, uint64_t weight);
/* Takes the thread's lock itself. */
void prof_record_waiting(hone_prof_waiting *list, const prof_wait *w);

/* The stats of all threads and the accounts. Needs p->lock. */
void prof_gather_stats(hone_prof *p, hone_prof_stats *out);

#endif
