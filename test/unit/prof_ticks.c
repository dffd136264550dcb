/* The tick scheduler on hand-driven devices: every order of events that the header promises. */
#include <hone/prof.h>

#include "check.h"

/* ---- a device of each kind, driven by hand ---- */

static uint64_t slot, now, armed_with, gone;
static int arms, woken;

static void arm_called(void *ctx, uint64_t ticks) {
    (void)ctx;
    armed_with = ticks;
    gone = 0;
    arms++;
}
static uint64_t elapsed_called(void *ctx) {
    (void)ctx;
    return gone;
}
static void armed_called(void *ctx) {
    (void)ctx;
    woken++;
}

enum kind { CLOCKED, COUNTDOWN, CALLED, KINDS };
static enum kind kind;
static hone_prof_ticks s;

static void start(void) {
    slot = 123;
    now = 1000;
    gone = 0;
    woken = arms = 0;
    hone_prof_device clocked = {.slot = &slot, .clock = &now, .armed = armed_called};
    hone_prof_device countdown = {.slot = &slot};
    hone_prof_device called = {.arm = arm_called, .elapsed = elapsed_called};
    hone_prof_ticks_init(&s, kind == CLOCKED ? &clocked : kind == COUNTDOWN ? &countdown : &called);
}

/* Ticks until the device fires. */
static uint64_t due_in(void) {
    if (kind == CALLED) return armed_with == HONE_PROF_NEVER ? HONE_PROF_NEVER : armed_with - gone;
    if (kind == COUNTDOWN) return slot > INT64_MAX / 2 ? HONE_PROF_NEVER : slot;
    return slot == HONE_PROF_NEVER ? HONE_PROF_NEVER : slot - now;
}

static void pass(uint64_t ticks) {
    now += ticks;
    gone += ticks;
    if (kind == COUNTDOWN) slot -= ticks;
}

/* Lets the ticks go by, then fires as the host would. */
static unsigned fire_after(uint64_t ticks) {
    pass(ticks);
    return hone_prof_ticks_fire(&s, HONE_PROF_ASK);
}

enum {
    I = 1u << HONE_PROF_INTERRUPT,
    P = 1u << HONE_PROF_PREEMPT,
};

/* ---- a sampler that records what it is told ---- */

static uint64_t sampled[16], sampler_next;
static int samples, attended;
static char order[64];

static uint64_t sample(void *ctx, uint64_t ticks) {
    (void)ctx;
    sampled[samples++ % 16] = ticks;
    strcat(order, "S");
    return sampler_next;
}
static void attend(void *ctx) {
    (void)ctx;
    attended++;
}
static void with_sampler(uint64_t first, uint64_t next) {
    samples = attended = 0;
    sampler_next = next;
    order[0] = 0;
    s.sample = sample;
    s.attend = attend;
    hone_prof_ticks_demand(&s, HONE_PROF_SAMPLER, first);
}

/* Takes all pending clients, adding their letters to `order`. */
static void take_all(void) {
    for (int c; (c = hone_prof_ticks_take(&s)) != HONE_PROF_NONE;)
        strcat(order, c == HONE_PROF_INTERRUPT ? "I" : "P");
}

/* ---- the tests, each for every kind of device ---- */

static void smallest_is_armed(void) {
    CHECK(due_in() == HONE_PROF_NEVER);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 100);
    CHECK_EQ_U(due_in(), 100);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 30);
    CHECK_EQ_U(due_in(), 30);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 500);
    CHECK_EQ_U(due_in(), 100);
    hone_prof_ticks_cancel(&s, HONE_PROF_PREEMPT);
    CHECK_EQ_U(due_in(), 500);
    hone_prof_ticks_cancel(&s, HONE_PROF_INTERRUPT);
    CHECK(due_in() == HONE_PROF_NEVER);
    CHECK(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT) == HONE_PROF_NEVER);
}

