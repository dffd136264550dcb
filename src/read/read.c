/* read.c: tokens to datums.
 *
 * The parser keeps the datums that are not complete on a stack of frames of its own, so nesting
 * costs heap and no C stack. A complete datum is delivered to the frame on top; that may complete
 * this one ('x, #;x, #1=x), which is delivered in turn. Failures leave through one longjmp to
 * read_datum: nothing between owns anything that the reader does not. */
#include "read/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "rt/rt.h"
#include "rt/string.h"

static Stx nil_at_end = {.kind = STX_NIL};

static Reader *open_reader(Mutator *m, base_arena *arena) {
    Reader *r = base_calloc(1, sizeof *r);
    r->m = m;
    r->arena = arena;
    r->line = r->column = 1;
    return r;
}

/* The line "#!/usr/bin/..." that starts a script; "#!fold-case" is none. */
static bool is_script_line(const char *text, size_t length) {
    return length > 2 && text[0] == '#' && text[1] == '!' && (text[2] == '/' || text[2] == ' ');
}

Reader *read_open(Mutator *m, base_arena *arena, const SourceFile *file) {
    Reader *r = open_reader(m, arena);
    r->file = file;
    r->cur = file->text;
    r->end = file->text + file->length;
    if (file->length >= 3 && !memcmp(r->cur, "\xef\xbb\xbf", 3)) r->cur += 3; /* byte order mark */
    r->line_start = r->cur;
    if (is_script_line(r->cur, (size_t)(r->end - r->cur)))
        while (r->cur < r->end && *r->cur != '\n') r->cur++;
    return r;
}

/* The SourceFile of a port of that name: one for each name, for ever. */
static const SourceFile *port_file(const char *name) {
    static os_mutex lock = OS_MUTEX_INIT;
    static base_strmap files;
    os_mutex_lock(&lock);
    void **slot = base_strmap_at(&files, name, strlen(name), NULL);
    if (!*slot) {
        SourceFile *f = rt_forever_alloc(sizeof *f);
        f->path = rt_forever_string(name);
        *slot = f;
    }
    const SourceFile *file = *slot;
    os_mutex_unlock(&lock);
    return file;
}

Reader *read_open_port(Mutator *m, base_arena *arena, const char *name, int32_t (*next)(void *port),
                       int32_t (*peek)(void *port), void *port) {
    Reader *r = open_reader(m, arena);
    r->file = port_file(name);
    r->next = next;
    r->peek = peek;
    r->port = port;
    return r;
}

void read_close(Reader *r) {
    base_buf_free(&r->buf);
    BASE_VEC_FREE(&r->frames);
    BASE_VEC_FREE(&r->items);
    BASE_VEC_FREE(&r->labels);
    free(r);
}

void read_set_fold_case(Reader *r, bool fold) { r->fold_case = fold; }

/* ---- making datums ---- */

static Stx *make(Reader *r, StxKind kind, SrcPos pos) {
    Stx *s = base_arena_alloc(r->arena, sizeof *s);
    s->kind = kind;
    s->pos = pos;
    return s;
}

static Stx *make_atom(Reader *r, SrcPos pos, Value v) {
    Stx *s = make(r, STX_ATOM, pos);
    s->as.atom = v;
    return s;
}

static Stx *make_pair(Reader *r, SrcPos pos, Stx *car, Stx *cdr) {
    Stx *s = make(r, STX_PAIR, pos);
    s->as.pair.car = car;
    s->as.pair.cdr = cdr;
    return s;
}

/* ---- frames ---- */

static Frame *top(Reader *r) { return &r->frames.at[r->frames.len - 1]; }

static Frame *push(Reader *r, FrameKind kind, SrcPos opened) {
    BASE_PUSH(&r->frames, (Frame){.kind = kind, .opened = opened, .base = r->items.len});
    return top(r);
}

