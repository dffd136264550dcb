/* Alarms: a signal that strikes one thread every so often, for a sampler.
 *
 * A timer of the monotonic clock, not of the thread's CPU clock: the kernel looks at CPU timers at
 * its own tick alone, every 4 ms at 250 Hz, while the monotonic ones are exact. The price is that
 * it also strikes a thread that waits; whoever takes the signals pauses it then. A perf event
 * counts only while its thread runs.
 *
 * The kernel knows a timer's owner by thread number, so that the signal comes to that thread and no
 * other. Neither timers nor events cross a fork: the child has none. SA_RESTART lets most system
 * calls go on by themselves; the others (poll, a sleep) fail by EINTR, which callers must loop on
 * anyway. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void (*strike)(void *context);

/* The number behind those that the C library takes for itself. */
static int alarm_signal(void) { return SIGRTMIN + 3; }

static void struck(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    int kept = errno;
    strike(context);
    errno = kept;
}

void os_alarm_catch(void (*f)(void *context)) {
    struct sigaction action = {.sa_sigaction = struck,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    strike = f;
    sigaction(alarm_signal(), &action, NULL);
}

static void admit_signal(void) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, alarm_signal());
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

/* ---- timers ---- */

static bool set_timer(const os_alarm *a, uint64_t ns) {
    struct timespec every = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    return timer_settime(a->timer, 0, &(struct itimerspec){every, every}, NULL) == 0;
}

static bool start_timer(os_alarm *a) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = alarm_signal()};
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &a->timer)) return false;
    if (set_timer(a, a->interval_ns)) return true;
    timer_delete(a->timer);
    return false;
}

/* ---- perf events ---- */

static const struct counter {
    const char *name;
    uint32_t type;
    uint64_t config;
    bool by_time; /* it counts nanoseconds */
} counters[] = {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false},
                {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false},
                {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, true}};
enum { COUNTERS = sizeof counters / sizeof *counters };

/* An event of the calling thread, not counting yet; -1 and errno if it is not to be had. What has
 * no unit of time is left to the kernel, which keeps to so many strikes a second. */
static int open_counter(const struct counter *c, uint64_t interval_ns) {
    struct perf_event_attr attr = {.size = sizeof attr,
                                   .type = c->type,
                                   .config = c->config,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    attr.freq = !c->by_time;
    if (c->by_time)
        attr.sample_period = interval_ns;
    else
        attr.sample_freq = interval_ns < 1000000000 ? 1000000000 / interval_ns : 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The first counter that there is, open; the last error if none. */
static int open_any(uint64_t interval_ns, const struct counter **which) {
    for (int i = 0; i < COUNTERS; i++) {
        int fd = open_counter(*which = &counters[i], interval_ns);
        if (fd >= 0 || errno == EACCES || errno == EPERM) return fd;
    }
    return -1;
}

static bool start_perf(os_alarm *a) {
    const struct counter *which;
    struct f_owner_ex owner = {F_OWNER_TID, (int)syscall(SYS_gettid)};
    a->fd = open_any(a->interval_ns, &which);
    if (a->fd < 0) return false;
    if (!fcntl(a->fd, F_SETFL, O_ASYNC | O_NONBLOCK) && !fcntl(a->fd, F_SETSIG, alarm_signal()) &&
        !fcntl(a->fd, F_SETOWN_EX, &owner) && !ioctl(a->fd, PERF_EVENT_IOC_ENABLE, 0))
        return true;
    close(a->fd);
    return false;
}

static int paranoid_level(void) {
    int level = 99;
    FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
    if (!f) return level;
    if (fscanf(f, "%d", &level) != 1) level = 99;
    fclose(f);
    return level;
}

static void explain(int error, char *why, size_t size) {
    bool refused = error == EACCES || error == EPERM;
    if (refused)
        snprintf(
            why, size,
            "the kernel refuses perf events to this process: kernel.perf_event_paranoid is %d; "
            "set it to 2 or lower (sysctl kernel.perf_event_paranoid=2), or grant CAP_PERFMON",
            paranoid_level());
    else
        snprintf(why, size, "this kernel has no perf events: %s", strerror(error));
}

/* ---- both ---- */

bool os_alarm_check(os_alarm_kind kind, uint64_t interval_ns, const char **event, char *why,
                    size_t size) {
    *event = "timer";
    if (kind == OS_ALARM_TIMER) return true;
    const struct counter *which;
    int fd = open_any(interval_ns, &which);
    *event = which->name;
    if (fd >= 0)
        close(fd);
    else
        explain(errno, why, size);
    return fd >= 0;
}

bool os_alarm_start(os_alarm *a, os_alarm_kind kind, uint64_t interval_ns) {
    *a = (os_alarm){.kind = kind, .interval_ns = interval_ns};
    admit_signal();
    a->set = kind == OS_ALARM_TIMER ? start_timer(a) : start_perf(a);
    return a->set;
}

void os_alarm_silence(os_alarm *a) {
    if (!a->set) return;
    if (a->kind == OS_ALARM_TIMER)
        set_timer(a, 0);
    else
        ioctl(a->fd, PERF_EVENT_IOC_DISABLE, 0);
}

void os_alarm_end(os_alarm *a) {
    if (!a->set) return;
    a->set = a->paused = false;
    if (a->kind == OS_ALARM_TIMER)
        timer_delete(a->timer);
    else
        close(a->fd);
}

void os_alarm_pause(os_alarm *a) {
    if (!a->set || a->kind != OS_ALARM_TIMER) return;
    a->paused = true;
    set_timer(a, 0);
}

void os_alarm_resume(os_alarm *a) {
    if (!a->paused) return;
    a->paused = false;
    set_timer(a, a->interval_ns);
}
