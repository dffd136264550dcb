/* Ports: text and bytes, in memory and on descriptors; every kind of end of input; threads that
 * share a port. */
#include "rt_rig.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static Value in(const char *text) { return CALL("open-input-string", S(text)); }

/* The text that READ-NAME, called until the end, gives of PORT, each piece as `write` has it,
 * behind a space. */
static const char *all(const char *read_name, Value port) {
    static base_buf out;
    base_buf_clear(&out);
    for (;;) {
        Value v = call(read_name, 1, &port);
        if (v == V_FAIL) {
            base_buf_puts(&out, " !");
            continue;
        }
        if (v == V_EOF) return base_buf_str(&out);
        base_buf_putc(&out, ' ');
        rt_write(rig, &out, v, RT_WRITE, 0);
    }
}

static void test_text(void) {
    CHECK_STR(all("read-char", in("aλ\U0001F600")), " #\\a #\\λ #\\\U0001F600");
    CHECK_STR(all("read-line", in("one\ntwo\r\nthree\rfour")),
              " \"one\" \"two\" \"three\" \"four\"");
    CHECK_STR(all("read-line", in("\n\nx\n")), " \"\" \"\" \"x\"");
    CHECK_STR(all("read-line", in("")), "");
    CHECK_STR(all("read-line", in("x\r")), " \"x\"");
    Value p = in("ab");
    CHECK(CALL("peek-char", p) == C('a'));
    CHECK(CALL("peek-char", p) == C('a'));
    CHECK(CALL("read-char", p) == C('a'));
    CHECK(CALL("char-ready?", p) == V_TRUE);
    CHECK_STR(W(CALL("read-string", N(5), p)), "\"b\"");
    CHECK(CALL("read-string", N(5), p) == V_EOF);
    CHECK(CALL("peek-char", p) == V_EOF);
    CHECK(CALL("char-ready?", p) == V_TRUE);
    p = in("日本語x");
    CHECK_STR(W(CALL("read-string", N(2), p)), "\"日本\"");
    CHECK_STR(W(CALL("read-string", N(0), p)), "\"\"");
    CHECK_STR(W(CALL("read-string", N(2), p)), "\"語x\"");
    p = in("a\nb\nc");
    CALL("read-line", p);
    CALL("read-char", p);
    CHECK(CALL("%port-line", p) == N(2));
    CALL("read-char", p);
    CHECK(CALL("%port-line", p) == N(3));
}

static void test_bytes(void) {
    Value p = CALL("open-input-bytevector", CALL("bytevector", N(1), N(2), N(3), N(4), N(5)));
    CHECK(CALL("peek-u8", p) == N(1));
    CHECK(CALL("read-u8", p) == N(1));
    CHECK_STR(W(CALL("read-bytevector", N(2), p)), "#u8(2 3)");
    Value b = CALL("make-bytevector", N(4), N(9));
    CHECK(CALL("read-bytevector!", b, p, N(1)) == N(2));
    CHECK_STR(W(b), "#u8(9 4 5 9)");
    CHECK(CALL("read-bytevector!", b, p) == V_EOF);
    CHECK(CALL("read-bytevector", N(1), p) == V_EOF);
    CHECK_STR(W(CALL("read-bytevector", N(0), p)), "#u8()");
    CHECK(CALL("u8-ready?", p) == V_TRUE);
    Value o = CALL0("open-output-bytevector");
    CALL("write-u8", N(7), o);
    CALL("write-bytevector", b, o, N(1), N(3));
    CHECK_STR(W(CALL("get-output-bytevector", o)), "#u8(7 4 5)");
    FAILS(ERR_PORT_DIRECTION, 2, CALL("write-char", C('a'), o));
    FAILS(ERR_WRONG_TYPE, 1, CALL("write-u8", N(256), o));
}

static void test_output(void) {
    Value o = CALL0("open-output-string");
    CALL("write", S("a\"b"), o);
    CALL("display", S("a\"b"), o);
    CALL("write-char", C(0x3bb), o);
    CALL("write-string", S("日本語"), o, N(1), N(2));
    CALL("newline", o);
    CHECK_STR(D(CALL("get-output-string", o)), "\"a\\\"b\"a\"bλ本\n");
    CALL("close-port", o);
    CALL("close-port", o);
    CHECK(CALL("output-port-open?", o) == V_FALSE);
    FAILS(ERR_PORT_CLOSED, 2, CALL("write-char", C('a'), o));
    CHECK_STR(D(CALL("get-output-string", o)), "\"a\\\"b\"a\"bλ本\n");
    FAILS(ERR_RANGE, 4, CALL("write-string", S("abc"), CALL0("open-output-string"), N(0), N(4)));
}

