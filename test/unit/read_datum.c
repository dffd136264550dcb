/* The reader: text to datums, and what it says of text that is none. */
#include "check.h"

#include <pthread.h>

#include "read/read.h"
#include "rt/equal.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write.h"

static Mutator *m;
static base_arena arena;

/* A port over a text, for the reader's other way in. */
typedef struct Port {
    const char *at, *end;
} Port;

static int32_t peek_port(void *port) {
    Port *p = port;
    uint32_t c;
    if (p->at == p->end) return -1;
    base_utf8_get(p->at, (size_t)(p->end - p->at), &c);
    return (int32_t)c;
}

static int32_t next_port(void *port) {
    Port *p = port;
    uint32_t c;
    if (p->at == p->end) return -1;
    p->at += base_utf8_get(p->at, (size_t)(p->end - p->at), &c);
    return (int32_t)c;
}

static Reader *reader(const char *text, size_t length) {
    SourceFile *file = base_arena_alloc(&arena, sizeof *file);
    *file = (SourceFile){"test", text, length};
    return read_open(m, &arena, file);
}

/* All datums of the reader, written and separated by blanks, or the error's message. Owned by the
 * arena. */
static const char *all(Reader *r) {
    base_buf out = {0};
    ReadError e;
    Stx *s;
    while ((s = read_datum(r, &e))) {
        if (out.len) base_buf_putc(&out, ' ');
        rt_write(m, &out, read_to_value(m, s, false), RT_WRITE, 0);
    }
    if (e.message[0]) base_buf_printf(&out, "!%s", e.message);
    read_close(r);
    const char *copy = base_arena_strdup(&arena, base_buf_str(&out));
    base_buf_free(&out);
    return copy;
}

static const char *rd(const char *text) { return all(reader(text, strlen(text))); }

static const char *rd_port(const char *text) {
    Port p = {text, text + strlen(text)};
    return all(read_open_port(m, &arena, "port", next_port, peek_port, &p));
}

static const struct {
    const char *text, *datums;
} good[] = {
    {"", ""},
    {"  ; nothing\n", ""},
    {"x", "x"},
    {"(a b c)", "(a b c)"},
    {"(a . b)", "(a . b)"},
    {"(a b . (c d))", "(a b c d)"},
    {"(a .b)", "(a .b)"},
    {"(a.b)", "(a.b)"},
    {"( )", "()"},
    {"#(1 #(2) ())", "#(1 #(2) ())"},
    {"#u8(0 255 #xff)", "#u8(0 255 255)"},
    {"'a `b ,c ,@d", "(quote a) (quasiquote b) (unquote c) (unquote-splicing d)"},
    {"''()", "(quote (quote ()))"},
    {"#t #f #true #false #TRUE", "#t #f #t #f #t"},
    {"1 -17 +5 1/2 #xFF #b-101 1e3", "1 -17 5 1/2 255 -5 1000.0"},
    {"123456789012345678901234567890", "123456789012345678901234567890"},
    {"-0 00012", "0 12"},
    {"+ - ... -> .. +a 1+ -x", "+ - ... -> .. +a 1+ -x"},
    {"|a b| |a\\x41;b| || |x\\|y|", "|a b| aAb || |x\\|y|"},
    {"\"a\\n\\t\\\\\\\"\\x3bb;\"", "\"a\\n\\t\\\\\\\"λ\""},
    {"\"one \\\n    two\"", "\"one two\""},
    {"\"one \\  \t \n    two\"", "\"one two\""},
    {"\"a\r\nb\rc\"", "\"a\\nb\\nc\""},
    {"#\\a #\\A #\\space #\\newline #\\x41 #\\x #\\( #\\) #\\; #\\λ #\\x3bb",
     "#\\a #\\A #\\space #\\newline #\\A #\\x #\\( #\\) #\\; #\\λ #\\λ"},
    {"#\\null #\\alarm #\\backspace #\\tab #\\return #\\escape #\\delete",
     "#\\null #\\alarm #\\backspace #\\tab #\\return #\\escape #\\delete"},
    {"(a #;b c) #;(d e) f #;#;g h i", "(a c) f i"},
    {"(a #| #| nested |# |# b)", "(a b)"},
    {"#||# x #|||# y", "x y"},
    {"(a . b #;c) (a . #;x b)", "(a . b) (a . b)"},
    {"#!fold-case ABC #!no-fold-case ABC", "abc ABC"},
    {"#!fold-case |ABC| Straße \"ABC\"", "ABC strasse \"ABC\""},
    {"(#1=(x) #1# #1#)", "((x) (x) (x))"},
    {"#0=(a b . #0#)", "#0=(a b . #0#)"},
    {"#0=#(1 #0#)", "#0=#(1 #0#)"},
    {"#0=(#1=(#0# . #1#))", "#0=(#1=(#0# . #1#))"},
    {"#0='#0#", "#0=(quote #0#)"},
    {"(a\xc2\xa0"
     "b)",
     "(a b)"},
    {"a'b", "a (quote b)"},
    {"(a;c\nb)", "(a b)"},
};

