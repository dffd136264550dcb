/* text.c: hone -e, and text from standard input: forms in the interaction environment, without a
 * prompt. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "driver/profile.h"
#include "read/read.h"
#include "rt/port.h"
#include "rt/string.h"
#include "rt/write.h"

const SourceFile *driver_text_file(const char *name, const char *text, size_t length) {
    SourceFile *file = rt_forever_alloc(sizeof *file);
    char *kept = rt_forever_alloc(length + 1);
    memcpy(kept, text, length);
    *file = (SourceFile){.path = rt_forever_string(name), .text = kept, .length = length};
    return file;
}

void driver_report_read_error(const ReadError *bad) {
    ExpandError error = {.code = ERR_READ, .pos = bad->pos, .opened = bad->opened};
    memcpy(error.message, bad->message, sizeof bad->message);
    driver_report_expand_error(&error);
}

Env *driver_repl_env(Thread *t) {
    uint64_t began = driver_compiling_begin();
    ExpandError error;
    Program p;
    Env *env = driver_interaction_env(&t->m, &p, &error);
    if (!env) {
        driver_report_expand_error(&error);
        return NULL;
    }
    Value procs = driver_compile(&t->m, &p, true);
    expand_free(&p);
    driver_compiling_end(&t->m, began);
    driver_run_all(procs);
    return env;
}

/* The procedures that evaluate all forms of FILE in ENV, in order; V_FAIL with the message printed.
 */
static Value compile_forms(Mutator *m, Env *env, const SourceFile *file) {
    base_arena arena = {0};
    Reader *reader = read_open(m, &arena, file);
    ReadError bad = {0};
    ExpandError error;
    Value list = V_NIL, last = V_NIL;
    for (Stx *form; list != V_FAIL && (form = read_datum(reader, &bad));) {
        Program p;
        if (!expand_form(driver_expander(), m, env, form, &p, &error)) {
            driver_report_expand_error(&error);
            list = V_FAIL;
            break;
        }
        for (Value l = driver_compile(m, &p, false); is_pair(l); l = cdr(l)) {
            Value cell = gc_cons(m, car(l), V_NIL);
            *(last == V_NIL ? &list : &pair_of(last)->cdr) = cell;
            last = cell;
        }
        expand_free(&p);
    }
    if (bad.message[0]) {
        driver_report_read_error(&bad);
        list = V_FAIL;
    }
    read_close(reader);
    base_arena_free(&arena);
    return list;
}

static void print_value(Mutator *m, base_buf *out, Value v) {
    if (v == V_UNSPEC) return;
    rt_write(m, out, v, RT_WRITE, 0);
    base_buf_putc(out, '\n');
}

/* Each of several values on a line of its own. */
static void print_values(Mutator *m, Value v) {
    base_buf out = {0};
    if (is_type(v, T_VALUES))
        for (uint64_t i = 0; i < object_size(v); i++) print_value(m, &out, object_slots(v)[i]);
    else
        print_value(m, &out, v);
    RtPort *port = rt_port_of(rt_std_port(RT_STDOUT));
    rt_port_lock(m, port);
    base_buf_add(&port->buf, base_buf_str(&out), out.len);
    rt_port_leave(port);
    base_buf_free(&out);
}

int driver_run_text(const char *name, const char *text, size_t length, bool print) {
    Thread *t = rt_current();
    Env *env = driver_repl_env(t);
    if (!env) return EXIT_SCHEME_ERROR;
    uint64_t began = driver_compiling_begin();
    Value procs = compile_forms(&t->m, env, driver_text_file(name, text, length));
    driver_compiling_end(&t->m, began);
    if (procs == V_FAIL) return EXIT_SCHEME_ERROR;
    Value v = driver_run_all(procs);
    if (print) print_values(&t->m, v);
    return EXIT_OK;
}

int driver_run_stdin(void) {
    enum { AT_ONCE = 65536 };
    base_buf text = {0};
    for (;;) {
        size_t held = text.len;
        base_buf_fill(&text, 0, AT_ONCE);
        ssize_t got = read(STDIN_FILENO, text.at + held, AT_ONCE);
        text.len = held + (got > 0 ? (size_t)got : 0);
        if (got == 0) break;
        if (got < 0 && errno != EINTR) {
            fprintf(stderr, "hone: standard input: %s\n", strerror(errno));
            base_buf_free(&text);
            return EXIT_SCHEME_ERROR;
        }
    }
    int code = driver_run_text("<stdin>", base_buf_str(&text), text.len, false);
    base_buf_free(&text);
    return code;
}
