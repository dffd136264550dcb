/* lex.c: characters to tokens. */
#include "read/internal.h"

#include <stdlib.h>
#include <unicase.h>

#include "num/num.h"
#include "rt/string.h"

/* ---- what stands between tokens ---- */

static void skip_line(Reader *r) {
    for (;;) {
        int32_t c = read_take_char(r);
        if (c == '\n' || c == CHAR_END) return;
        if (c < 0) read_fail_char(r, c);
    }
}

/* Behind the first "#|". */
static void skip_block(Reader *r, SrcPos opened) {
    for (size_t depth = 1; depth;) {
        int32_t c = read_take_char(r);
        if (c == CHAR_END) read_fail_incomplete(r, "a comment that begins with #|", opened);
        if (c < 0) read_fail_char(r, c);
        if (c == '|' && read_peek_char(r) == '#') {
            read_take_char(r);
            depth--;
        } else if (c == '#' && read_peek_char(r) == '|') {
            read_take_char(r);
            depth++;
        }
    }
}

/* Takes white space and line comments; the next character is not taken. */
static int32_t skip_space(Reader *r) {
    for (;;) {
        int32_t c = read_peek_char(r);
        if (c == ';')
            skip_line(r);
        else if (c >= 0 && read_is_space(c))
            read_take_char(r);
        else
            return c;
    }
}

/* ---- words ---- */

/* A word that is a part of the text, found without a copy. NULL: it has a character beyond ASCII,
 * or the text is a port. */
static const char *plain_word(Reader *r, size_t *length) {
    if (r->port) return NULL;
    const char *p = r->cur;
    while (p < r->end && (signed char)*p >= 0 && !read_ascii_delimiter[(unsigned char)*p]) p++;
    if (p < r->end && (signed char)*p < 0) return NULL;
    const char *start = r->cur;
    *length = (size_t)(p - start);
    r->cur = p;
    return start;
}

const char *read_word(Reader *r, bool keep, size_t *length) {
    if (!keep) {
        const char *plain = plain_word(r, length);
        if (plain) return plain;
        base_buf_clear(&r->buf);
    }
    for (;;) {
        int32_t c = read_peek_char(r);
        if (c == CHAR_BAD || c == CHAR_FAILED) read_fail_char(r, c);
        if (read_is_delimiter(c)) break;
        read_take_char(r);
        base_buf_utf8(&r->buf, (uint32_t)c);
    }
    *length = r->buf.len;
    return base_buf_str(&r->buf);
}

