/* Threads, mutexes and condition variables without an interpreter: a thread runs a C function. */
#include "fiber/fiber.h"
#include "rt_rig.h"

enum { MS = 1000000 };

/* Everything that the tests hold on to; roots, so a primitive's arguments may lie here while
 * objects move. */
enum { THREAD, SECOND, MUTEX, CONDVAR, SLOTS = 32 };
static Value held[SLOTS];

static void scan(void *context, Collector *c) {
    (void)context;
    for (int i = 0; i < SLOTS; i++) gc_visit(c, &held[i]);
}

static Value call_on(Mutator *m, const char *name, int n, const Value *args) {
    return rt_prim_find(name)->fn(m, args, n);
}

/* A thread's procedure is a fixnum: the index of its body. Each body has arguments of its own in
 * `held`. */
typedef Value (*Body)(Mutator *m, Value *args);

static Value sleeps(Mutator *m, Value *args) {
    args[0] = v_fixnum((int64_t)os_mono_ns() + 50 * MS);
    return call_on(m, "%thread-sleep!", 1, args);
}

static Value sleeps_long(Mutator *m, Value *args) {
    args[0] = v_fixnum((int64_t)os_mono_ns() + 100000LL * MS);
    return call_on(m, "%thread-sleep!", 1, args);
}

static Value locks(Mutator *m, Value *args) {
    args[0] = held[MUTEX];
    args[1] = V_FALSE;
    args[2] = V_TRUE;
    return call_on(m, "%mutex-lock!", 3, args);
}

static Value waits(Mutator *m, Value *args) {
    if (locks(m, args) == V_FAIL) return V_FAIL;
    args[0] = held[MUTEX];
    args[1] = held[CONDVAR];
    args[2] = V_FALSE;
    return call_on(m, "%mutex-unlock-wait!", 3, args);
}

enum { ROUNDS = 20000 };
static int counter; /* guarded by held[MUTEX] */

/* Nothing here is a safe point but the waiting itself. */
static Value counts(Mutator *m, Value *args) {
    for (int i = 0; i < ROUNDS; i++) {
        if (locks(m, args) == V_FAIL) return V_FAIL;
        counter++;
        args[0] = held[MUTEX];
        call_on(m, "%mutex-unlock!", 1, args);
    }
    return V_TRUE;
}

static const Body bodies[] = {sleeps, sleeps_long, locks, waits, counts};
enum body { SLEEPS, SLEEPS_LONG, LOCKS, WAITS, COUNTS };

static Value results[8]; /* immediates, by the thread's second index */

/* PROC: body * 8 + the index of its arguments. */
static Value run(Thread *t, Value proc) {
    int64_t what = fixnum(proc) / 8, index = fixnum(proc) % 8;
    Value v = bodies[what](&t->m, &held[8 + 3 * index]);
    results[index] = v;
    if (v != V_FAIL) return v;
    t->m.fail.code = ERR_NONE;
    return V_FAIL;
}

static Value start(int slot, enum body what, int index) {
    held[slot] = CALL("%make-thread", V_FALSE);
    return CALL("%thread-start!", held[slot], v_fixnum((int64_t)what * 8 + index));
}

static Value join_within(int slot, int ms) {
    held[5] = held[slot];
    held[6] = ms < 0 ? V_FALSE : v_fixnum((int64_t)os_mono_ns() + ms * (int64_t)MS);
    return call("%thread-join!", 2, &held[5]);
}

static const char *state(int slot) { return rt_symbol_name(CALL("%thread-state", held[slot])); }
static const char *mutex_state(void) {
    Value v = CALL("mutex-state", held[MUTEX]);
    return is_symbol(v) ? rt_symbol_name(v) : "owned";
}

static void collect(void) {
    Value nothing = V_FALSE;
    rig_collect(&nothing);
}

static void pause_ms(int ms) {
    rt_block_begin(rig, RT_WAIT_FOREIGN);
    os_sleep_ns((uint64_t)ms * MS);
    rt_block_end(rig);
}

static void test_start(void) {
    rig_start();
    fiber_start();
    fiber_threads_start();
    fiber_thread_begin(rig_thread);
    fiber_run = run;
    rt_add_roots(scan, NULL);
    for (int i = 0; i < SLOTS; i++) held[i] = V_FALSE;
}