static void elapsed_is_subtracted(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 40);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 100);
    CHECK_EQ(fire_after(10), 0); /* too early: nothing */
    CHECK_EQ_U(due_in(), 30);
    CHECK_EQ(fire_after(35), I); /* 5 late */
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_INTERRUPT);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 55);
    CHECK_EQ_U(due_in(), 55);
    CHECK(hone_prof_ticks_left(&s, HONE_PROF_INTERRUPT) == HONE_PROF_NEVER); /* once */
    CHECK_EQ(fire_after(55), P);
}

/* The host's clock is ahead of the device: the sampler is served, with the ticks that have gone by,
 * and the other clients keep their time. */
static void due_by_a_clock(void) {
    hone_prof_ticks_due(&s); /* asked for nothing */
    CHECK(due_in() == HONE_PROF_NEVER);
    with_sampler(1000, 700);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 300);
    pass(10);
    hone_prof_ticks_due(&s);
    CHECK_EQ_U(due_in(), 1);
    CHECK_EQ(samples, 0);
    CHECK_EQ(fire_after(0), 0);
    CHECK_EQ(samples, 1);
    CHECK_EQ_U(sampled[0], 10);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_SAMPLER), 700);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 290);
    hone_prof_ticks_cancel(&s, HONE_PROF_SAMPLER);
    hone_prof_ticks_cancel(&s, HONE_PROF_PREEMPT);
    s.sample = NULL;
    s.attend = NULL;
}

static void demand_in_the_middle(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 100);
    pass(60);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 50);
    CHECK_EQ_U(due_in(), 40);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 40);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_INTERRUPT), 50);
    pass(10);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_INTERRUPT), 40);
    hone_prof_ticks_cancel(&s, HONE_PROF_INTERRUPT);
    CHECK_EQ_U(due_in(), 30);
    /* A demand made when another is overdue does not push that away. */
    pass(35);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 50);
    CHECK_EQ_U(due_in(), 1);
    CHECK_EQ(fire_after(1), I | P);
}

static void order_is_fixed(void) {
    with_sampler(10, HONE_PROF_NEVER);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 10);
    CHECK_EQ(fire_after(10), I | P);
    CHECK_STR(order, "S");
    take_all();
    CHECK_STR(order, "SIP");
    CHECK(due_in() == HONE_PROF_NEVER);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
}

static void sampler_learns_its_ticks(void) {
    with_sampler(10, 7);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 4);
    fire_after(4);
    take_all();
    CHECK_EQ(samples, 0);
    fire_after(9); /* 3 late */
    CHECK_EQ(samples, 1);
    CHECK_EQ_U(sampled[0], 13);
    CHECK_EQ_U(due_in(), 7);
    fire_after(7);
    CHECK_EQ(samples, 2);
    CHECK_EQ_U(sampled[1], 7);
    CHECK_EQ(attended, 3);
    sampler_next = HONE_PROF_NEVER;
    fire_after(7);
    CHECK(due_in() == HONE_PROF_NEVER);
}

/* B8: a quantum shorter than the check's interval does not starve the check. */
static void interrupt_goes_with_preempt(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 1000);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ(fire_after(10), I | P);
    order[0] = 0;
    take_all();
    CHECK_STR(order, "IP");
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10); /* no check registered now */
    CHECK_EQ(fire_after(10), P);
    take_all();
    /* The other way round: the check alone does not preempt. */
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 10);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 1000);
    CHECK_EQ(fire_after(10), I);
}

/* The check escapes and never comes back to take the preemption. */
static void escape_keeps_the_preemption(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 50);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ(fire_after(10), I | P);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_INTERRUPT);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 50); /* the handler asks again, then jumps */
    CHECK_EQ_U(due_in(), 1);
    /* Pending, not newly due: the check is not run again before it. */
    CHECK_EQ(fire_after(1), P);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_PREEMPT);
    CHECK_EQ_U(due_in(), 49);
}

static void nothing_taken_asks_again(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ(fire_after(10), P);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ_U(due_in(), 1);
        CHECK_EQ(fire_after(1), P);
    }
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 0);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10); /* a new quantum takes it back */
    CHECK_EQ_U(due_in(), 10);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
    fire_after(10);
    hone_prof_ticks_cancel(&s, HONE_PROF_PREEMPT);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
    CHECK(due_in() == HONE_PROF_NEVER);
}

