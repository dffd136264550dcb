/* Primitives of input and output. Each that works on a port enters it first and reads its other
 * arguments afterwards, since entering may wait and objects then move. */
#include <poll.h>
#include "rt/args.h"
#include "rt/port.h"
#include "rt/prim.h"
#include "rt/string.h"
#include "rt/write.h"

/* ---- output ---- */

/* Enters the output port in argument POS; `before` is what its buffer holds. */
#define ENTER_OUTPUT(who, pos, kind)                                                               \
    RtPort *p = rt_port_enter(m, (who), a, n, (pos), PORT_OUTPUT | (kind));                        \
    if (unlikely(!p)) return V_FAIL;                                                               \
    size_t before = p->buf.len
/* Sends what is due, leaves the port and returns. */
#define LEAVE_OUTPUT(who)                                                                          \
    do {                                                                                           \
        Value result = rt_port_settle(m, p, (who), before);                                        \
        rt_port_leave(p);                                                                          \
        return result;                                                                             \
    } while (0)

static Value write_datum(Mutator *m, const Value *a, int n, enum rt_write_mode mode,
                         const char *who) {
    ENTER_OUTPUT(who, 2, PORT_TEXTUAL);
    if (mode == RT_DISPLAY && is_string(a[0]))
        rt_string_encode(&p->buf, a[0], 0, rt_string_length(a[0]));
    else
        rt_write(m, &p->buf, a[0], mode, 0);
    LEAVE_OUTPUT(who);
}

PRIM_FN(prim_write) { return write_datum(m, a, n, RT_WRITE, "write"); }
PRIM_FN(prim_write_shared) { return write_datum(m, a, n, RT_WRITE_SHARED, "write-shared"); }
PRIM_FN(prim_write_simple) { return write_datum(m, a, n, RT_WRITE, "write-simple"); }
PRIM_FN(prim_display) { return write_datum(m, a, n, RT_DISPLAY, "display"); }

PRIM_FN(prim_newline) {
    ENTER_OUTPUT("newline", 1, PORT_TEXTUAL);
    base_buf_putc(&p->buf, '\n');
    LEAVE_OUTPUT("newline");
}

PRIM_FN(prim_write_char) {
    ARG_CHECK(is_char(a[0]), "write-char", 1);
    ENTER_OUTPUT("write-char", 2, PORT_TEXTUAL);
    base_buf_utf8(&p->buf, char_code(a[0]));
    LEAVE_OUTPUT("write-char");
}

PRIM_FN(prim_write_string) {
    int64_t start, end;
    ARG_CHECK(is_string(a[0]), "write-string", 1);
    if (!arg_range(m, "write-string", a, n, 3, rt_string_length(a[0]), &start, &end)) return V_FAIL;
    ENTER_OUTPUT("write-string", 2, PORT_TEXTUAL);
    rt_string_encode(&p->buf, a[0], start, end);
    LEAVE_OUTPUT("write-string");
}

PRIM_FN(prim_write_u8) {
    ARG_CHECK(is_fixnum(a[0]) && (uint64_t)fixnum(a[0]) < 256, "write-u8", 1);
    ENTER_OUTPUT("write-u8", 2, PORT_BINARY);
    base_buf_putc(&p->buf, (char)fixnum(a[0]));
    LEAVE_OUTPUT("write-u8");
}

PRIM_FN(prim_write_bytevector) {
    int64_t start, end;
    ARG_CHECK(is_bytevector(a[0]), "write-bytevector", 1);
    if (!arg_range(m, "write-bytevector", a, n, 3, (int64_t)object_size(a[0]), &start, &end))
        return V_FAIL;
    ENTER_OUTPUT("write-bytevector", 2, PORT_BINARY);
    base_buf_add(&p->buf, object_bytes(a[0]) + start, (size_t)(end - start));
    LEAVE_OUTPUT("write-bytevector");
}