static void test_life(void) {
    held[THREAD] = CALL("%make-thread", Y("data"));
    CHECK(CALL("thread?", held[THREAD]) == V_TRUE);
    CHECK(CALL("thread?", N(1)) == V_FALSE);
    CHECK_STR(state(THREAD), "new");
    CHECK(CALL("%thread-data", held[THREAD]) == Y("data"));
    start(THREAD, SLEEPS, 0);
    CHECK_STR(state(THREAD), "running");
    FAILS(ERR_THREAD, 0, CALL("%thread-start!", held[THREAD], N(0)));
    CHECK(join_within(THREAD, 5) == V_FALSE);
    collect(); /* while it sleeps; its object moves */
    CHECK(join_within(THREAD, -1) == V_TRUE);
    CHECK_STR(state(THREAD), "ended");
    CHECK(results[0] == V_UNSPEC);
    CHECK(CALL0("current-thread") == CALL0("current-thread"));
    CHECK(CALL("thread?", CALL0("current-thread")) == V_TRUE);
}

static void test_terminate(void) {
    held[THREAD] = CALL("%make-thread", V_FALSE);
    CHECK(CALL("%thread-terminate!", held[THREAD]) == V_UNSPEC);
    CHECK_STR(state(THREAD), "killed");
    CHECK(join_within(THREAD, -1) == V_TRUE);
    uint64_t before = os_mono_ns();
    start(THREAD, SLEEPS_LONG, 0);
    held[5] = held[THREAD];
    CHECK(call("%thread-terminate!", 1, &held[5]) == V_UNSPEC);
    CHECK(os_mono_ns() - before < 20000ull * MS);
    CHECK_STR(state(THREAD), "killed");
}

static void test_mutex(void) {
    held[MUTEX] = CALL("%make-mutex", N(5));
    CHECK(CALL("%mutex-data", held[MUTEX]) == N(5));
    CHECK_STR(mutex_state(), "not-abandoned");
    CHECK(CALL("%mutex-lock!", held[MUTEX], V_FALSE, V_FALSE) == V_TRUE);
    CHECK_STR(mutex_state(), "not-owned");
    CHECK(CALL("%mutex-lock!", held[MUTEX], N(0), V_TRUE) == V_FALSE);
    CHECK(CALL("%mutex-unlock!", held[MUTEX]) == V_TRUE);
    CHECK(CALL("%mutex-lock!", held[MUTEX], V_FALSE, V_TRUE) == V_TRUE);
    CHECK(CALL("mutex-state", held[MUTEX]) == CALL0("current-thread"));
    start(THREAD, LOCKS, 0);
    pause_ms(20);
    collect(); /* what it waits for moves */
    CHECK_STR(state(THREAD), "running");
    CALL("%mutex-unlock!", held[MUTEX]);
    CHECK(join_within(THREAD, -1) == V_TRUE);
    CHECK_STR(mutex_state(), "abandoned"); /* it ended as the owner */
    CHECK(CALL("%mutex-lock!", held[MUTEX], V_FALSE, V_TRUE) == N(2));
    CALL("%mutex-unlock!", held[MUTEX]);
    CHECK_STR(mutex_state(), "not-abandoned");
    /* An owner that has ended already. */
    CHECK(CALL("%mutex-lock!", held[MUTEX], V_FALSE, held[THREAD]) == V_TRUE);
    CHECK_STR(mutex_state(), "abandoned");
    FAILS(ERR_WRONG_TYPE, 2, CALL("%mutex-lock!", held[MUTEX], N(-1), V_TRUE));
    FAILS(ERR_WRONG_TYPE, 1, CALL("%mutex-lock!", N(1), V_FALSE, V_TRUE));
}

/* Several mutexes of one owner, given up out of order. */
static void test_ownership(void) {
    Value m[4], me = CALL0("current-thread");
    for (int i = 0; i < 4; i++) {
        m[i] = CALL("%make-mutex", V_FALSE);
        CALL("%mutex-lock!", m[i], V_FALSE, V_TRUE);
    }
    static const int order[] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++) {
        CHECK(CALL("mutex-state", m[order[i]]) == me);
        CALL("%mutex-unlock!", m[order[i]]);
        CHECK(CALL("mutex-state", m[order[i]]) == Y("not-abandoned"));
    }
}

static void test_exclusion(void) {
    held[MUTEX] = CALL("%make-mutex", V_FALSE);
    counter = 0;
    start(THREAD, COUNTS, 0);
    start(SECOND, COUNTS, 1);
    for (int i = 0; i < 20; i++) {
        pause_ms(1);
        collect();
    }
    CHECK(join_within(THREAD, -1) == V_TRUE);
    CHECK(join_within(SECOND, -1) == V_TRUE);
    CHECK_EQ(counter, 2 * ROUNDS);
}