static Value intern_folded(Reader *r, const char *word, size_t length) {
    size_t size = 0;
    uint8_t *folded = u8_casefold((const uint8_t *)word, length, NULL, NULL, NULL, &size);
    if (!folded) base_oom(length);
    Value symbol = rt_intern(r->m, (const char *)folded, size);
    free(folded);
    return symbol;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A small decimal integer, the commonest number, without the number parser. */
static bool small_integer(const char *word, size_t length, Value *out) {
    size_t i = word[0] == '-' && length > 1;
    if (length - i > 17) return false;
    int64_t n = 0;
    bool negative = i;
    for (; i < length; i++) {
        if (!is_digit(word[i])) return false;
        n = n * 10 + (word[i] - '0');
    }
    *out = v_fixnum(negative ? -n : n);
    return true;
}

/* A word that does not begin with '#': a number or a symbol. */
static Value word_value(Reader *r, const char *word, size_t length) {
    char c = word[0];
    if (is_digit(c) || c == '+' || c == '-' || c == '.') {
        Value v;
        if (small_integer(word, length, &v)) return v;
        v = num_parse(r->m, word, length, 10);
        if (v != V_FALSE) return v;
    }
    return r->fold_case ? intern_folded(r, word, length) : rt_intern(r->m, word, length);
}

/* ---- what begins with # ---- */

static bool word_is(const char *word, size_t length, const char *what) {
    return strlen(what) == length && !strncasecmp(word, what, length);
}

static void directive(Reader *r, SrcPos pos) {
    size_t length;
    const char *word = read_word(r, false, &length);
    if (word_is(word, length, "fold-case"))
        r->fold_case = true;
    else if (word_is(word, length, "no-fold-case"))
        r->fold_case = false;
    else
        read_fail(r, pos, NULL, "unknown directive #!%.*s; known: #!fold-case, #!no-fold-case",
                  (int)BASE_MIN(length, 40), word);
}

/* #n= and #n#; the next character is a digit. */
static void label(Reader *r, Token *t) {
    t->number = 0;
    int32_t c;
    while ((c = read_peek_char(r)) >= '0' && c <= '9') {
        read_take_char(r);
        if (t->number > UINT32_MAX) read_fail(r, t->pos, NULL, "the label's number is too large");
        t->number = t->number * 10 + (uint64_t)(c - '0');
    }
    if (c != '=' && c != '#') read_fail(r, t->pos, NULL, "expected #n= or #n#");
    read_take_char(r);
    t->kind = c == '=' ? TOKEN_LABEL : TOKEN_REFERENCE;
}

/* #true, #x1F, #u8( and the rest: words. */
static void hash_word(Reader *r, Token *t) {
    base_buf_clear(&r->buf);
    base_buf_putc(&r->buf, '#');
    size_t length;
    const char *word = read_word(r, true, &length);
    t->kind = TOKEN_ATOM;
    if (word_is(word, length, "#t") || word_is(word, length, "#true"))
        t->value = V_TRUE;
    else if (word_is(word, length, "#f") || word_is(word, length, "#false"))
        t->value = V_FALSE;
    else if (word_is(word, length, "#u8") && read_peek_char(r) == '(') {
        read_take_char(r);
        t->kind = TOKEN_BYTES;
    } else if (length > 1 && strchr("eixbodEIXBOD", word[1])) {
        t->value = num_parse(r->m, word, length, 10);
        if (t->value == V_FALSE)
            read_fail(r, t->pos, NULL, "%.*s is not a number", (int)BASE_MIN(length, 60), word);
    } else {
        if (length == 1) { /* show what follows the #, a delimiter */
            int32_t c = read_peek_char(r);
            if (c > ' ') base_buf_utf8(&r->buf, (uint32_t)c);
        }
        read_fail(r, t->pos, NULL, "unknown syntax %.*s", (int)BASE_MIN(r->buf.len, 60), r->buf.at);
    }
}

/* Behind '#'. False: it was a comment or a directive. */
static bool hash(Reader *r, Token *t) {
    int32_t c = read_peek_char(r);
    if (c >= '0' && c <= '9') {
        label(r, t);
        return true;
    }
    switch (c) {
    case '(': t->kind = TOKEN_VECTOR; break;
    case ';': t->kind = TOKEN_DISCARD; break;
    case '|':
        read_take_char(r);
        skip_block(r, t->pos);
        return false;
    case '!':
        read_take_char(r);
        directive(r, t->pos);
        return false;
    case '\\':
        read_take_char(r);
        t->kind = TOKEN_ATOM;
        t->value = read_character(r, t->pos);
        return true;
    case CHAR_BAD:
    case CHAR_FAILED: read_fail_char(r, c);
    default: hash_word(r, t); return true;
    }
    read_take_char(r);
    return true;
}

/* ---- tokens ---- */

static void quote(Reader *r, Token *t, const char *name) {
    t->kind = TOKEN_QUOTE;
    t->value = rt_intern_c(r->m, name);
}

static void word_token(Reader *r, Token *t) {
    size_t length;
    const char *word = read_word(r, false, &length);
    if (length == 1 && word[0] == '.') {
        t->kind = TOKEN_DOT;
        return;
    }
    t->kind = TOKEN_ATOM;
    t->value = word_value(r, word, length);
}

/* One that is told by its first character, which is taken. */
static void punctuation(Reader *r, Token *t, int32_t c) {
    switch (c) {
    case '(': t->kind = TOKEN_OPEN; break;
    case ')': t->kind = TOKEN_CLOSE; break;
    case '\'': quote(r, t, "quote"); break;
    case '`': quote(r, t, "quasiquote"); break;
    case ',':
        if (read_peek_char(r) == '@') {
            read_take_char(r);
            quote(r, t, "unquote-splicing");
        } else
            quote(r, t, "unquote");
        break;
    case '"':
        t->kind = TOKEN_ATOM;
        t->value = read_string(r, t->pos);
        break;
    case '|':
        t->kind = TOKEN_ATOM;
        t->value = read_bar_symbol(r, t->pos);
        break;
    default: read_fail(r, t->pos, NULL, "%c is not used in Scheme; write ( or )", (char)c);
    }
}

Token read_token(Reader *r) {
    for (;;) {
        Token t = {.value = V_FALSE};
        int32_t c = skip_space(r);
        t.pos = read_here(r);
        if (c == CHAR_END) return t;
        if (c < 0) read_fail_char(r, c);
        if (c == '#') {
            read_take_char(r);
            if (hash(r, &t)) return t;
        } else if (c < 128 && strchr("()'`,\"|[]{}", c)) {
            read_take_char(r);
            punctuation(r, &t, c);
            return t;
        } else {
            word_token(r, &t);
            return t;
        }
    }
}
