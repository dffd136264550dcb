/* Ports: their life, their locks and their buffers. The contract is in port.h. */
#include "rt/port.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "os/os.h"
#include "rt/args.h"
#include "rt/rt.h"

enum {
    READ_BYTES = 32 * 1024,   /* asked of the system at once */
    SEND_BYTES = 32 * 1024,   /* output is sent from this size on */
    KEEP_BYTES = 1024 * 1024, /* a buffer that grew beyond this is given back when empty */
    PORT_WEIGHT = 384,        /* bytes of a small port outside the heap, see port_new */
};

Value (*rt_reader_hook)(Mutator *m, RtPort *p);
void (*rt_on_fd_close)(Mutator *m, int fd);

static struct {
    os_mutex lock;
    RtPort *live; /* all that have a PORT */
    RtPort *dead; /* with a descriptor still to be closed */
    Value standard[3];
} ports = {.lock = OS_MUTEX_INIT};

/* ---- the lock: three states, as a futex's; the few that wait share one condition ---- */

static os_mutex gate = OS_MUTEX_INIT;
static os_cond gate_opened;

static bool try_lock(RtPort *p) {
    uint32_t free_state = 0;
    return __atomic_compare_exchange_n(&p->lock, &free_state, 1, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

void rt_port_lock(Mutator *m, RtPort *p) {
    if (likely(try_lock(p))) return;
    rt_block_begin(m, RT_WAIT_LOCK);
    os_mutex_lock(&gate);
    while (__atomic_exchange_n(&p->lock, 2, __ATOMIC_ACQUIRE) != 0)
        os_cond_wait(&gate_opened, &gate);
    os_mutex_unlock(&gate);
    rt_block_end(m);
}

void rt_port_leave(RtPort *p) {
    if (likely(__atomic_exchange_n(&p->lock, 0, __ATOMIC_RELEASE) != 2)) return;
    os_mutex_lock(&gate);
    os_cond_broadcast(&gate_opened);
    os_mutex_unlock(&gate);
}

/* ---- life ---- */

static void link_port(RtPort **list, RtPort *p) {
    p->previous = NULL;
    p->next = *list;
    if (p->next) p->next->previous = p;
    *list = p;
}

static void unlink_port(RtPort **list, RtPort *p) {
    if (p->previous)
        p->previous->next = p->next;
    else
        *list = p->next;
    if (p->next) p->next->previous = p->previous;
}

static RtPort *port_new(Object *o, int fd, unsigned flags, const char *name) {
    RtPort *p = base_calloc(1, sizeof *p);
    p->fd = fd;
    p->flags = flags;
    p->open = true;
    p->name = base_strdup(name);
    p->line = 1;
    p->self = v_object(o);
    o->slot[0] = (Word)p;
    os_mutex_lock(&ports.lock);
    link_port(&ports.live, p);
    os_mutex_unlock(&ports.lock);
    return p;
}

/* A port's memory outside the heap is unknown to the collector; a filler of its size lets small
 * ports bring on a collection as soon as they should. */
static Object *port_object(Mutator *m) {
    gc_bytes(m, T_FILLER, PORT_WEIGHT, 0);
    return gc_object(m, T_PORT, 1);
}

Value rt_memory_port(Mutator *m, const char *bytes, size_t length, unsigned flags,
                     const char *name) {
    Object *o = port_object(m);
    RtPort *p = port_new(o, -1, flags, name);
    base_buf_add(&p->buf, bytes, length);
    return v_object(o);
}

Value rt_fd_port(Mutator *m, int fd, unsigned flags, const char *name) {
    Object *o = port_object(m);
    port_new(o, fd, flags, name);
    return v_object(o);
}

static void port_free(RtPort *p) {
    base_buf_free(&p->buf);
    free(p->name);
    free(p);
}

/* Waits until the descriptor may be read or written. */
static void wait_for(int fd, short events) {
    struct pollfd wanted = {.fd = fd, .events = events};
    poll(&wanted, 1, -1);
}

/* Sends what is buffered without leaving the world; for ports that nobody else can use. */
static bool send_now(RtPort *p) {
    while (p->pos < p->buf.len) {
        ssize_t sent = write(p->fd, p->buf.at + p->pos, p->buf.len - p->pos);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) {
            wait_for(p->fd, POLLOUT);
            continue;
        }
        if (sent < 0) return false;
        p->pos += (size_t)sent;
    }
    base_buf_clear(&p->buf);
    p->pos = 0;
    return true;
}

void rt_ports_reap(void) {
    for (;;) {
        os_mutex_lock(&ports.lock);
        RtPort *p = ports.dead;
        if (p) unlink_port(&ports.dead, p);
        os_mutex_unlock(&ports.lock);
        if (!p) return;
        if (p->flags & PORT_OUTPUT) send_now(p);
        close(p->fd);
        port_free(p);
    }
}

/* After a collection's marking: ports whose PORT died. One that a thread is working in (it is away)
 * is left for the next time. */
static void after_mark(void *context, Collector *c) {
    (void)context;
    os_mutex_lock(&ports.lock);
    for (RtPort *p = ports.live, *next; p; p = next) {
        next = p->next;
        if (p->self != V_FALSE && gc_forwarded(c, &p->self)) continue;
        p->self = V_FALSE;
        if (!try_lock(p)) continue;
        unlink_port(&ports.live, p);
        if (p->open && p->fd >= 0)
            link_port(&ports.dead, p);
        else
            port_free(p);
    }
    os_mutex_unlock(&ports.lock);
}

/* Takes the lock of a port in use if its holder gives it up soon. */
static bool lock_soon(RtPort *p) {
    for (int i = 0; i < 100; i++) {
        if (try_lock(p)) return true;
        os_sleep_ns(1000000);
    }
    return false;
}

bool rt_ports_flush_all(void) {
    bool all = true;
    int why = 0;
    rt_ports_reap();
    os_mutex_lock(&ports.lock);
    for (RtPort *p = ports.live; p; p = p->next) {
        if (!(p->flags & PORT_OUTPUT) || p->fd < 0 || !p->open || p->buf.len == 0) continue;
        if (!lock_soon(p)) continue;
        if (!send_now(p)) {
            all = false;
            why = errno;
        }
        rt_port_leave(p);
    }
    os_mutex_unlock(&ports.lock);
    errno = why;
    return all;
}

void rt_ports_start(Mutator *m) {
    static const struct {
        unsigned flags;
        const char *name;
    } rows[3] = {
        {PORT_INPUT, "stdin"}, {PORT_OUTPUT, "stdout"}, {PORT_OUTPUT | PORT_UNBUFFERED, "stderr"}};
    signal(SIGPIPE, SIG_IGN);
    os_cond_init(&gate_opened);
    for (int fd = 0; fd < 3; fd++) {
        unsigned flags = rows[fd].flags | PORT_TEXTUAL | PORT_STANDARD;
        if (isatty(fd)) flags |= flags & PORT_INPUT ? PORT_TERMINAL : PORT_LINES;
        Object *o = gc_immobile(m, T_PORT, 1);
        port_new(o, fd, flags, rows[fd].name);
        ports.standard[fd] = v_object(o);
    }
    rt_add_after_mark(after_mark, NULL);
}

Value rt_std_port(enum rt_std_port which) { return ports.standard[which]; }

void rt_port_describe(base_buf *out, Value port) {
    RtPort *p = rt_port_of(port);
    base_buf_printf(out, "#<%s%s-port %s>", p->flags & PORT_BINARY ? "binary-" : "",
                    p->flags & PORT_INPUT ? "input" : "output", p->name);
}

/* ---- entering ---- */

RtPort *rt_port_enter(Mutator *m, const char *who, const Value *a, int n, int pos, unsigned flags) {
    bool given = arg_given(a, n, pos);
    Value port = given ? a[pos - 1] : rt_current_port(m, flags & PORT_INPUT ? RT_STDIN : RT_STDOUT);
    if (unlikely(!rt_is_port(port))) {
        mutator_fail(m, ERR_WRONG_TYPE, who, pos, port);
        return NULL;
    }
    RtPort *p = rt_port_of(port);
    if (unlikely((p->flags & flags) != flags)) {
        mutator_fail(m, ERR_PORT_DIRECTION, who, pos, port);
        return NULL;
    }
    rt_port_lock(m, p);
    if (likely(p->open)) return p;
    rt_port_leave(p);
    mutator_fail(m, ERR_PORT_CLOSED, who, pos, given ? a[pos - 1] : p->self);
    return NULL;
}

/* ---- input ---- */

static Value system_failure(Mutator *m, const RtPort *p, const char *who, int error) {
    return mutator_fail_text(m, ERR_FILE, who, V_DEFAULT, "%s: %s", p->name, strerror(error));
}

/* One read(2) of up to BYTES into INTO, away. As read, with errno in *ERROR. */
static ssize_t read_away(Mutator *m, RtPort *p, char *into, size_t bytes, int *error) {
    rt_block_begin(m, RT_WAIT_PORT);
    ssize_t got = read(p->fd, into, bytes);
    *error = errno;
    if (got < 0 && (*error == EAGAIN || *error == EWOULDBLOCK)) {
        wait_for(p->fd, POLLIN);
        *error = EINTR;
    }
    rt_block_end(m);
    return got;
}

int rt_port_fill(Mutator *m, RtPort *p, const char *who) {
    if (p->fd < 0 || p->at_end) {
        p->at_end = true;
        return 0;
    }
    if (p->pos == p->buf.len) {
        base_buf_clear(&p->buf);
        p->pos = 0;
    } else if (p->pos > READ_BYTES) {
        memmove(p->buf.at, p->buf.at + p->pos, p->buf.len - p->pos);
        p->buf.len -= p->pos;
        p->pos = 0;
    }
    RtPort *out = rt_port_of(ports.standard[RT_STDOUT]);
    if ((p->flags & PORT_TERMINAL) && p != out && out->buf.len && try_lock(out)) {
        send_now(out);
        rt_port_leave(out);
    }
    size_t held = p->buf.len;
    base_buf_fill(&p->buf, 0, READ_BYTES);
    p->buf.len = held;
    for (;;) {
        int error;
        if (rt_would_block(m, p->fd, false, who)) return -1;
        ssize_t got = read_away(m, p, p->buf.at + held, READ_BYTES, &error);
        if (got > 0) {
            p->buf.len = held + (size_t)got;
            return 1;
        }
        p->at_end = got == 0;
        if (got == 0) return 0;
        if (error != EINTR) {
            system_failure(m, p, who, error);
            return -1;
        }
        if (rt_interrupt_pending(m)) {
            mutator_fail(m, ERR_INTERRUPT, who, 0, V_DEFAULT);
            return -1;
        }
    }
}

int32_t rt_port_char(Mutator *m, RtPort *p, const char *who, bool take) {
    while (p->pos == p->buf.len) {
        int more = rt_port_fill(m, p, who);
        if (more < 0) return -2;
        if (more > 0) continue;
        if (take) p->at_end = false;
        return -1;
    }
    unsigned char first = (unsigned char)p->buf.at[p->pos];
    if (likely(first < 0x80)) {
        p->pos += take;
        p->line += take && first == '\n';
        return first;
    }
    while (p->buf.len - p->pos < rt_utf8_length(first)) {
        int more = rt_port_fill(m, p, who);
        if (more < 0) return -2;
        if (more == 0) break;
    }
    uint32_t c;
    size_t used = base_utf8_get(p->buf.at + p->pos, p->buf.len - p->pos, &c);
    bool bad = c == BASE_UTF8_BAD;
    if (take || bad) p->pos += used;
    if (!bad) return (int32_t)c;
    mutator_fail(m, ERR_DECODE, who, 0, p->self);
    return -2;
}

/* ---- input for the reader ---- */

static int32_t buffered_char(RtPort *p, bool take) {
    size_t held = p->buf.len - p->pos;
    bool last = p->fd < 0 || p->at_end;
    unsigned char first = held ? (unsigned char)p->buf.at[p->pos] : 0;
    if (held < (held ? rt_utf8_length(first) : 1) && !last) {
        p->starved = true;
        return -2;
    }
    if (!held) return -1;
    uint32_t c = first;
    size_t used = 1;
    if (first >= 0x80) used = base_utf8_get(p->buf.at + p->pos, held, &c);
    if (c == BASE_UTF8_BAD) {
        p->malformed = true;
        return -2;
    }
    if (take) {
        p->pos += used;
        p->line += c == '\n';
    }
    return (int32_t)c;
}

int32_t rt_port_next(void *p) { return buffered_char(p, true); }
int32_t rt_port_peek(void *p) { return buffered_char(p, false); }

/* ---- output ---- */

/* How much to send at once. A descriptor that can be written takes so much without blocking. */
static size_t sendable(Mutator *m, const RtPort *p) {
    size_t held = p->buf.len - p->pos;
    return is_true(rt_thread(m)->fiber) ? BASE_MIN(held, (size_t)PIPE_BUF) : held;
}

Value rt_port_flush(Mutator *m, RtPort *p, const char *who) {
    while (p->fd >= 0 && p->pos < p->buf.len) {
        if (rt_would_block(m, p->fd, true, who)) return V_FAIL;
        rt_block_begin(m, RT_WAIT_PORT);
        ssize_t sent = write(p->fd, p->buf.at + p->pos, sendable(m, p));
        int error = errno;
        if (sent < 0 && (error == EAGAIN || error == EWOULDBLOCK)) {
            wait_for(p->fd, POLLOUT);
            error = EINTR;
        }
        rt_block_end(m);
        if (sent >= 0)
            p->pos += (size_t)sent;
        else if (error != EINTR) {
            base_buf_clear(&p->buf); /* what cannot be sent now never will be */
            p->pos = 0;
            return system_failure(m, p, who, error);
        } else if (rt_interrupt_pending(m))
            return mutator_fail(m, ERR_INTERRUPT, who, 0, V_DEFAULT);
    }
    if (p->fd < 0) return V_UNSPEC;
    p->pos = 0;
    if (p->buf.cap > KEEP_BYTES)
        base_buf_free(&p->buf);
    else
        base_buf_clear(&p->buf);
    return V_UNSPEC;
}

Value rt_port_settle(Mutator *m, RtPort *p, const char *who, size_t before) {
    if (p->fd < 0) {
        if (likely(p->buf.len < KEEP_BYTES) || gc_can_allocate(m, p->buf.len)) return V_UNSPEC;
        return mutator_fail(m, ERR_HEAP_LIMIT, who, 0, V_DEFAULT);
    }
    bool now = p->buf.len >= SEND_BYTES || (p->flags & PORT_UNBUFFERED) ||
               ((p->flags & PORT_LINES) && p->buf.len > before &&
                memchr(p->buf.at + before, '\n', p->buf.len - before));
    if (!now || rt_port_flush(m, p, who) != V_FAIL) return V_UNSPEC;
    /* What was written lies in the buffer: what is to be tried again is to send it. */
    if (m->fail.code == ERR_WOULD_BLOCK) rt_thread(m)->block.flush = p->self;
    return V_FAIL;
}

Value rt_port_write_bytes(Mutator *m, Value port, const char *bytes, size_t length) {
    RtPort *p = rt_port_enter(m, "write-string", &port, 1, 1, PORT_OUTPUT);
    if (!p) return V_FAIL;
    size_t before = p->buf.len;
    base_buf_add(&p->buf, bytes, length);
    Value result = rt_port_settle(m, p, "write-string", before);
    rt_port_leave(p);
    return result;
}

Value rt_port_close(Mutator *m, RtPort *p, const char *who) {
    if (!p->open) return V_UNSPEC;
    Value result = p->flags & PORT_OUTPUT ? rt_port_flush(m, p, who) : V_UNSPEC;
    if (result == V_FAIL && m->fail.code == ERR_WOULD_BLOCK) return V_FAIL;
    p->open = false;
    if (p->fd >= 0 && !(p->flags & PORT_STANDARD)) {
        if (rt_on_fd_close) rt_on_fd_close(m, p->fd);
        close(p->fd);
    }
    if (!(p->fd < 0 && p->flags & PORT_OUTPUT)) base_buf_free(&p->buf);
    p->pos = 0;
    return result;
}
