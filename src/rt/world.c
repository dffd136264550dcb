/* world.c: the process's threads and heap, stopping the world, requests.
 *
 * One lock guards the list of threads and their states. A collector-to-be sets `collecting`, asks
 * every thread, and waits until none is running; a thread that comes to a safe point or back from a
 * blocking call while `collecting` is set waits until it is clear. A thread's own state is changed
 * by itself alone. */
#include "rt/rt.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/base.h"

static struct World {
    os_mutex lock;
    os_cond changed;
    Thread *threads;
    int running;
    bool collecting;
    uint32_t next_id;
    Heap *heap;
} world = {.lock = OS_MUTEX_INIT, .next_id = 1};

static _Thread_local Thread *current;
void (*rt_on_tick)(Thread *t);
void (*rt_on_collection)(Thread *t, uint64_t ns);
void (*rt_on_attach)(Thread *t);
void (*rt_on_mode)(Thread *t);
void (*rt_on_allocation)(Thread *t);
void (*rt_on_unblock)(Thread *t, RtWait why, uint64_t since_ns);

typedef struct Scanner {
    rt_root_scanner f;
    void *context;
} Scanner;
static Scanner roots[16], after[16];
static int root_count, after_count;

void rt_add_roots(rt_root_scanner f, void *context) { roots[root_count++] = (Scanner){f, context}; }
void rt_add_after_mark(rt_root_scanner f, void *context) {
    after[after_count++] = (Scanner){f, context};
}

static void scan_thread(Thread *t, Collector *c) {
    gc_visit(c, &t->cont);
    gc_visit(c, &t->handlers);
    gc_visit(c, &t->params);
    gc_visit(c, &t->winders);
    gc_visit(c, &t->object);
    gc_visit(c, &t->fiber);
    gc_visit(c, &t->own);
    gc_visit(c, &t->result);
    gc_visit(c, &t->m.fail.irritant[0]);
    gc_visit(c, &t->m.fail.irritant[1]);
    gc_visit(c, &t->m.fail.message);
    rt_stack_scan_thread(t, c);
}

static void scan_roots(void *context, Collector *c) {
    (void)context;
    for (Thread *t = world.threads; t; t = t->next) scan_thread(t, c);
    for (int i = 0; i < root_count; i++) roots[i].f(roots[i].context, c);
}

static void scan_cont(void *context, Collector *c, Object *o) {
    (void)context;
    rt_stack_scan_cont(c, o);
}

static void after_mark(void *context, Collector *c) {
    (void)context;
    for (int i = 0; i < after_count; i++) after[i].f(after[i].context, c);
    rt_stack_after_mark(c);
}

static void request_collection(void *context) {
    (void)context;
    if (current) rt_request(current, REQUEST_GC);
}

bool rt_start(const GcOptions *options) {
    static const GcHooks hooks = {NULL, scan_roots, scan_cont, after_mark, request_collection};
    os_cond_init(&world.changed);
    world.heap = gc_heap_new(options, &hooks);
    if (!world.heap) fprintf(stderr, "hone: cannot reserve memory for the heap\n");
    return world.heap != NULL;
}

Heap *rt_heap(void) { return world.heap; }
Thread *rt_current(void) { return current; }

/* Under the lock; atomic for rt_is_away, which takes no lock. */
static void set_state(Thread *t, enum rt_state state) {
    __atomic_store_n(&t->state, state, __ATOMIC_SEQ_CST);
}

/* Under the lock: waits for a collection that runs, in the state STATE. */
static void wait_for_collector(Thread *t) {
    if (!world.collecting) return;
    set_state(t, THREAD_STOPPED);
    world.running--;
    os_cond_broadcast(&world.changed);
    while (world.collecting) os_cond_wait(&world.changed, &world.lock);
    world.running++;
    set_state(t, THREAD_RUNNING);
}

