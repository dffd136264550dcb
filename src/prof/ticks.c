/* The tick scheduler: one timer, three clients.
 *
 * Data. left[c] is the number of ticks until client c is due, counted from the last *sync*; NEVER
 * means no demand. `armed` is what the device was last armed with, so that the ticks gone by since
 * can be told from what is left in its slot. Every change goes: leave the solo state, sync (take
 * the ticks gone by from every demand), change, arm the smallest.
 *
 * Solo. While PREEMPT is the only client and nothing is pending, `solo` points to the slot, and a
 * new quantum is a bare store into it (hone_prof_ticks_preempt). The slot is then the only truth:
 * left[PREEMPT] is read back from it as soon as anything else is asked.
 *
 * Escapes. Fire calls nothing that can escape: the sampler always returns. What may escape or
 * switch, the host does itself, one client at a time, after fire has returned and the state is
 * whole. While anything is pending the device is armed for the shortest time, so that an escape
 * out of the interrupt check can not lose the preemption that was due with it.
 *
 * B8. A preemption that comes due makes a registered interrupt check due with it. One that is
 * pending already does not: else a check that escapes each time would hold it back for ever.
 *
 * Synchronisation. None: all of it belongs to one thread. The slot and the clock may be shared with
 * a ticker; they are accessed with relaxed atomics.
 */
#include <hone/prof.h>

#define LONGEST                                                                                    \
    ((uint64_t)1 << 62) /* as far as a demand can reach; keeps the sums from wrapping              \
                         */

static uint64_t clock_now(const hone_prof_ticks *s) {
    return s->device.clock ? __atomic_load_n(s->device.clock, __ATOMIC_RELAXED) : 0;
}

/* What is left in the slot, negative if the device is late. False if it is disarmed: a countdown
 * then counts down from a number that no demand reaches, so that it never gets near 0. */
static bool slot_left(const hone_prof_ticks *s, int64_t *left) {
    uint64_t due = __atomic_load_n(s->device.slot, __ATOMIC_RELAXED);
    *left = (int64_t)(due - clock_now(s));
    return s->device.clock ? due != HONE_PROF_NEVER : *left <= (int64_t)LONGEST;
}

static uint64_t device_elapsed(const hone_prof_ticks *s) {
    int64_t left;
    if (s->armed == HONE_PROF_NEVER) return 0;
    if (!s->device.slot) return s->device.elapsed ? s->device.elapsed(s->device.ctx) : 0;
    if (!slot_left(s, &left)) return 0; /* the host took it back behind our back */
    int64_t elapsed = (int64_t)s->armed - left;
    return elapsed > 0 ? (uint64_t)elapsed : 0;
}

static void leave_solo(hone_prof_ticks *s) {
    int64_t left;
    if (!s->solo) return;
    s->solo = NULL;
    bool outstanding = slot_left(s, &left);
    s->left[HONE_PROF_PREEMPT] = !outstanding ? HONE_PROF_NEVER : left > 0 ? (uint64_t)left : 0;
    s->armed = s->left[HONE_PROF_PREEMPT];
}

static void advance(hone_prof_ticks *s, uint64_t elapsed) {
    for (int c = 0; c < HONE_PROF_CLIENTS; c++) {
        if (s->left[c] == HONE_PROF_NEVER) continue;
        if (c == HONE_PROF_SAMPLER) s->sampler_ticks += elapsed;
        s->left[c] -= elapsed < s->left[c] ? elapsed : s->left[c];
    }
}

static void sync(hone_prof_ticks *s) {
    leave_solo(s);
    if (!s->firing) advance(s, device_elapsed(s));
}

static void store_slot(hone_prof_ticks *s, uint64_t ticks) {
    uint64_t disarmed = s->device.clock ? HONE_PROF_NEVER : INT64_MAX;
    uint64_t due = ticks == HONE_PROF_NEVER ? disarmed : clock_now(s) + ticks;
    uint64_t before = __atomic_load_n(s->device.slot, __ATOMIC_RELAXED);
    __atomic_store_n(s->device.slot, due, __ATOMIC_RELAXED);
    if (s->device.armed && due < before) s->device.armed(s->device.ctx);
}