PRIM_FN(prim_flush_output_port) {
    RtPort *p = rt_port_enter(m, "flush-output-port", a, n, 1, PORT_OUTPUT);
    if (!p) return V_FAIL;
    Value result = rt_port_flush(m, p, "flush-output-port");
    rt_port_leave(p);
    return result;
}

/* ---- textual input ---- */

static Value char_or_end(int32_t c) {
    return c >= 0 ? v_char((uint32_t)c) : c == -1 ? V_EOF : V_FAIL;
}

static Value one_char(Mutator *m, const Value *a, int n, const char *who, bool take) {
    RtPort *p = rt_port_enter(m, who, a, n, 1, PORT_INPUT | PORT_TEXTUAL);
    if (unlikely(!p)) return V_FAIL;
    Value result = char_or_end(rt_port_char(m, p, who, take));
    rt_port_leave(p);
    return result;
}

PRIM_FN(prim_read_char) { return one_char(m, a, n, "read-char", true); }
PRIM_FN(prim_peek_char) { return one_char(m, a, n, "peek-char", false); }

/* Takes BYTES bytes of text off the buffer, and SKIP more behind them. */
static Value take_text(Mutator *m, RtPort *p, size_t bytes, size_t skip, const char *who) {
    const char *text = base_buf_str(&p->buf) + p->pos;
    p->pos += bytes + skip;
    if (!base_utf8_valid(text, bytes, NULL)) return mutator_fail(m, ERR_DECODE, who, 0, p->self);
    if (!rt_room(m, who, bytes * 4)) return V_FAIL;
    return rt_string_new(m, text, bytes);
}

/* Makes at least BYTES bytes lie in the buffer, if the port has so many. False with the failure
 * noted. */
static bool want(Mutator *m, RtPort *p, size_t bytes, const char *who) {
    while (p->buf.len - p->pos < bytes) {
        int more = rt_port_fill(m, p, who);
        if (more < 0) return false;
        if (more == 0) break;
        if (p->buf.len - p->pos > (1u << 24) && !rt_room(m, who, p->buf.len)) return false;
    }
    return true;
}

/* The end was seen; a read that delivers it makes the next one ask again. */
static Value deliver_end(RtPort *p) {
    p->at_end = false;
    return V_EOF;
}

static Value read_line(Mutator *m, RtPort *p) {
    static const char who[] = "read-line";
    size_t length = 0;
    for (;;) {
        const char *text = base_buf_str(&p->buf) + p->pos;
        size_t held = p->buf.len - p->pos;
        while (length < held && text[length] != '\n' && text[length] != '\r') length++;
        if (length < held) break;
        if (!want(m, p, held + 1, who)) return V_FAIL;
        if (p->buf.len - p->pos > held) continue;
        return held ? take_text(m, p, held, 0, who) : deliver_end(p);
    }
    size_t skip = 1;
    if (p->buf.at[p->pos + length] == '\r') {
        if (!want(m, p, length + 2, who)) return V_FAIL;
        if (p->buf.len - p->pos > length + 1 && p->buf.at[p->pos + length + 1] == '\n') skip = 2;
    }
    p->line++;
    return take_text(m, p, length, skip, who);
}

PRIM_FN(prim_read_line) {
    RtPort *p = rt_port_enter(m, "read-line", a, n, 1, PORT_INPUT | PORT_TEXTUAL);
    if (!p) return V_FAIL;
    Value result = read_line(m, p);
    rt_port_leave(p);
    return result;
}

static Value read_string(Mutator *m, RtPort *p, int64_t count) {
    static const char who[] = "read-string";
    size_t bytes = 0;
    uint64_t lines = 0;
    if (count == 0) return rt_string_alloc(m, 0, false);
    for (int64_t chars = 0; chars < count; chars++) {
        if (!want(m, p, bytes + 1, who)) return V_FAIL;
        size_t held = p->buf.len - p->pos;
        if (held == bytes) break;
        unsigned char first = (unsigned char)p->buf.at[p->pos + bytes];
        size_t length = rt_utf8_length(first);
        if (length > 1 && !want(m, p, bytes + length, who)) return V_FAIL;
        bytes = BASE_MIN(bytes + length, p->buf.len - p->pos);
        lines += first == '\n';
    }
    p->line += lines;
    return bytes ? take_text(m, p, bytes, 0, who) : deliver_end(p);
}

