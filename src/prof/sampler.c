/* The sampler: when to take a sample, and what it weighs.
 *
 * The thread's tick scheduler serves the sampler every so many ticks. Each time it reads the
 * thread's CPU clock, once. If less than the interval has gone by since the last sample, the rest
 * is asked for, sized by the ticks per nanosecond that the thread just ran at. Otherwise a sample
 * is taken; its weight is the CPU time since the last one, never the nominal interval, so that a
 * slow or coarse device makes a coarse profile, not a wrong one.
 *
 * What the measured ticks per interval may be has two bounds. It may at most double from one fire
 * to the next; a device of very fine ticks is learnt in a few fires all the same. And where the
 * ticks are those of a clock, it may be at most SLOWEST times the fewest that an interval ever
 * took: while a thread sleeps, beats go by without CPU, and it would ask for the beats of a whole
 * nap and go unseen when it works again.
 *
 * Threads. Start and stop only set state and a word of attention; each thread notices when it next
 * fires, which the host's `wake` hastens. A thread's own lock is held while it samples: a reader
 * that takes the lock, and a stop that takes every lock once, know that no walk is under way. The
 * order is: the instance's lock, then a thread's. A thread takes the instance's lock only when it
 * attends.
 *
 * Waits at a stop. One under way would be told of when it is over, too late. So a stop asks the
 * host, as a snapshot does, and counts each while the host keeps it from ending, with no lock of
 * the instance's held. The clock of that moment stays with the thread, for fibers with `nobody`:
 * what ends later, or is asked for again, counts from there.
 */
#include "prof/sampler.h"

#include "prof/data.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_INTERVAL 1000000u
#define SHORTEST_STRIKES 100000u /* signals that come faster may leave no time for the program */
#define MAX_ENDED        64      /* tables of ended threads kept apart; more are added up */

#define SLOWEST 8.0

/* A device of coarse ticks, those of a clock, comes now a little before, now a little after the
 * interval is over. What is early by less than this part of it counts: to wait for another tick
 * would cost more than it is worth, and the weight is measured anyway. Fine ticks need no such
 * leave, and it would favour the places where they come close together. */
#define EARLY 32

/* ---- on the sampled thread ---- */

/* The next demand, given that `used` ns went by in ticks_since ticks and `wanted` are to come. */
static uint64_t demand_for(hone_prof_thread *t, uint64_t used, uint64_t wanted) {
    double interval = (double)t->run.interval_ns;
    double limit = BASE_MIN(t->ticks_per_interval * 2, t->fewest_ticks * SLOWEST);
    double measured = used ? (double)t->ticks_since * interval / (double)used : limit;
    t->ticks_per_interval = measured < 1 || limit < 1 ? 1 : BASE_MIN(measured, limit);
    double ticks = t->ticks_per_interval * (double)wanted / interval;
    return ticks <= 1 ? 1 : (uint64_t)(ticks + 0.999);
}

/* At a sample: learns the fewest ticks that an interval takes. */
static void learn_fewest(hone_prof_thread *t, uint64_t used) {
    double measured = (double)t->ticks_since * (double)t->run.interval_ns / (double)used;
    if (t->ticks->device.clock && measured < t->fewest_ticks) t->fewest_ticks = measured;
}

size_t prof_join_frames(const hone_prof_stack *stack) {
    if (!stack->truncated) return stack->inner + stack->root;
    uintptr_t *roots = stack->frames + stack->inner;
    memmove(roots + 1, roots, stack->root * sizeof *roots);
    *roots = PROF_TRUNCATED;
    return stack->inner + 1 + stack->root;
}

static void note_skid(hone_prof_thread *t, const hone_prof_stack *stack, uint64_t wall) {
    if (!stack->beat_ns || stack->beat_ns > wall) return;
    t->stats.skid_ns += wall - stack->beat_ns;
    t->stats.skid_count++;
}

static void lose(hone_prof_thread *t, hone_prof_loss cause, uint64_t used) {
    t->stats.lost[cause]++;
    t->stats.lost_ns = base_sat_add(t->stats.lost_ns, used);
}

typedef struct place {
    uint32_t labels;
    const uintptr_t *frames;
    size_t depth;
    bool truncated;
} place;

