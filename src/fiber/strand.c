/* strand.c: strands: fibers and threads as those who wait; parking, waking, switching. See
 * strand.h.
 *
 * A switch is: the frames of the strand that leaves become a CONT (rt_stack_leave), its object goes
 * where it will be found again, and the next strand's CONT becomes the current slice
 * (rt_stack_enter). No frame is copied. From the moment in which the strand can be found another
 * carrier may run it, on its region: what follows touches neither. The tick scheduler is masked
 * from there on, and t->switching tells the handler of a timer signal that there is nothing to
 * walk.
 *
 * The quantum begins anew with each switch: one store where preemption is the thread's only client.
 */
#include "fiber/sched.h"

#include "base/base.h"

void (*fiber_on_resume)(Thread *t, RtWait why, uint64_t since_ns);
uint32_t (*fiber_label)(uint32_t inherited, const char *name);
bool (*fiber_is_library)(const SourceFile *file);

enum {
    CHECK_BEATS = 40, /* between two looks whether a strand was interrupted: 10 ms */
    POLL_SWITCHES =
        64, /* after so many a carrier that never goes home looks at timers and descriptors */
};

/* ---- objects ---- */

/* A strand's object, with nothing set that only fibers have. */
static Value new_strand(Mutator *m) {
    Object *o = gc_object(m, T_OPAQUE, FIBER_WORDS);
    for (int i = 1; i < FIBER_WORDS; i++) o->slot[i] = 0;
    o->slot[0] = v_fixnum(OPAQUE_FIBER);
    o->slot[FIBER_STATE] = v_fixnum(FIBER_RUNNING);
    o->slot[FIBER_INDEX] = o->slot[FIBER_CHECK_AT] = o->slot[FIBER_CONT] = V_FALSE;
    o->slot[FIBER_RESULT] = V_UNSPEC;
    o->slot[FIBER_CHECKS] = V_NIL;
    o->slot[FIBER_NAME] = o->slot[FIBER_HANDLER] = V_FALSE;
    o->slot[FIBER_NEXT] = o->slot[FIBER_PREVIOUS] = o->slot[FIBER_RETRY] = V_FALSE;
    return v_object(o);
}

Value fiber_strand(Thread *t) {
    if (is_true(t->fiber)) return t->fiber;
    if (!is_true(t->own)) t->own = new_strand(&t->m);
    return t->own;
}

static Sched *sched_of(Value strand) { return raw_pointer(strand_slots(strand)[FIBER_SCHED]); }

Value fiber_registration(Mutator *m, Value strand, Value index, Value value) {
    Object *o = gc_object(m, T_VECTOR, REG_WORDS);
    o->slot[REG_STRAND] = strand;
    o->slot[REG_OP] = strand_get(strand, FIBER_OP);
    o->slot[REG_INDEX] = index;
    o->slot[REG_VALUE] = value;
    o->slot[REG_NEXT] = V_FALSE;
    return v_object(o);
}

/* ---- waiting and waking ---- */

void fiber_wait_begin(Value strand) {
    int64_t n = fixnum(strand_get(strand, FIBER_OP));
    strand_set(strand, FIBER_OP, v_fixnum((n + 1) | 1));
}

bool fiber_stale(Value reg) {
    Word *r = object_slots(reg);
    return strand_get(r[REG_STRAND], FIBER_OP) != r[REG_OP];
}

