/* repl.c: the REPL.
 *
 * The loop itself is Scheme (lib/hone/repl.sld), since it evaluates, catches conditions and prints;
 * C gives it one form at a time. Text is read line by line with readline, in its callback form, so
 * that the thread can wait away and be interrupted; a line that ends inside a datum asks for
 * another. Ctrl-C while a line is typed drops all that was typed; while a form runs it raises an
 * interrupt condition, which the loop catches.
 *
 * Between two forms nothing of the reader is alive but its place in the text: the datums of a form
 * are expanded and compiled before its procedures are handed out, so the collector need not know of
 * them. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <readline/history.h>
#include <readline/readline.h>
#include "driver/profile.h"
#include "read/read.h"
#include "rt/port.h"

enum { HISTORY_LINES = 1000 };

static struct Repl {
    Env *env;
    Reader *reader; /* of text whose forms were not all handed out; NULL: none */
    base_arena arena;
    char *history; /* the file's path, or NULL */
    char *line;    /* what readline handed over; NULL: the end */
    bool typed;    /* it did */
} repl;

/* ---- lines ---- */

enum line { LINE_TYPED, LINE_END, LINE_INTERRUPTED };

static void take_line(char *line) {
    repl.line = line;
    repl.typed = true;
    rl_callback_handler_remove();
}

static void drop_line(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_crlf();
    rl_callback_handler_remove();
}

/* One line, away. The caller frees repl.line. */
static enum line read_line(Mutator *m, const char *prompt) {
    bool interrupted = false;
    repl.typed = false;
    rt_block_begin(m, RT_WAIT_PORT);
    rl_callback_handler_install(prompt, take_line);
    while (!repl.typed && !(interrupted = rt_interrupt_pending(m))) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        int ready = poll(&input, 1, -1);
        if (ready > 0) rl_callback_read_char();
    }
    if (interrupted) drop_line();
    rt_block_end(m);
    return interrupted ? LINE_INTERRUPTED : repl.line ? LINE_TYPED : LINE_END;
}

/* ---- history ---- */

static void open_history(void) {
    const char *home = getenv("HOME");
    using_history();
    stifle_history(HISTORY_LINES);
    if (!home || !home[0]) return;
    base_buf path = {0};
    base_buf_printf(&path, "%s/.hone_history", home);
    repl.history = base_buf_take(&path);
    read_history(repl.history);
}

/* Each line goes to the file at once, so that it is there however the process ends. */
static void note_history(const char *line) {
    if (!line[0]) return;
    add_history(line);
    if (!repl.history) return;
    if (append_history(1, repl.history) == ENOENT) write_history(repl.history);
    history_truncate_file(repl.history, HISTORY_LINES);
}

/* ---- forms ---- */

/* Whether TEXT ends inside a datum. */
static bool is_incomplete(Mutator *m, const base_buf *text) {
    SourceFile file = {.path = "<repl>", .text = base_buf_str(text), .length = text->len};
    base_arena arena = {0};
    Reader *reader = read_open(m, &arena, &file);
    ReadError bad = {0};
    while (read_datum(reader, &bad)) {
    }
    read_close(reader);
    base_arena_free(&arena);
    return bad.incomplete;
}

static void print_help(void) {
    puts("Expressions, definitions and imports are evaluated; a form may take several lines.\n"
         "Ctrl-C drops what is typed, or interrupts what runs. Ctrl-D or (exit) leaves.\n"
         "(import (hone profile)) has the profiler: (sample!), (sample-report), ...");
    fflush(stdout);
}

/* A line that is for the REPL itself. */
static bool is_command(const char *line) {
    while (*line == ' ') line++;
    if (*line != ',') return false;
    if (!strncmp(line, ",help", 5))
        print_help();
    else
        fputs("hone: the only command is ,help\n", stderr);
    return true;
}

/* Reads lines until they hold whole datums, and opens a reader on them. False: the end. */
static bool read_text(Mutator *m) {
    base_buf text = {0};
    bool more = false;
    do {
        enum line how = read_line(m, more ? "    .. " : "hone> ");
        if (how == LINE_INTERRUPTED) {
            base_buf_clear(&text);
            more = false;
            continue;
        }
        if (how == LINE_END) {
            putchar('\n');
            fflush(stdout);
            break;
        }
        note_history(repl.line);
        if (text.len || !is_command(repl.line)) {
            base_buf_puts(&text, repl.line);
            base_buf_putc(&text, '\n');
        }
        free(repl.line);
        more = is_incomplete(m, &text);
    } while (more || !text.len);
    bool any = text.len > 0;
    if (any)
        repl.reader =
            read_open(m, &repl.arena, driver_text_file("<repl>", base_buf_str(&text), text.len));
    base_buf_free(&text);
    return any;
}

static void drop_text(void) {
    read_close(repl.reader);
    base_arena_free(&repl.arena);
    repl.reader = NULL;
}

/* The procedures of the next form in the text, in order; V_FALSE: none, the text is used up or at
 * fault. */
static Value next_form(Mutator *m) {
    ReadError bad = {0};
    ExpandError error;
    Program p;
    Stx *form = read_datum(repl.reader, &bad);
    if (!form) {
        if (bad.message[0]) driver_report_read_error(&bad);
    } else if (!expand_form(driver_expander(), m, repl.env, form, &p, &error)) {
        driver_report_expand_error(&error);
    } else {
        Value procs = driver_compile(m, &p, false);
        expand_free(&p);
        return procs;
    }
    drop_text();
    return V_FALSE;
}

PRIM_FN(prim_repl_read) {
    PRIM_UNUSED;
    for (;;) {
        if (!repl.reader && !read_text(m)) return V_EOF;
        uint64_t began = driver_compiling_begin();
        Value procs = next_form(m);
        driver_compiling_end(m, began);
        if (procs != V_FALSE) return procs;
    }
}

/* ---- the session ---- */

static void restore_terminal(void) { rl_deprep_terminal(); }

int driver_repl(void) {
    static const char program[] = "(import (hone repl)) (%repl)";
    if (!isatty(STDIN_FILENO)) return driver_run_stdin();
    repl.env = driver_repl_env(rt_current());
    if (!repl.env) return EXIT_SCHEME_ERROR;
    rl_readline_name = "hone";
    rl_catch_signals = 0;
    rl_bind_key('\t', rl_insert);
    rl_variable_bind("blink-matching-paren", "on");
    driver_restore_terminal = restore_terminal;
    open_history();
    puts("Hone. ,help explains; Ctrl-D leaves.");
    fflush(stdout);
    return driver_run_program(driver_text_file("<hone>", program, sizeof program - 1));
}