static void count(hone_prof_thread *t, const place *where, const prof_row *values,
                  size_t max_nodes) {
    if (!where->depth)
        lose(t, HONE_PROF_LOST_NO_STACK, values->cpu_ns);
    else if (!prof_stacks_add(&t->stacks, where->labels, where->frames, where->depth, values,
                              max_nodes))
        lose(t, HONE_PROF_LOST_TABLE_FULL, values->cpu_ns);
    else {
        t->stats.samples += values->samples;
        t->stats.cpu_ns = base_sat_add(t->stats.cpu_ns, values->cpu_ns);
        t->stats.wall_ns = base_sat_add(t->stats.wall_ns, values->wall_ns);
        t->stats.truncated += where->truncated;
    }
}

/* Walks, from inside the leaf that may be in already, and counts. False if the host can not walk
 * now. */
static bool walk_and_count(hone_prof_thread *t, hone_prof_stack *stack, const prof_row *values) {
    hone_prof *p = t->prof;
    p->config.walk(p->config.host, t->host_thread, stack);
    if (stack->refused) {
        t->stats.refused++;
        return false;
    }
    place where = {stack->labels, t->frames, prof_join_frames(stack), stack->truncated};
    count(t, &where, values, t->run.max_nodes);
    return true;
}

static hone_prof_stack empty_stack(const hone_prof_thread *t) {
    return (hone_prof_stack){
        .frames = t->frames, .inner_max = t->run.depth, .root_max = t->run.root_depth};
}

bool prof_record(hone_prof_thread *t, uint64_t used, const hone_prof_capture *capture) {
    hone_prof *p = t->prof;
    uint64_t now = p->config.wall_ns(p->config.host), wall = capture ? capture->wall_ns : now;
    uint64_t gone = wall > t->last_wall ? wall - t->last_wall : 0, waited = t->waited_ns;
    prof_row values = {.samples = capture ? capture->times : 1,
                       .cpu_ns = used,
                       .wall_ns = prof_running_wall(t, gone, used)};
    hone_prof_stack stack = empty_stack(t);
    stack.capture = capture;
    if (!walk_and_count(t, &stack, &values)) {
        t->waited_ns = waited;
        return false;
    }
    t->last_wall += gone;
    if (capture) stack.beat_ns = wall;
    note_skid(t, &stack, now);
    return true;
}

void prof_record_wait(hone_prof_thread *t, uintptr_t mark, uint64_t weight) {
    hone_prof_stack stack = empty_stack(t);
    hone_prof_stack_push(&stack, mark);
    walk_and_count(t, &stack, &(prof_row){.samples = 1, .wall_ns = weight});
}

/* All those of one list wait at one moment, that of the first, and what an earlier stop has counted
 * of the fibers is read at that moment too. */
void prof_record_waiting(hone_prof_waiting *list, const prof_wait *w) {
    hone_prof *p = list->stopping;
    hone_prof_thread *t = w->thread ? w->thread : &p->nobody;
    if (!list->until_wall) {
        list->until_wall = p->config.wall_ns(p->config.host);
        list->fibers_counted_wall = __atomic_load_n(&p->nobody.counted_wall, __ATOMIC_RELAXED);
    }
    os_mutex_lock(&t->lock);
    uint64_t counted = w->thread ? t->counted_wall : list->fibers_counted_wall;
    uint64_t since = BASE_MAX(BASE_MAX(w->since_ns, list->started_wall), counted);
    if (t->active) since = BASE_MAX(since, t->began_wall);
    uint64_t weight = prof_wait_weight(since, list->until_wall, list->run.interval_ns);
    place where = {w->labels, w->frames, w->depth, w->truncated};
    if (weight) count(t, &where, &(prof_row){.samples = 1, .wall_ns = weight}, list->run.max_nodes);
    if (w->thread) t->waited_ns += weight;
    __atomic_store_n(&t->counted_wall, list->until_wall, __ATOMIC_RELAXED);
    os_mutex_unlock(&t->lock);
}

/* Serves one demand of an active thread; gives the next. */
static uint64_t serve(hone_prof_thread *t) {
    hone_prof *p = t->prof;
    uint64_t now = p->config.cpu_ns(p->config.host, t->host_thread), gone = now - t->last_cpu;
    uint64_t used = gone > t->accounted_ns ? gone - t->accounted_ns : 0;
    t->stats.fires++;
    uint64_t leave = t->ticks->device.clock ? t->run.interval_ns / EARLY : 0;
    if (used < t->run.interval_ns - leave) return demand_for(t, used, t->run.interval_ns - used);
    if (!prof_record(t, used, NULL)) return HONE_PROF_RETRY_TICKS;
    learn_fewest(t, used);
    uint64_t next = demand_for(t, used, t->run.interval_ns);
    t->last_cpu = now;
    t->accounted_ns = 0;
    t->ticks_since = 0;
    return next;
}

