/* Switching fibers, without an interpreter and on a hand-driven clock: the test plays the VM. It
 * keeps the frames of whoever runs, calls control procedures as the VM would, and fires the tick
 * scheduler of its thread. */
#include "fiber/sched.h"
#include "rt_rig.h"

enum { QUANTUM = 40 };

static uint64_t slot, now; /* the device: beats */
static Thread *t;
static Word *sp; /* of the strand that runs */
static Value made[4];

static void scan(void *context, Collector *c) {
    (void)context;
    for (size_t i = 0; i < BASE_COUNT(made); i++) gc_visit(c, &made[i]);
}

static uint64_t one_live = 1;
static const FrameDesc frame = {.kind = FRAME_CODE, .size = 2, .live = &one_live};

/* Goes on where GO says; a frame of one slot is always on top. */
static void go_on(FiberGo go) {
    CHECK(go.value != V_FAIL);
    sp = go.sp;
    if (!go.call) return;
    sp[0] = go.value;
    sp[1] = (Word)&frame;
    sp += 2;
}

static void control(const char *name, int n, const Value *args) {
    for (unsigned i = 0; i < fiber_control_count; i++) {
        if (strcmp(fiber_controls[i].name, name) != 0) continue;
        for (int k = 0; k < n; k++) sp[1 + k] = args[k];
        go_on(fiber_controls[i].f(t, sp));
        return;
    }
    CHECK(!"a control procedure of that name");
}

static Value procedure(void) {
    Object *o = gc_object(rig, T_PROC, 1);
    o->slot[0] = 0;
    return v_object(o);
}

static Value spawned(void) {
    Value args[3] = {procedure(), V_FALSE, V_FALSE};
    Word *before = sp;
    for (int k = 0; k < 3; k++) sp[1 + k] = args[k];
    FiberGo go = fiber_controls[0].f(t, sp);
    CHECK(go.value != V_FAIL);
    sp = before;
    return go.value;
}

static uint32_t ready(void) { return t->carrier->length; }

static unsigned fire_after(uint64_t beats) {
    now += beats;
    return hone_prof_ticks_fire(&t->ticks, HONE_PROF_ASK);
}

/* A run with one carrier and COUNT fibers, the first of which has been entered. */
static void begin(uint64_t quantum, int count) {
    now = 1000;
    hone_prof_ticks_init(&t->ticks, &(hone_prof_device){.slot = &slot, .clock = &now});
    sp = t->base + 1;
    sp[0] = V_FALSE;
    sp[1] = (Word)&frame;
    sp += 2;
    CALL("%scheduler-open", v_fixnum(1), v_fixnum((int64_t)quantum), V_FALSE);
    for (int i = 0; i < count; i++) made[i] = spawned();
    CHECK_EQ(ready(), (uint32_t)count);
    control("%fiber-enter", 1, (Value[]){CALL0("%carrier-wait")});
    CHECK(t->fiber == made[0]);
}

/* Home again, and the end of the run. */
static void finish(void) {
    fiber_sched_end(t->carrier->sched);
    if (is_true(t->fiber)) go_on(fiber_preempt(t, sp));
    CHECK(t->fiber == V_FALSE);
    CALL0("%carrier-leave");
    CHECK(t->carrier == NULL);
    sp = t->base + 1;
}

static void give_check(void) { CALL("%set-strand-checks!", L(V_TRUE), V_FALSE); }
static uint64_t left(int client) { return hone_prof_ticks_left(&t->ticks, client); }

/* ---- */

static void quantum_begins_with_each_switch(void) {
    begin(QUANTUM, 2);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), QUANTUM);
    CHECK_EQ(fire_after(30), 0);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), 10);
    control("%yield", 0, NULL);
    CHECK(t->fiber == made[1]);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), QUANTUM);
    CHECK_EQ(fire_after(QUANTUM), 1u << HONE_PROF_PREEMPT);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_PREEMPT);
    go_on(fiber_preempt(t, sp));
    CHECK(t->fiber == made[0]);
    CHECK_EQ(ready(), 1);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), QUANTUM);
    finish();
    CHECK(left(HONE_PROF_PREEMPT) == HONE_PROF_NEVER);
}

