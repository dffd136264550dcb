/* Strikes: what a signal handler leaves for the next safe point; and waits, which only time and the
 * host's word can tell.
 *
 * The ring. One per thread, written by the handler and emptied by the same thread at a safe point,
 * so there is no other processor to think of, only the moment at which the handler breaks in:
 * signal fences keep the compiler from moving the stores. A thread that is long in one place (a
 * primitive that reaches no safe point) is struck there again and again; equal strikes become one,
 * with the clocks of the last. So does one too many for the ring; its place is then lost, which is
 * counted, but its time is not. What the emptying reads is closed to that: `closed` is set first.
 *
 * Stopping. A thread may be in its handler while another stops the profiler. The handler says so
 * (in_strike) and then looks whether it may (striking); the stopper takes the permission away and
 * then waits until the handler is out. One of the two sees the other.
 *
 * Waits. With the source `wall` a wait of at least the interval counts with its length. A shorter
 * one counts with the whole interval, if a multiple of it, on the clock, fell in the wait: as often
 * as its length is part of the interval. The thread's next running sample is shorter by what its
 * waits counted; what is too much for it stays for the one after. */
#include <stdlib.h>

#include "prof/sampler.h"

#define FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* ---- in the handler ---- */

static bool same_place(const hone_prof_capture *a, const hone_prof_capture *b) {
    return a->labels == b->labels && !memcmp(a->place, b->place, sizeof a->place);
}

static void keep(prof_ring *ring, const hone_prof_capture *c) {
    bool open = ring->head != ring->closed;
    hone_prof_capture *last = &ring->at[(ring->head - 1) % PROF_RING];
    bool full = ring->head - ring->tail == PROF_RING;
    if (open && (full || same_place(last, c))) {
        ring->lost += full && !same_place(last, c);
        last->times++;
        last->cpu_ns = c->cpu_ns;
        last->wall_ns = c->wall_ns;
    } else if (full) {
        ring->lost++;
    } else {
        ring->at[ring->head % PROF_RING] = *c;
        FENCE();
        ring->head++;
    }
}

static bool take(hone_prof_thread *t, void *context) {
    const hone_prof_config *config = &t->prof->config;
    hone_prof_capture c = {.times = 1, .cpu_ns = config->cpu_ns(config->host, t->host_thread)};
    /* A timer that goes by the wall also strikes who has hardly run. */
    if (c.cpu_ns - t->ring->last_cpu < t->run.interval_ns / 2) return false;
    if (!config->capture(config->host, t->host_thread, context, &c)) return false;
    c.wall_ns = config->wall_ns(config->host);
    t->ring->last_cpu = c.cpu_ns;
    keep(t->ring, &c);
    return true;
}

bool hone_prof_strike(hone_prof_thread *t, void *context) {
    bool kept = false;
    __atomic_store_n(&t->in_strike, true, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&t->striking, __ATOMIC_SEQ_CST)) kept = take(t, context);
    __atomic_store_n(&t->in_strike, false, __ATOMIC_RELEASE);
    return kept;
}

/* ---- at the safe point ---- */

/* The next of those before `end`. */
static bool next(prof_ring *ring, unsigned end, hone_prof_capture *out) {
    if (ring->tail == end) return false;
    *out = ring->at[ring->tail % PROF_RING];
    FENCE();
    ring->tail++;
    return true;
}

void prof_drain(hone_prof_thread *t) {
    prof_ring *ring = t->ring;
    hone_prof_capture c;
    if (!ring || ring->tail == ring->head) return;
    unsigned end = ring->closed = ring->head; /* what strikes meanwhile is for the next time */
    FENCE();
    while (next(ring, end, &c)) {
        uint64_t gone = c.cpu_ns > t->last_cpu ? c.cpu_ns - t->last_cpu : 0;
        uint64_t accounted = BASE_MIN(gone, t->accounted_ns);
        if (!t->active) continue;
        if (gone > accounted && !prof_record(t, gone - accounted, &c)) continue;
        t->accounted_ns -= accounted;
        t->last_cpu = c.cpu_ns;
    }
    t->stats.lost[HONE_PROF_LOST_RING_FULL] += ring->lost;
    ring->lost = 0;
}

/* ---- beginning and ending, on the thread ---- */

bool prof_source_strikes(hone_prof_source s) {
    return s == HONE_PROF_SIGNAL || s == HONE_PROF_PERF;
}

