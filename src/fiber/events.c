/* events.c: what a scheduler waits for in the system: moments and descriptors.
 *
 * Timers are a binary heap, descriptors two lists of registrations each, armed in epoll for one
 * event at a time. Whoever looks, completes: carriers now and then while they run fibers, and the
 * one that sleeps here when it wakes. Stale timers (of waits that something else ended) are thrown
 * out when the heap has doubled since they last were. */
#include "fiber/sched.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include "base/base.h"
#include "rt/port.h"

enum { BELL = -1, EVENTS = 64 };

static void fd_closed(Mutator *m, int fd);

void fiber_events_open(Sched *s) {
    rt_on_fd_close = fd_closed;
    os_mutex_init(&s->event_lock);
    s->next_timer = UINT64_MAX;
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event bell = {.events = EPOLLIN | EPOLLET, .data.fd = BELL};
    if (s->epoll < 0 || s->event < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->event, &bell) != 0)
        base_oom(sizeof *s);
}

/* ---- timers ---- */

static void sift_down(Timer *heap, size_t count, size_t i) {
    Timer x = heap[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap[child + 1].at < heap[child].at) child++;
        if (x.at <= heap[child].at) break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

static void sift_up(Timer *heap, size_t i) {
    Timer x = heap[i];
    for (; i > 0 && heap[(i - 1) / 2].at > x.at; i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}

static void note_next(Sched *s) {
    __atomic_store_n(&s->next_timer, s->timer_count ? s->timers[0].at : UINT64_MAX,
                     __ATOMIC_RELAXED);
}

static void drop_stale(Sched *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->timer_count; i++)
        if (!fiber_stale(s->timers[i].reg)) s->timers[kept++] = s->timers[i];
    s->timer_count = kept;
    for (size_t i = kept / 2; i-- > 0;) sift_down(s->timers, kept, i);
    s->timer_sweep = 2 * kept + 64;
}

void fiber_timer(Sched *s, uint64_t at, Value reg, Value value) {
    os_mutex_lock(&s->event_lock);
    if (s->timer_count >= s->timer_sweep) drop_stale(s);
    if (s->timer_count == s->timer_capacity) {
        s->timer_capacity = s->timer_capacity ? 2 * s->timer_capacity : 64;
        s->timers = base_resize(s->timers, s->timer_capacity, sizeof *s->timers);
    }
    s->timers[s->timer_count] = (Timer){at, reg, value};
    sift_up(s->timers, s->timer_count++);
    bool sooner = s->timers[0].reg == reg;
    note_next(s);
    os_mutex_unlock(&s->event_lock);
    /* One that sleeps may mean to sleep too long. */
    if (sooner && __atomic_load_n(&s->idle, __ATOMIC_SEQ_CST)) fiber_ring_bell(s);
}

static void fire_timers(Thread *t, Sched *s) {
    while (__atomic_load_n(&s->next_timer, __ATOMIC_RELAXED) <= os_mono_ns()) {
        os_mutex_lock(&s->event_lock);
        if (s->timer_count == 0 || s->timers[0].at > os_mono_ns()) {
            os_mutex_unlock(&s->event_lock);
            return;
        }
        Timer first = s->timers[0];
        s->timers[0] = s->timers[--s->timer_count];
        if (s->timer_count) sift_down(s->timers, s->timer_count, 0);
        note_next(s);
        os_mutex_unlock(&s->event_lock);
        fiber_complete(&t->m, first.reg, first.value);
    }
}

/* ---- descriptors ---- */

/* Under the lock. */
static FdWaits *waits_of(Sched *s, int fd) {
    if ((size_t)fd >= s->fd_count) {
        size_t count = BASE_MAX((size_t)fd + 1, 2 * s->fd_count);
        s->fds = base_resize(s->fds, count, sizeof *s->fds);
        for (size_t i = s->fd_count; i < count; i++) s->fds[i] = (FdWaits){V_FALSE, V_FALSE};
        s->fd_count = count;
    }
    return &s->fds[fd];
}

/* Under the lock: asks for the next event that somebody waits for. */
static bool arm(Sched *s, int fd) {
    FdWaits *w = &s->fds[fd];
    struct epoll_event e = {.events = EPOLLONESHOT, .data.fd = fd};
    if (is_true(w->in)) e.events |= EPOLLIN | EPOLLRDHUP;
    if (is_true(w->out)) e.events |= EPOLLOUT;
    if (!is_true(w->in) && !is_true(w->out)) return true;
    return epoll_ctl(s->epoll, EPOLL_CTL_MOD, fd, &e) == 0 ||
           (errno == ENOENT && epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) == 0);
}