PRIM_FN(prim_read_string) {
    ARG_CHECK(is_fixnum(a[0]), "read-string", 1);
    if (fixnum(a[0]) < 0) return mutator_fail(m, ERR_RANGE, "read-string", 1, a[0]);
    RtPort *p = rt_port_enter(m, "read-string", a, n, 2, PORT_INPUT | PORT_TEXTUAL);
    if (!p) return V_FAIL;
    Value result = read_string(m, p, fixnum(a[0]));
    rt_port_leave(p);
    return result;
}

/* Whether filling the buffer further would not wait. */
static bool more_is_ready(const RtPort *p) {
    struct pollfd wanted = {.fd = p->fd, .events = POLLIN};
    return p->fd < 0 || p->at_end || poll(&wanted, 1, 0) > 0;
}

static Value ready(Mutator *m, const Value *a, int n, const char *who, unsigned kind) {
    RtPort *p = rt_port_enter(m, who, a, n, 1, PORT_INPUT | kind);
    if (!p) return V_FAIL;
    bool result = p->pos < p->buf.len || more_is_ready(p);
    rt_port_leave(p);
    return v_bool(result);
}

PRIM_FN(prim_char_ready_p) { return ready(m, a, n, "char-ready?", PORT_TEXTUAL); }
PRIM_FN(prim_u8_ready_p) { return ready(m, a, n, "u8-ready?", PORT_BINARY); }

/* ---- data ---- */

/* Reads a datum from what is buffered; while the reader runs out of text, gets more and begins
 * anew. Each time at least as much more as there was, where the port has it at once, so that a long
 * datum is not read too often. */
static Value read_datum(Mutator *m, RtPort *p) {
    for (;;) {
        size_t start = p->pos, held = p->buf.len - p->pos;
        uint64_t line = p->line;
        p->starved = p->malformed = false;
        Value result = rt_reader_hook(m, p);
        if (p->malformed) {
            p->pos += p->pos < p->buf.len;
            return mutator_fail(m, ERR_DECODE, "read", 0, p->self);
        }
        if (!p->starved) return result == V_EOF ? deliver_end(p) : result;
        m->fail.code = ERR_NONE; /* what the reader made of the cut-off text */
        p->pos = start;
        p->line = line;
        do {
            if (rt_port_fill(m, p, "read") < 0) return V_FAIL;
        } while (!p->at_end && p->buf.len - p->pos < 2 * held && more_is_ready(p));
    }
}

PRIM_FN(prim_read) {
    RtPort *p = rt_port_enter(m, "read", a, n, 1, PORT_INPUT | PORT_TEXTUAL);
    if (!p) return V_FAIL;
    Value result = read_datum(m, p);
    rt_port_leave(p);
    return result;
}

/* ---- binary input ---- */

static Value one_byte(Mutator *m, const Value *a, int n, const char *who, bool take) {
    RtPort *p = rt_port_enter(m, who, a, n, 1, PORT_INPUT | PORT_BINARY);
    if (unlikely(!p)) return V_FAIL;
    Value result = V_FAIL;
    if (want(m, p, 1, who)) {
        if (p->pos < p->buf.len) {
            result = v_fixnum((unsigned char)p->buf.at[p->pos]);
            p->pos += take;
        } else
            result = take ? deliver_end(p) : V_EOF;
    }
    rt_port_leave(p);
    return result;
}

PRIM_FN(prim_read_u8) { return one_byte(m, a, n, "read-u8", true); }
PRIM_FN(prim_peek_u8) { return one_byte(m, a, n, "peek-u8", false); }

