/* What the files of read/ share: the reader's state and the lexer's tokens. */
#ifndef HONE_READ_INTERNAL_H
#define HONE_READ_INTERNAL_H

#include <setjmp.h>

#include "read/read.h"

/* A datum that is not complete yet. */
typedef enum FrameKind {
    FRAME_LIST,
    FRAME_VECTOR,
    FRAME_BYTES,
    FRAME_QUOTE,   /* 'x and the like: one datum follows */
    FRAME_DISCARD, /* #; */
    FRAME_LABEL,   /* #n= */
} FrameKind;

typedef struct Frame {
    FrameKind kind;
    enum { DOT_NONE, DOT_SEEN, DOT_DONE } dot; /* LIST: (a . b) */
    SrcPos opened;
    Stx *first, **tail; /* LIST: what is read so far and where the next pair goes */
    size_t base;  /* VECTOR, BYTES: where its items begin in Reader.items; LABEL: index in labels */
    Value symbol; /* QUOTE */
} Frame;

typedef struct Label {
    uint64_t number;
    Stx *open;  /* stands for the datum while it is not complete */
    Stx *datum; /* NULL while it is not */
} Label;

struct Reader {
    Mutator *m;
    base_arena *arena;
    const SourceFile *file;
    /* A whole text: CUR..END is what is left of it. A port: CUR and END are NULL. */
    const char *cur, *end;
    const char *line_start;
    uint32_t continuation; /* bytes since line_start that begin no character */
    uint32_t line, column; /* column: ports only */
    int32_t (*next)(void *port);
    int32_t (*peek)(void *port);
    void *port;
    bool fold_case;
    base_buf buf; /* the token being read, where it is not a part of the text */
    BASE_VEC(Frame) frames;
    BASE_VEC(Stx *) items;
    BASE_VEC(Label) labels;
    ReadError *error;
    jmp_buf failed;
};

enum { CHAR_END = -1, CHAR_FAILED = -2, CHAR_BAD = -3 };

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_VECTOR,
    TOKEN_BYTES,
    TOKEN_DOT,
    TOKEN_QUOTE, /* VALUE is the symbol */
    TOKEN_DISCARD,
    TOKEN_LABEL,     /* #n=, NUMBER */
    TOKEN_REFERENCE, /* #n# */
    TOKEN_ATOM,      /* VALUE */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    SrcPos pos;
    Value value;
    uint64_t number;
} Token;

/* chars.c: characters with their positions. */
int32_t read_peek_char(Reader *r);
int32_t read_take_char(Reader *r);
SrcPos read_here(const Reader *r);
bool read_is_space(int32_t c);
extern const bool read_ascii_delimiter[128];
bool read_is_delimiter(int32_t c); /* also true of CHAR_END */
/* Gives up: fills the error and leaves read_datum. OPENED may be NULL. */
_Noreturn void read_fail(Reader *r, SrcPos pos, const SrcPos *opened, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The text ended inside the WHAT that began at OPENED. */
_Noreturn void read_fail_incomplete(Reader *r, const char *what, SrcPos opened);
_Noreturn void read_fail_char(Reader *r, int32_t c); /* c is CHAR_FAILED or CHAR_BAD */

/* lex.c */
Token read_token(Reader *r);
/* text.c: what stands between quotes and bars, and behind #\ ; the opening characters are taken. */
Value read_string(Reader *r, SrcPos opened);
Value read_bar_symbol(Reader *r, SrcPos opened);
Value read_character(Reader *r, SrcPos opened);
/* The rest of a word up to a delimiter, as UTF-8; valid until the next token. Begins with what is
 * in r->buf if KEEP. */
const char *read_word(Reader *r, bool keep, size_t *length);

#endif