/* B4. */
static void refusal_retries(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ(fire_after(10), P);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_PREEMPT);
    hone_prof_ticks_retry(&s, HONE_PROF_PREEMPT); /* a lock is held */
    CHECK_EQ_U(due_in(), HONE_PROF_RETRY_TICKS);
    CHECK_EQ(fire_after(HONE_PROF_RETRY_TICKS), P);
}

/* B7. */
static void mask_holds_all_back(void) {
    with_sampler(10, HONE_PROF_NEVER);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 10);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    hone_prof_ticks_mask(&s);
    hone_prof_ticks_mask(&s);
    CHECK_EQ(fire_after(10), 0);
    CHECK_EQ(fire_after(1), 0);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
    hone_prof_ticks_unmask(&s);
    CHECK_EQ(fire_after(1), 0);
    hone_prof_ticks_unmask(&s);
    CHECK_EQ(samples, 0);
    CHECK_EQ_U(due_in(), 1);
    CHECK_EQ(fire_after(1), I | P);
    CHECK_EQ_U(sampled[0], 13);
    take_all();
    CHECK_STR(order, "SIP");
}

/* A fire between queueing a fiber and switching to it hands no preemption out a second time. */
static void no_double_queueing(void) {
    int queued = 0;
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    pass(10);
    hone_prof_ticks_fire(&s, HONE_PROF_ASK);
    while (hone_prof_ticks_take(&s) == HONE_PROF_PREEMPT) {
        hone_prof_ticks_mask(&s);
        queued++;
        hone_prof_ticks_preempt(&s, 1); /* the next fiber's quantum, very short */
        fire_after(5);                  /* a safe point before the switch is done */
        CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
        hone_prof_ticks_unmask(&s);
    }
    CHECK_EQ(queued, 1);
    CHECK_EQ(fire_after(1), P); /* the new quantum, once */
}

static void pending_waits_for_unmask(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 10);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ(fire_after(10), I | P);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_INTERRUPT);
    hone_prof_ticks_mask(&s);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_NONE);
    hone_prof_ticks_unmask(&s);
    CHECK_EQ(hone_prof_ticks_take(&s), HONE_PROF_PREEMPT);
}

static void solo(void) {
    if (kind == CALLED) {
        CHECK(!s.solo);
        hone_prof_ticks_preempt(&s, 20);
        CHECK_EQ_U(due_in(), 20);
        return;
    }
    CHECK(s.solo == &slot);
    for (uint64_t i = 1; i < 100; i++) { /* yields, each with a new quantum */
        hone_prof_ticks_preempt(&s, 20);
        CHECK_EQ_U(due_in(), 20);
        pass(i % 19);
    }
    hone_prof_ticks_preempt(&s, 20);
    pass(5);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 15);
    CHECK(s.solo);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 4); /* a second client: no longer */
    CHECK(!s.solo);
    CHECK_EQ_U(due_in(), 4);
    CHECK_EQ(fire_after(4), I);
    take_all();
    CHECK(s.solo);
    CHECK_EQ_U(due_in(), 11);
    hone_prof_ticks_preempt(&s, 6);
    CHECK_EQ(fire_after(6), P);
    CHECK(!s.solo); /* pending */
    take_all();
    CHECK(s.solo && due_in() == HONE_PROF_NEVER);
    with_sampler(3, 3); /* the sampler comes and goes */
    CHECK(!s.solo);
    hone_prof_ticks_preempt(&s, 7);
    fire_after(3);
    CHECK_EQ_U(hone_prof_ticks_left(&s, HONE_PROF_PREEMPT), 4);
    hone_prof_ticks_cancel(&s, HONE_PROF_SAMPLER);
    CHECK(s.solo);
    CHECK_EQ_U(due_in(), 4);
    hone_prof_ticks_cancel(&s, HONE_PROF_PREEMPT);
    CHECK(due_in() == HONE_PROF_NEVER);
}