static Value read_bytevector(Mutator *m, RtPort *p, uint64_t count) {
    if (!want(m, p, count, "read-bytevector")) return V_FAIL;
    uint64_t held = p->buf.len - p->pos;
    if (held < count) count = held;
    if (count == 0) return deliver_end(p);
    if (!rt_room(m, "read-bytevector", count)) return V_FAIL;
    Value v = v_object(gc_bytes(m, T_BYTEVECTOR, count, 0));
    memcpy(object_bytes(v), p->buf.at + p->pos, count);
    p->pos += count;
    return v;
}

PRIM_FN(prim_read_bytevector) {
    ARG_CHECK(is_fixnum(a[0]), "read-bytevector", 1);
    if (fixnum(a[0]) < 0) return mutator_fail(m, ERR_RANGE, "read-bytevector", 1, a[0]);
    RtPort *p = rt_port_enter(m, "read-bytevector", a, n, 2, PORT_INPUT | PORT_BINARY);
    if (!p) return V_FAIL;
    Value result = fixnum(a[0]) == 0 ? v_object(gc_bytes(m, T_BYTEVECTOR, 0, 0))
                                     : read_bytevector(m, p, (uint64_t)fixnum(a[0]));
    rt_port_leave(p);
    return result;
}

/* (read-bytevector! bytevector [port [start [end]]]) */
PRIM_FN(prim_read_bytevector_to) {
    static const char who[] = "read-bytevector!";
    int64_t start, end;
    ARG_CHECK(is_bytevector(a[0]), who, 1);
    if (has_flag(a[0], FLAG_IMMUTABLE)) return mutator_fail(m, ERR_IMMUTABLE, who, 1, a[0]);
    if (!arg_range(m, who, a, n, 3, (int64_t)object_size(a[0]), &start, &end)) return V_FAIL;
    RtPort *p = rt_port_enter(m, who, a, n, 2, PORT_INPUT | PORT_BINARY);
    if (!p) return V_FAIL;
    Value result = V_FAIL;
    if (want(m, p, (size_t)(end - start), who)) {
        size_t count = BASE_MIN(p->buf.len - p->pos, (size_t)(end - start));
        if (count) memcpy(object_bytes(a[0]) + start, p->buf.at + p->pos, count);
        p->pos += count;
        result = count || start == end ? v_fixnum((int64_t)count) : deliver_end(p);
    }
    rt_port_leave(p);
    return result;
}

/* ---- ports in memory ---- */

PRIM_FN(prim_open_input_string) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "open-input-string", 1);
    base_buf text = {0};
    rt_string_encode(&text, a[0], 0, rt_string_length(a[0]));
    Value port =
        rt_memory_port(m, base_buf_str(&text), text.len, PORT_INPUT | PORT_TEXTUAL, "string");
    base_buf_free(&text);
    return port;
}

PRIM_FN(prim_open_output_string) {
    PRIM_UNUSED;
    return rt_memory_port(m, "", 0, PORT_OUTPUT | PORT_TEXTUAL, "string");
}

PRIM_FN(prim_open_input_bytevector) {
    PRIM_UNUSED;
    ARG_CHECK(is_bytevector(a[0]), "open-input-bytevector", 1);
    return rt_memory_port(m, (const char *)object_bytes(a[0]), object_size(a[0]),
                          PORT_INPUT | PORT_BINARY, "bytevector");
}

PRIM_FN(prim_open_output_bytevector) {
    PRIM_UNUSED;
    return rt_memory_port(m, "", 0, PORT_OUTPUT | PORT_BINARY, "bytevector");
}

static bool is_memory_output(Value v, unsigned kind) {
    if (!rt_is_port(v)) return false;
    const RtPort *p = rt_port_of(v);
    return p->fd < 0 && (p->flags & PORT_OUTPUT) && (p->flags & kind);
}

