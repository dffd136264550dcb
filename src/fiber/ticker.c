/* ticker.c: the timer device: one thread for the process that asks for attention when a demand
 * falls due.
 *
 * Time is counted in beats of FIBER_BEAT_NS. A thread's device is the word t->tick_due: the number
 * of the beat at which it wants attention, HONE_PROF_NEVER for none, so arming is one store. The
 * ticker sleeps until the first demand of any thread falls due, then asks that thread (rt_request),
 * which notices at its next safe point. A thread that was asked and has not yet answered will soon
 * have a new demand; the ticker guesses USUAL_BEATS for it and needs no wake-up if the guess is not
 * too late: for a sampler at 1 ms it wakes once a millisecond and nobody ever signals it. A demand
 * sooner than the planned wake-up signals it (`armed`). With no demand at all it sleeps for good.
 */
#include "fiber/fiber.h"

enum { USUAL_BEATS = 4 };

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
        uint64_t usual = __atomic_load_n(&t->tick_interval, __ATOMIC_RELAXED);
        due = l->beat + (usual && usual < USUAL_BEATS ? usual : USUAL_BEATS);
    }
    if (due < l->next) l->next = due;
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
        while (ticker.planned == HONE_PROF_NEVER) os_cond_wait(&ticker.sooner, &ticker.lock);
        while (beat_now() < ticker.planned)
            os_cond_wait_until(&ticker.sooner, &ticker.lock,
                               ticker.start + ticker.planned * FIBER_BEAT_NS);
        os_mutex_unlock(&ticker.lock);
    }
    return NULL;
}

/* Some thread's demand became sooner: make sure the ticker wakes for it. */
static void armed(void *context) {
    Thread *t = context;
    /* Nobody kept the clock up while nobody had a demand: count from the true time. */
    uint64_t stale = __atomic_load_n(&ticker.beat, __ATOMIC_RELAXED);
    uint64_t due = __atomic_load_n(&t->tick_due, __ATOMIC_SEQ_CST) + (beat_now() - stale);
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

static void serve(Thread *t) {
    uint64_t beat = beat_now();
    hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK);
    uint64_t due = __atomic_load_n(&t->tick_due, __ATOMIC_RELAXED);
    __atomic_store_n(&t->tick_interval, due == HONE_PROF_NEVER || due <= beat ? 0 : due - beat,
                     __ATOMIC_RELAXED);
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
    if (fiber_on_thread_end) fiber_on_thread_end(t);
}

void fiber_wake(Thread *t) { rt_request(t, REQUEST_TICK); }

void (*fiber_on_thread_begin)(Thread *t);
void (*fiber_on_thread_end)(Thread *t);