static void arm(hone_prof_ticks *s) {
    uint64_t ticks = HONE_PROF_NEVER;
    if (s->firing) return; /* fire arms once, at its end */
    for (int c = 0; c < HONE_PROF_CLIENTS; c++)
        if (s->left[c] < ticks) ticks = s->left[c];
    if (s->pending && ticks > HONE_PROF_RETRY_TICKS) ticks = HONE_PROF_RETRY_TICKS;
    if (ticks == 0) ticks = 1;
    s->armed = ticks;
    if (s->device.slot)
        store_slot(s, ticks);
    else
        s->device.arm(s->device.ctx, ticks);
    bool alone = s->device.slot && !s->pending && s->left[HONE_PROF_SAMPLER] == HONE_PROF_NEVER &&
                 s->left[HONE_PROF_INTERRUPT] == HONE_PROF_NEVER;
    s->solo = alone ? s->device.slot : NULL;
}

void hone_prof_ticks_init(hone_prof_ticks *s, const hone_prof_device *device) {
    *s = (hone_prof_ticks){.device = *device, .armed = HONE_PROF_NEVER};
    for (int c = 0; c < HONE_PROF_CLIENTS; c++) s->left[c] = HONE_PROF_NEVER;
    arm(s);
}

void hone_prof_ticks_demand(hone_prof_ticks *s, int client, uint64_t ticks) {
    sync(s);
    s->left[client] = ticks == 0 ? 1 : ticks > LONGEST ? LONGEST : ticks;
    s->pending &= ~(1u << client);
    if (client == HONE_PROF_SAMPLER) s->sampler_ticks = 0;
    arm(s);
}

void hone_prof_ticks_retry(hone_prof_ticks *s, int client) {
    hone_prof_ticks_demand(s, client, HONE_PROF_RETRY_TICKS);
}

void hone_prof_ticks_cancel(hone_prof_ticks *s, int client) {
    sync(s);
    s->left[client] = HONE_PROF_NEVER;
    s->pending &= ~(1u << client);
    arm(s);
}

uint64_t hone_prof_ticks_left(hone_prof_ticks *s, int client) {
    sync(s);
    arm(s);
    return s->pending & 1u << client ? 0 : s->left[client];
}

static void serve_sampler(hone_prof_ticks *s) {
    uint64_t ran = s->sampler_ticks;
    s->left[HONE_PROF_SAMPLER] = HONE_PROF_NEVER;
    uint64_t next = s->sample(s->sampler, ran);
    if (next != HONE_PROF_NEVER) hone_prof_ticks_demand(s, HONE_PROF_SAMPLER, next);
}

static void make_pending(hone_prof_ticks *s, int client) {
    s->left[client] = HONE_PROF_NEVER;
    s->pending |= 1u << client;
}

static void serve(hone_prof_ticks *s) {
    bool preempt = s->left[HONE_PROF_PREEMPT] == 0;
    uint64_t interrupt = s->left[HONE_PROF_INTERRUPT];
    if (s->left[HONE_PROF_SAMPLER] == 0) serve_sampler(s);
    if (interrupt == 0 || (preempt && interrupt != HONE_PROF_NEVER))
        make_pending(s, HONE_PROF_INTERRUPT);
    if (preempt) make_pending(s, HONE_PROF_PREEMPT);
}

unsigned hone_prof_ticks_fire(hone_prof_ticks *s, uint64_t elapsed) {
    leave_solo(s);
    advance(s, elapsed == HONE_PROF_ASK ? device_elapsed(s) : elapsed);
    s->firing = true;
    /* Another thread may be registering this one: what `attend` stands for is complete once it is
     * seen. */
    void (*attend)(void *) = __atomic_load_n(&s->attend, __ATOMIC_ACQUIRE);
    if (attend && !s->masked) attend(s->sampler);
    if (!s->masked) serve(s);
    s->missed |= s->masked != 0;
    s->firing = false;
    arm(s);
    return s->masked ? 0 : s->pending;
}

void hone_prof_ticks_due(hone_prof_ticks *s) {
    sync(s);
    if (s->left[HONE_PROF_SAMPLER] != HONE_PROF_NEVER) s->left[HONE_PROF_SAMPLER] = 0;
    arm(s);
}

int hone_prof_ticks_take(hone_prof_ticks *s) {
    if (s->masked || !s->pending) return HONE_PROF_NONE;
    int client = s->pending & 1u << HONE_PROF_INTERRUPT ? HONE_PROF_INTERRUPT : HONE_PROF_PREEMPT;
    s->pending &= ~(1u << client);
    if (!s->pending) { /* nothing to ask again for: arm what is outstanding */
        sync(s);
        arm(s);
    }
    return client;
}

void hone_prof_ticks_catch_up(hone_prof_ticks *s) {
    s->missed = false;
    sync(s); /* what is due by now is armed for the next tick */
    arm(s);
}