static void extremes(void) {
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 0); /* counts as 1 */
    CHECK_EQ_U(due_in(), 1);
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, UINT64_MAX - 1);
    CHECK(due_in() > UINT64_MAX / 8);
    CHECK_EQ(fire_after(1000000), 0);
    CHECK_EQ(hone_prof_ticks_fire(&s, UINT64_MAX - 1), P); /* whatever the host says has gone by */
    take_all();
    CHECK_EQ(hone_prof_ticks_fire(&s, 0), 0);
    pass(5); /* an idle device's ticks are no one's */
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 10);
    CHECK_EQ_U(due_in(), 10);
}

/* Random events against a plain model with absolute times: each client fires when it is due, never
 * before, and nothing is lost. */
static void random_events(void) {
    uint64_t rnd = 7, t = 0, due[HONE_PROF_CLIENTS];
    int wrong = 0;
    for (int c = 0; c < HONE_PROF_CLIENTS; c++) due[c] = HONE_PROF_NEVER;
    for (int i = 0; i < 20000; i++) {
        rnd = rnd * 6364136223846793005u + 1442695040888963407u;
        int c = 1 + (int)(rnd >> 40) % 2;
        uint64_t n = (rnd >> 50) % 40 + 1;
        if (rnd >> 63) {
            hone_prof_ticks_demand(&s, c, n);
            due[c] = t + n;
        } else {
            uint64_t step = due_in() < n ? due_in() : n;
            t += step;
            unsigned want = 0, got = fire_after(step);
            if (due[HONE_PROF_PREEMPT] <= t) want |= P;
            if (due[HONE_PROF_INTERRUPT] <= t ||
                (want && due[HONE_PROF_INTERRUPT] != HONE_PROF_NEVER))
                want |= I;
            wrong += got != want;
            for (int k = 1; k < HONE_PROF_CLIENTS; k++)
                if (want & 1u << k) due[k] = HONE_PROF_NEVER;
            take_all();
            order[0] = 0;
        }
        for (int k = 1; k < HONE_PROF_CLIENTS; k++) {
            uint64_t want = due[k] == HONE_PROF_NEVER ? HONE_PROF_NEVER : due[k] - t;
            wrong += hone_prof_ticks_left(&s, k) != want;
        }
    }
    CHECK_EQ(wrong, 0);
}

static void test_each_device(void) {
    void (*tests[])(void) = {smallest_is_armed,
                             elapsed_is_subtracted,
                             demand_in_the_middle,
                             due_by_a_clock,
                             order_is_fixed,
                             sampler_learns_its_ticks,
                             interrupt_goes_with_preempt,
                             escape_keeps_the_preemption,
                             nothing_taken_asks_again,
                             refusal_retries,
                             mask_holds_all_back,
                             no_double_queueing,
                             pending_waits_for_unmask,
                             solo,
                             extremes,
                             random_events};
    for (kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
            int before = check_failed;
            start();
            tests[i]();
            if (check_failed > before) fprintf(stderr, "    with device kind %d\n", (int)kind);
        }
}

/* A sleeping ticker is told of a sooner demand, and not of a later one. */
static void test_wake_of_ticker(void) {
    kind = CLOCKED;
    start();
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 100);
    CHECK_EQ(woken, 1);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 200);
    CHECK_EQ(woken, 1);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 50);
    CHECK_EQ(woken, 2);
}

/* A device that can not tell the ticks gone by: late by what it could not tell, never early. */
static void test_no_elapsed(void) {
    hone_prof_ticks_init(&s, &(hone_prof_device){.arm = arm_called});
    hone_prof_ticks_demand(&s, HONE_PROF_PREEMPT, 100);
    hone_prof_ticks_demand(&s, HONE_PROF_INTERRUPT, 500);
    CHECK_EQ_U(armed_with, 100);
    CHECK_EQ(hone_prof_ticks_fire(&s, 100), I | P);
}

CHECK_MAIN(test_each_device, test_wake_of_ticker, test_no_elapsed)
