/* text.c: strings, symbols between bars, and characters: everything with escapes. */
#include "read/internal.h"

#include "rt/string.h"

static const struct {
    const char *name;
    uint32_t code;
} char_names[] = {
#define CHARNAME(name, code) {name, code},
#include "read/charnames.def"
#undef CHARNAME
};

static int hex_digit(int32_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_scalar(uint32_t c) { return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff); }

/* Behind "\x": hexadecimal digits and a semicolon. */
static void hex_escape(Reader *r, SrcPos pos) {
    uint32_t code = 0;
    int digits = 0;
    for (;; digits++) {
        int32_t c = read_take_char(r);
        if (c == ';' && digits) break;
        int d = hex_digit(c);
        if (d < 0) read_fail(r, pos, NULL, "\\x needs hexadecimal digits and a semicolon");
        code = code > 0x10ffff ? code : code * 16 + (uint32_t)d;
    }
    if (!is_scalar(code)) read_fail(r, pos, NULL, "\\x%x; is not a character", code);
    base_buf_utf8(&r->buf, code);
}

/* The name of a string or symbol, for messages. */
static const char *quoted_what(int32_t quote) {
    return quote == '"' ? "a string" : "a symbol between bars";
}

static int32_t take_quoted(Reader *r, int32_t quote, SrcPos opened) {
    int32_t c = read_take_char(r);
    if (c == CHAR_END) read_fail_incomplete(r, quoted_what(quote), opened);
    if (c < 0) read_fail_char(r, c);
    return c;
}

static bool blank(int32_t c) { return c == ' ' || c == '\t'; }

/* Behind a backslash at a line's end, with blanks before and after the line break. FIRST: the
 * character behind the backslash. */
static void line_continuation(Reader *r, int32_t first, SrcPos pos, SrcPos opened) {
    int32_t c = first;
    while (blank(c)) c = take_quoted(r, '"', opened);
    if (c == '\r' && read_peek_char(r) == '\n') c = read_take_char(r);
    if (c != '\n' && c != '\r')
        read_fail(r, pos, NULL, "a backslash before blanks must end the line");
    while (blank(read_peek_char(r))) read_take_char(r);
}

static void escape(Reader *r, int32_t quote, SrcPos pos, SrcPos opened) {
    int32_t c = take_quoted(r, quote, opened);
    switch (c) {
    case 'a': base_buf_putc(&r->buf, 7); break;
    case 'b': base_buf_putc(&r->buf, 8); break;
    case 't': base_buf_putc(&r->buf, 9); break;
    case 'n': base_buf_putc(&r->buf, 10); break;
    case 'r': base_buf_putc(&r->buf, 13); break;
    case '"':
    case '\\':
    case '|': base_buf_putc(&r->buf, (char)c); break;
    case 'x':
    case 'X': hex_escape(r, pos); break;
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        if (quote == '"') {
            line_continuation(r, c, pos, opened);
            break;
        }
        __attribute__((fallthrough));
    default: {
        char text[5] = {0};
        base_utf8_put(text, (uint32_t)c);
        read_fail(r, pos, NULL, "unknown escape \\%s in %s", text, quoted_what(quote));
    }
    }
}

/* Fills r->buf up to the closing QUOTE. A line break of any kind in it is one newline. */
static void quoted(Reader *r, int32_t quote, SrcPos opened) {
    base_buf_clear(&r->buf);
    for (;;) {
        if (!r->port) { /* a run of plain bytes at once */
            const char *p = r->cur;
            while (p < r->end && (signed char)*p >= ' ' && *p != quote && *p != '\\') p++;
            base_buf_add(&r->buf, r->cur, (size_t)(p - r->cur));
            r->cur = p;
        }
        SrcPos pos = read_here(r);
        int32_t c = take_quoted(r, quote, opened);
        if (c == quote) return;
        if (c == '\\')
            escape(r, quote, pos, opened);
        else if (c == '\r' && quote == '"') {
            if (read_peek_char(r) == '\n') read_take_char(r);
            base_buf_putc(&r->buf, '\n');
        } else
            base_buf_utf8(&r->buf, (uint32_t)c);
    }
}

Value read_string(Reader *r, SrcPos opened) {
    quoted(r, '"', opened);
    return rt_string_new(r->m, base_buf_str(&r->buf), r->buf.len);
}

Value read_bar_symbol(Reader *r, SrcPos opened) {
    quoted(r, '|', opened);
    return rt_intern(r->m, base_buf_str(&r->buf), r->buf.len);
}

static bool hex_character(const char *digits, size_t length, uint32_t *code) {
    *code = 0;
    if (length == 0 || length > 8) return false;
    for (size_t i = 0; i < length; i++) {
        int d = hex_digit(digits[i]);
        if (d < 0) return false;
        *code = *code * 16 + (uint32_t)d;
    }
    return true;
}

static bool named_character(const Reader *r, const char *word, size_t length, uint32_t *code) {
    for (size_t i = 0; i < BASE_COUNT(char_names); i++) {
        const char *name = char_names[i].name;
        if (strlen(name) != length) continue;
        if (r->fold_case ? !strncasecmp(word, name, length) : !memcmp(word, name, length)) {
            *code = char_names[i].code;
            return true;
        }
    }
    return false;
}

/* Behind "#\": one character whatever it is, and a word's rest behind it. */
Value read_character(Reader *r, SrcPos opened) {
    int32_t first = read_take_char(r);
    if (first == CHAR_END) read_fail_incomplete(r, "a character", opened);
    if (first < 0) read_fail_char(r, first);
    base_buf_clear(&r->buf);
    base_buf_utf8(&r->buf, (uint32_t)first);
    size_t first_length = r->buf.len, length;
    const char *word = read_word(r, !read_is_delimiter(first), &length);
    if (read_is_delimiter(first)) { /* #\( and the like stand alone, unless a word follows */
        if (length) read_fail(r, opened, NULL, "a delimiter must follow the character");
        return v_char((uint32_t)first);
    }
    if (length == first_length) return v_char((uint32_t)first);
    uint32_t code;
    if ((first == 'x' || first == 'X') && hex_character(word + 1, length - 1, &code)) {
        if (!is_scalar(code)) read_fail(r, opened, NULL, "#\\x%x is not a character", code);
        return v_char(code);
    }
    if (named_character(r, word, length, &code)) return v_char(code);
    read_fail(r, opened, NULL, "unknown character name #\\%.*s", (int)BASE_MIN(length, 60), word);
}
