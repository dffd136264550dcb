/* sources.c: how the samples of this process come about: the signal that strikes a thread, the
 * leaf that it found, and waits.
 *
 * Alarms. Each thread has one (os/alarm.c), set at the safe point at which the thread notices that
 * sampling began. A timer that strikes a thread that is away is paused by its own handler, and goes
 * on when the thread comes back, so a waiting thread costs one signal.
 *
 * The leaf. A strike notes an instruction and its frame's registers. By the time of the walk that
 * frame may have been left, or others may lie on it. Frames that begin at the registers' address or
 * end there tell: if the frame belongs to the code of the instruction, the leaf takes its place and
 * what was entered since is cut; if not (it has returned, or called in its place), the leaf goes on
 * top of what lies below. Only the current slice of the stack is looked at; where it has been
 * changed since (stack.c), the leaf goes on top of all, or in place of an innermost frame of the
 * same code.
 *
 * The leaf's address is its site's with bit 0 set; while the machine was in C, below that of the
 * primitive that the instruction calls, or whose work it left to C. Machine code that is no
 * primitive's and of which no instruction is known is native: its symbol's address with bit 1 set,
 * of which the core knows the name. */
#include "driver/sources.h"

#include "fiber/fiber.h"

/* ---- marks of waits ---- */

static const struct WaitMark {
    const char *name;
} waits[RT_WAIT_COUNT] = {
#define ROW(name, word) {RT_WAIT_##name ? "[waiting: " word "]" : "[idle]"},
    RT_WAITS(ROW)
#undef ROW
};

/* The thread is away only to hold the world for a look: no wait of the program's. */
static _Thread_local bool looking;

static const struct WaitMark *wait_at(uintptr_t address) {
    bool in = address >= (uintptr_t)waits && address < (uintptr_t)(waits + RT_WAIT_COUNT);
    return in ? (const struct WaitMark *)address : NULL;
}

const Site *driver_leaf_site(uintptr_t address) {
    return address & 1 ? (const Site *)(address - 1) : NULL;
}
bool driver_is_native(uintptr_t address) { return (address & 3) == 2; }
const char *driver_wait_name(uintptr_t address) {
    return wait_at(address) ? wait_at(address)->name : NULL;
}

/* ---- strikes ---- */

enum { PC, R, IN_C, MACHINE };

static void struck(void *context) {
    Thread *t = rt_current();
    if (!t) return;
    if (rt_is_away(t)) {
        os_alarm_pause(&t->alarm);
        return;
    }
    hone_prof_thread *p = __atomic_load_n(&t->prof, __ATOMIC_RELAXED);
    if (p && hone_prof_strike(p, context)) rt_request(t, REQUEST_TICK);
}

static bool capture(void *host, void *thread, void *context, hone_prof_capture *out) {
    (void)host;
    const Thread *t = thread;
    if (t->switching) return false;
    VmStrike s = vm_strike(t, context);
    out->labels = t->labels;
    out->place[PC] = (uintptr_t)s.pc;
    out->place[R] = (uintptr_t)s.r;
    out->place[IN_C] = s.in_c;
    out->place[MACHINE] = (uintptr_t)s.native;
    return true;
}

static os_alarm_kind kind_of(hone_prof_source s) {
    return s == HONE_PROF_PERF ? OS_ALARM_PERF : OS_ALARM_TIMER;
}

static bool device_check(void *host, hone_prof_source s, uint64_t interval_ns, const char **event,
                         hone_prof_error *error) {
    (void)host;
    os_alarm_catch(struck);
    const char *counted;
    bool right = os_alarm_check(kind_of(s), interval_ns, &counted, error->text, sizeof error->text);
    *event = s == HONE_PROF_PERF ? counted : NULL;
    return right;
}

static void device_start(void *host, void *thread, hone_prof_source s, uint64_t interval_ns) {
    (void)host;
    os_alarm_start(&((Thread *)thread)->alarm, kind_of(s), interval_ns);
}

static void device_stop(void *host, void *thread, bool last) {
    (void)host;
    (last ? os_alarm_end : os_alarm_silence)(&((Thread *)thread)->alarm);
}

/* ---- the leaf ---- */

static bool in_current_slice(const Thread *t, const Word *r) {
    return r >= t->base && r < t->region->end;
}

/* Where the frames below the leaf begin; they end at the result. */
static const Word *below_leaf(const Thread *t, const Word *r, const Code *code) {
    const Word *sp = t->sp;
    const FrameDesc *d = frame_desc(sp);
    if (!in_current_slice(t, r)) return d->code == code ? sp - d->size : sp;
    for (; (d = frame_desc(sp))->kind == FRAME_CODE || d->kind == FRAME_CALL; sp -= d->size) {
        const Word *start = sp - d->size;
        bool same = d->code == code;
        if (sp <= r) return sp == r && same ? start : sp;
        if (start <= r) return start;
    }
    return sp;
}

