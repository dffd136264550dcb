/* ticker.c: the timer device: one thread for the process that beats while any thread has a demand.
 *
 * A thread's device is the word t->tick_due: the number of the beat at which it wants attention, HONE_PROF_NEVER for none, so
 * arming is one store. On each beat the ticker looks at every thread and asks those that are due (rt_request), which
 * they notice at their next safe point. With no demand outstanding it sleeps until `armed` wakes it. */
#include "fiber/fiber.h"

static struct Ticker {
    os_mutex lock;
    os_cond wanted;
    bool beating, started;
    uint64_t beat; /* relaxed atomic; the clock of all devices */
} ticker = {.lock = OS_MUTEX_INIT};

typedef struct Beat {
    uint64_t number, now;
    bool demand; /* some thread still waits for a later beat */
} Beat;

static void ask(Thread *t, void *context) {
    Beat *b = context;
    uint64_t due = __atomic_load_n(&t->tick_due, __ATOMIC_RELAXED);
    if (due == HONE_PROF_NEVER) return;
    b->demand = true;
    if (due > b->number) return;
    /* The first beat that found it due is the one that counts for the skid. */
    if (!(__atomic_load_n(&t->requests, __ATOMIC_RELAXED) & REQUEST_TICK)) {
        __atomic_store_n(&t->tick_mono_ns, b->now, __ATOMIC_RELAXED);
        rt_request(t, REQUEST_TICK);
    }
}

static void *run(void *unused) {
    (void)unused;
    os_thread_set_name("hone-ticker");
    uint64_t next = os_mono_ns();
    for (;;) {
        uint64_t now = os_mono_ns();
        next = next + FIBER_BEAT_NS < now ? now + FIBER_BEAT_NS : next + FIBER_BEAT_NS;
        os_sleep_until(next);
        Beat b = {.number = __atomic_add_fetch(&ticker.beat, 1, __ATOMIC_RELAXED), .now = os_mono_ns()};
        rt_each_thread(ask, &b);
        if (b.demand) continue;
        os_mutex_lock(&ticker.lock);
        ticker.beating = false;
        /* A demand made between the look and here finds `beating` false only under the lock: look once more. */
        rt_each_thread(ask, &b);
        while (!b.demand && !ticker.beating) os_cond_wait(&ticker.wanted, &ticker.lock);
        ticker.beating = true;
        os_mutex_unlock(&ticker.lock);
        next = os_mono_ns();
    }
    return NULL;
}

static void armed(void *unused) {
    (void)unused;
    if (__atomic_load_n(&ticker.beating, __ATOMIC_RELAXED)) return;
    os_mutex_lock(&ticker.lock);
    if (!ticker.started) {
        os_thread thread;
        ticker.started = os_thread_start(&thread, run, NULL, 64 * 1024, true);
        if (ticker.started) os_thread_detach(thread);
    }
    ticker.beating = true;
    os_cond_signal(&ticker.wanted);
    os_mutex_unlock(&ticker.lock);
}

static void serve(Thread *t) { hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK); }

void fiber_start(void) {
    os_cond_init(&ticker.wanted);
    rt_on_tick = serve;
}

void fiber_thread_begin(Thread *t) {
    t->tick_due = HONE_PROF_NEVER;
    hone_prof_ticks_init(&t->ticks, &(hone_prof_device){.slot = &t->tick_due, .clock = &ticker.beat, .armed = armed});
    if (fiber_on_thread_begin) fiber_on_thread_begin(t);
}

void fiber_thread_end(Thread *t) {
    if (fiber_on_thread_end) fiber_on_thread_end(t);
}

void fiber_wake(Thread *t) { rt_request(t, REQUEST_TICK); }

void (*fiber_on_thread_begin)(Thread *t);
void (*fiber_on_thread_end)(Thread *t);