Thread *rt_thread_attach(void) {
    Thread *t = base_calloc(1, sizeof *t);
    gc_mutator_init(&t->m, world.heap);
    t->handlers = t->params = t->winders = V_NIL;
    t->object = t->result = t->fiber = t->own = V_FALSE;
    t->block.flush = V_FALSE;
    t->m.fail.irritant[0] = t->m.fail.irritant[1] = t->m.fail.message = V_DEFAULT;
    current = t;
    os_mutex_lock(&world.lock);
    while (world.collecting) os_cond_wait(&world.changed, &world.lock);
    rt_stack_init(t);
    t->sp = t->base + 1;
    t->os = os_thread_self();
    if (rt_on_attach) rt_on_attach(t);
    t->id = world.next_id++;
    t->next = world.threads;
    if (t->next) t->next->previous = t;
    world.threads = t;
    set_state(t, THREAD_RUNNING);
    world.running++;
    os_mutex_unlock(&world.lock);
    return t;
}

void rt_thread_detach(Thread *t) {
    t->sp = t->base + 1; /* what ran has left no frames */
    os_mutex_lock(&world.lock);
    wait_for_collector(t);
    if (t->previous)
        t->previous->next = t->next;
    else
        world.threads = t->next;
    if (t->next) t->next->previous = t->previous;
    world.running--;
    gc_mutator_leave(&t->m);
    os_cond_broadcast(&world.changed);
    os_mutex_unlock(&world.lock);
    current = NULL;
    free(t);
}

void rt_each_thread(void (*f)(Thread *t, void *context), void *context) {
    os_mutex_lock(&world.lock);
    for (Thread *t = world.threads; t; t = t->next) f(t, context);
    os_mutex_unlock(&world.lock);
}

void rt_request(Thread *t, uint32_t request) {
    __atomic_fetch_or(&t->requests, request, __ATOMIC_SEQ_CST);
    __atomic_store_n(&t->limit, (Word *)0, __ATOMIC_SEQ_CST);
}

static void request_one(Thread *t, void *context) { rt_request(t, *(uint32_t *)context); }
void rt_request_all(uint32_t request) { rt_each_thread(request_one, &request); }

/* ---- stopping ---- */

/* Under the lock, by the thread that stops the world: waits until no more than MAX threads run. */
static void stop_others(const Thread *self, int max) {
    world.collecting = true;
    for (Thread *other = world.threads; other; other = other->next)
        if (other != self) rt_request(other, REQUEST_GC);
    while (world.running > max) os_cond_wait(&world.changed, &world.lock);
}

static void let_others_go(void) {
    world.collecting = false;
    os_cond_broadcast(&world.changed);
}

void rt_world_hold(void) {
    os_mutex_lock(&world.lock);
    while (world.collecting) os_cond_wait(&world.changed, &world.lock);
    stop_others(NULL, 0);
    os_mutex_unlock(&world.lock);
}

bool rt_world_hold_until(uint64_t mono_ns) {
    os_mutex_lock(&world.lock);
    bool in_time = true;
    while (world.collecting && in_time)
        in_time = os_cond_wait_until(&world.changed, &world.lock, mono_ns);
    if (!world.collecting) {
        stop_others(NULL, INT_MAX);
        while (world.running && in_time)
            in_time = os_cond_wait_until(&world.changed, &world.lock, mono_ns);
        if (world.running) let_others_go();
    }
    bool held = world.collecting && !world.running;
    os_mutex_unlock(&world.lock);
    return held;
}

void rt_world_release(void) {
    os_mutex_lock(&world.lock);
    let_others_go();
    os_mutex_unlock(&world.lock);
}

void rt_collect(Thread *t, Word *sp, int generation) {
    t->sp = sp;
    os_mutex_lock(&world.lock);
    if (world.collecting) {
        wait_for_collector(t);
        os_mutex_unlock(&world.lock);
        return;
    }
    stop_others(t, 1);
    uint64_t before = os_thread_cpu_ns();
    gc_collect(world.heap, generation);
    let_others_go();
    os_mutex_unlock(&world.lock);
    if (rt_on_collection) rt_on_collection(t, os_thread_cpu_ns() - before);
}

