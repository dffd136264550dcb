/* The live side of the profiler: an instance and its threads. Private to prof. */
#ifndef HONE_PROF_SAMPLER_H
#define HONE_PROF_SAMPLER_H

#include "os/os.h"
#include "prof/codemap.h"
#include "prof/labels.h"
#include "prof/stacks.h"

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
};

struct hone_prof {
    hone_prof_config config; /* callbacks all set; strings owned */
    os_mutex lock;           /* all below but accounts. Taken before a thread's lock, never after */
    bool running;
    hone_prof_options run;
    BASE_VEC(hone_prof_thread *) threads; /* alive */
    BASE_VEC(hone_prof_thread *) ended;   /* their tables are kept */
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

/* The stats of all threads and the accounts. Needs p->lock. */
void prof_gather_stats(hone_prof *p, hone_prof_stats *out);

#endif
