/* ticker.c: the timer device: one thread for the process that asks for attention when a demand
 * falls due.
 *
 * Time is counted in beats of FIBER_BEAT_NS. A thread's device is the word t->tick_due: the number
 * of the beat at which it wants attention, HONE_PROF_NEVER for none, so arming is one store. The
 * ticker sleeps until the first demand of any thread falls due, then asks that thread (rt_request),
 * which notices at its next safe point. A thread that was asked and has not yet answered will soon
 * have a new demand; the ticker guesses USUAL_BEATS for it and needs no wake-up if the guess is not
 * too late: for a sampler at 1 ms it wakes once a millisecond and nobody ever signals it. A demand
 * sooner than the planned wake-up signals it (`armed`, `serve`). Threads that are asked and in a
 * call that blocks are left out of the plan. With no other demand it sleeps for good.
 *
 * A wake-up is what sampling costs: on a virtual machine most of it is the timer interrupt and the
 * way out of the idle state. So a short wait is a plain nap, a fifth cheaper than one on a
 * condition variable; a demand that comes meanwhile is late by NAP_BEATS at most.
 */
#include "fiber/sched.h"

enum { USUAL_BEATS = 4, NAP_BEATS = 4 };

static struct Ticker {
    os_mutex lock;
    os_cond sooner;
    uint64_t start;   /* os_mono_ns of beat 0 */
    uint64_t beat;    /* relaxed atomic; the clock of all devices, kept up by whoever looks */
    uint64_t planned; /* the beat at which it will wake; relaxed atomic, written under the lock */
    bool started;
} ticker = {.lock = OS_MUTEX_INIT};

static uint64_t beat_now(void) {
    uint64_t beat = (os_mono_ns() - ticker.start) / FIBER_BEAT_NS;
    __atomic_store_n(&ticker.beat, beat, __ATOMIC_RELAXED);
    return beat;
}

typedef struct Look {
    uint64_t beat, mono_ns;
    uint64_t next; /* the first demand still to come */
} Look;

static void look_at(Thread *t, void *context) {
    Look *l = context;
    uint64_t due = __atomic_load_n(&t->tick_due, __ATOMIC_RELAXED);
    if (due == HONE_PROF_NEVER) return;
    if (due <= l->beat) {
        /* The first look that finds it due is the one that counts for the skid. */
        if (!(__atomic_load_n(&t->requests, __ATOMIC_RELAXED) & REQUEST_TICK)) {
            __atomic_store_n(&t->tick_mono_ns, l->mono_ns, __ATOMIC_RELAXED);
            rt_request(t, REQUEST_TICK);
        }
        if (rt_is_away(t)) return; /* it answers when it comes back (serve) */
        uint64_t usual = __atomic_load_n(&t->tick_interval, __ATOMIC_RELAXED);
        due = l->beat + (usual && usual < USUAL_BEATS ? usual : USUAL_BEATS);
    }
    if (due < l->next) l->next = due;
}

/* Under the lock. */
static void wait_for_plan(void) {
    while (ticker.planned == HONE_PROF_NEVER) os_cond_wait(&ticker.sooner, &ticker.lock);
    for (uint64_t beat; (beat = beat_now()) < ticker.planned;) {
        uint64_t moment = ticker.start + ticker.planned * FIBER_BEAT_NS;
        if (ticker.planned - beat > NAP_BEATS) {
            os_cond_wait_until(&ticker.sooner, &ticker.lock, moment);
        } else {
            os_mutex_unlock(&ticker.lock);
            os_sleep_until(moment);
            os_mutex_lock(&ticker.lock);
        }
    }
}

static void *run(void *unused) {
    (void)unused;
    os_thread_set_name("hone-ticker");
    for (;;) {
        Look l = {.beat = beat_now(), .mono_ns = os_mono_ns(), .next = HONE_PROF_NEVER};
        /* From here a demand made is either seen by the look or sees that the plan is `never` and
         * signals. */
        os_mutex_lock(&ticker.lock);
        __atomic_store_n(&ticker.planned, HONE_PROF_NEVER, __ATOMIC_SEQ_CST);
        os_mutex_unlock(&ticker.lock);
        rt_each_thread(look_at, &l);
        os_mutex_lock(&ticker.lock);
        if (l.next < ticker.planned) __atomic_store_n(&ticker.planned, l.next, __ATOMIC_SEQ_CST);
        wait_for_plan();
        os_mutex_unlock(&ticker.lock);
    }
    return NULL;
}

/* T has a demand that is due at that beat: make sure the ticker wakes for it. */
static void demand(Thread *t, uint64_t due) {
    __atomic_store_n(&t->tick_due, due, __ATOMIC_SEQ_CST);
    if (due >= __atomic_load_n(&ticker.planned, __ATOMIC_SEQ_CST)) return;
    os_mutex_lock(&ticker.lock);
    if (!ticker.started) {
        os_thread thread;
        ticker.started = os_thread_start(&thread, run, NULL, 64 * 1024, true);
        if (ticker.started) os_thread_detach(thread);
    }
    if (due < ticker.planned) {
        __atomic_store_n(&ticker.planned, due, __ATOMIC_SEQ_CST);
        os_cond_signal(&ticker.sooner);
    }
    os_mutex_unlock(&ticker.lock);
}

/* Some thread's demand became sooner. */
static void armed(void *context) {
    Thread *t = context;
    /* Nobody kept the clock up while nobody had a demand: count from the true time. */
    uint64_t stale = __atomic_load_n(&ticker.beat, __ATOMIC_RELAXED);
    demand(t, __atomic_load_n(&t->tick_due, __ATOMIC_SEQ_CST) + (beat_now() - stale));
}

static void serve(Thread *t) {
    uint64_t beat = beat_now();
    hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK);
    uint64_t due = __atomic_load_n(&t->tick_due, __ATOMIC_RELAXED);
    __atomic_store_n(&t->tick_interval, due == HONE_PROF_NEVER || due <= beat ? 0 : due - beat,
                     __ATOMIC_RELAXED);
    /* The ticker has planned nothing for T if it was in a call that blocked. What it guessed else
     * may be too late by a few beats: that is not worth a signal. */
    if (due < HONE_PROF_NEVER - USUAL_BEATS &&
        due + USUAL_BEATS < __atomic_load_n(&ticker.planned, __ATOMIC_SEQ_CST))
        demand(t, due);
}

/* Before anybody else can find T in the list of threads. */
static void begin_ticks(Thread *t) {
    t->tick_due = HONE_PROF_NEVER;
    beat_now();
    hone_prof_ticks_init(
        &t->ticks,
        &(hone_prof_device){.slot = &t->tick_due, .clock = &ticker.beat, .armed = armed, .ctx = t});
}

static void begin_early(Thread *t, void *context) {
    (void)context;
    begin_ticks(t);
}

void fiber_start(void) {
    os_cond_init(&ticker.sooner);
    ticker.start = os_mono_ns();
    ticker.planned = HONE_PROF_NEVER;
    rt_on_tick = serve;
    rt_on_attach = begin_ticks;
    rt_each_thread(begin_early, NULL);
}

void fiber_thread_begin(Thread *t) {
    if (fiber_on_thread_begin) fiber_on_thread_begin(t);
}

void fiber_thread_end(Thread *t) {
    fiber_carrier_leave(t);
    if (fiber_on_thread_end) fiber_on_thread_end(t);
}

void fiber_wake(Thread *t) { rt_request(t, REQUEST_TICK); }

void (*fiber_on_thread_begin)(Thread *t);
void (*fiber_on_thread_end)(Thread *t);