static void push_native(hone_prof_stack *out, uintptr_t machine) {
    const char *symbol, *object;
    uintptr_t offset;
    bool known = os_symbol((const void *)machine, &symbol, &object, &offset);
    hone_prof_stack_push(out, (known ? machine - offset : machine) | 2);
}

const Word *driver_push_leaf(const Thread *t, hone_prof_stack *out) {
    const hone_prof_capture *c = out->capture;
    const Insn *pc = (const Insn *)c->place[PC];
    Code *code = pc ? vm_code_at(pc) : NULL;
    const void *prim = code && c->place[IN_C] ? vm_prim_at(pc) : NULL;
    out->labels = c->labels;
    if (!prim && c->place[IN_C]) prim = t->long_primitive; /* one that was called as a value */
    if (prim)
        hone_prof_stack_push(out, (uintptr_t)prim);
    else if (!code && c->place[MACHINE])
        push_native(out, c->place[MACHINE]);
    if (!code) return t->sp;
    hone_prof_stack_push(out, (uintptr_t)vm_site_at(code, pc) | 1);
    return below_leaf(t, (const Word *)c->place[R], code);
}

/* ---- waits ---- */

/* The primitive that T is away in, if an instruction calls it. */
static const Prim *blocking_prim(const Thread *t) {
    const FrameDesc *d = frame_desc(t->sp);
    return d->kind == FRAME_CODE && d->code ? vm_prim_at(d->pc) : NULL;
}

/* A thread has come back. */
static void came_back(Thread *t, RtWait why, uint64_t since_ns) {
    os_alarm_resume(&t->alarm);
    hone_prof_thread *p = __atomic_load_n(&t->prof, __ATOMIC_ACQUIRE);
    if (!p || looking) return;
    const void *kept = t->long_primitive;
    t->long_primitive = blocking_prim(t);
    hone_prof_waited(p, (uintptr_t)&waits[why], since_ns, true);
    t->long_primitive = kept;
}

/* A fiber goes on; what T carried meanwhile counts as before. */
static void resumed(Thread *t, RtWait why, uint64_t since_ns) {
    hone_prof_thread *p = __atomic_load_n(&t->prof, __ATOMIC_ACQUIRE);
    if (p) hone_prof_waited(p, (uintptr_t)&waits[why], since_ns, false);
}

void driver_source_wanted(hone_prof_source s) {
    if (s == HONE_PROF_WALL || s == HONE_PROF_SIGNAL)
        __atomic_store_n(&rt_on_unblock, came_back, __ATOMIC_RELEASE);
    if (s == HONE_PROF_WALL) __atomic_store_n(&fiber_on_resume, resumed, __ATOMIC_RELEASE);
}

enum { WAIT_DEPTH = 64, WAIT_ROOTS = 8 };

static void add_thread(Thread *t, void *list) {
    hone_prof_thread *p = __atomic_load_n(&t->prof, __ATOMIC_ACQUIRE);
    if (t == rt_current() || !p || !rt_is_away(t)) return;
    uintptr_t frames[WAIT_DEPTH + WAIT_ROOTS];
    hone_prof_stack stack = {
        .frames = frames, .inner_max = WAIT_DEPTH, .root_max = WAIT_ROOTS, .labels = t->labels};
    hone_prof_stack_push(&stack, (uintptr_t)&waits[t->waits_for]);
    if (blocking_prim(t)) hone_prof_stack_push(&stack, (uintptr_t)blocking_prim(t));
    driver_push_frames(t, t->sp, &stack);
    hone_prof_waiting_add(list, p, &stack, t->away_since_ns);
}

static bool push_frame(const FrameDesc *d, void *stack) {
    return !d->site || hone_prof_stack_push(stack, (uintptr_t)d);
}

static void add_fiber(const FiberParked *fiber, void *list) {
    uintptr_t frames[WAIT_DEPTH];
    hone_prof_stack stack = {.frames = frames, .inner_max = WAIT_DEPTH, .labels = fiber->labels};
    if (!fiber->since_ns) return;
    hone_prof_stack_push(&stack, (uintptr_t)&waits[fiber->why]);
    rt_walk_cont(fiber->cont, push_frame, &stack);
    hone_prof_waiting_add(list, NULL, &stack, fiber->since_ns);
}

/* Threads that come to no safe point for so long are not waited for: the waits are then told when
 * they are over. */
enum { PATIENCE_NS = 100000000 };

static void waiting(void *host, hone_prof_waiting *list) {
    (void)host;
    Thread *self = rt_current();
    bool leave = self && !rt_is_away(self);
    looking = true;
    if (leave) rt_block_begin(&self->m, RT_WAIT_NOTHING);
    if (rt_world_hold_until(os_mono_ns() + PATIENCE_NS)) {
        rt_each_thread(add_thread, list);
        fiber_each_parked(add_fiber, list);
        rt_world_release();
    }
    if (leave) rt_block_end(&self->m);
    looking = false;
}

void driver_source_hooks(hone_prof_config *config) {
    config->device_check = device_check;
    config->device_start = device_start;
    config->device_stop = device_stop;
    config->capture = capture;
    config->waiting = waiting;
}
