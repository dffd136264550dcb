/* read.h: the door of the reader: text to syntax, with a position on every datum.
 *
 * One lexer and one parser serve source files, eval of text, and the procedure `read`. The parser
 * is iterative: nesting a million deep costs heap, never C stack. Its result is a Stx tree in an
 * arena. */
#ifndef HONE_READ_READ_H
#define HONE_READ_READ_H

#include "base/base.h"
#include "gc/gc.h"
#include "rt/site.h"

typedef enum StxKind {
    STX_ATOM, /* datum: a symbol, number, string, char, boolean, bytevector: any Value without parts
               */
    STX_PAIR, /* car, cdr */
    STX_NIL,
    STX_VECTOR, /* items */
    STX_ALIAS,  /* an identifier that a macro inserted (made by the expander) */
    STX_LABEL, /* #n# whose datum is still open where it stands: refers to LABELLED (cyclic literal)
                */
} StxKind;

typedef struct Stx Stx;
struct Stx {
    StxKind kind;
    bool shared;  /* the datum of a label: it may be met more than once, and keeps its identity */
    bool foreign; /* from a value that the program made: its strings stay as they are */
    SrcPos pos;
    union {
        Value atom;
        struct {
            Stx *car, *cdr;
        } pair;
        struct {
            Stx **items;
            int count;
        } vector;
        struct {
            Stx *name;
            void *env;
            uint32_t id;
        } alias; /* NAME: the symbol or alias in the macro's definition */
        Stx *labelled;
    } as;
};

/* A failure of reading. */
typedef struct ReadError {
    SrcPos pos;    /* where the fault is seen */
    SrcPos opened; /* where the unclosed form, string or comment began; file NULL when it does not
                      apply */
    char message[256];
    bool incomplete; /* the text ended inside a datum: the REPL asks for another line */
} ReadError;

/* Where characters come from: a whole text, or a port through a callback. */
typedef struct Reader Reader;
/* TEXT is the whole of FILE (file->text); datums are allocated in ARENA; symbols, strings and
 * numbers in M's heap. */
Reader *read_open(Mutator *m, struct base_arena *arena, const SourceFile *file);
/* A reader over characters: NEXT returns the next character or -1 at the end or -2 when the port
 * failed; PEEK likewise without taking it. */
Reader *read_open_port(Mutator *m, struct base_arena *arena, const char *name,
                       int32_t (*next)(void *port), int32_t (*peek)(void *port), void *port);
/* The next datum; NULL at the end of the text, or with error->message set on a failure
 * (error->message[0] is 0 at the end). */
Stx *read_datum(Reader *r, ReadError *error);
void read_close(Reader *r);
/* Whether symbols are folded from here on, as by #!fold-case. */
void read_set_fold_case(Reader *r, bool fold);

/* The datum as a heap value, sharing and cycles kept; aliases become their symbols. Iterative.
 * LITERAL: strings, and the like get FLAG_IMMUTABLE. */
Value read_to_value(Mutator *m, const Stx *s, bool literal);
/* The other way, for eval: positions all POS. Takes constant time: a pair or vector becomes an atom
 * that holds it, which read_unfold turns into a STX_PAIR, STX_NIL or STX_VECTOR, one level at a
 * time and only where the expander looks. So a quoted value stays the very object, and a cycle in
 * it is never followed. */
Stx *read_from_value(Mutator *m, struct base_arena *arena, Value v, SrcPos pos);
void read_unfold(struct base_arena *arena, Stx *s);

#endif