static uint64_t sample(void *ctx, uint64_t ticks) {
    hone_prof_thread *t = ctx;
    os_mutex_lock(&t->lock);
    t->ticks_since += ticks;
    uint64_t next = t->active ? serve(t) : HONE_PROF_NEVER;
    os_mutex_unlock(&t->lock);
    return next;
}

/* Begins sampling on this thread as the instance's options of the moment say. */
static void begin(hone_prof_thread *t) {
    hone_prof *p = t->prof;
    size_t room = (size_t)t->run.depth + 1 + t->run.root_depth;
    t->frames = base_resize(t->frames, room, sizeof *t->frames);
    t->last_cpu = p->config.cpu_ns(p->config.host, t->host_thread);
    t->last_wall = t->began_wall = p->config.wall_ns(p->config.host);
    t->accounted_ns = t->ticks_since = t->waited_ns = 0;
    t->ticks_per_interval = 1;
    t->fewest_ticks = HUGE_VAL;
    t->active = true;
    prof_device_begin(t);
}

/* The run state has changed. */
static void notice(hone_prof_thread *t) {
    hone_prof *p = t->prof;
    os_mutex_lock(&p->lock); /* a start or stop is either all seen or raises attention again */
    os_mutex_lock(&t->lock);
    __atomic_store_n(&t->attention, 0, __ATOMIC_RELAXED);
    bool running = p->running;
    prof_device_end(t);
    if (running) {
        t->run = p->run;
        begin(t);
    }
    os_mutex_unlock(&t->lock);
    os_mutex_unlock(&p->lock);
    if (running && !prof_source_strikes(t->run.source))
        hone_prof_ticks_demand(t->ticks, HONE_PROF_SAMPLER, 1);
    else
        hone_prof_ticks_cancel(t->ticks, HONE_PROF_SAMPLER);
}

static void attend(void *ctx) {
    hone_prof_thread *t = ctx;
    if (__atomic_load_n(&t->attention, __ATOMIC_RELAXED)) notice(t);
    if (!t->ring || t->ring->tail == t->ring->head) return;
    os_mutex_lock(&t->lock);
    prof_drain(t);
    os_mutex_unlock(&t->lock);
}

/* ---- instances ---- */

static uint64_t default_cpu(void *host, void *thread) {
    (void)host;
    (void)thread;
    return os_thread_cpu_ns();
}
static uint64_t default_wall(void *host) {
    (void)host;
    return os_mono_ns();
}
static uint64_t default_process(void *host) {
    (void)host;
    return os_process_cpu_ns();
}

hone_prof *hone_prof_new(const hone_prof_config *config) {
    if (!config->walk) return NULL;
    hone_prof *p = base_calloc(1, sizeof *p);
    p->config = *config;
    if (!p->config.cpu_ns) p->config.cpu_ns = default_cpu;
    if (!p->config.wall_ns) p->config.wall_ns = default_wall;
    if (!p->config.process_cpu_ns) p->config.process_cpu_ns = default_process;
    p->config.program = base_strdup(config->program ? config->program : "");
    if (config->meaning) p->config.meaning = base_strdup(config->meaning);
    os_mutex_init(&p->lock);
    os_mutex_init(&p->resolving);
    os_mutex_init(&p->nobody.lock);
    p->nobody.name = base_strdup("");
    prof_labels_init(&p->labels);
    return p;
}

static void empty_thread(hone_prof_thread *t) {
    prof_stacks_free(&t->stacks);
    os_mutex_destroy(&t->lock);
    free(t->ring);
    free(t->frames);
    free(t->name);
}

static void free_thread(hone_prof_thread *t) {
    empty_thread(t);
    free(t);
}

static bool stop(hone_prof *p);

