/* fuzz_run.c: any bytes as a program: read, expanded, optimized, compiled and run (libFuzzer).
 *
 * The program's forms are evaluated one after the other in a fresh environment that holds the parts
 * of the standard that reach neither files nor the process. It runs in one thread that stands at a
 * safe point wherever it could: there its steps are counted, and when they are used up the thread
 * is told to end, whatever handlers the program has. So a run is bounded, and the same each time.
 * Memory is bounded by the heap limit, of which the program may see the condition.
 *
 * What must hold: no crash, no fault that the sanitizers find, no corrupt heap (verified now and
 * then), and an outcome in bounded time: a value, a condition, or the end of its steps. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "driver/driver.h"
#include "rt/string.h"
#include "vm/vm.h"

enum { STEPS = 10000, HEAP_LIMIT = 128 << 20, RUNS_BETWEEN_VERIFICATIONS = 512 };

static Thread *thread;
static Value evaluate = V_FALSE; /* a procedure of one argument, the text; a root */
static long steps;

static void scan_evaluate(void *context, Collector *c) { gc_visit(c, context); }

/* Asks for itself again, so that each safe point is served. */
static void count_step(Thread *t) { rt_request(t, --steps > 0 ? REQUEST_TICK : REQUEST_DIE); }

static const char program[] =
    "(import (scheme base) (scheme read) (scheme eval))"
    "(lambda (text)"
    "  (define env (environment '(scheme base) '(scheme case-lambda) '(scheme char)"
    "    '(scheme complex) '(scheme cxr) '(scheme inexact) '(scheme lazy) '(scheme write)))"
    "  (define port (open-input-string text))"
    "  (define (form) (call/cc (lambda (k) (with-exception-handler (lambda (e) (k 'fault))"
    "    (lambda () (let ((datum (read port))) (if (eof-object? datum) datum"
    "      (begin (eval datum env) #t))))))))"
    "  (let loop () (if (eof-object? (form)) #t (loop))))";

/* Code lives for ever, so that looking for leaks would take most of the time and find nothing. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    DriverOptions options = {.gc = {.heap_limit = HEAP_LIMIT}, .program = "fuzz"};
    driver_start(&options);
    thread = rt_current();
    rt_add_roots(scan_evaluate, &evaluate);
    Program p, form;
    ExpandError error;
    Env *env = driver_interaction_env(&thread->m, &p, &error);
    if (!env) abort();
    driver_run_all(driver_compile(&thread->m, &p, true));
    expand_free(&p);
    base_arena arena = {0};
    Reader *reader =
        read_open(&thread->m, &arena, driver_text_file("fuzz", program, sizeof program - 1));
    ReadError bad;
    for (Stx *s; (s = read_datum(reader, &bad));) {
        if (!expand_form(driver_expander(), &thread->m, env, s, &form, &error)) abort();
        evaluate = driver_run_all(driver_compile(&thread->m, &form, false));
        expand_free(&form);
    }
    read_close(reader);
    base_arena_free(&arena);
    rt_on_tick = count_step;
    return 0;
}

/* Forms that reach files; as escapes in a symbol they could hide. */
static bool is_harmless(const char *text) {
    static const char *const words[] = {"import", "include", "library", "\\x"};
    for (size_t i = 0; i < BASE_COUNT(words); i++)
        if (strcasestr(text, words[i])) return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned runs;
    base_buf text = {0};
    base_buf_add(&text, data, size);
    if (strlen(base_buf_str(&text)) == size && is_harmless(base_buf_str(&text))) {
        Value s = rt_string_new(&thread->m, base_buf_str(&text), size);
        if (s != V_FAIL) {
            thread->handlers = thread->params = thread->winders = V_NIL;
            steps = STEPS;
            rt_request(thread, REQUEST_TICK);
            if (vm_run(thread, evaluate, 1, &s) == V_FAIL) /* it was told to end in mid-stack */
                thread->base[0] = (Word)&rt_frame_halt;
            thread->sp = thread->base + 1; /* no frames, for who looks at them between two runs */
        }
    }
    base_buf_free(&text);
    if (++runs % RUNS_BETWEEN_VERIFICATIONS == 0) gc_verify(rt_heap());
    return 0;
}