static bool change(Value strand, enum fiber_slot slot, Word from, Word to) {
    return __atomic_compare_exchange_n(&strand_slots(strand)[slot], &from, to, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void wake_thread(Value strand) {
    os_mutex_lock(&fiber_lock);
    strand_set(strand, FIBER_STATE, v_fixnum(FIBER_WOKEN));
    fiber_wake_one(strand);
    os_mutex_unlock(&fiber_lock);
}

static void wake(Thread *t, Value strand) {
    if (!sched_of(strand)) {
        wake_thread(strand);
        return;
    }
    if (change(strand, FIBER_STATE, v_fixnum(FIBER_RUNNING), v_fixnum(FIBER_WOKEN))) return;
    if (change(strand, FIBER_STATE, v_fixnum(FIBER_PARKED), v_fixnum(FIBER_RUNNING)))
        fiber_ready(t, strand);
}

/* Ends the wait for which STRAND's FIBER_OP is OP. */
static bool complete(Mutator *m, Value strand, Word op, Value index, Value value) {
    if (!change(strand, FIBER_OP, op, op + v_fixnum(1))) return false;
    gc_write(m, &strand_slots(strand)[FIBER_RESULT], value);
    strand_set(strand, FIBER_INDEX, index);
    wake(rt_thread(m), strand);
    return true;
}

bool fiber_complete(Mutator *m, Value reg, Value value) {
    const Word *r = object_slots(reg);
    return complete(m, r[REG_STRAND], r[REG_OP], r[REG_INDEX], value);
}

void fiber_interrupt_wait(Mutator *m, Value strand) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Word op = strand_get(strand, FIBER_OP);
    if (fixnum(op) & 1) complete(m, strand, op, V_FALSE, FIBER_INTERRUPTED);
}

Value fiber_result(Mutator *m, Value strand) {
    Value index = strand_get(strand, FIBER_INDEX), value = strand_get(strand, FIBER_RESULT);
    strand_set(strand, FIBER_RESULT, V_UNSPEC);
    if (!is_true(index)) return value;
    strand_set(strand, FIBER_INDEX, V_FALSE);
    return gc_cons(m, index, value);
}

/* ---- the interrupt check, a client of the tick scheduler while a strand that wants it runs ----
 */

void fiber_check_start(Thread *t, Value strand) {
    Value at = strand_get(strand, FIBER_CHECK_AT);
    uint64_t beats = CHECK_BEATS, now = os_mono_ns();
    if (is_true(at)) {
        uint64_t left = (uint64_t)fixnum(at) > now ? (uint64_t)fixnum(at) - now : 0;
        beats = BASE_MIN(beats, left / FIBER_BEAT_NS + 1);
    }
    hone_prof_ticks_demand(&t->ticks, HONE_PROF_INTERRUPT, beats);
}

static bool has_checks(Value strand) { return strand_slots(strand)[FIBER_CHECKS] != V_NIL; }

/* When the wait of STRAND that has begun is to end for a look at its checks, or FIBER_NO_DEADLINE.
 * The fence: an interrupt! stores the moment and then looks whether there is a wait. */
static uint64_t check_at(Value strand) {
    if (likely(!has_checks(strand))) return FIBER_NO_DEADLINE;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Value at = strand_get(strand, FIBER_CHECK_AT);
    return is_true(at) ? (uint64_t)fixnum(at) : FIBER_NO_DEADLINE;
}

/* ---- switching ---- */

/* T's strand leaves: its object has all that is needed to enter it again. */
static void leave(Thread *t, Value strand, Word *sp) {
    hone_prof_ticks_mask(&t->ticks);
    t->switching = true;
    if (unlikely(has_checks(strand))) hone_prof_ticks_cancel(&t->ticks, HONE_PROF_INTERRUPT);
    strand_set(strand, FIBER_LABELS, v_fixnum(t->labels));
    gc_write(&t->m, &strand_slots(strand)[FIBER_CONT], rt_stack_leave(t, sp));
}

/* The end of a switch to STRAND. */
static void arrived(Thread *t, Value strand) {
    t->labels = (uint32_t)fixnum(strand_get(strand, FIBER_LABELS));
    t->switching = false;
    hone_prof_ticks_unmask(&t->ticks);
    if (unlikely(has_checks(strand))) fiber_check_start(t, strand);
}

static Value initial_handlers = V_NIL; /* of a fiber; a root */

static void scan_handlers(void *context, Collector *c) {
    (void)context;
    gc_visit(c, &initial_handlers);
}

void fiber_set_initial_handlers(Value list) {
    static bool rooted;
    if (!rooted) rt_add_roots(scan_handlers, NULL);
    rooted = true;
    initial_handlers = list;
}

/* F, which never ran, begins. */
static FiberGo begin(Thread *t, Value f, Value proc) {
    Word *sp = rt_stack_begin(t);
    t->params = strand_get(f, FIBER_RESULT);
    t->handlers = initial_handlers;
    t->winders = V_NIL;
    strand_set(f, FIBER_RESULT, V_UNSPEC);
    return (FiberGo){.sp = sp, .value = proc, .call = true};
}

static void report_wait(Thread *t, Value f, Word *sp) {
    uint64_t since = (uint64_t)fixnum(strand_get(f, FIBER_SINCE));
    strand_set(f, FIBER_SINCE, 0);
    void (*resumed)(Thread *, RtWait, uint64_t) =
        __atomic_load_n(&fiber_on_resume, __ATOMIC_ACQUIRE);
    t->sp = sp;
    if (resumed) resumed(t, (RtWait)fixnum(strand_get(f, FIBER_WAITS)), since);
}

/* The strand F goes on with the frames below SP. Where a new try of a primitive is what goes on,
 * the interrupt check that its wait was ended for comes first. */
static FiberGo go_on(Thread *t, Value f, Word *sp) {
    FiberGo go = {.sp = sp, .value = fiber_result(&t->m, f)};
    if (likely(!is_true(strand_get(f, FIBER_RETRY)))) return go;
    strand_set(f, FIBER_RETRY, V_FALSE);
    if (go.value == FIBER_INTERRUPTED)
        go = (FiberGo){.sp = sp, .value = fiber_check_hook(), .call = true};
    return go;
}

static uint32_t count_switch(Carrier *c) {
    __atomic_store_n(&c->switches, c->switches + 1, __ATOMIC_RELAXED);
    return c->switches;
}

static FiberGo enter(Thread *t, Value f) {
    FiberGo go;
    Value cont = strand_get(f, FIBER_CONT);
    t->fiber = f;
    strand_set(f, FIBER_CONT, V_FALSE);
    if (likely(is_type(cont, T_CONT)))
        go = go_on(t, f, rt_stack_enter(t, cont));
    else
        go = begin(t, f, cont);
    count_switch(t->carrier);
    arrived(t, f);
    if (unlikely(strand_get(f, FIBER_SINCE) != 0)) report_wait(t, f, go.sp);
    return go;
}

/* The thread itself goes on, in the loop that waits for fibers; the strand that ran has left. */
static FiberGo home(Thread *t, Value value) {
    Value own = t->own, cont = strand_get(own, FIBER_CONT);
    t->fiber = V_FALSE;
    strand_set(own, FIBER_CONT, V_FALSE);
    Word *sp = rt_stack_enter(t, cont);
    arrived(t, own);
    hone_prof_ticks_cancel(&t->ticks, HONE_PROF_PREEMPT);
    return (FiberGo){.sp = sp, .value = value};
}

/* Now and then a carrier that never goes home looks at timers and descriptors. */
static void look_around(Thread *t) {
    Carrier *c = t->carrier;
    if (unlikely(c->switches % POLL_SWITCHES == 0) && !sched_over(c->sched))
        fiber_poll(t, c->sched);
}

/* The bare store tells the ticker nothing, which is right while there is a demand for which it will
 * wake anyway. One that looked while there was none (the last was just served) sleeps for good. */
static void new_quantum(Thread *t, uint64_t quantum) {
    if (likely(__atomic_load_n(&t->tick_due, __ATOMIC_RELAXED) != HONE_PROF_NEVER))
        hone_prof_ticks_preempt(&t->ticks, quantum);
    else
        hone_prof_ticks_demand(&t->ticks, HONE_PROF_PREEMPT, quantum);
}

/* A strand has left; F is next, if it is not V_FALSE. */
static FiberGo go_to(Thread *t, Value f) {
    if (unlikely(!is_true(f))) return home(t, V_UNSPEC);
    uint64_t quantum = t->carrier->sched->quantum;
    if (quantum) new_quantum(t, quantum);
    return enter(t, f);
}

/* Whether the thread itself is in an extent that may be left (run-fibers was called in one): then
 * it goes home now and then for its own check. */
static bool home_wants_check(const Thread *t) { return has_checks(t->own); }

/* The next strand after one that has left for good or until it is woken. */
static FiberGo next(Thread *t) {
    Carrier *c = t->carrier;
    look_around(t);
    if (unlikely(home_wants_check(t)) && c->switches % POLL_SWITCHES == 0) return home(t, V_TRUE);
    return go_to(t, sched_over(c->sched) ? V_FALSE : fiber_ring_pop(c));
}

FiberGo fiber_enter_from_home(Thread *t, Word *sp, Value f) {
    uint64_t quantum = t->carrier->sched->quantum;
    leave(t, fiber_strand(t), sp);
    FiberGo go = enter(t, f);
    if (quantum) hone_prof_ticks_demand(&t->ticks, HONE_PROF_PREEMPT, quantum);
    return go;
}

/* The fiber on T, whose wait has begun, parks. */
static FiberGo park(Thread *t, Word *sp, RtWait why) {
    Value f = t->fiber;
    if (change(f, FIBER_STATE, v_fixnum(FIBER_WOKEN), v_fixnum(FIBER_RUNNING)))
        return go_on(t, f, sp);
    strand_set(f, FIBER_WAITS, v_fixnum(why));
    if (unlikely(__atomic_load_n(&fiber_on_resume, __ATOMIC_RELAXED) != NULL))
        strand_set(f, FIBER_SINCE, v_fixnum((int64_t)os_mono_ns()));
    leave(t, f, sp);
    if (likely(change(f, FIBER_STATE, v_fixnum(FIBER_RUNNING), v_fixnum(FIBER_PARKED))))
        return next(t);
    strand_set(f, FIBER_STATE, v_fixnum(FIBER_RUNNING)); /* it was woken meanwhile */
    return enter(t, f);
}

/* The fiber on T waits for its next turn. */
static FiberGo yield(Thread *t, Word *sp) {
    Carrier *c = t->carrier;
    Value f = t->fiber;
    leave(t, f, sp);
    if (unlikely(c->switches % POLL_SWITCHES == 0)) {
        fiber_ring_push(c, f);
        return next(t);
    }
    return go_to(t, sched_over(c->sched) ? V_FALSE : fiber_ring_swap(c, f));
}

static FiberGo go_home(Thread *t, Word *sp, Value why) {
    leave(t, t->fiber, sp);
    fiber_ring_push(t->carrier, t->fiber);
    return home(t, why);
}

static FiberGo stay(Word *sp) { return (FiberGo){.sp = sp, .value = V_UNSPEC}; }

FiberGo fiber_preempt(Thread *t, Word *sp) {
    Carrier *c = t->carrier;
    if (!is_true(t->fiber)) return stay(sp);
    if (!sched_over(c->sched)) fiber_poll(t, c->sched);
    if (unlikely(home_wants_check(t))) return go_home(t, sp, V_TRUE);
    if (fiber_ring_empty(c) && !sched_over(c->sched)) {
        if (c->sched->quantum)
            hone_prof_ticks_demand(&t->ticks, HONE_PROF_PREEMPT, c->sched->quantum);
        return stay(sp);
    }
    if (!fiber_ring_empty(c)) fiber_kick(t, c->sched);
    return yield(t, sp);
}

bool fiber_is_over(const Thread *t) { return is_true(t->fiber) && sched_over(t->carrier->sched); }

FiberGo fiber_go_home(Thread *t, Word *sp) { return go_home(t, sp, FIBER_INTERRUPTED); }

/* ---- the end of a fiber ---- */

static void unlink_fiber(Mutator *m, Sched *s, Value f) {
    Value after = strand_slots(f)[FIBER_NEXT], before = strand_slots(f)[FIBER_PREVIOUS];
    if (is_true(before))
        gc_write(m, &strand_slots(before)[FIBER_NEXT], after);
    else
        s->fibers = after;
    if (is_true(after)) gc_write(m, &strand_slots(after)[FIBER_PREVIOUS], before);
    strand_slots(f)[FIBER_NEXT] = strand_slots(f)[FIBER_PREVIOUS] = V_FALSE;
}

FiberGo fiber_ended(Thread *t, Value v) {
    Sched *s = t->carrier->sched;
    Value f = t->fiber;
    hone_prof_ticks_mask(&t->ticks);
    t->switching = true;
    if (has_checks(f)) hone_prof_ticks_cancel(&t->ticks, HONE_PROF_INTERRUPT);
    gc_write(&t->m, &strand_slots(f)[FIBER_RESULT], v);
    strand_set(f, FIBER_STATE, v_fixnum(FIBER_ENDED));
    rt_stack_end(t);
    t->stack_margin = 0; /* what it could not do without is free again */
    spin_lock(&s->lock);
    unlink_fiber(&t->m, s, f);
    uint64_t living = --s->living;
    spin_unlock(&s->lock);
    if (f == s->main) __atomic_store_n(&s->main_ended, true, __ATOMIC_RELEASE);
    if (__atomic_load_n(&s->main_ended, __ATOMIC_ACQUIRE) && (!s->drain || living == 0))
        fiber_sched_end(s);
    return next(t);
}

/* ---- waiting ---- */

/* A thread waits on its own behalf, away. */
static FiberGo thread_wait(Thread *t, Word *sp, RtWait why, FiberLate late) {
    uint64_t deadline = late.deadline, check = check_at(t->own);
    if (check < deadline) {
        deadline = check;
        late = (FiberLate){deadline, V_FALSE, FIBER_INTERRUPTED};
    }
    Word op = strand_get(t->own, FIBER_OP);
    bool interrupted = false;
    t->sp = sp;
    os_mutex_lock(&fiber_lock);
    while (strand_get(t->own, FIBER_STATE) != v_fixnum(FIBER_WOKEN)) {
        enum fiber_wait how = fiber_wait(&t->m, t->own, why, deadline);
        if (how != WAIT_WOKEN) {
            /* If something else was sooner the strand is woken in a moment. */
            bool first = complete(&t->m, t->own, op, late.index, late.value);
            deadline = FIBER_NO_DEADLINE;
            interrupted |= how == WAIT_INTERRUPTED && first;
            if (how == WAIT_INTERRUPTED && !first) rt_request(t, REQUEST_INTERRUPT);
        }
        os_mutex_lock(&fiber_lock);
    }
    strand_set(t->own, FIBER_STATE, v_fixnum(FIBER_RUNNING));
    os_mutex_unlock(&fiber_lock);
    Value v = fiber_result(&t->m, t->own);
    if (interrupted) v = fiber_interrupted(&t->m, "wait");
    return (FiberGo){.sp = sp, .value = v};
}

FiberGo fiber_block(Thread *t, Word *sp, RtWait why, FiberLate late) {
    if (!is_true(t->fiber)) return thread_wait(t, sp, why, late);
    Value f = t->fiber;
    uint64_t check = check_at(f);
    Sched *s = t->carrier->sched;
    if (late.deadline != FIBER_NO_DEADLINE)
        fiber_timer(s, late.deadline, fiber_registration(&t->m, f, late.index, V_FALSE),
                    late.value);
    if (unlikely(check != FIBER_NO_DEADLINE))
        fiber_timer(s, check, fiber_registration(&t->m, f, V_FALSE, V_FALSE), FIBER_INTERRUPTED);
    return park(t, sp, why);
}

FiberGo fiber_would_block(Thread *t, Word *sp) {
    RtBlock block = t->block;
    Value f = t->fiber;
    t->m.fail.code = ERR_NONE;
    strand_set(f, FIBER_RETRY, V_TRUE);
    fiber_wait_begin(f);
    if (block.fd < 0)
        return fiber_block(t, sp, block.why, (FiberLate){block.deadline, V_FALSE, V_UNSPEC});
    Value reg = fiber_registration(&t->m, f, V_FALSE, V_FALSE);
    if (!fiber_await_fd(&t->m, t->carrier->sched, block.fd, !block.output, reg))
        fiber_complete(&t->m, reg, V_UNSPEC);
    return fiber_block(t, sp, block.why, (FiberLate){FIBER_NO_DEADLINE, V_FALSE, V_UNSPEC});
}

/* ---- spawning ---- */

static bool first_site(const FrameDesc *d, void *context) {
    *(const Site **)context = d->site;
    return d->site == NULL;
}

static bool first_program_site(const FrameDesc *d, void *context) {
    for (const Site *s = d->site; s; s = s->caller) {
        if (!s->pos.file || (fiber_is_library && fiber_is_library(s->pos.file))) continue;
        *(const Site **)context = s;
        return false;
    }
    return true;
}

/* The label sets of fibers by place, each carrier's own: direct-mapped. */
enum { LABEL_CACHE = 64 };
static _Thread_local struct LabelCache {
    const Site *site;
    uint32_t inherited, labels;
} label_cache[LABEL_CACHE];

static uint32_t label_for(Thread *t, const Site *site, Value name, bool first) {
    if (!fiber_label) return t->labels;
    struct LabelCache *c = &label_cache[((uintptr_t)site >> 4 ^ t->labels) % LABEL_CACHE];
    bool keep = !is_true(name) && !first;
    if (keep && c->site == site && site && c->inherited == t->labels) return c->labels;
    base_buf text = {0};
    fiber_group_name(&text, name, site, first);
    uint32_t labels = fiber_label(t->labels, base_buf_str(&text));
    base_buf_free(&text);
    if (keep) *c = (struct LabelCache){site, t->labels, labels};
    return labels;
}

/* (%spawn thunk name handler): a fiber in the scheduler of the carrier that calls. */
static FiberGo spawn(Thread *t, Word *sp) {
    if (!t->carrier) {
        mutator_fail_text(&t->m, ERR_MISUSE, "spawn-fiber", V_DEFAULT, "only within run-fibers");
        return (FiberGo){.sp = sp, .value = V_FAIL};
    }
    if (!is_proc(sp[1])) {
        mutator_fail(&t->m, ERR_WRONG_TYPE, "spawn-fiber", 1, sp[1]);
        return (FiberGo){.sp = sp, .value = V_FAIL};
    }
    Sched *s = t->carrier->sched;
    const Site *site = NULL;
    bool first = !is_true(s->main);
    rt_walk(t, sp, first ? first_program_site : first_site, &site);
    Value f = new_strand(&t->m);
    Word *slots = strand_slots(f);
    slots[FIBER_CONT] = sp[1];
    slots[FIBER_NAME] = sp[2];
    slots[FIBER_HANDLER] = sp[3];
    slots[FIBER_RESULT] = t->params;
    slots[FIBER_SITE] = (Word)site;
    slots[FIBER_SCHED] = (Word)s;
    slots[FIBER_RUN] = v_fixnum((int64_t)s->run);
    slots[FIBER_LABELS] = v_fixnum(label_for(t, site, sp[2], first));
    spin_lock(&s->lock);
    s->living++;
    slots[FIBER_NEXT] = s->fibers;
    if (is_true(s->fibers)) gc_write(&t->m, &strand_slots(s->fibers)[FIBER_PREVIOUS], f);
    s->fibers = f;
    if (first) s->main = f;
    spin_unlock(&s->lock);
    fiber_ready(t, f);
    return (FiberGo){.sp = sp, .value = f};
}

/* ---- control procedures ---- */

static FiberGo control_yield(Thread *t, Word *sp) {
    Carrier *c = t->carrier;
    if (!is_true(t->fiber)) return stay(sp);
    if (fiber_ring_empty(c)) {
        if (count_switch(c) % POLL_SWITCHES == 0 && !sched_over(c->sched)) fiber_poll(t, c->sched);
        if (fiber_ring_empty(c) && !sched_over(c->sched)) return stay(sp);
    }
    return yield(t, sp);
}

static FiberGo control_enter(Thread *t, Word *sp) { return fiber_enter_from_home(t, sp, sp[1]); }

static FiberGo control_exit(Thread *t, Word *sp) { return fiber_ended(t, sp[1]); }

/* (%sleep-until deadline) */
static FiberGo control_sleep(Thread *t, Word *sp) {
    fiber_wait_begin(fiber_strand(t));
    return fiber_block(t, sp, RT_WAIT_SLEEP,
                       (FiberLate){(uint64_t)fixnum(sp[1]), V_FALSE, V_UNSPEC});
}

const FiberControl fiber_controls[] = {
    {"%spawn", 3, spawn},
    {"%yield", 0, control_yield},
    {"%fiber-enter", 1, control_enter},
    {"%fiber-exit", 1, control_exit},
    {"%sleep-until", 1, control_sleep},
    {"%channel-put", 2, fiber_channel_put},
    {"%channel-get", 1, fiber_channel_get},
    {"%condition-wait", 1, fiber_condition_wait},
    {"%perform", 1, fiber_perform},
};
const unsigned fiber_control_count = BASE_COUNT(fiber_controls);