static const char *frame_what(FrameKind kind) {
    switch (kind) {
    case FRAME_LIST: return "a list";
    case FRAME_VECTOR: return "a vector";
    case FRAME_BYTES: return "a bytevector";
    case FRAME_QUOTE: return "a quotation that needs a datum";
    case FRAME_DISCARD: return "a comment #; that needs a datum";
    case FRAME_LABEL: break;
    }
    return "a label that needs a datum";
}

static void append(Reader *r, Frame *f, Stx *datum) {
    if (f->dot == DOT_DONE)
        read_fail(r, datum->pos, &f->opened, "expected ) after the datum that follows the dot");
    if (f->dot == DOT_SEEN) {
        *f->tail = datum;
        f->dot = DOT_DONE;
        return;
    }
    Stx *pair = make_pair(r, f->first ? datum->pos : f->opened, datum, &nil_at_end);
    if (f->first)
        *f->tail = pair;
    else
        f->first = pair;
    f->tail = &pair->as.pair.cdr;
}

static void append_byte(Reader *r, Frame *f, Stx *datum) {
    bool byte = datum->kind == STX_ATOM && is_fixnum(datum->as.atom) &&
                fixnum(datum->as.atom) >= 0 && fixnum(datum->as.atom) <= 255;
    if (!byte)
        read_fail(r, datum->pos, &f->opened, "a bytevector holds exact integers from 0 to 255");
    BASE_PUSH(&r->items, datum);
}

/* ---- labels ---- */

static Label *find_label(Reader *r, uint64_t number) {
    for (size_t i = r->labels.len; i-- > 0;)
        if (r->labels.at[i].number == number) return &r->labels.at[i];
    return NULL;
}

static void begin_label(Reader *r, const Token *t) {
    if (find_label(r, t->number))
        read_fail(r, t->pos, NULL, "the label #%llu= is there already",
                  (unsigned long long)t->number);
    Frame *f = push(r, FRAME_LABEL, t->pos);
    f->base = r->labels.len;
    Stx *open = make(r, STX_LABEL, t->pos);
    BASE_PUSH(&r->labels, (Label){.number = t->number, .open = open});
}

static Stx *reference(Reader *r, const Token *t) {
    Label *l = find_label(r, t->number);
    if (!l)
        read_fail(r, t->pos, NULL, "no label #%llu= stands before this",
                  (unsigned long long)t->number);
    return l->datum ? l->datum : l->open;
}

static void end_label(Reader *r, const Frame *f, Stx *datum) {
    Label *l = &r->labels.at[f->base];
    if (datum->kind == STX_LABEL)
        read_fail(r, f->opened, NULL, "the label #%llu= names nothing but itself",
                  (unsigned long long)l->number);
    datum->shared = datum->kind == STX_PAIR || datum->kind == STX_VECTOR;
    l->datum = datum;
    l->open->as.labelled = datum;
}

/* ---- the parser ---- */

/* Takes the items of the vector frame F off the stack. */
static Stx *close_vector(Reader *r, const Frame *f) {
    Stx *s = make(r, STX_VECTOR, f->opened);
    size_t count = r->items.len - f->base;
    s->as.vector.count = (int)count;
    s->as.vector.items = BASE_NEW_ARRAY(r->arena, Stx *, count);
    if (count) memcpy(s->as.vector.items, r->items.at + f->base, count * sizeof(Stx *));
    r->items.len = f->base;
    return s;
}

static Stx *close_bytes(Reader *r, const Frame *f) {
    size_t count = r->items.len - f->base;
    Value v = v_object(gc_bytes(r->m, T_BYTEVECTOR, count, 0));
    for (size_t i = 0; i < count; i++)
        object_bytes(v)[i] = (uint8_t)fixnum(r->items.at[f->base + i]->as.atom);
    r->items.len = f->base;
    return make_atom(r, f->opened, v);
}

