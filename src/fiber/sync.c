/* sync.c: mutexes and condition variables of SRFI 18.
 *
 * A mutex that becomes free wakes the thread that waits longest, but does not hand itself over:
 * whoever comes first locks it, and the woken thread tries again. Handing over would cost a switch
 * of threads at each contended unlock. A mutex is owned by a thread, chained to it so that the
 * thread's end can abandon it, or locked by nobody. */
#include "fiber/wait.h"

#include "rt/args.h"
#include "rt/string.h"

static Word *slots_of(Value v) { return object_slots(v); }

static enum fiber_mutex state_of(Value mutex) {
    return (enum fiber_mutex)fixnum(slots_of(mutex)[MUTEX_STATE]);
}

/* Under fiber_lock: gives up the ownership, if any. */
static void disown(Mutator *m, Value mutex) {
    Value owner = slots_of(mutex)[MUTEX_OWNER];
    if (owner == V_FALSE) return;
    Value *link = &slots_of(owner)[THREAD_OWNED];
    while (*link != mutex) link = &slots_of(*link)[MUTEX_NEXT];
    gc_write(m, link, slots_of(mutex)[MUTEX_NEXT]);
    slots_of(mutex)[MUTEX_OWNER] = slots_of(mutex)[MUTEX_NEXT] = V_FALSE;
}

static void set_free(Mutator *m, Value mutex, enum fiber_mutex state) {
    disown(m, mutex);
    slots_of(mutex)[MUTEX_STATE] = v_fixnum(state);
    fiber_wake_one(mutex);
}

void fiber_abandon(Mutator *m, Value thread) {
    Value mutex;
    while ((mutex = slots_of(thread)[THREAD_OWNED]) != V_FALSE) set_free(m, mutex, MUTEX_ABANDONED);
}

/* Under fiber_lock: locks a free mutex for OWNER, or for nobody. An owner that has ended abandons
 * it at once. */
static void take(Mutator *m, Value mutex, Value owner) {
    slots_of(mutex)[MUTEX_STATE] = v_fixnum(MUTEX_LOCKED);
    if (owner == V_FALSE) return;
    gc_write(m, &slots_of(mutex)[MUTEX_OWNER], owner);
    gc_write(m, &slots_of(mutex)[MUTEX_NEXT], slots_of(owner)[THREAD_OWNED]);
    gc_write(m, &slots_of(owner)[THREAD_OWNED], mutex);
    if (fiber_has_ended(owner)) fiber_abandon(m, owner);
}

/* ---- primitives ---- */

#define CHECK_MUTEX(who)   ARG_CHECK(is_opaque(a[0], OPAQUE_MUTEX), who, 1)
#define CHECK_CONDVAR(who) ARG_CHECK(is_opaque(a[0], OPAQUE_CONDVAR), who, 1)

PRIM_FN(prim_mutex_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_MUTEX));
}

PRIM_FN(prim_mutex_make) {
    PRIM_UNUSED;
    Object *o = gc_object(m, T_OPAQUE, MUTEX_WORDS);
    o->slot[0] = v_fixnum(OPAQUE_MUTEX);
    o->slot[MUTEX_STATE] = v_fixnum(MUTEX_FREE);
    o->slot[MUTEX_DATA] = a[0];
    o->slot[MUTEX_OWNER] = o->slot[MUTEX_NEXT] = V_FALSE;
    return v_object(o);
}

PRIM_FN(prim_mutex_data) {
    PRIM_UNUSED;
    CHECK_MUTEX("mutex");
    return slots_of(a[0])[MUTEX_DATA];
}

PRIM_FN(prim_mutex_state) {
    PRIM_UNUSED;
    static const char *const names[] = {"not-abandoned", "not-owned", "abandoned"};
    CHECK_MUTEX("mutex-state");
    os_mutex_lock(&fiber_lock);
    Value owner = slots_of(a[0])[MUTEX_OWNER];
    enum fiber_mutex state = state_of(a[0]);
    os_mutex_unlock(&fiber_lock);
    return owner == V_FALSE ? rt_intern_c(m, names[state]) : owner;
}

PRIM_FN(prim_mutex_lock) {
    PRIM_UNUSED;
    uint64_t deadline;
    CHECK_MUTEX("mutex-lock!");
    if (!fiber_deadline(m, "mutex-lock!", a, 2, &deadline)) return V_FAIL;
    if (a[2] == V_TRUE) fiber_object(m);
    ARG_CHECK(a[2] == V_FALSE || a[2] == V_TRUE || is_opaque(a[2], OPAQUE_THREAD), "mutex-lock!",
              3);
    enum fiber_mutex state;
    for (;;) {
        os_mutex_lock(&fiber_lock);
        state = state_of(a[0]);
        if (state != MUTEX_LOCKED) break;
        if (is_true(rt_thread(m)->fiber)) {
            os_mutex_unlock(&fiber_lock);
            return os_mono_ns() >= deadline ? V_FALSE : fiber_try_later(m, deadline, RT_WAIT_LOCK);
        }
        switch (fiber_wait(m, a[0], RT_WAIT_LOCK, deadline)) {
        case WAIT_WOKEN: break;
        case WAIT_TIMEOUT: return V_FALSE;
        case WAIT_INTERRUPTED: return fiber_interrupted(m, "mutex-lock!");
        }
    }
    take(m, a[0], a[2] == V_TRUE ? rt_thread(m)->object : a[2]);
    os_mutex_unlock(&fiber_lock);
    return state == MUTEX_ABANDONED ? v_fixnum(MUTEX_ABANDONED) : V_TRUE;
}

PRIM_FN(prim_mutex_unlock) {
    PRIM_UNUSED;
    CHECK_MUTEX("mutex-unlock!");
    os_mutex_lock(&fiber_lock);
    set_free(m, a[0], MUTEX_FREE);
    os_mutex_unlock(&fiber_lock);
    return V_TRUE;
}

PRIM_FN(prim_mutex_unlock_wait) {
    PRIM_UNUSED;
    uint64_t deadline;
    CHECK_MUTEX("mutex-unlock!");
    ARG_CHECK(is_opaque(a[1], OPAQUE_CONDVAR), "mutex-unlock!", 2);
    if (!fiber_deadline(m, "mutex-unlock!", a, 3, &deadline)) return V_FAIL;
    os_mutex_lock(&fiber_lock);
    set_free(m, a[0], MUTEX_FREE);
    enum fiber_wait how = fiber_wait(m, a[1], RT_WAIT_CONDITION, deadline);
    return how == WAIT_INTERRUPTED ? fiber_interrupted(m, "mutex-unlock!")
                                   : v_bool(how == WAIT_WOKEN);
}

PRIM_FN(prim_condvar_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_CONDVAR));
}

PRIM_FN(prim_condvar_make) {
    PRIM_UNUSED;
    Object *o = gc_object(m, T_OPAQUE, 4);
    o->slot[0] = v_fixnum(OPAQUE_CONDVAR);
    o->slot[1] = 0;
    o->slot[2] = a[0];
    o->slot[3] = V_FALSE;
    return v_object(o);
}

PRIM_FN(prim_condvar_data) {
    PRIM_UNUSED;
    CHECK_CONDVAR("condition-variable");
    return slots_of(a[0])[2];
}

PRIM_FN(prim_condvar_signal) {
    PRIM_UNUSED;
    CHECK_CONDVAR("condition-variable-signal!");
    os_mutex_lock(&fiber_lock);
    (a[1] == V_FALSE ? fiber_wake_one : fiber_wake_all)(a[0]);
    os_mutex_unlock(&fiber_lock);
    return V_UNSPEC;
}