void prof_device_begin(hone_prof_thread *t) {
    const hone_prof_config *config = &t->prof->config;
    if (!prof_source_strikes(t->run.source)) return;
    if (!t->ring) t->ring = base_calloc(1, sizeof *t->ring);
    t->ring->tail = t->ring->closed = t->ring->head;
    t->ring->last_cpu = t->last_cpu;
    t->has_device = true;
    FENCE();
    __atomic_store_n(&t->striking, true, __ATOMIC_SEQ_CST);
    if (config->device_start)
        config->device_start(config->host, t->host_thread, t->run.source, t->run.interval_ns);
}

void prof_device_end(hone_prof_thread *t) {
    const hone_prof_config *config = &t->prof->config;
    __atomic_store_n(&t->striking, false, __ATOMIC_SEQ_CST);
    if (!t->has_device) return;
    t->has_device = false;
    if (config->device_stop) config->device_stop(config->host, t->host_thread, true);
}

void prof_device_silence(hone_prof_thread *t) {
    const hone_prof_config *config = &t->prof->config;
    if (!__atomic_exchange_n(&t->striking, false, __ATOMIC_SEQ_CST)) return;
    if (config->device_stop) config->device_stop(config->host, t->host_thread, false);
    while (__atomic_load_n(&t->in_strike, __ATOMIC_SEQ_CST)) os_thread_yield();
}

/* ---- waits ---- */

/* What a wait counts with. */
uint64_t prof_wait_weight(uint64_t since, uint64_t until, uint64_t interval) {
    if (until <= since) return 0;
    if (until - since >= interval) return until - since;
    return until / interval != since / interval ? interval : 0;
}

void hone_prof_waited(hone_prof_thread *t, uintptr_t mark, uint64_t since_ns, bool own) {
    hone_prof *p = t->prof;
    if (t->run.source != HONE_PROF_WALL) return; /* as the thread itself last noticed */
    os_mutex_lock(&t->lock);
    if (t->active) {
        uint64_t since = BASE_MAX(since_ns, t->began_wall), now = p->config.wall_ns(p->config.host);
        uint64_t *counted = own ? &t->counted_wall : &p->nobody.counted_wall;
        since = BASE_MAX(since, __atomic_load_n(counted, __ATOMIC_RELAXED));
        uint64_t weight = prof_wait_weight(since, now, t->run.interval_ns);
        if (weight) prof_record_wait(t, mark, weight);
        if (own) t->waited_ns += weight;
    }
    os_mutex_unlock(&t->lock);
}

uint64_t prof_running_wall(hone_prof_thread *t, uint64_t gone, uint64_t used) {
    uint64_t least = BASE_MIN(used, gone), most = gone - least;
    uint64_t waited = BASE_MIN(t->waited_ns, most);
    t->waited_ns -= waited;
    return gone - waited;
}

/* ---- those that wait at a snapshot, or when the sampling stops ---- */

void prof_ask_waiting(hone_prof *p, hone_prof_waiting *list) {
    os_mutex_lock(&p->lock);
    bool wanted = p->running && p->run.source == HONE_PROF_WALL && p->config.waiting;
    list->run = p->run;
    list->started_wall = p->started_wall;
    os_mutex_unlock(&p->lock);
    if (wanted) p->config.waiting(p->config.host, list);
}

void hone_prof_waiting_add(hone_prof_waiting *list, hone_prof_thread *t,
                           const hone_prof_stack *stack, uint64_t since_ns) {
    size_t depth = stack->inner + stack->root;
    prof_wait w = {.thread = t,
                   .labels = stack->labels,
                   .since_ns = since_ns,
                   .truncated = stack->truncated,
                   .frames = base_calloc(depth + 1, sizeof *w.frames)};
    for (size_t i = 0; i < depth; i++) {
        if (i == stack->inner && stack->truncated) w.frames[w.depth++] = PROF_TRUNCATED;
        w.frames[w.depth++] = stack->frames[i];
    }
    if (!list->stopping) {
        BASE_PUSH(list, w);
        return;
    }
    prof_record_waiting(list, &w);
    free(w.frames);
}

void prof_waiting_free(hone_prof_waiting *list) {
    for (size_t i = 0; i < list->len; i++) free(list->at[i].frames);
    BASE_VEC_FREE(list);
}