static void test_kinds(void) {
    Value p = in("x");
    CHECK(CALL("input-port?", p) == V_TRUE);
    CHECK(CALL("output-port?", p) == V_FALSE);
    CHECK(CALL("textual-port?", p) == V_TRUE);
    CHECK(CALL("binary-port?", p) == V_FALSE);
    CHECK(CALL("port?", N(1)) == V_FALSE);
    FAILS(ERR_WRONG_TYPE, 1, CALL("read-char", N(1)));
    FAILS(ERR_PORT_DIRECTION, 1, CALL("read-u8", p));
    FAILS(ERR_PORT_DIRECTION, 1, CALL("newline", p));
    CALL("close-input-port", p);
    FAILS(ERR_PORT_CLOSED, 1, CALL("read-char", p));
    FAILS(ERR_WRONG_TYPE, 1, CALL("get-output-string", p));
    CHECK_STR(W(p), "#<input-port string>");
}

/* A descriptor from which BYTES can be read once. */
static Value pipe_port(const char *bytes, size_t length, unsigned flags) {
    int ends[2];
    if (pipe(ends) != 0) return V_FAIL;
    if (write(ends[1], bytes, length) != (ssize_t)length) return V_FAIL;
    close(ends[1]);
    return rt_fd_port(rig, ends[0], PORT_INPUT | flags, "pipe");
}

static void test_bad_utf8(void) {
    CHECK_STR(all("read-char", pipe_port("a\xff"
                                         "b\xce",
                                         4, PORT_TEXTUAL)),
              " #\\a ! #\\b !");
    Value p = pipe_port("a\xc0\x80", 3, PORT_TEXTUAL);
    CALL("read-char", p);
    FAILS(ERR_DECODE, 0, CALL("read-char", p));
    CHECK_STR(all("read-line", pipe_port("ok\n\xff\nok\n", 8, PORT_TEXTUAL)), " \"ok\" ! \"ok\"");
    p = pipe_port("ab\xe6\x97", 4, PORT_TEXTUAL);
    FAILS(ERR_DECODE, 0, CALL("read-string", N(9), p));
    CHECK(CALL("read-string", N(9), p) == V_EOF);
}

/* A writer that sends BYTES one at a time: characters arrive in pieces. */
static void *send_slowly(void *fd) {
    static const char text[] = "λ日\nzwei\r\n";
    for (const char *s = text; *s; s++) {
        if (write((int)(intptr_t)fd, s, 1) != 1) break;
        os_sleep_ns(3000000);
    }
    close((int)(intptr_t)fd);
    return NULL;
}

static void test_slow_input(void) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pthread_t writer;
    pthread_create(&writer, NULL, send_slowly, (void *)(intptr_t)ends[1]);
    Value p = rt_fd_port(rig, ends[0], PORT_INPUT | PORT_TEXTUAL, "pipe");
    CHECK(CALL("read-char", p) == C(0x3bb));
    CHECK_STR(W(CALL("read-string", N(1), p)), "\"日\"");
    CHECK_STR(all("read-line", p), " \"\" \"zwei\"");
    pthread_join(writer, NULL);
    CALL("close-port", p);
}

static void test_files(void) {
    char name[] = "/tmp/hone-port-XXXXXX";
    int fd = mkstemp(name);
    REQUIRE(fd >= 0);
    close(fd);
    Value path = S(name), o = CALL("open-output-file", path);
    for (int i = 0; i < 20000; i++) CALL("write-string", S("0123456789\n"), o);
    CALL("close-port", o);
    o = CALL("%open-append-file", path);
    CALL("display", S("end"), o);
    CALL("flush-output-port", o);
    Value p = CALL("open-input-file", path);
    int lines = 0;
    Value line, last = V_FALSE;
    for (; (line = CALL("read-line", p)) != V_EOF; lines++) last = line;
    CHECK_EQ(lines, 20001);
    CHECK_STR(D(last), "end");
    CALL("close-port", p);
    CALL("close-port", o);
    p = CALL("open-binary-input-file", path);
    CHECK(CALL("bytevector-length", CALL("read-bytevector", N(1000000), p)) == N(220003));
    CALL("close-port", p);
    CHECK(CALL("file-exists?", path) == V_TRUE);
    CALL("delete-file", path);
    CHECK(CALL("file-exists?", path) == V_FALSE);
    FAILS(ERR_FILE, 0, CALL("delete-file", path));
    FAILS(ERR_FILE, 0, CALL("open-input-file", path));
    CHECK_HAS(D(rig->fail.message), "No such file or directory");
    FAILS(ERR_FILE, 0, CALL("open-input-file", S("/tmp")));
    CHECK_HAS(D(rig->fail.message), "directory");
    FAILS(ERR_FILE, 0, CALL("open-input-file", rt_string_new(rig, "a\0b", 3)));
    Value full = CALL("open-output-file", S("/dev/full"));
    CALL("display", S("x"), full);
    FAILS(ERR_FILE, 0, CALL("flush-output-port", full));
    CHECK_HAS(D(rig->fail.message), "/dev/full: No space left on device");
}