static void test_condvar(void) {
    held[MUTEX] = CALL("%make-mutex", V_FALSE);
    held[CONDVAR] = CALL("%make-condition-variable", Y("cv"));
    CHECK(CALL("%condition-variable-data", held[CONDVAR]) == Y("cv"));
    CALL("%condition-variable-signal!", held[CONDVAR], V_FALSE); /* nobody waits: it is lost */
    start(THREAD, WAITS, 0);
    start(SECOND, WAITS, 1);
    pause_ms(50);
    collect();
    CHECK_STR(mutex_state(), "not-abandoned");
    CALL("%condition-variable-signal!", held[CONDVAR], V_FALSE);
    pause_ms(30);
    bool one = !strcmp(state(THREAD), "ended"), other = !strcmp(state(SECOND), "ended");
    CHECK(one != other);
    CALL("%condition-variable-signal!", held[CONDVAR], V_TRUE);
    CHECK(join_within(THREAD, -1) == V_TRUE);
    CHECK(join_within(SECOND, -1) == V_TRUE);
    CHECK(results[0] == V_TRUE && results[1] == V_TRUE);
    held[20] = held[MUTEX];
    held[21] = held[CONDVAR];
    held[22] = v_fixnum((int64_t)os_mono_ns() + 10 * MS);
    CHECK(call("%mutex-unlock-wait!", 3, &held[20]) == V_FALSE);
}

/* ---- interrupts ---- */

static void *interrupt_soon(void *thread) {
    os_sleep_ns(20 * MS);
    fiber_interrupt(thread);
    return NULL;
}

static void test_interrupt(void) {
    os_thread helper;
    uint64_t before = os_mono_ns();
    os_thread_start(&helper, interrupt_soon, rig_thread, 0, true);
    FAILS(ERR_INTERRUPT, 0,
          CALL("%thread-sleep!", v_fixnum((int64_t)os_mono_ns() + 100000LL * MS)));
    os_thread_join(helper);
    CHECK(os_mono_ns() - before < 20000ull * MS);
    /* It is served: the next safe point finds nothing. */
    CHECK(rt_safepoint(rig_thread, rig_thread->sp));
    CHECK(!rt_interrupt_pending(rig));
}

static void test_safepoint(void) {
    fiber_interrupt(rig_thread);
    CHECK(rt_limit(rig_thread) == NULL);
    CHECK(!rt_safepoint(rig_thread, rig_thread->sp));
    CHECK_EQ(rig_thread->m.fail.code, ERR_INTERRUPT);
    CHECK(rt_limit(rig_thread) == rig_thread->real_limit);
    rt_request(rig_thread, REQUEST_DIE | REQUEST_INTERRUPT);
    CHECK(!rt_safepoint(rig_thread, rig_thread->sp));
    CHECK_EQ(rig_thread->m.fail.code, ERR_TERMINATED);
    CHECK(rt_safepoint(rig_thread, rig_thread->sp));
}

/* ---- the ticker ---- */

static unsigned due(void) { return hone_prof_ticks_fire(&rig_thread->ticks, HONE_PROF_ASK); }

static void test_ticker(void) {
    hone_prof_ticks *ticks = &rig_thread->ticks;
    uint64_t before = os_mono_ns();
    hone_prof_ticks_demand(ticks, HONE_PROF_INTERRUPT, 20);
    CHECK_EQ_U(due(), 0);
    while (rt_limit(rig_thread)) os_sleep_ns(MS / 10);
    uint64_t waited = os_mono_ns() - before;
    CHECK(waited > 19ull * FIBER_BEAT_NS);
    CHECK(waited < 20000ull * MS);
    CHECK(rt_safepoint(rig_thread, rig_thread->sp));
    CHECK_EQ(hone_prof_ticks_take(ticks), HONE_PROF_INTERRUPT);
    CHECK_EQ(hone_prof_ticks_take(ticks), HONE_PROF_NONE);
    /* With no demand it leaves the thread alone. */
    os_sleep_ns(5 * MS);
    CHECK(rt_limit(rig_thread) == rig_thread->real_limit);
    /* Asked again after it fell asleep. */
    hone_prof_ticks_demand(ticks, HONE_PROF_PREEMPT, 4);
    while (rt_limit(rig_thread)) os_sleep_ns(MS / 10);
    CHECK(rt_safepoint(rig_thread, rig_thread->sp));
    CHECK_EQ(hone_prof_ticks_take(ticks), HONE_PROF_PREEMPT);
}

CHECK_MAIN(test_start, test_life, test_terminate, test_mutex, test_ownership, test_exclusion,
           test_condvar, test_interrupt, test_safepoint, test_ticker)
