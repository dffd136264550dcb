/* Linux. (What differs on another system belongs here too, behind the same door.) */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "os/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- clocks ---- */

#define NS_PER_S 1000000000u

static uint64_t clock_ns(clockid_t clock) {
    struct timespec ts;
    if (clock_gettime(clock, &ts) < 0) abort();
    return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

uint64_t os_mono_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t os_thread_cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
uint64_t os_process_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
int64_t os_wall_ns(void) { return (int64_t)clock_ns(CLOCK_REALTIME); }

static struct timespec to_timespec(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

void os_sleep_until(uint64_t mono_ns) {
    struct timespec ts = to_timespec(mono_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR) {
    }
}

void os_sleep_ns(uint64_t ns) { os_sleep_until(os_mono_ns() + ns); }

/* ---- memory ---- */

size_t os_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* The limit of the process's control group, where there is one. */
static uint64_t cgroup_limit(void) {
    static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i], "re");
        if (!f) continue;
        unsigned long long limit = 0;
        int n = fscanf(f, "%llu", &limit);
        fclose(f);
        if (n == 1 && limit) return limit;
    }
    return UINT64_MAX;
}

uint64_t os_physical_memory(void) {
    uint64_t ram = (uint64_t)sysconf(_SC_PHYS_PAGES) * os_page_size(), limit = cgroup_limit();
    return limit < ram ? limit : ram;
}

void *os_reserve(size_t size, size_t align) {
    size_t page = os_page_size();
    if (align < page) align = page;
    size_t whole = size + (align > page ? align : 0);
    if (whole < size) return NULL;
    char *p = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    char *aligned = (char *)(((uintptr_t)p + align - 1) & ~(uintptr_t)(align - 1));
    char *end = aligned + ((size + page - 1) & ~(page - 1)), *whole_end = p + whole;
    if (aligned > p) munmap(p, (size_t)(aligned - p));
    if (align > page && whole_end > end) munmap(end, (size_t)(whole_end - end));
    return aligned;
}

bool os_commit(void *addr, size_t size) {
    return mprotect(addr, size, PROT_READ | PROT_WRITE) == 0;
}

bool os_discard(void *addr, size_t size) { return madvise(addr, size, MADV_DONTNEED) == 0; }

bool os_protect(void *addr, size_t size) { return mprotect(addr, size, PROT_NONE) == 0; }

bool os_decommit(void *addr, size_t size) {
    return os_discard(addr, size) && os_protect(addr, size);
}

void os_release(void *addr, size_t size) { munmap(addr, size); }

/* ---- threads ---- */

static void must(int error) {
    if (!error) return;
    fprintf(stderr, "hone: thread primitive failed: %s\n", strerror(error));
    abort();
}

/* Ignored unless it is caught, and used by nothing else in practice. */
enum { KICK_SIGNAL = SIGURG };

bool os_thread_start(os_thread *t, void *(*main)(void *), void *arg, size_t stack_size,
                     bool block_signals) {
    pthread_attr_t attr;
    sigset_t all, old;
    pthread_attr_init(&attr);
    if (stack_size) pthread_attr_setstacksize(&attr, stack_size);
    sigfillset(&all);
    sigdelset(&all, KICK_SIGNAL);
    if (block_signals) pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(t, &attr, main, arg);
    if (block_signals) pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    errno = error;
    return error == 0;
}

void *os_thread_join(os_thread t) {
    void *result = NULL;
    must(pthread_join(t, &result));
    return result;
}

void os_thread_detach(os_thread t) { must(pthread_detach(t)); }

void os_thread_set_name(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
}

uint64_t os_thread_id(void) { return (uint64_t)syscall(SYS_gettid); }
void os_thread_yield(void) { sched_yield(); }
os_thread os_thread_self(void) { return pthread_self(); }

static void kicked(int signal) { (void)signal; }

static void catch_kicks(void) {
    struct sigaction action = {.sa_handler = kicked}; /* no SA_RESTART: that is the purpose */
    sigaction(KICK_SIGNAL, &action, NULL);
}

void os_thread_kick(os_thread t) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, catch_kicks);
    pthread_kill(t, KICK_SIGNAL);
}

void os_mutex_init(os_mutex *m) { must(pthread_mutex_init(m, NULL)); }
void os_mutex_destroy(os_mutex *m) { must(pthread_mutex_destroy(m)); }
void os_mutex_lock(os_mutex *m) { must(pthread_mutex_lock(m)); }
void os_mutex_unlock(os_mutex *m) { must(pthread_mutex_unlock(m)); }

bool os_mutex_trylock(os_mutex *m) {
    int error = pthread_mutex_trylock(m);
    if (error != EBUSY) must(error);
    return error == 0;
}

void os_cond_init(os_cond *c) {
    pthread_condattr_t attr;
    must(pthread_condattr_init(&attr));
    must(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
    must(pthread_cond_init(c, &attr));
    pthread_condattr_destroy(&attr);
}

void os_cond_destroy(os_cond *c) { must(pthread_cond_destroy(c)); }
void os_cond_wait(os_cond *c, os_mutex *m) { must(pthread_cond_wait(c, m)); }
void os_cond_signal(os_cond *c) { must(pthread_cond_signal(c)); }
void os_cond_broadcast(os_cond *c) { must(pthread_cond_broadcast(c)); }

bool os_cond_wait_until(os_cond *c, os_mutex *m, uint64_t mono_ns) {
    struct timespec ts = to_timespec(mono_ns);
    int error = pthread_cond_timedwait(c, m, &ts);
    if (error == ETIMEDOUT) return false;
    must(error);
    return true;
}

/* ---- the machine ---- */

unsigned os_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

static char program_path[PATH_MAX];
static pthread_once_t program_once = PTHREAD_ONCE_INIT;

static void find_program(void) {
    ssize_t n = readlink("/proc/self/exe", program_path, sizeof program_path - 1);
    if (n <= 0) strcpy(program_path, "?");
}

const char *os_program_path(void) {
    pthread_once(&program_once, find_program);
    return program_path;
}

bool os_symbol(const void *pc, const char **symbol, const char **object, uintptr_t *offset) {
    Dl_info info;
    if (!dladdr(pc, &info)) return false;
    *symbol = info.dli_sname;
    *object = info.dli_fname;
    const void *base = info.dli_saddr ? info.dli_saddr : info.dli_fbase;
    *offset = (uintptr_t)pc - (uintptr_t)base;
    return true;
}