static void test_broken_pipe(void) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    Value o = rt_fd_port(rig, ends[1], PORT_OUTPUT | PORT_TEXTUAL | PORT_UNBUFFERED, "pipe");
    FAILS(ERR_FILE, 0, CALL("write-char", C('x'), o));
    CALL("close-port", o);
}

/* Ports that died are closed: their descriptors can be had again. */
static void test_dead_ports(void) {
    Value none = V_NIL;
    rig_collect(&none);
    rt_ports_reap();
    int first = open("/dev/null", O_RDONLY);
    close(first);
    for (int i = 0; i < 50; i++) CALL("open-input-file", S("/dev/null"));
    rig_collect(&none);
    rt_ports_reap();
    int after = open("/dev/null", O_RDONLY);
    CHECK_EQ(after, first);
    close(after);
    Value kept = in("kept");
    CALL("read-char", kept);
    rig_collect(&kept);
    CHECK(CALL("read-char", kept) == C('e'));
}

/* The reader is asked again with more text until it has enough. */
static int reads;
static Value read_word(Mutator *m, RtPort *p) {
    base_buf word = {0};
    int32_t c;
    reads++;
    while ((c = rt_port_peek(p)) > ' ') base_buf_utf8(&word, (uint32_t)rt_port_next(p));
    if (c > 0) rt_port_next(p);
    Value v = c == -2    ? mutator_fail(m, ERR_READ, "read", 0, V_DEFAULT)
              : word.len ? rt_intern(m, base_buf_str(&word), word.len)
                         : V_EOF;
    base_buf_free(&word);
    return v;
}

static void test_reader(void) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pthread_t writer;
    rt_reader_hook = read_word;
    pthread_create(&writer, NULL, send_slowly, (void *)(intptr_t)ends[1]);
    Value p = rt_fd_port(rig, ends[0], PORT_INPUT | PORT_TEXTUAL, "pipe");
    CHECK(CALL("read", p) == Y("λ日"));
    CHECK(reads > 1);
    CHECK(CALL("%port-line", p) == N(2));
    CHECK(CALL("read", p) == Y("zwei"));
    CHECK(CALL("read-char", p) == C('\n'));
    CHECK(CALL("read", p) == V_EOF);
    pthread_join(writer, NULL);
    p = pipe_port("a \xff b", 5, PORT_TEXTUAL);
    CHECK(CALL("read", p) == Y("a"));
    FAILS(ERR_DECODE, 0, CALL("read", p));
}

enum { THREADS = 4, LINES = 2000 };
static Value shared_port;

static void *write_lines(void *number) {
    Thread *t = rt_thread_attach();
    Value args[2] = {v_fixnum((intptr_t)number), V_DEFAULT};
    for (int i = 0; i < LINES; i++) {
        args[0] = rt_string_from_c(&t->m, "abcdefghij\n");
        args[1] = shared_port;
        rt_prim_find("display")->fn(&t->m, args, 2);
    }
    rt_thread_detach(t);
    return NULL;
}

/* Each write is whole, and none is lost. */
static void test_threads(void) {
    pthread_t threads[THREADS];
    shared_port = CALL0("open-output-string");
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, write_lines, (void *)(intptr_t)i);
    rt_block_begin(rig, RT_WAIT_PORT);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    rt_block_end(rig);
    size_t length;
    char *text = rt_string_utf8(CALL("get-output-string", shared_port), &length);
    CHECK_EQ((int64_t)length, THREADS * LINES * 11);
    bool whole = true;
    for (size_t i = 0; i < length; i += 11) whole = whole && !memcmp(text + i, "abcdefghij\n", 11);
    CHECK(whole);
    free(text);
}

CHECK_MAIN(rig_start, test_text, test_bytes, test_output, test_kinds, test_bad_utf8,
           test_slow_input, test_files, test_broken_pipe, test_dead_ports, test_reader,
           test_threads)