/* What the port in A[0] collected, as a string or a bytevector. */
static Value collected(Mutator *m, const Value *a, unsigned kind, const char *who) {
    ARG_CHECK(is_memory_output(a[0], kind), who, 1);
    RtPort *p = rt_port_of(a[0]);
    rt_port_lock(m, p);
    Value v = V_FAIL;
    if (!rt_room(m, who, p->buf.len * (kind == PORT_TEXTUAL ? 4 : 1))) {
        rt_port_leave(p);
        return V_FAIL;
    }
    if (kind == PORT_TEXTUAL)
        v = rt_string_new(m, base_buf_str(&p->buf), p->buf.len);
    else {
        v = v_object(gc_bytes(m, T_BYTEVECTOR, p->buf.len, 0));
        if (p->buf.len) memcpy(object_bytes(v), p->buf.at, p->buf.len);
    }
    rt_port_leave(p);
    return v;
}

PRIM_FN(prim_get_output_string) {
    PRIM_UNUSED;
    return collected(m, a, PORT_TEXTUAL, "get-output-string");
}

PRIM_FN(prim_get_output_bytevector) {
    PRIM_UNUSED;
    return collected(m, a, PORT_BINARY, "get-output-bytevector");
}

/* ---- ports as objects ---- */

static bool has_flags(Value v, unsigned flags) {
    return rt_is_port(v) && (rt_port_of(v)->flags & flags) == flags;
}

#define PORT_PREDICATE(cname, wanted)                                                              \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return v_bool(has_flags(a[0], wanted));                                                    \
    }
PORT_PREDICATE(prim_port_p, 0)
PORT_PREDICATE(prim_input_port_p, PORT_INPUT)
PORT_PREDICATE(prim_output_port_p, PORT_OUTPUT)
PORT_PREDICATE(prim_textual_port_p, PORT_TEXTUAL)
PORT_PREDICATE(prim_binary_port_p, PORT_BINARY)

PRIM_FN(prim_input_port_open_p) {
    PRIM_UNUSED;
    ARG_CHECK(has_flags(a[0], PORT_INPUT), "input-port-open?", 1);
    return v_bool(rt_port_of(a[0])->open);
}

PRIM_FN(prim_output_port_open_p) {
    PRIM_UNUSED;
    ARG_CHECK(has_flags(a[0], PORT_OUTPUT), "output-port-open?", 1);
    return v_bool(rt_port_of(a[0])->open);
}

/* Closing twice is no error. */
static Value close_port(Mutator *m, const Value *a, int n, unsigned flags, const char *who) {
    ARG_CHECK(has_flags(a[0], flags), who, 1);
    if (!rt_port_of(a[0])->open) return V_UNSPEC;
    RtPort *p = rt_port_enter(m, who, a, n, 1, flags);
    if (!p) return V_FAIL;
    Value result = rt_port_close(m, p, who);
    rt_port_leave(p);
    return result;
}

PRIM_FN(prim_close_port) { return close_port(m, a, n, 0, "close-port"); }
PRIM_FN(prim_close_input_port) { return close_port(m, a, n, PORT_INPUT, "close-input-port"); }
PRIM_FN(prim_close_output_port) { return close_port(m, a, n, PORT_OUTPUT, "close-output-port"); }

PRIM_FN(prim_port_line) {
    PRIM_UNUSED;
    ARG_CHECK(has_flags(a[0], PORT_INPUT), "%port-line", 1);
    return v_fixnum((int64_t)rt_port_of(a[0])->line);
}

PRIM_FN(prim_flush_ports) {
    PRIM_UNUSED;
    rt_ports_flush_all();
    return V_UNSPEC;
}

#define STANDARD_PORT(cname, which)                                                                \
    PRIM_FN(cname) {                                                                               \
        PRIM_UNUSED;                                                                               \
        return rt_std_port(which);                                                                 \
    }
STANDARD_PORT(prim_stdin, RT_STDIN)
STANDARD_PORT(prim_stdout, RT_STDOUT)
STANDARD_PORT(prim_stderr, RT_STDERR)