static Stx *close_frame(Reader *r, SrcPos pos) {
    if (!r->frames.len) read_fail(r, pos, NULL, "unexpected ): no form is open here");
    Frame f = BASE_POP(&r->frames);
    switch (f.kind) {
    case FRAME_LIST:
        if (f.dot == DOT_SEEN) read_fail(r, pos, &f.opened, "expected a datum after the dot");
        return f.first ? f.first : make(r, STX_NIL, f.opened);
    case FRAME_VECTOR: return close_vector(r, &f);
    case FRAME_BYTES: return close_bytes(r, &f);
    default: break;
    }
    read_fail(r, pos, &f.opened, "unexpected ) inside %s", frame_what(f.kind));
}

/* The text ended inside a datum. Where a parenthesis is missing is a guess: both the innermost and
 * the outermost open form are told, and the outermost one's line is shown. */
_Noreturn static void fail_at_end(Reader *r) {
    const Frame *inner = top(r), *outer = r->frames.at;
    char what[160];
    if (inner == outer)
        snprintf(what, sizeof what, "%s", frame_what(inner->kind));
    else
        snprintf(what, sizeof what, "%s opened at %u:%u, within %s opened at %u:%u",
                 frame_what(inner->kind), inner->opened.line, inner->opened.column,
                 frame_what(outer->kind), outer->opened.line, outer->opened.column);
    read_fail_incomplete(r, what, outer->opened);
}

/* The datum that a token is or completes; NULL: the token opened something, or prepared it. */
static Stx *take_token(Reader *r, const Token *t) {
    switch (t->kind) {
    case TOKEN_OPEN: push(r, FRAME_LIST, t->pos); return NULL;
    case TOKEN_VECTOR: push(r, FRAME_VECTOR, t->pos); return NULL;
    case TOKEN_BYTES: push(r, FRAME_BYTES, t->pos); return NULL;
    case TOKEN_QUOTE: push(r, FRAME_QUOTE, t->pos)->symbol = t->value; return NULL;
    case TOKEN_DISCARD: push(r, FRAME_DISCARD, t->pos); return NULL;
    case TOKEN_LABEL: begin_label(r, t); return NULL;
    case TOKEN_DOT: {
        Frame *f = r->frames.len ? top(r) : NULL;
        if (!f || f->kind != FRAME_LIST || !f->first || f->dot != DOT_NONE)
            read_fail(r, t->pos, f ? &f->opened : NULL, "unexpected dot");
        f->dot = DOT_SEEN;
        return NULL;
    }
    case TOKEN_CLOSE: return close_frame(r, t->pos);
    case TOKEN_REFERENCE: return reference(r, t);
    case TOKEN_ATOM: return make_atom(r, t->pos, t->value);
    case TOKEN_END: break;
    }
    if (!r->frames.len) return NULL;
    fail_at_end(r);
}

/* Gives DATUM to the frame on top. Returns it when there is none: it is the result. */
static Stx *deliver(Reader *r, Stx *datum) {
    while (r->frames.len) {
        Frame *f = top(r);
        switch (f->kind) {
        case FRAME_LIST: append(r, f, datum); return NULL;
        case FRAME_VECTOR: BASE_PUSH(&r->items, datum); return NULL;
        case FRAME_BYTES: append_byte(r, f, datum); return NULL;
        case FRAME_DISCARD: r->frames.len--; return NULL;
        case FRAME_QUOTE: {
            Stx *tail = make_pair(r, datum->pos, datum, &nil_at_end);
            datum = make_pair(r, f->opened, make_atom(r, f->opened, f->symbol), tail);
            break;
        }
        case FRAME_LABEL: end_label(r, f, datum); break;
        }
        r->frames.len--;
    }
    return datum;
}

Stx *read_datum(Reader *r, ReadError *error) {
    memset(error, 0, sizeof *error);
    r->error = error;
    r->frames.len = r->items.len = r->labels.len = 0;
    if (setjmp(r->failed)) return NULL;
    for (;;) {
        Token t = read_token(r);
        Stx *datum = take_token(r, &t);
        if (t.kind == TOKEN_END) return NULL;
        if (datum && (datum = deliver(r, datum))) return datum;
    }
}