bool rt_safepoint(Thread *t, Word *sp) {
    t->sp = sp;
    __atomic_store_n(&t->limit, t->real_limit, __ATOMIC_SEQ_CST);
    uint32_t requests = __atomic_exchange_n(&t->requests, 0, __ATOMIC_SEQ_CST);
    if ((requests & REQUEST_TICK) && rt_on_tick) rt_on_tick(t);
    if ((requests & REQUEST_ALLOCATION) && rt_on_allocation) rt_on_allocation(t);
    if ((requests & REQUEST_MODE) && rt_on_mode) rt_on_mode(t);
    if (requests & REQUEST_ATTEND) t->attend = true;
    if (requests & REQUEST_DIE) {
        mutator_fail(&t->m, ERR_TERMINATED, NULL, 0, V_DEFAULT);
        return false;
    }
    if ((requests & REQUEST_GC) || gc_wants_collection(world.heap)) {
        os_mutex_lock(&world.lock);
        bool waited = world.collecting;
        wait_for_collector(t);
        os_mutex_unlock(&world.lock);
        if (!waited && gc_wants_collection(world.heap)) rt_collect(t, sp, -1);
        if (gc_over_limit(world.heap)) {
            if (requests & REQUEST_INTERRUPT)
                rt_request(t, REQUEST_INTERRUPT); /* at the next one */
            mutator_fail(&t->m, ERR_HEAP_LIMIT, NULL, 0, V_DEFAULT);
            return false;
        }
        /* A stress run collects at every safe point. */
        if (gc_wants_collection(world.heap)) rt_request(t, REQUEST_GC);
    }
    if (requests & REQUEST_INTERRUPT) {
        mutator_fail(&t->m, ERR_INTERRUPT, NULL, 0, V_DEFAULT);
        return false;
    }
    return true;
}

void rt_block_begin(Mutator *m, RtWait why) {
    Thread *t = rt_thread(m);
    t->waits_for = why;
    t->away_since_ns = os_mono_ns();
    os_mutex_lock(&world.lock);
    set_state(t, THREAD_AWAY);
    world.running--;
    os_cond_broadcast(&world.changed);
    os_mutex_unlock(&world.lock);
}

void rt_block_end(Mutator *m) {
    Thread *t = rt_thread(m);
    os_mutex_lock(&world.lock);
    while (world.collecting) os_cond_wait(&world.changed, &world.lock);
    world.running++;
    set_state(t, THREAD_RUNNING);
    os_mutex_unlock(&world.lock);
    /* A beat that came meanwhile could not be answered: it counts from now. */
    if (__atomic_load_n(&t->requests, __ATOMIC_RELAXED) & REQUEST_TICK)
        __atomic_store_n(&t->tick_mono_ns, os_mono_ns(), __ATOMIC_RELAXED);
    void (*unblocked)(Thread *, RtWait, uint64_t) =
        __atomic_load_n(&rt_on_unblock, __ATOMIC_ACQUIRE);
    if (unblocked) unblocked(t, t->waits_for, t->away_since_ns);
    t->waits_for = RT_WAIT_NOTHING;
}

bool rt_is_away(const Thread *t) {
    return __atomic_load_n(&t->state, __ATOMIC_SEQ_CST) == THREAD_AWAY;
}

bool rt_interrupt_pending(Mutator *m) {
    uint32_t *requests = &rt_thread(m)->requests;
    if (__atomic_load_n(requests, __ATOMIC_SEQ_CST) & REQUEST_DIE) return true;
    return (__atomic_fetch_and(requests, ~(uint32_t)REQUEST_INTERRUPT, __ATOMIC_SEQ_CST) &
            REQUEST_INTERRUPT) != 0;
}

bool rt_would_block(Mutator *m, int fd, bool output, const char *who) {
    Thread *t = rt_thread(m);
    if (likely(!is_true(t->fiber))) return false;
    struct pollfd wanted = {.fd = fd, .events = output ? POLLOUT : POLLIN};
    if (poll(&wanted, 1, 0) != 0) return false;
    t->block = (RtBlock){.fd = fd, .output = output, .why = RT_WAIT_PORT, .flush = V_FALSE};
    mutator_fail(m, ERR_WOULD_BLOCK, who, 0, V_DEFAULT);
    return true;
}

Value rt_would_sleep(Mutator *m, uint64_t deadline, RtWait why, const char *who) {
    rt_thread(m)->block = (RtBlock){.fd = -1, .deadline = deadline, .why = why, .flush = V_FALSE};
    return mutator_fail(m, ERR_WOULD_BLOCK, who, 0, V_DEFAULT);
}
