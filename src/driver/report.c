/* report.c: errors as people read them.
 *
 *   FILE:LINE:COL: error: MESSAGE: IRRITANT ...
 *     the source line
 *          ^
 *     at PROCEDURE (FILE:LINE:COL)          innermost first, inlined procedures too
 *
 * The position is that of the innermost place in the user's own files; what stands inside Hone's
 * libraries is in the backtrace. */
#include <stdio.h>
#include <stdlib.h>
#include "driver/driver.h"
#include "rt/string.h"
#include "rt/write.h"

enum { IRRITANT_BYTES = 400, MOST_LINES = 30 };

static base_pos pos_of(SrcPos p) {
    return (base_pos){p.file ? p.file->path : NULL, p.line, p.column};
}

static void diagnose(base_buf *out, SrcPos pos, const char *kind, const char *text) {
    const SourceFile *f = pos.file;
    if (!f) {
        base_buf_printf(out, "hone: %s: %s\n", kind, text);
        return;
    }
    base_diag(out, pos_of(pos), kind, text, f ? f->text : NULL, f && f->text ? f->length : 0);
}

void driver_report_expand_error(const ExpandError *e) {
    base_buf out = {0};
    diagnose(&out, e->pos, "error", e->message);
    if (e->opened.file) diagnose(&out, e->opened, "note", "it was opened here");
    fputs(base_buf_str(&out), stderr);
    base_buf_free(&out);
}

Value driver_fail_expand(Mutator *m, const char *who, const ExpandError *e) {
    base_buf text = {0};
    if (e->pos.file) {
        base_pos_print(&text, pos_of(e->pos));
        base_buf_puts(&text, ": ");
    }
    base_buf_puts(&text, e->message);
    Value v = mutator_fail_text(m, e->code, who, V_DEFAULT, "%s", base_buf_str(&text));
    base_buf_free(&text);
    return v;
}

static bool is_condition(Value v) {
    return is_record(v) && object_slots(v)[0] == rt_condition_type();
}

static void add_string(base_buf *out, Value s) {
    char *utf8 = rt_string_utf8(s, NULL);
    base_buf_puts(out, utf8);
    free(utf8);
}

static void describe(Mutator *m, base_buf *out, Value object) {
    if (!is_condition(object)) {
        base_buf_puts(out, "uncaught object: ");
        rt_write(m, out, object, RT_WRITE, IRRITANT_BYTES);
        return;
    }
    const Word *slots = object_slots(object);
    if (is_string(slots[2]))
        add_string(out, slots[2]);
    else
        rt_write(m, out, slots[2], RT_WRITE, IRRITANT_BYTES);
    const char *separator = out->len && out->at[out->len - 1] == ':' ? " " : ": ";
    for (Value l = slots[3]; is_pair(l); l = cdr(l), separator = " ") {
        base_buf_puts(out, separator);
        rt_write(m, out, car(l), RT_WRITE, IRRITANT_BYTES);
    }
}

/* The lines of a backtrace, equal ones in a row folded into one. */
typedef struct Lines {
    base_buf *out;
    const Site *last; /* what the last line shows */
    bool last_tail;
    long repeats; /* of it, not told yet */
    long printed, dropped;
} Lines;

static void tell_repeats(Lines *l) {
    if (l->repeats) base_buf_printf(l->out, "  ... the same %ld more times\n", l->repeats);
    l->repeats = 0;
}

static void print_frame(base_buf *out, const Site *s, bool tail) {
    const char *name = s->proc && s->proc->name[0] ? s->proc->name : "top level";
    base_buf_printf(out, "  at %s%s", name, tail ? " (tail)" : "");
    if (s->pos.file) {
        base_buf_puts(out, " (");
        base_pos_print(out, pos_of(s->pos));
        base_buf_puts(out, ")");
    }
    base_buf_puts(out, "\n");
}

static void add_frame(Lines *l, const Site *s, bool tail) {
    if (l->dropped) {
        l->dropped++;
    } else if (l->last == s && l->last_tail == tail) {
        l->repeats++;
    } else if (l->printed == MOST_LINES) {
        l->dropped = 1;
    } else {
        tell_repeats(l);
        print_frame(l->out, s, tail);
        l->printed++;
        l->last = s;
        l->last_tail = tail;
    }
}

/* Of a word of a backtrace, which is odd where the caller has left by a tail call. */
static const Site *site_of(uintptr_t word) { return (const Site *)(word & ~(uintptr_t)1); }

/* Whether S is a place in the machinery that raises. */
static bool is_raising(const Site *s) { return s->pos.file && driver_is_builtin(s->pos.file); }

/* WHERE: a string to close with, or V_FALSE. */
static void report_uncaught(Mutator *m, Value object, Value backtrace, Value where) {
    const uintptr_t *sites = NULL;
    size_t count = 0;
    if (is_bytevector(backtrace)) {
        sites = (const uintptr_t *)object_bytes(backtrace);
        count = object_size(backtrace) / sizeof *sites;
    }
    /* The innermost place of the user's own. */
    size_t first = 0;
    const Site *at = NULL;
    for (; first < count && !at; first++)
        for (const Site *s = site_of(sites[first]); s && !at; s = s->caller)
            if (s->pos.file && !is_raising(s)) at = s;
    base_buf text = {0}, out = {0};
    describe(m, &text, object);
    diagnose(&out, at ? at->pos : (SrcPos){0}, "error", base_buf_str(&text));
    Lines lines = {.out = &out};
    bool own = false;
    for (size_t i = 0; i < count; i++) {
        for (const Site *s = site_of(sites[i]); s; s = s->caller) {
            own = own || !is_raising(s);
            if (own) add_frame(&lines, s, sites[i] & 1);
        }
    }
    tell_repeats(&lines);
    if (lines.dropped) base_buf_printf(&out, "  ... %ld more\n", lines.dropped);
    if (is_string(where)) {
        base_buf_puts(&out, "  in ");
        add_string(&out, where);
        base_buf_putc(&out, '\n');
    }
    fputs(base_buf_str(&out), stderr);
    base_buf_free(&text);
    base_buf_free(&out);
}

PRIM_FN(prim_report_uncaught) {
    report_uncaught(m, a[0], a[1], n > 2 ? a[2] : V_FALSE);
    return V_UNSPEC;
}