bool fiber_await_fd(Mutator *m, Sched *s, int fd, bool in, Value reg) {
    os_mutex_lock(&s->event_lock);
    FdWaits *w = waits_of(s, fd);
    Value *list = in ? &w->in : &w->out;
    object_slots(reg)[REG_NEXT] = *list;
    *list = reg;
    __atomic_fetch_add(&s->fd_waiting, 1, __ATOMIC_RELAXED);
    bool armed = arm(s, fd);
    os_mutex_unlock(&s->event_lock);
    (void)m;
    return armed;
}

static void complete_list(Thread *t, Sched *s, Value list) {
    for (Value r = list; is_true(r); r = object_slots(r)[REG_NEXT]) {
        __atomic_fetch_sub(&s->fd_waiting, 1, __ATOMIC_RELAXED);
        fiber_complete(&t->m, r, V_UNSPEC);
    }
}

/* Completes the registrations of the lists. */
static void ready(Thread *t, Sched *s, int fd, bool in, bool out) {
    os_mutex_lock(&s->event_lock);
    FdWaits taken = {V_FALSE, V_FALSE};
    if ((size_t)fd < s->fd_count) {
        FdWaits *w = &s->fds[fd];
        if (in) taken.in = w->in, w->in = V_FALSE;
        if (out) taken.out = w->out, w->out = V_FALSE;
        arm(s, fd);
    }
    os_mutex_unlock(&s->event_lock);
    complete_list(t, s, taken.in);
    complete_list(t, s, taken.out);
}

static void take_events(Thread *t, Sched *s, const struct epoll_event *events, int count) {
    enum { ANY = EPOLLHUP | EPOLLERR };
    for (int i = 0; i < count; i++)
        if (events[i].data.fd != BELL)
            ready(t, s, events[i].data.fd, events[i].events & (EPOLLIN | EPOLLRDHUP | ANY),
                  events[i].events & (EPOLLOUT | ANY));
}

typedef struct Closing {
    Thread *t;
    int fd;
} Closing;

static void close_in(Sched *s, void *context) {
    const Closing *c = context;
    ready(c->t, s, c->fd, true, true);
}

static void fd_closed(Mutator *m, int fd) {
    fiber_each_sched(close_in, &(Closing){rt_thread(m), fd});
}

/* ---- looking and sleeping ---- */

void fiber_poll(Thread *t, Sched *s) {
    struct epoll_event events[EVENTS];
    if (__atomic_load_n(&s->next_timer, __ATOMIC_RELAXED) != UINT64_MAX) fire_timers(t, s);
    if (__atomic_load_n(&s->fd_waiting, __ATOMIC_RELAXED) == 0) return;
    take_events(t, s, events, epoll_wait(s->epoll, events, EVENTS, 0));
}

static int wait_until(Sched *s, struct epoll_event *events, uint64_t deadline) {
    if (deadline == FIBER_NO_DEADLINE) return epoll_wait(s->epoll, events, EVENTS, -1);
    uint64_t now = os_mono_ns(), left = deadline > now ? deadline - now : 0;
    struct timespec exact = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = left % 1000000000};
    int count = epoll_pwait2(s->epoll, events, EVENTS, &exact, NULL);
    if (count >= 0 || errno != ENOSYS) return count;
    uint64_t ms = (left + 999999) / 1000000;
    return epoll_wait(s->epoll, events, EVENTS, (int)BASE_MIN(ms, (uint64_t)INT32_MAX));
}

void fiber_sleep(Thread *t, Sched *s, uint64_t deadline) {
    struct epoll_event events[EVENTS];
    deadline = BASE_MIN(deadline, __atomic_load_n(&s->next_timer, __ATOMIC_SEQ_CST));
    rt_block_begin(&t->m, RT_WAIT_NOTHING);
    int count = wait_until(s, events, deadline);
    rt_block_end(&t->m);
    take_events(t, s, events, count);
    fire_timers(t, s);
}

/* ---- the end of a run, the collector ---- */

void fiber_events_clear(Sched *s) {
    os_mutex_lock(&s->event_lock);
    s->timer_count = s->timer_sweep = 0;
    note_next(s);
    for (size_t fd = 0; fd < s->fd_count; fd++) {
        if (is_true(s->fds[fd].in) || is_true(s->fds[fd].out))
            epoll_ctl(s->epoll, EPOLL_CTL_DEL, (int)fd, NULL);
        s->fds[fd] = (FdWaits){V_FALSE, V_FALSE};
    }
    __atomic_store_n(&s->fd_waiting, 0, __ATOMIC_RELAXED);
    os_mutex_unlock(&s->event_lock);
}

void fiber_events_scan(Sched *s, Collector *c) {
    for (size_t i = 0; i < s->timer_count; i++) {
        gc_visit(c, &s->timers[i].reg);
        gc_visit(c, &s->timers[i].value);
    }
    for (size_t i = 0; i < s->fd_count; i++) {
        gc_visit(c, &s->fds[i].in);
        gc_visit(c, &s->fds[i].out);
    }
}