void hone_prof_free(hone_prof *p) {
    if (!p) return;
    stop(p);
    for (size_t i = 0; i < p->threads.len; i++) free_thread(p->threads.at[i]);
    for (size_t i = 0; i < p->ended.len; i++) free_thread(p->ended.at[i]);
    empty_thread(&p->nobody);
    BASE_VEC_FREE(&p->threads);
    BASE_VEC_FREE(&p->ended);
    prof_codemap_free(&p->codemap);
    prof_alloc_free(p->alloc);
    prof_labels_free(&p->labels);
    os_mutex_destroy(&p->lock);
    os_mutex_destroy(&p->resolving);
    free((char *)p->config.program);
    free((char *)p->config.meaning);
    free(p->event);
    free(p);
}

bool prof_complete_depths(unsigned *depth, unsigned *root_depth, size_t *max_nodes) {
    if (!*depth) *depth = PROF_DEPTH;
    if (!*root_depth) *root_depth = PROF_ROOT_DEPTH;
    if (!*max_nodes) *max_nodes = PROF_MAX_NODES;
    return *depth <= PROF_MOST_DEPTH && *root_depth <= PROF_MOST_ROOT_DEPTH;
}

static bool complete_options(hone_prof_options *o) {
    if (!o->interval_ns) o->interval_ns = DEFAULT_INTERVAL;
    bool fits = o->interval_ns >= 10000 && o->interval_ns <= 10000000000u;
    if (fits && prof_source_strikes(o->source))
        o->interval_ns = BASE_MAX(o->interval_ns, SHORTEST_STRIKES);
    return fits && (unsigned)o->source < HONE_PROF_SOURCE_COUNT &&
           prof_complete_depths(&o->depth, &o->root_depth, &o->max_nodes);
}

/* Tells every living thread that the run state has changed. */
static void call_for_attention(hone_prof *p) {
    for (size_t i = 0; i < p->threads.len; i++) {
        __atomic_store_n(&p->threads.at[i]->attention, 1, __ATOMIC_RELAXED);
        if (p->config.wake) p->config.wake(p->config.host, p->threads.at[i]->host_thread);
    }
}

static void mark_start(hone_prof *p) {
    p->started_wall = p->config.wall_ns(p->config.host);
    p->started_process = p->config.process_cpu_ns(p->config.host);
}

static bool holds_samples(const hone_prof *p) {
    for (size_t i = 0; i < p->threads.len; i++)
        if (p->threads.at[i]->stacks.rows.len) return true;
    return p->ended.len > 0 || p->nobody.stacks.rows.len;
}

/* Whether a run can begin; *event: what its device counts, NULL if it has none. */
static int check_start(hone_prof *p, const hone_prof_options *run, const char **event) {
    hone_prof_error *e = run->error;
    const char *word = hone_prof_source_word(run->source),
               *now = hone_prof_source_word(p->run.source);
    *event = NULL;
    if (p->running)
        return prof_fail(e, HONE_PROF_ALREADY,
                         "the profiler is running already, with the source %s; stop it first", now);
    if (p->run.source != run->source && holds_samples(p))
        return prof_fail(e, HONE_PROF_MISMATCH,
                         "there are samples of the source %s, to which those of %s can not be "
                         "added; reset first",
                         now, word);
    if (!prof_source_strikes(run->source)) return HONE_PROF_OK;
    if (!p->config.capture)
        return prof_fail(e, HONE_PROF_UNSUPPORTED, "the source %s is not to be had in this program",
                         word);
    hone_prof_error why = {.text = "the system has no such alarms"};
    if (p->config.device_check &&
        !p->config.device_check(p->config.host, run->source, run->interval_ns, event, &why))
        return prof_fail(e, HONE_PROF_UNSUPPORTED, "the source %s is unsupported here: %.300s",
                         word, why.text);
    return HONE_PROF_OK;
}

static void set_running(hone_prof *p, const hone_prof_options *run, const char *event) {
    p->running = true;
    p->run = *run;
    p->run.error = NULL;
    free(p->event);
    p->event = event ? base_strdup(event) : NULL;
    mark_start(p);
    if (!p->start_ns) p->start_ns = os_wall_ns();
    call_for_attention(p);
}

int hone_prof_start(hone_prof *p, const hone_prof_options *options) {
    hone_prof_options run = options ? *options : (hone_prof_options){.source = p->run.source};
    if (!complete_options(&run))
        return prof_fail(run.error, HONE_PROF_BAD_ARGUMENT, "an option is out of its range");
    const char *event;
    os_mutex_lock(&p->lock);
    int status = check_start(p, &run, &event);
    if (!status) set_running(p, &run, event);
    os_mutex_unlock(&p->lock);
    return status;
}

