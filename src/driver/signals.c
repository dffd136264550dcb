/* signals.c: SIGINT, SIGTERM, SIGHUP and SIGQUIT.
 *
 * One thread waits for them; all others block them, so nothing of the program runs in a signal
 * handler and no system call of it is cut short. In the REPL, and while the first thread is in
 * call-interruptible, SIGINT becomes an interrupt condition there. Every other of these signals
 * ends the process: the waiting thread writes the profile, sends what the ports hold, and lets the
 * process die of that same signal, so that the parent sees the status it expects. It does so
 * itself, beside the program, which may be anywhere: in a long primitive, in a read, in a handler.
 *
 * While the ports are sent (to a pipe that nobody reads, perhaps) the signal is deliverable again:
 * a second one ends the process at once. A signal that was ignored when Hone started (nohup, a
 * background job) stays so. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include "driver/driver.h"
#include "fiber/fiber.h"
#include "rt/port.h"

static sigset_t waited; /* never changed once the waiting thread runs */
static Thread *first;
static bool always; /* SIGINT always interrupts the first thread */

void (*driver_restore_terminal)(void);

void driver_signals_block(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(&waited);
    for (size_t i = 0; i < BASE_COUNT(numbers); i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&waited, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &waited, NULL);
}

static _Noreturn void die_now(int number) {
    sigset_t one;
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    abort(); /* it is deadly and delivered: never reached */
}

static void *die_later(void *number) {
    enum { PATIENCE_NS = 1000000000 };
    os_sleep_ns(PATIENCE_NS);
    die_now(*(int *)number);
}

static _Noreturn void die(int number) {
    static int kept;
    os_thread impatient;
    kept = number;
    driver_profile_finish();
    if (driver_restore_terminal) driver_restore_terminal();
    if (!os_thread_start(&impatient, die_later, &kept, 64 * 1024, true)) die_now(number);
    rt_ports_flush_all();
    die_now(number);
}

/* Whether the first thread takes a SIGINT. */
static bool interrupted(void) {
    if (!always) return fiber_interrupt_extent(first);
    fiber_interrupt(first);
    return true;
}

static void *wait_for_signals(void *unused) {
    (void)unused;
    enum { AGAIN_NS = 5000000 };
    os_thread_set_name("hone-signals");
    for (;;) {
        struct timespec again = {.tv_nsec = AGAIN_NS};
        bool pending = fiber_interrupt_unnoticed(first);
        int number = sigtimedwait(&waited, NULL, pending ? &again : NULL);
        if (number > 0 && !(number == SIGINT && interrupted())) die(number);
    }
    return NULL;
}

void driver_signals_start(Thread *first_thread, bool interactive) {
    first = first_thread;
    always = interactive;
    os_thread thread;
    if (os_thread_start(&thread, wait_for_signals, NULL, 256 * 1024, true))
        os_thread_detach(thread);
    else /* without it they do what they do by themselves */
        pthread_sigmask(SIG_UNBLOCK, &waited, NULL);
}
