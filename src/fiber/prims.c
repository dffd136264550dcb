/* prims.c: what Scheme may ask and tell of fibers; interrupts. */
#include "fiber/sched.h"

#include "rt/args.h"
#include "rt/string.h"

#define CHECK_FIBER(who) ARG_CHECK(is_opaque(a[0], OPAQUE_FIBER), who, 1)

static Value check_hook = V_FALSE; /* a root */

Value fiber_check_hook(void) { return check_hook; }

static void scan_hook(void *context, Collector *c) {
    (void)context;
    gc_visit(c, &check_hook);
}

void fiber_prims_start(void) { rt_add_roots(scan_hook, NULL); }

/* (%fiber-hooks! uncaught check): what a fiber's exceptions come to, and the interrupt check. */
PRIM_FN(prim_fiber_hooks) {
    PRIM_UNUSED;
    fiber_set_initial_handlers(gc_cons(m, a[0], V_NIL));
    check_hook = a[1];
    return V_UNSPEC;
}

PRIM_FN(prim_fiber_p) {
    PRIM_UNUSED;
    return v_bool(is_opaque(a[0], OPAQUE_FIBER) && strand_slots(a[0])[FIBER_SCHED]);
}

PRIM_FN(prim_current_fiber) {
    PRIM_UNUSED;
    return rt_thread(m)->fiber;
}

PRIM_FN(prim_fiber_name) {
    PRIM_UNUSED;
    CHECK_FIBER("fiber-name");
    return strand_slots(a[0])[FIBER_NAME];
}

PRIM_FN(prim_fiber_handler) {
    PRIM_UNUSED;
    CHECK_FIBER("fiber-handler");
    return strand_slots(a[0])[FIBER_HANDLER];
}

static void site_text(base_buf *out, const Site *site) {
    if (!site || !site->pos.file) return;
    base_pos_print(out, (base_pos){site->pos.file->path, site->pos.line, site->pos.column});
}

void fiber_group_name(base_buf *out, Value name, const Site *site, bool first) {
    if (is_symbol(name)) {
        base_buf_puts(out, rt_symbol_name(name));
    } else if (is_string(name)) {
        rt_string_encode(out, name, 0, rt_string_length(name));
    } else {
        base_buf_puts(out, first ? "run-fibers" : "spawn-fiber");
        if (site && site->pos.file) base_buf_puts(out, " at ");
        site_text(out, site);
    }
}

/* Where it was spawned, "FILE:LINE:COLUMN" or "". */
PRIM_FN(prim_fiber_place) {
    PRIM_UNUSED;
    CHECK_FIBER("fiber-place");
    base_buf text = {0};
    site_text(&text, raw_pointer(strand_slots(a[0])[FIBER_SITE]));
    Value v = rt_string_new(m, base_buf_str(&text), text.len);
    base_buf_free(&text);
    return v;
}

PRIM_FN(prim_fiber_result) {
    PRIM_UNUSED;
    CHECK_FIBER("fiber-result");
    bool ended = strand_get(a[0], FIBER_STATE) == v_fixnum(FIBER_ENDED);
    return ended ? strand_get(a[0], FIBER_RESULT) : V_FALSE;
}

PRIM_FN(prim_fiber_ended_p) {
    PRIM_UNUSED;
    CHECK_FIBER("fiber-ended?");
    return v_bool(strand_get(a[0], FIBER_STATE) == v_fixnum(FIBER_ENDED));
}

PRIM_FN(prim_interrupted_mark) {
    PRIM_UNUSED;
    return FIBER_INTERRUPTED;
}

/* ---- interruptible extents ---- */

/* The calling strand: a fiber, or what stands for the thread. */
PRIM_FN(prim_strand) {
    PRIM_UNUSED;
    return fiber_strand(rt_thread(m));
}

PRIM_FN(prim_strand_checks) {
    PRIM_UNUSED;
    ARG_CHECK(is_opaque(a[0], OPAQUE_FIBER), "interrupt!", 1);
    return strand_get(a[0], FIBER_CHECKS);
}

/* (%set-strand-checks! list first-time-out): of the calling strand. */
PRIM_FN(prim_set_strand_checks) {
    PRIM_UNUSED;
    Thread *t = rt_thread(m);
    Value strand = fiber_strand(t);
    gc_write(m, &strand_slots(strand)[FIBER_CHECKS], a[0]);
    strand_set(strand, FIBER_CHECK_AT, a[1]);
    if (a[0] == V_NIL)
        hone_prof_ticks_cancel(&t->ticks, HONE_PROF_INTERRUPT);
    else
        fiber_check_start(t, strand);
    return V_UNSPEC;
}

/* (%interruptible! depth): in how many extents that let SIGINT in the calling thread is; #f:
 * unchanged. Gives what it was. An interrupt that was let in is not let out of the last of them: it
 * is raised here at the latest. */
PRIM_FN(prim_interruptible) {
    (void)n;
    Thread *t = rt_thread(m);
    os_mutex_lock(&fiber_lock);
    uint32_t was = t->interruptible;
    if (is_true(a[0]))
        __atomic_store_n(&t->interruptible, (uint32_t)fixnum(a[0]), __ATOMIC_SEQ_CST);
    bool last = is_true(a[0]) && t->interruptible == 0;
    os_mutex_unlock(&fiber_lock);
    if (last && rt_interrupt_pending(m)) return fiber_interrupted(m, "call-interruptible");
    return v_fixnum(was);
}

/* (%interrupt-wait! strand): it is to look at its checks: where it waits, at once; else when it
 * waits next, if it has not done so before. */
PRIM_FN(prim_interrupt_wait) {
    PRIM_UNUSED;
    CHECK_FIBER("interrupt!");
    strand_set(a[0], FIBER_CHECK_AT, v_fixnum(0));
    fiber_interrupt_wait(m, a[0]);
    return V_UNSPEC;
}