static bool stop(hone_prof *p) {
    os_mutex_lock(&p->lock);
    bool was_running = p->running;
    if (was_running) {
        p->running = false;
        p->ran_ns += p->config.wall_ns(p->config.host) - p->started_wall;
        p->ran_process_ns += p->config.process_cpu_ns(p->config.host) - p->started_process;
        for (size_t i = 0; i < p->threads.len; i++) { /* waits for walks and strikes under way */
            hone_prof_thread *t = p->threads.at[i];
            prof_device_silence(t);
            os_mutex_lock(&t->lock);
            t->active = false;
            os_mutex_unlock(&t->lock);
            __atomic_store_n(&t->attention, 1, __ATOMIC_RELAXED);
        }
    }
    os_mutex_unlock(&p->lock);
    return was_running;
}

int hone_prof_stop(hone_prof *p) {
    hone_prof_waiting waiting = {.stopping = p};
    prof_ask_waiting(p, &waiting);
    return stop(p) ? HONE_PROF_OK : HONE_PROF_STOPPED;
}

bool hone_prof_running(const hone_prof *p) {
    os_mutex *lock = (os_mutex *)&p->lock;
    os_mutex_lock(lock);
    bool running = p->running;
    os_mutex_unlock(lock);
    return running;
}

static void reset_thread(hone_prof_thread *t) {
    os_mutex_lock(&t->lock);
    prof_stacks_free(&t->stacks);
    t->stats = (hone_prof_stats){0};
    os_mutex_unlock(&t->lock);
}

int hone_prof_reset(hone_prof *p) {
    os_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->threads.len; i++) reset_thread(p->threads.at[i]);
    reset_thread(&p->nobody);
    for (size_t i = 0; i < p->ended.len; i++) free_thread(p->ended.at[i]);
    p->ended.len = 0;
    for (int k = 0; k < HONE_PROF_ACCOUNT_COUNT; k++) {
        __atomic_store_n(&p->account_ns[k], 0, __ATOMIC_RELAXED);
        __atomic_store_n(&p->account_count[k], 0, __ATOMIC_RELAXED);
    }
    p->ran_ns = p->ran_process_ns = 0;
    p->start_ns = p->running ? os_wall_ns() : 0;
    mark_start(p);
    os_mutex_unlock(&p->lock);
    return HONE_PROF_OK;
}

void hone_prof_forked(hone_prof *p) {
    os_mutex_init(&p->lock);
    os_mutex_init(&p->resolving);
    os_mutex_init(&p->labels.lock);
    os_mutex_init(&p->nobody.lock);
    p->running = false;
    for (size_t i = 0; i < p->threads.len; i++) {
        hone_prof_thread *t = p->threads.at[i];
        os_mutex_init(&t->lock);
        t->active = t->striking = t->in_strike = t->has_device = false;
        t->attention = 1;
    }
    if (p->alloc) prof_alloc_forked(p->alloc);
    hone_prof_reset(p);
}

/* ---- threads ---- */

hone_prof_thread *hone_prof_thread_add(hone_prof *p, void *host_thread, hone_prof_ticks *ticks,
                                       const char *name) {
    hone_prof_thread *t = base_calloc(1, sizeof *t);
    t->prof = p;
    t->host_thread = host_thread;
    t->ticks = ticks;
    t->name = base_strdup(name ? name : "thread");
    os_mutex_init(&t->lock);
    ticks->sample = sample;
    ticks->sampler = t;
    __atomic_store_n(&ticks->attend, attend, __ATOMIC_RELEASE);
    os_mutex_lock(&p->lock);
    t->id = ++p->next_id;
    BASE_PUSH(&p->threads, t);
    if (p->running) {
        __atomic_store_n(&t->attention, 1, __ATOMIC_RELAXED);
        if (p->config.wake) p->config.wake(p->config.host, host_thread);
    }
    os_mutex_unlock(&p->lock);
    return t;
}

void hone_prof_thread_rename(hone_prof_thread *t, const char *name) {
    os_mutex_lock(&t->prof->lock);
    free(t->name);
    t->name = base_strdup(name ? name : "thread");
    os_mutex_unlock(&t->prof->lock);
}