static void alone_it_stays(void) {
    begin(QUANTUM, 1);
    CHECK_EQ(fire_after(QUANTUM), 1u << HONE_PROF_PREEMPT);
    hone_prof_ticks_take(&t->ticks);
    Word *before = sp;
    go_on(fiber_preempt(t, sp));
    CHECK(t->fiber == made[0]);
    CHECK(sp == before);
    CHECK_EQ(ready(), 0);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), QUANTUM);
    finish();
}

static void no_quantum_no_demand(void) {
    begin(0, 2);
    CHECK(left(HONE_PROF_PREEMPT) == HONE_PROF_NEVER);
    control("%yield", 0, NULL);
    CHECK(left(HONE_PROF_PREEMPT) == HONE_PROF_NEVER);
    finish();
}

/* The stretch between queueing and switching is masked: a fire in it is served after it, on behalf
 * of whoever runs then, and nobody is queued twice. */
static void no_double_enqueue(void) {
    begin(QUANTUM, 2);
    hone_prof_ticks_mask(&t->ticks);
    t->switching = true;
    fiber_ring_push(t->carrier, t->fiber);
    CHECK_EQ(fire_after(QUANTUM + 5), 0);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_NONE);
    CHECK_EQ(ready(), 2);
    fiber_ring_pop(t->carrier); /* as it was: the switch did not come about */
    fiber_ring_pop(t->carrier);
    fiber_ring_push(t->carrier, made[1]);
    t->switching = false;
    hone_prof_ticks_unmask(&t->ticks);
    CHECK_EQ_U(left(HONE_PROF_PREEMPT) <= 1, true);
    CHECK_EQ(fire_after(1), 1u << HONE_PROF_PREEMPT);
    hone_prof_ticks_take(&t->ticks);
    go_on(fiber_preempt(t, sp));
    CHECK(t->fiber == made[1]);
    CHECK_EQ(ready(), 1);
    CHECK(!t->switching);
    CHECK_EQ(t->ticks.masked, 0);
    finish();
}

static void check_comes_before_preemption(void) {
    begin(QUANTUM, 2);
    give_check();
    CHECK(left(HONE_PROF_INTERRUPT) != HONE_PROF_NEVER);
    unsigned both = 1u << HONE_PROF_INTERRUPT | 1u << HONE_PROF_PREEMPT;
    CHECK_EQ(fire_after(QUANTUM), both);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_INTERRUPT);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_PREEMPT);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_NONE);
    finish();
}

/* A quantum shorter than the check's interval: the check runs with each preemption. */
static void short_quantum_is_checked(void) {
    begin(4, 2);
    give_check();
    for (int i = 0; i < 3; i++) {
        CHECK(t->fiber == made[0]);
        CHECK(left(HONE_PROF_INTERRUPT) > 4);
        fire_after(4);
        CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_INTERRUPT);
        give_check();
        CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_PREEMPT);
        go_on(fiber_preempt(t, sp));
        CHECK(t->fiber == made[1]);
        CHECK(left(HONE_PROF_INTERRUPT) == HONE_PROF_NEVER); /* its own affair */
        control("%yield", 0, NULL);
    }
    finish();
}

/* A check that escapes loses no preemption that was due with it. */
static void escape_keeps_preemption(void) {
    begin(QUANTUM, 2);
    give_check();
    fire_after(QUANTUM);
    CHECK_EQ(hone_prof_ticks_take(&t->ticks), HONE_PROF_INTERRUPT);
    CALL("%set-strand-checks!", V_NIL, V_FALSE); /* the extent was left */
    CHECK_EQ_U(left(HONE_PROF_PREEMPT), 0);
    CHECK_EQ(fire_after(1), 1u << HONE_PROF_PREEMPT);
    finish();
}

static void park_cancels_and_resume_registers(void) {
    begin(QUANTUM, 2);
    give_check();
    Value channel = CALL0("make-channel");
    made[2] = channel;
    control("%channel-get", 1, &channel);
    CHECK(t->fiber == made[1]);
    CHECK_EQ(fixnum(strand_get(made[0], FIBER_STATE)), FIBER_PARKED);
    CHECK(left(HONE_PROF_INTERRUPT) == HONE_PROF_NEVER);
    CHECK_EQ(ready(), 0);
    control("%channel-put", 2, (Value[]){made[2], v_fixnum(7)});
    CHECK(t->fiber == made[1]); /* who puts goes on */
    CHECK_EQ(ready(), 1);
    FiberGo go = fiber_preempt(t, sp);
    CHECK(t->fiber == made[0]);
    CHECK(go.value == v_fixnum(7));
    go_on(go);
    CHECK(left(HONE_PROF_INTERRUPT) != HONE_PROF_NEVER);
    finish();
}

