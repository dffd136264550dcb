/* os: the one place for what differs between operating systems.
 *
 * Clocks, memory maps, threads, sleeping, facts about the machine, names of native code. All
 * functions may be called from any thread. Those that return bool give false on failure with errno
 * set; the others can not fail on a system that Hone supports and abort if they do.
 */
#ifndef HONE_OS_H
#define HONE_OS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* ---- clocks, all in nanoseconds ------------------------------------------------------------ */

uint64_t os_mono_ns(void);       /* since some fixed moment; never goes back; cheap (25 ns) */
uint64_t os_thread_cpu_ns(void); /* CPU time of the calling thread; a system call (0.3 to 0.7 us) */
uint64_t os_process_cpu_ns(void); /* CPU time of all threads of the process, ended ones included */
int64_t os_wall_ns(void);         /* since 1970-01-01 UTC; may jump */

void os_sleep_until(uint64_t mono_ns); /* a moment of os_mono_ns; signals do not cut it short */
void os_sleep_ns(uint64_t ns);

/* ---- memory ---------------------------------------------------------------------------------- */

size_t os_page_size(void);
uint64_t os_physical_memory(void); /* bytes that the process may use: the lower of RAM and cgroup */

/* Reserves address space with no memory behind it; touching it faults. NULL on failure. `align` is
 * a power of two or 0 for page size. */
void *os_reserve(size_t size, size_t align);
/* Makes a page-aligned part of a reservation readable and writable; fresh pages read as zero. */
bool os_commit(void *addr, size_t size);
/* Gives the memory back but keeps the address space; a later os_commit reads as zero. */
bool os_decommit(void *addr, size_t size);
/* Gives memory back and keeps it readable and writable, reading as zero when touched again. */
bool os_discard(void *addr, size_t size);
/* Forbids any access to a committed part without giving it up (for guard pages, poisoned spaces);
 * os_commit undoes it. */
bool os_protect(void *addr, size_t size);
void os_release(void *addr, size_t size); /* the whole reservation, as os_reserve gave it */

/* ---- threads -----------------------------------------------------------------------------------
 */

typedef pthread_t os_thread;
typedef pthread_mutex_t os_mutex;
typedef pthread_cond_t os_cond; /* timed waits are on os_mono_ns; made only by os_cond_init */

#define OS_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

/* stack_size 0: the system's default. All signals but that of os_thread_kick are blocked in the new
 * thread if `block_signals`. Join each thread once or detach it. */
bool os_thread_start(os_thread *t, void *(*main)(void *), void *arg, size_t stack_size,
                     bool block_signals);
void *os_thread_join(os_thread t);
void os_thread_detach(os_thread t);
void os_thread_set_name(const char *name); /* the calling thread; cut to what the system allows */
uint64_t os_thread_id(void);               /* the kernel's number of the calling thread */
void os_thread_yield(void);
os_thread os_thread_self(void);
/* Makes a system call that T is waiting in fail with EINTR. Does nothing if T is in none: who wants
 * T to notice something kicks again until it has. T has not ended. */
void os_thread_kick(os_thread t);

void os_mutex_init(os_mutex *m);
void os_mutex_destroy(os_mutex *m);
void os_mutex_lock(os_mutex *m);
bool os_mutex_trylock(os_mutex *m);
void os_mutex_unlock(os_mutex *m);

void os_cond_init(os_cond *c);
void os_cond_destroy(os_cond *c);
void os_cond_wait(os_cond *c, os_mutex *m);
/* Waits at most until `mono_ns`; false if that moment came. May wake early: test in a loop. */
bool os_cond_wait_until(os_cond *c, os_mutex *m, uint64_t mono_ns);
void os_cond_signal(os_cond *c);
void os_cond_broadcast(os_cond *c);

/* ---- alarms ------------------------------------------------------------------------------------
 *
 * A signal that strikes one thread every so often while it runs. What it is taken by runs in a
 * signal handler, on that thread. Only os_alarm_check and os_alarm_silence are for other threads
 * than the one that started the alarm; pause and resume are for the handler too. */

typedef enum { OS_ALARM_TIMER, OS_ALARM_PERF } os_alarm_kind;

typedef struct os_alarm { /* zero: none */
    os_alarm_kind kind;
    uint64_t interval_ns;
    timer_t timer;
    int fd;
    bool set, paused;
} os_alarm;

/* Who takes the signals of all alarms; errno is kept. Once, before any starts. */
void os_alarm_catch(void (*f)(void *context)); /* a ucontext_t */
/* Whether such alarms are to be had, and what counts: "timer", or of perf "cycles", "instructions"
 * or "task-clock". False: `why` says what to do about it. */
bool os_alarm_check(os_alarm_kind kind, uint64_t interval_ns, const char **event, char *why,
                    size_t size);
/* A timer strikes by wall time, also while the thread waits; perf by what it counts. */
bool os_alarm_start(os_alarm *a, os_alarm_kind kind, uint64_t interval_ns);
void os_alarm_silence(os_alarm *a); /* no more strikes; one may be on its way */
void os_alarm_end(os_alarm *a);
/* For a thread that waits: no strikes until it goes on. Perf needs neither. */
void os_alarm_pause(os_alarm *a);
void os_alarm_resume(os_alarm *a);

/* ---- the machine -------------------------------------------------------------------------------
 */

unsigned os_cpu_count(void); /* that this process may run on; at least 1 */
/* Path of the running program. Owned by os, never NULL ("?" if unknown). */
const char *os_program_path(void);

/* Symbol and object file that hold a native address. False if the system knows neither. The strings
 * belong to the loader and live as long as the object does. *offset: bytes behind the symbol. */
bool os_symbol(const void *pc, const char **symbol, const char **object, uintptr_t *offset);

#endif