static void add_thread_stats(hone_prof_stats *to, const hone_prof_stats *from) {
    to->samples += from->samples;
    to->cpu_ns = base_sat_add(to->cpu_ns, from->cpu_ns);
    to->wall_ns = base_sat_add(to->wall_ns, from->wall_ns);
    to->fires += from->fires;
    to->refused += from->refused;
    to->truncated += from->truncated;
    for (int i = 0; i < HONE_PROF_LOSS_COUNT; i++) to->lost[i] += from->lost[i];
    to->lost_ns = base_sat_add(to->lost_ns, from->lost_ns);
    to->skid_ns += from->skid_ns;
    to->skid_count += from->skid_count;
}

/* Keeps the table of an ended thread. Of many, the later ones are added up in the last place. */
static void keep_ended(hone_prof *p, hone_prof_thread *t) {
    if (!t->stacks.rows.len && !t->stats.fires) {
        free_thread(t);
    } else if (p->ended.len < MAX_ENDED) {
        BASE_PUSH(&p->ended, t);
    } else {
        hone_prof_thread *all = p->ended.at[MAX_ENDED - 1];
        free(all->name);
        all->name = base_strdup("ended threads");
        prof_stacks_merge(&all->stacks, &t->stacks);
        add_thread_stats(&all->stats, &t->stats);
        free_thread(t);
    }
}

void hone_prof_thread_remove(hone_prof_thread *t) {
    hone_prof *p = t->prof;
    hone_prof_ticks_cancel(t->ticks, HONE_PROF_SAMPLER);
    prof_device_end(t);
    t->ticks->sample = NULL;
    t->ticks->attend = NULL;
    t->ticks->sampler = NULL;
    os_mutex_lock(&p->lock);
    size_t i = 0;
    while (p->threads.at[i] != t) i++;
    memmove(&p->threads.at[i], &p->threads.at[i + 1],
            (p->threads.len - i - 1) * sizeof *p->threads.at);
    p->threads.len--;
    t->active = false;
    keep_ended(p, t);
    os_mutex_unlock(&p->lock);
}

/* ---- accounts ---- */

const prof_account prof_accounts[HONE_PROF_ACCOUNT_COUNT] = {
#define HONE_PROF_ROW(name, word, cpu) {word, cpu},
    HONE_PROF_ACCOUNTS(HONE_PROF_ROW)
#undef HONE_PROF_ROW
};

static void atomic_sat_add(uint64_t *counter, uint64_t by) {
    uint64_t old = __atomic_load_n(counter, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(counter, &old, base_sat_add(old, by), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

void hone_prof_account(hone_prof *p, hone_prof_thread *t, hone_prof_account_kind kind,
                       uint64_t ns) {
    if (ns > BASE_SAT_MAX || !hone_prof_running(p)) return;
    atomic_sat_add(&p->account_ns[kind], ns);
    atomic_sat_add(&p->account_count[kind], 1);
    if (!t || !prof_accounts[kind].cpu) return;
    os_mutex_lock(&t->lock);
    t->accounted_ns += ns;
    os_mutex_unlock(&t->lock);
}

static void gather_thread_stats(hone_prof_thread *t, hone_prof_stats *out) {
    os_mutex_lock(&t->lock);
    add_thread_stats(out, &t->stats);
    os_mutex_unlock(&t->lock);
}

void prof_gather_stats(hone_prof *p, hone_prof_stats *out) {
    *out = (hone_prof_stats){0};
    for (size_t i = 0; i < p->threads.len; i++) gather_thread_stats(p->threads.at[i], out);
    gather_thread_stats(&p->nobody, out);
    for (size_t i = 0; i < p->ended.len; i++) add_thread_stats(out, &p->ended.at[i]->stats);
    out->label_overflow = prof_labels_overflow(&p->labels);
    for (int k = 0; k < HONE_PROF_ACCOUNT_COUNT; k++) {
        out->account_ns[k] = __atomic_load_n(&p->account_ns[k], __ATOMIC_RELAXED);
        out->account_count[k] = __atomic_load_n(&p->account_count[k], __ATOMIC_RELAXED);
    }
}

void hone_prof_get_stats(hone_prof *p, hone_prof_stats *out) {
    os_mutex_lock(&p->lock);
    prof_gather_stats(p, out);
    os_mutex_unlock(&p->lock);
}
