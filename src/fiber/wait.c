/* wait.c: the list of waiting threads. See wait.h. */
#include "fiber/wait.h"

os_mutex fiber_lock = OS_MUTEX_INIT;

static struct {
    Waiter *first, *last; /* in the order in which they came */
} waiters;

static void add(Waiter *w) {
    w->previous = waiters.last;
    *(w->previous ? &w->previous->next : &waiters.first) = w;
    waiters.last = w;
}

static void remove_waiter(Waiter *w) {
    *(w->previous ? &w->previous->next : &waiters.first) = w->next;
    *(w->next ? &w->next->previous : &waiters.last) = w->previous;
}

enum fiber_wait fiber_wait(Mutator *m, Value what, RtWait why, uint64_t deadline) {
    Waiter w = {.thread = rt_thread(m), .what = what};
    os_cond_init(&w.cond);
    add(&w);
    os_mutex_unlock(&fiber_lock);
    rt_block_begin(m, why);
    os_mutex_lock(&fiber_lock);
    enum fiber_wait result = WAIT_WOKEN;
    while (!w.woken && result == WAIT_WOKEN) {
        if (rt_interrupt_pending(m))
            result = WAIT_INTERRUPTED;
        else if (deadline == FIBER_NO_DEADLINE)
            os_cond_wait(&w.cond, &fiber_lock);
        else if (!os_cond_wait_until(&w.cond, &fiber_lock, deadline) && !w.woken)
            result = WAIT_TIMEOUT;
    }
    remove_waiter(&w);
    os_mutex_unlock(&fiber_lock);
    rt_block_end(m);
    os_cond_destroy(&w.cond);
    return result;
}

Value fiber_try_later(Mutator *m, uint64_t deadline, RtWait why) {
    enum { PAUSE_NS = 1000000 };
    uint64_t next = os_mono_ns() + PAUSE_NS;
    return rt_would_sleep(m, next < deadline ? next : deadline, why, "wait");
}

static void wake(Value what, bool all) {
    for (Waiter *w = waiters.first; w; w = w->next) {
        if (w->what != what || w->woken) continue;
        w->woken = true;
        os_cond_signal(&w->cond);
        if (!all) return;
    }
}

void fiber_wake_one(Value what) { wake(what, false); }
void fiber_wake_all(Value what) { wake(what, true); }

/* Gets T to look at its requests. */
static void nudge(Thread *t) {
    for (Waiter *w = waiters.first; w; w = w->next)
        if (w->thread == t) os_cond_signal(&w->cond);
    /* Only what may block is to be cut short: elsewhere a kick would spoil the output of a message.
     */
    if (rt_is_away(t)) os_thread_kick(t->os);
}

void fiber_ask(Thread *t, uint32_t request) {
    rt_request(t, request);
    nudge(t);
}

void fiber_interrupt(Thread *t) {
    os_mutex_lock(&fiber_lock);
    fiber_ask(t, REQUEST_INTERRUPT);
    os_mutex_unlock(&fiber_lock);
}

bool fiber_interrupt_extent(Thread *t) {
    os_mutex_lock(&fiber_lock);
    bool within = t->interruptible > 0;
    if (within) fiber_ask(t, REQUEST_INTERRUPT);
    os_mutex_unlock(&fiber_lock);
    return within;
}

bool fiber_interrupt_unnoticed(Thread *t) {
    os_mutex_lock(&fiber_lock);
    bool pending = (__atomic_load_n(&t->requests, __ATOMIC_SEQ_CST) & REQUEST_INTERRUPT) != 0;
    if (pending) nudge(t);
    os_mutex_unlock(&fiber_lock);
    return pending;
}

Value fiber_interrupted(Mutator *m, const char *who) {
    return mutator_fail(m, ERR_INTERRUPT, who, 0, V_DEFAULT);
}

bool fiber_deadline(Mutator *m, const char *who, const Value *a, int pos, uint64_t *out) {
    Value v = a[pos - 1];
    if (is_true(v) && (!is_fixnum(v) || fixnum(v) < 0)) {
        mutator_fail(m, ERR_WRONG_TYPE, who, pos, v);
        return false;
    }
    *out = is_true(v) ? (uint64_t)fixnum(v) : FIBER_NO_DEADLINE;
    return true;
}

/* The collector runs while the threads of the list are away, so nobody reads `what` meanwhile. */
static void scan(void *context, Collector *c) {
    (void)context;
    os_mutex_lock(&fiber_lock);
    for (Waiter *w = waiters.first; w; w = w->next) gc_visit(c, &w->what);
    os_mutex_unlock(&fiber_lock);
}

void fiber_wait_start(void) { rt_add_roots(scan, NULL); }
