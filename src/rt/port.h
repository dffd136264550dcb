/* port.h: ports.
 *
 * The heap holds PORT [raw RtPort *, 0]; buffer, file descriptor and position live outside, where a
 * thread that is away may touch them. Every port is a buffer of bytes: textual ports encode and
 * decode UTF-8 at its edge; ports on strings and bytevectors are a buffer and nothing else.
 *
 * Locking: whoever works on a port holds its lock (rt_port_enter, rt_port_leave), also while away.
 * A thread that finds the lock taken waits away. In a fiber, what would block fails by
 * ERR_WOULD_BLOCK instead, leaves the port and is called again later. So entering is a place where
 * objects may move: arguments are read from A[] afterwards.
 *
 * A port that dies unclosed is closed: its memory and, later on some thread that opens a file, its
 * descriptor. */
#ifndef HONE_RT_PORT_H
#define HONE_RT_PORT_H

#include "base/base.h"
#include "gc/gc.h"

enum port_flags {
    PORT_INPUT = 1,
    PORT_OUTPUT = 2,
    PORT_TEXTUAL = 4,
    PORT_BINARY = 8,
    PORT_UNBUFFERED = 16, /* output goes out at once */
    PORT_LINES = 32,      /* output goes out at each newline: a terminal */
    PORT_STANDARD = 64,   /* closing it leaves the descriptor open */
    PORT_TERMINAL = 128,  /* input from a terminal: standard output is flushed before waiting */
};

typedef struct RtPort {
    base_buf buf;
    size_t pos; /* input: the next byte to read; output: the next byte to be sent */
    int fd;     /* -1: a port in memory */
    unsigned flags;
    uint32_t lock; /* 0 free, 1 taken, 2 taken and waited for */
    bool open;
    bool at_end;    /* input: the end was seen and not yet delivered by a read */
    bool starved;   /* `read` ran out of buffered text and wants more before it starts again */
    bool malformed; /* `read` met invalid UTF-8 */
    char *name;     /* of the file, or "string" and the like; malloc'd */
    uint64_t line;  /* input: newlines read so far, plus 1 */
    Value self;     /* the PORT, weak; V_FALSE once that died */
    struct RtPort *next, *previous;
} RtPort;

/* ---- life ---- */

/* Makes the standard ports, registers with the collector, and ignores SIGPIPE. Once. */
void rt_ports_start(Mutator *m);
enum rt_std_port { RT_STDIN, RT_STDOUT, RT_STDERR };
Value rt_std_port(enum rt_std_port which); /* never moves */
/* The thread's current port of that kind: the value of the parameter. Provided by the interpreter's
 * side. */
Value rt_current_port(Mutator *m, enum rt_std_port which);

/* A port in memory with the bytes BYTES (input), or empty (output). */
Value rt_memory_port(Mutator *m, const char *bytes, size_t length, unsigned flags,
                     const char *name);
/* A port on an open descriptor, which it then owns. */
Value rt_fd_port(Mutator *m, int fd, unsigned flags, const char *name);
/* Closes the descriptors of ports that died. */
void rt_ports_reap(void);
/* Sends what all open ports hold, at the end of the process. False if some could not be sent (errno
 * says why). Ports that another thread does not let go of are passed by. */
bool rt_ports_flush_all(void);

static inline RtPort *rt_port_of(Value port) {
    return (RtPort *)raw_pointer(object_slots(port)[0]);
}
static inline bool rt_is_port(Value v) { return is_type(v, T_PORT); }
void rt_port_describe(base_buf *out, Value port); /* "#<input-port data.txt>" */

/* ---- work: with the lock held ---- */

/* The port in argument POS, or, if that was not given, the current one of the kind that FLAGS asks
 * for; entered. NULL with the failure noted unless it is open and has all FLAGS. */
RtPort *rt_port_enter(Mutator *m, const char *who, const Value *a, int n, int pos, unsigned flags);
/* The lock alone, whatever the port's state. */
void rt_port_lock(Mutator *m, RtPort *p);
void rt_port_leave(RtPort *p);
/* The bytes that a UTF-8 character which begins with BYTE should have. */
static inline size_t rt_utf8_length(unsigned char byte) {
    return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/* More bytes behind those that the buffer holds: 1; 0 at the end; -1 with the failure noted.
 * Objects may move. */
int rt_port_fill(Mutator *m, RtPort *p, const char *who);
/* The next character, taken or left; -1 at the end, -2 with the failure noted. Objects may move. */
int32_t rt_port_char(Mutator *m, RtPort *p, const char *who, bool take);
/* After appending to p->buf: sends it if it is time to. V_UNSPEC, or V_FAIL. Objects may move. */
Value rt_port_settle(Mutator *m, RtPort *p, const char *who, size_t before);
/* From C, lock and all: appends LENGTH bytes to an open output port. */
Value rt_port_write_bytes(Mutator *m, Value port, const char *bytes, size_t length);
Value rt_port_flush(Mutator *m, RtPort *p, const char *who);
Value rt_port_close(Mutator *m, RtPort *p, const char *who);

/* For the reader: the next character of what is buffered; -1 at the end; -2 when there is no more
 * buffered text (p->starved is then set) or it is malformed. Never blocks. P is an RtPort. */
int32_t rt_port_next(void *p);
int32_t rt_port_peek(void *p);

/* Reads one datum through rt_port_next and rt_port_peek; V_EOF at the end, V_FAIL with the failure
 * noted. It holds values in C structures, which is why it must not block: when text is missing it
 * is called again with more of it, from the start of the datum. Set by the driver. */
extern Value (*rt_reader_hook)(Mutator *m, RtPort *p);
/* Called before a port's descriptor is closed: whoever waits for it is to try again. Set by fiber/.
 */
extern void (*rt_on_fd_close)(Mutator *m, int fd);

#endif