static void test_good(void) {
    for (size_t i = 0; i < BASE_COUNT(good); i++) {
        CHECK_STR(rd(good[i].text), good[i].datums);
        CHECK_STR(rd_port(good[i].text), good[i].datums);
    }
    CHECK_STR(rd("#!/usr/bin/env hone\nx"), "x");
    CHECK_STR(rd("\xef\xbb\xbfx"), "x");
}

static const struct {
    const char *text;
    unsigned line, column, opened_line, opened_column; /* opened 0: not told */
    bool incomplete;
    const char *message;
} bad[] = {
    {"(a b", 1, 5, 1, 1, true, "ends inside a list"},
    {"(a\n (b\n", 3, 1, 1, 1, true, "a list opened at 2:2, within a list opened at 1:1"},
    {"x #(1 2", 1, 8, 1, 3, true, "inside a vector"},
    {"'", 1, 2, 1, 1, true, "needs a datum"},
    {"#;", 1, 3, 1, 1, true, "comment #;"},
    {"#1=", 1, 4, 1, 1, true, "label"},
    {"\n \"abc\nd", 3, 2, 2, 2, true, "inside a string"},
    {"|abc", 1, 5, 1, 1, true, "symbol between bars"},
    {"a #| b #| |# ", 1, 14, 1, 3, true, "comment"},
    {"a )", 1, 3, 0, 0, false, "unexpected )"},
    {"(a . b c)", 1, 8, 1, 1, false, "expected )"},
    {"(a . )", 1, 6, 1, 1, false, "after the dot"},
    {"( . a)", 1, 3, 1, 1, false, "unexpected dot"},
    {"#(1 . 2)", 1, 5, 1, 1, false, "unexpected dot"},
    {".", 1, 1, 0, 0, false, "unexpected dot"},
    {"(a ')", 1, 5, 1, 4, false, "unexpected )"},
    {"#u8(1 256)", 1, 7, 1, 1, false, "0 to 255"},
    {"#u8(a)", 1, 5, 1, 1, false, "0 to 255"},
    {"  #<foo>", 1, 3, 0, 0, false, "#<foo>"},
    {"#!eof", 1, 1, 0, 0, false, "#!eof"},
    {"#\\nosuch", 1, 1, 0, 0, false, "nosuch"},
    {"#\\xd800", 1, 1, 0, 0, false, "not a character"},
    {"\"a\\qb\"", 1, 3, 0, 0, false, "\\q"},
    {"\"\\x110000;\"", 1, 2, 0, 0, false, "not a character"},
    {"\"\\xzz;\"", 1, 2, 0, 0, false, "hexadecimal"},
    {"(#5#)", 1, 2, 0, 0, false, "#5="},
    {"#0=#0#", 1, 1, 0, 0, false, "nothing but itself"},
    {"#xzz", 1, 1, 0, 0, false, "not a number"},
    {"[a]", 1, 1, 0, 0, false, "["},
    {"(a {b})", 1, 4, 0, 0, false, "{"},
    {"λλ )", 1, 4, 0, 0, false, "unexpected )"},
    {"(λ\n\"é\" \x80)", 2, 5, 0, 0, false, "invalid UTF-8"},
    {"; \xc0\x80\n", 1, 3, 0, 0, false, "invalid UTF-8"},
    {"\"\xed\xa0\x80\"", 1, 2, 0, 0, false, "invalid UTF-8"},
};

static void test_bad(void) {
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        Reader *r = reader(bad[i].text, strlen(bad[i].text));
        ReadError e;
        while (read_datum(r, &e)) {
        }
        read_close(r);
        CHECK_HAS(e.message, bad[i].message);
        CHECK_EQ(e.incomplete, bad[i].incomplete);
        CHECK_EQ(e.pos.line, bad[i].line);
        CHECK_EQ(e.pos.column, bad[i].column);
        CHECK_EQ(e.opened.line, bad[i].opened_line);
        CHECK_EQ(e.opened.column, bad[i].opened_column);
    }
}

