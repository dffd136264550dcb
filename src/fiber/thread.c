/* thread.c: OS threads that run Scheme procedures: starting, ending, joining.
 *
 * A thread that starts takes what it needs from a Start record, whose values are roots until it is
 * attached. It runs from its attaching to the first instruction without a safe point, so from then
 * on they live in its Thread and on its stack. When it has ended it says so in its object, gives up
 * its mutexes, and wakes those who join it; its result is (srfi 18)'s affair. The first thread's
 * object is made when it is first asked for. */
#include "fiber/sched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "rt/args.h"
#include "rt/string.h"
#include "rt/system.h"

Value (*fiber_run)(Thread *t, Value proc);

typedef struct Start {
    Value thread, proc, params;
    uint32_t labels;
    struct Start *next, *previous;
} Start;
static Start *starts; /* under fiber_lock */

static void scan_starts(void *context, Collector *c) {
    (void)context;
    os_mutex_lock(&fiber_lock);
    for (Start *s = starts; s; s = s->next) {
        gc_visit(c, &s->thread);
        gc_visit(c, &s->proc);
        gc_visit(c, &s->params);
    }
    os_mutex_unlock(&fiber_lock);
}

static void add_start(Start *s) {
    s->next = starts;
    if (s->next) s->next->previous = s;
    starts = s;
}

static void remove_start(Start *s) {
    *(s->previous ? &s->previous->next : &starts) = s->next;
    if (s->next) s->next->previous = s->previous;
}

void fiber_threads_start(void) {
    fiber_wait_start();
    fiber_sched_start();
    fiber_prims_start();
    rt_add_roots(scan_starts, NULL);
}

static bool is_doing(Value thread, enum fiber_doing what) {
    return object_slots(thread)[THREAD_DOING] == (Word)v_fixnum(what);
}

static Thread *running(Value thread) {
    Word doing = object_slots(thread)[THREAD_DOING];
    return doing >= (Word)v_fixnum(DOING_STATES) ? raw_pointer(doing) : NULL;
}

bool fiber_has_ended(Value thread) {
    return is_doing(thread, DOING_NOTHING_MORE) || is_doing(thread, DOING_KILLED);
}

static Value new_object(Mutator *m, Word doing, Value data) {
    Object *o = gc_object(m, T_OPAQUE, 4);
    o->slot[0] = v_fixnum(OPAQUE_THREAD);
    o->slot[THREAD_DOING] = doing;
    o->slot[THREAD_DATA] = data;
    o->slot[THREAD_OWNED] = V_FALSE;
    return v_object(o);
}

Value fiber_object(Mutator *m) {
    Thread *t = rt_thread(m);
    if (t->object == V_FALSE) t->object = new_object(m, (Word)t, V_FALSE);
    return t->object;
}

/* Under fiber_lock. */
static void note_end(Mutator *m, Value thread, enum fiber_doing how) {
    object_slots(thread)[THREAD_DOING] = v_fixnum(how);
    fiber_abandon(m, thread);
    fiber_wake_all(thread);
}

static void *thread_main(void *arg) {
    Start *s = arg;
    Thread *t = rt_thread_attach();
    char name[16];
    snprintf(name, sizeof name, "hone-%u", t->id);
    os_thread_set_name(name);
    fiber_thread_begin(t);
    os_mutex_lock(&fiber_lock);
    remove_start(s);
    t->object = s->thread;
    t->params = s->params;
    t->labels = s->labels;
    Value proc = s->proc;
    object_slots(t->object)[THREAD_DOING] = (Word)t;
    os_mutex_unlock(&fiber_lock);
    free(s);
    bool killed = fiber_run(t, proc) == V_FAIL;
    fiber_thread_end(t);
    os_mutex_lock(&fiber_lock);
    note_end(&t->m, t->object, killed ? DOING_KILLED : DOING_NOTHING_MORE);
    os_mutex_unlock(&fiber_lock);
    rt_thread_detach(t);
    return NULL;
}

/* ---- primitives ---- */

#define CHECK_THREAD(who) ARG_CHECK(is_opaque(a[0], OPAQUE_THREAD), who, 1)

PRIM_FN(prim_thread_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_THREAD));
}

PRIM_FN(prim_thread_make) {
    PRIM_UNUSED;
    return new_object(m, v_fixnum(DOING_NOTHING_YET), a[0]);
}

PRIM_FN(prim_current_thread) {
    PRIM_UNUSED;
    return fiber_object(m);
}

PRIM_FN(prim_thread_data) {
    PRIM_UNUSED;
    CHECK_THREAD("thread");
    return object_slots(a[0])[THREAD_DATA];
}

PRIM_FN(prim_thread_set_data) {
    PRIM_UNUSED;
    CHECK_THREAD("thread");
    gc_write(m, &object_slots(a[0])[THREAD_DATA], a[1]);
    return V_UNSPEC;
}