/* Woken before it had parked: it does not park, and is in no queue. */
static void wake_before_park(void) {
    begin(QUANTUM, 2);
    fiber_wait_begin(t->fiber);
    Value reg = fiber_registration(rig, t->fiber, V_FALSE, V_FALSE);
    CHECK(fiber_complete(rig, reg, v_fixnum(3)));
    CHECK(!fiber_complete(rig, reg, v_fixnum(4)));
    CHECK(fiber_stale(reg));
    CHECK_EQ(ready(), 1);
    FiberGo go =
        fiber_block(t, sp, RT_WAIT_CHANNEL, (FiberLate){FIBER_NO_DEADLINE, V_FALSE, V_UNSPEC});
    CHECK(t->fiber == made[0]);
    CHECK(go.sp == sp);
    CHECK(go.value == v_fixnum(3));
    CHECK_EQ(ready(), 1);
    finish();
}

/* A fiber that ends leaves its stretch of stack for the next one. */
static void end_leaves_its_region(void) {
    begin(QUANTUM, 2);
    StackRegion *region = t->region;
    go_on(fiber_ended(t, V_TRUE));
    CHECK(t->carrier->sched->main_ended);
    CHECK(CALL("%fiber-ended?", made[0]) == V_TRUE);
    CHECK(CALL("%fiber-result", made[0]) == V_TRUE);
    CHECK(t->fiber == V_FALSE); /* the first one's end is the run's */
    CHECK(t->spare[0] == region);
    finish();
}

/* What the profiler is told of fibers that wait. */
static int parked, resumed;
static RtWait parked_why, resumed_why;
static void count_parked(const FiberParked *f, void *context) {
    (void)context;
    parked++;
    parked_why = f->why;
    CHECK(is_type(f->cont, T_CONT));
}
static void note_resume(Thread *on, RtWait why, uint64_t since) {
    CHECK(on == t);
    CHECK(since != 0);
    CHECK(frame_desc(on->sp) == &frame);
    resumed++;
    resumed_why = why;
}

static void the_profiler_is_told(void) {
    begin(QUANTUM, 2);
    __atomic_store_n(&fiber_on_resume, note_resume, __ATOMIC_RELEASE);
    Value condition = CALL0("make-condition");
    made[2] = condition;
    control("%condition-wait", 1, &condition);
    parked = 0;
    fiber_each_parked(count_parked, NULL);
    CHECK_EQ(parked, 1);
    CHECK_EQ(parked_why, RT_WAIT_CONDITION);
    CALL("signal-condition!", made[2]);
    parked = 0;
    fiber_each_parked(count_parked, NULL);
    CHECK_EQ(parked, 0);
    control("%yield", 0, NULL);
    CHECK_EQ(resumed, 1);
    CHECK_EQ(resumed_why, RT_WAIT_CONDITION);
    __atomic_store_n(&fiber_on_resume, NULL, __ATOMIC_RELEASE);
    finish();
}

/* Many switches, with collections among them. */
static void fibers_survive_collections(void) {
    begin(QUANTUM, 3);
    for (int i = 0; i < 300; i++) {
        control("%yield", 0, NULL);
        CHECK(t->fiber == made[(i + 1) % 3]);
        if (i % 50 == 0) rt_collect(t, sp, i % GC_GENERATIONS);
    }
    CHECK_EQ(ready(), 2);
    finish();
}

static void test_start(void) {
    rig_start();
    t = rig_thread;
    rt_add_roots(scan, NULL);
    for (size_t i = 0; i < BASE_COUNT(made); i++) made[i] = V_FALSE;
    fiber_threads_start();
    CALL("%fiber-hooks!", procedure(), procedure());
}

CHECK_MAIN(test_start, quantum_begins_with_each_switch, alone_it_stays, no_quantum_no_demand,
           no_double_enqueue, check_comes_before_preemption, short_quantum_is_checked,
           escape_keeps_preemption, park_cancels_and_resume_registers, wake_before_park,
           end_leaves_its_region, the_profiler_is_told, fibers_survive_collections)