/* Each list's first pair stands at its parenthesis, each other pair and each atom at its datum. */
static void test_positions(void) {
    const char *text = "(define (λx y)\n  \"é\" 'z)";
    Reader *r = reader(text, strlen(text));
    ReadError e;
    Stx *s = read_datum(r, &e);
    REQUIRE(s && s->kind == STX_PAIR);
    CHECK_EQ(s->pos.column, 1);
    Stx *second = s->as.pair.cdr;
    CHECK_EQ(second->pos.column, 9);
    CHECK_EQ(second->as.pair.car->as.pair.cdr->pos.column, 13);
    Stx *third = second->as.pair.cdr;
    CHECK_EQ(third->as.pair.car->pos.line, 2);
    CHECK_EQ(third->as.pair.car->pos.column, 3);
    Stx *quote = third->as.pair.cdr->as.pair.car;
    CHECK_EQ(quote->pos.column, 7);
    CHECK_EQ(quote->as.pair.cdr->as.pair.car->pos.column, 8);
    read_close(r);
}

/* `read` from a port takes no character behind its datum. */
static void test_port_stops(void) {
    const char *text = "(a b)c d";
    Port p = {text, text + strlen(text)};
    Reader *r = read_open_port(m, &arena, "port", next_port, peek_port, &p);
    ReadError e;
    CHECK(read_datum(r, &e) != NULL);
    CHECK_EQ(p.at - text, 5);
    CHECK(read_datum(r, &e) != NULL);
    CHECK_EQ(p.at - text, 6);
    read_close(r);
}

static void test_literals(void) {
    const char *text = "(\"a\" #(1))";
    Reader *r = reader(text, strlen(text));
    ReadError e;
    Stx *s = read_datum(r, &e);
    REQUIRE(s);
    Value plain = read_to_value(m, s, false);
    CHECK(!has_flag(car(cdr(plain)), FLAG_IMMUTABLE));
    Value literal = read_to_value(m, s, true);
    CHECK(has_flag(car(literal), FLAG_IMMUTABLE));
    CHECK(has_flag(car(cdr(literal)), FLAG_IMMUTABLE));
    read_close(r);
}

/* A datum made from a value is that value again, until somebody looks inside; cycles are not
 * followed. */
static void test_values(void) {
    Value cycle = gc_cons(m, v_fixnum(1), V_NIL);
    pair_of(cycle)->cdr = cycle;
    Stx *s = read_from_value(m, &arena, cycle, (SrcPos){0});
    CHECK(read_to_value(m, s, true) == cycle);
    read_unfold(&arena, s);
    CHECK_EQ(s->kind, STX_PAIR);
    CHECK(s->as.pair.car->as.atom == v_fixnum(1));
    CHECK(read_to_value(m, s->as.pair.cdr, true) == cycle);
}

enum { DEEP = 1000000 };

/* Nesting costs heap and no C stack: this runs on a stack of 128 KiB. */
static void *deep_thread(void *context) {
    char *text = context;
    static const char *const opens[] = {"(", "'", "#(", "(a . ", "#;"};
    for (size_t k = 0; k < BASE_COUNT(opens); k++) {
        size_t n = strlen(opens[k]);
        char *p = text;
        for (int i = 0; i < DEEP; i++, p += n) memcpy(p, opens[k], n);
        *p++ = 'x';
        if (strchr(opens[k], '('))
            for (int i = 0; i < DEEP; i++) *p++ = ')';
        base_arena own = {0};
        SourceFile file = {"deep", text, (size_t)(p - text)};
        Reader *r = read_open(m, &own, &file);
        ReadError e;
        Stx *s = read_datum(r, &e);
        bool discarded = opens[k][1] == ';';
        CHECK((s != NULL) != discarded);
        if (s) CHECK(is_heap(read_to_value(m, s, true)));
        /* Without the last parenthesis it is incomplete. */
        read_close(r);
        base_arena_free(&own);
    }
    return NULL;
}

static void test_deep(void) {
    char *text = base_alloc((size_t)DEEP * 8);
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 128 * 1024);
    REQUIRE(pthread_create(&thread, &attr, deep_thread, text) == 0);
    pthread_join(thread, NULL);
    free(text);
}

int main(void) {
    GcOptions options = {0};
    if (!rt_start(&options)) return 1;
    m = &rt_thread_attach()->m;
    test_good();
    test_bad();
    test_positions();
    test_port_stops();
    test_literals();
    test_values();
    test_deep();
    base_arena_free(&arena);
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed ? 1 : 0;
}