/* Starts THREAD, whose state is DOING_START. False: errno says why not. */
static bool start(Thread *creator, Value thread, Value proc) {
    Start *s = base_calloc(1, sizeof *s);
    os_mutex_lock(&fiber_lock);
    *s = (Start){
        .thread = thread, .proc = proc, .params = creator->params, .labels = creator->labels};
    add_start(s);
    os_mutex_unlock(&fiber_lock);
    os_thread os;
    if (os_thread_start(&os, thread_main, s, 0, true)) {
        os_thread_detach(os);
        return true;
    }
    int why = errno;
    os_mutex_lock(&fiber_lock);
    remove_start(s);
    object_slots(thread)[THREAD_DOING] = v_fixnum(DOING_NOTHING_YET);
    os_mutex_unlock(&fiber_lock);
    free(s);
    errno = why;
    return false;
}

PRIM_FN(prim_thread_start) {
    PRIM_UNUSED;
    CHECK_THREAD("thread-start!");
    os_mutex_lock(&fiber_lock);
    bool fresh = is_doing(a[0], DOING_NOTHING_YET);
    if (fresh) object_slots(a[0])[THREAD_DOING] = v_fixnum(DOING_START);
    os_mutex_unlock(&fiber_lock);
    if (!fresh)
        return mutator_fail_text(m, ERR_THREAD, "thread-start!", a[0],
                                 "the thread was started before");
    if (start(rt_thread(m), a[0], a[1])) return a[0];
    return mutator_fail_text(m, ERR_THREAD, "thread-start!", a[0], "no thread can be started: %s",
                             strerror(errno));
}

bool fiber_thread_spawn(Mutator *m, Value proc) {
    return start(rt_thread(m), new_object(m, v_fixnum(DOING_START), V_FALSE), proc);
}

PRIM_FN(prim_thread_state) {
    PRIM_UNUSED;
    static const char *const names[] = {"new", "running", "ended", "killed"};
    CHECK_THREAD("thread-state");
    os_mutex_lock(&fiber_lock);
    Word doing = running(a[0]) ? v_fixnum(DOING_START) : object_slots(a[0])[THREAD_DOING];
    os_mutex_unlock(&fiber_lock);
    return rt_intern_c(m, names[fixnum(doing)]);
}

PRIM_FN(prim_thread_join) {
    PRIM_UNUSED;
    uint64_t deadline;
    CHECK_THREAD("thread-join!");
    if (!fiber_deadline(m, "thread-join!", a, 2, &deadline)) return V_FAIL;
    for (;;) {
        os_mutex_lock(&fiber_lock);
        if (fiber_has_ended(a[0])) {
            os_mutex_unlock(&fiber_lock);
            return V_TRUE;
        }
        if (is_true(rt_thread(m)->fiber)) {
            os_mutex_unlock(&fiber_lock);
            return os_mono_ns() >= deadline ? V_FALSE : fiber_try_later(m, deadline, RT_WAIT_JOIN);
        }
        switch (fiber_wait(m, a[0], RT_WAIT_JOIN, deadline)) {
        case WAIT_WOKEN: break;
        case WAIT_TIMEOUT: return V_FALSE;
        case WAIT_INTERRUPTED: return fiber_interrupted(m, "thread-join!");
        }
    }
}

PRIM_FN(prim_thread_sleep) {
    PRIM_UNUSED;
    uint64_t deadline;
    if (!fiber_deadline(m, "thread-sleep!", a, 1, &deadline)) return V_FAIL;
    if (is_true(rt_thread(m)->fiber))
        return os_mono_ns() >= deadline
                   ? V_UNSPEC
                   : rt_would_sleep(m, deadline, RT_WAIT_SLEEP, "thread-sleep!");
    os_mutex_lock(&fiber_lock);
    if (fiber_wait(m, V_FALSE, RT_WAIT_SLEEP, deadline) == WAIT_INTERRUPTED)
        return fiber_interrupted(m, "thread-sleep!");
    return V_UNSPEC;
}

PRIM_FN(prim_thread_yield) {
    PRIM_UNUSED;
    rt_block_begin(m, RT_WAIT_SLEEP);
    os_thread_yield();
    rt_block_end(m);
    return V_UNSPEC;
}

/* Tells a thread to end and waits until it has. One that sits in a system call is kicked again and
 * again, since a kick that comes just before the call is lost. The first thread's end is the
 * process's. */
PRIM_FN(prim_thread_terminate) {
    PRIM_UNUSED;
    enum { FIRST_PAUSE_NS = 1000000, LONGEST_PAUSE_NS = 64000000 };
    CHECK_THREAD("thread-terminate!");
    for (uint64_t pause = FIRST_PAUSE_NS;; pause = BASE_MIN(2 * pause, LONGEST_PAUSE_NS)) {
        os_mutex_lock(&fiber_lock);
        if (is_doing(a[0], DOING_NOTHING_YET)) note_end(m, a[0], DOING_KILLED);
        Thread *t = running(a[0]);
        bool self = t == rt_thread(m), first = t && t->id == 1, ended = fiber_has_ended(a[0]);
        if (ended || self || first) os_mutex_unlock(&fiber_lock);
        if (ended) return V_UNSPEC;
        if (first) rt_exit(0);
        if (self) {
            rt_request(t, REQUEST_DIE);
            return V_UNSPEC;
        }
        if (t) fiber_ask(t, REQUEST_DIE);
        if (fiber_wait(m, a[0], RT_WAIT_JOIN, os_mono_ns() + pause) == WAIT_INTERRUPTED)
            return fiber_interrupted(m, "thread-terminate!");
    }
}
