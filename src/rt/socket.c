/* Sockets, for (srfi 106). A socket is its descriptor, a fixnum; the library wraps it. All are
 * non-blocking: a primitive first waits until its descriptor is ready, in a fiber by parking, in a
 * thread by itself away from the world. So each is called again from its beginning where it failed
 * by ERR_WOULD_BLOCK, and does nothing before that point. What the ports of a socket own is
 * duplicates of its descriptor. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <fcntl.h>
#include "rt/args.h"
#include "rt/port.h"
#include "rt/prim.h"
#include "rt/rt.h"
#include "rt/string.h"

static Value failure(Mutator *m, const char *who, const char *why) {
    return mutator_fail_text(m, ERR_FILE, who, V_DEFAULT, "%s", why);
}

/* Argument POS as a descriptor, or as another small number. */
static bool int_arg(Mutator *m, const char *who, const Value *a, int pos, int *out) {
    int64_t n;
    if (!arg_index(m, who, a, pos, INT32_MAX, &n)) return false;
    *out = (int)n;
    return true;
}

/* Waits until FD is ready. False with the failure noted. */
static bool await(Mutator *m, int fd, bool output, const char *who) {
    if (is_true(rt_thread(m)->fiber)) return !rt_would_block(m, fd, output, who);
    for (;;) {
        struct pollfd wanted = {.fd = fd, .events = output ? POLLOUT : POLLIN};
        rt_block_begin(m, RT_WAIT_PORT);
        int ready = poll(&wanted, 1, -1);
        rt_block_end(m);
        if (ready >= 0) return true;
        if (!rt_interrupt_pending(m)) continue;
        mutator_fail(m, ERR_INTERRUPT, who, 0, V_DEFAULT);
        return false;
    }
}

/* The addresses for HOST, V_FALSE where it is to listen, and SERVICE; A[2..5]: family, type, flags
 * and protocol. NULL with the failure noted. */
static struct addrinfo *addresses(Mutator *m, const Value *a, Value host, Value service,
                                  const char *who) {
    int family, type, flags, protocol;
    if (!int_arg(m, who, a, 3, &family) || !int_arg(m, who, a, 4, &type) ||
        !int_arg(m, who, a, 5, &flags) || !int_arg(m, who, a, 6, &protocol))
        return NULL;
    if (!is_string(service) || (is_true(host) && !is_string(host))) {
        mutator_fail(m, ERR_WRONG_TYPE, who, is_string(service) ? 1 : 2,
                     is_string(service) ? host : service);
        return NULL;
    }
    char *node = is_true(host) ? rt_string_utf8(host, NULL) : NULL;
    char *name = rt_string_utf8(service, NULL);
    struct addrinfo wanted = {.ai_family = family,
                              .ai_socktype = type,
                              .ai_flags = flags | (node ? 0 : AI_PASSIVE),
                              .ai_protocol = protocol},
                    *found = NULL;
    rt_block_begin(m, RT_WAIT_PORT);
    int error = getaddrinfo(node, name, &wanted, &found);
    rt_block_end(m);
    if (error)
        mutator_fail_text(m, ERR_FILE, who, V_DEFAULT, "%s%s%s: %s", node ? node : "",
                          node ? ":" : "", name, gai_strerror(error));
    free(node);
    free(name);
    return error ? NULL : found;
}

static int open_socket(const struct addrinfo *at) {
    return socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol);
}

/* (%socket-connect host service family type flags protocol n): begins to connect to the Nth
 * address; the socket, #f where there is none, or a string that says why not. */
PRIM_FN(prim_socket_connect) {
    PRIM_UNUSED;
    static const char who[] = "make-client-socket";
    int nth;
    if (!int_arg(m, who, a, 7, &nth)) return V_FAIL;
    struct addrinfo *all = addresses(m, a, a[0], a[1], who), *at = all;
    if (!all) return V_FAIL;
    while (at && nth--) at = at->ai_next;
    int fd = at ? open_socket(at) : -1, error = errno;
    if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0 && errno != EINPROGRESS) {
        error = errno;
        close(fd);
        fd = -1;
    }
    bool none = !at;
    freeaddrinfo(all);
    if (none) return V_FALSE;
    return fd >= 0 ? v_fixnum(fd) : rt_string_from_c(m, strerror(error));
}

/* (%socket-connected socket): waits for it: #t, or a string that says why not, with it closed. */
PRIM_FN(prim_socket_connected) {
    PRIM_UNUSED;
    int fd, error = 0;
    socklen_t size = sizeof error;
    if (!int_arg(m, "make-client-socket", a, 1, &fd)) return V_FAIL;
    if (!await(m, fd, true, "make-client-socket")) return V_FAIL;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    if (!error) return V_TRUE;
    close(fd);
    return rt_string_from_c(m, strerror(error));
}

/* (%socket-listen host service family type flags protocol) */
PRIM_FN(prim_socket_listen) {
    PRIM_UNUSED;
    static const char who[] = "make-server-socket";
    enum { BACKLOG = 128 };
    struct addrinfo *all = addresses(m, a, a[0], a[1], who);
    if (!all) return V_FAIL;
    int fd = -1, yes = 1;
    for (struct addrinfo *at = all; at && fd < 0; at = at->ai_next) {
        fd = open_socket(at);
        if (fd < 0) continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 &&
            (at->ai_socktype != SOCK_STREAM || listen(fd, BACKLOG) == 0))
            break;
        int why = errno;
        close(fd);
        errno = why;
        fd = -1;
    }
    int error = errno;
    freeaddrinfo(all);
    return fd >= 0 ? v_fixnum(fd) : failure(m, who, strerror(error));
}

/* What a call on FD came to that may have found it not ready after all. */
#define TRY_IO(result, fd, output, who, call)                                                      \
    do {                                                                                           \
        if (!await(m, (fd), (output), (who))) return V_FAIL;                                       \
        (result) = (call);                                                                         \
    } while ((result) < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED));        \
    if ((result) < 0) return failure(m, (who), strerror(errno))

PRIM_FN(prim_socket_accept) {
    PRIM_UNUSED;
    int fd, got;
    if (!int_arg(m, "socket-accept", a, 1, &fd)) return V_FAIL;
    TRY_IO(got, fd, false, "socket-accept", accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
    return v_fixnum(got);
}

/* (%socket-send socket bytevector start flags): how many bytes were sent. */
PRIM_FN(prim_socket_send) {
    PRIM_UNUSED;
    static const char who[] = "socket-send";
    int fd, flags;
    int64_t start;
    ssize_t sent;
    ARG_CHECK(is_bytevector(a[1]), who, 2);
    if (!int_arg(m, who, a, 1, &fd) || !int_arg(m, who, a, 4, &flags)) return V_FAIL;
    if (!arg_index(m, who, a, 3, (int64_t)object_size(a[1]) + 1, &start)) return V_FAIL;
    TRY_IO(sent, fd, true, who,
           send(fd, object_bytes(a[1]) + start, object_size(a[1]) - (size_t)start,
                flags | MSG_NOSIGNAL | MSG_DONTWAIT));
    return v_fixnum(sent);
}

/* (%socket-recv socket size flags): what came, an empty bytevector at the end. */
PRIM_FN(prim_socket_recv) {
    PRIM_UNUSED;
    static const char who[] = "socket-recv";
    int fd, flags;
    int64_t size;
    ssize_t got;
    if (!int_arg(m, who, a, 1, &fd) || !int_arg(m, who, a, 3, &flags)) return V_FAIL;
    if (!rt_arg_count(m, who, a, 2, 1, &size)) return V_FAIL;
    char *into = base_alloc((size_t)size + 1);
    bool ready;
    do {
        ready = await(m, fd, false, who);
        got = ready ? recv(fd, into, (size_t)size, flags | MSG_DONTWAIT) : 0;
    } while (ready && got < 0 && (errno == EAGAIN || errno == EINTR));
    Value v = V_FAIL;
    if (ready && got < 0) {
        failure(m, who, strerror(errno));
    } else if (ready) {
        v = v_object(gc_bytes(m, T_BYTEVECTOR, (uint64_t)got, 0));
        memcpy(object_bytes(v), into, (size_t)got);
    }
    free(into);
    return v;
}

PRIM_FN(prim_socket_shutdown) {
    PRIM_UNUSED;
    int fd, how;
    if (!int_arg(m, "socket-shutdown", a, 1, &fd) || !int_arg(m, "socket-shutdown", a, 2, &how))
        return V_FAIL;
    shutdown(fd, how);
    return V_UNSPEC;
}

PRIM_FN(prim_socket_close) {
    PRIM_UNUSED;
    int fd;
    if (!int_arg(m, "socket-close", a, 1, &fd)) return V_FAIL;
    if (rt_on_fd_close) rt_on_fd_close(m, fd);
    close(fd);
    return V_UNSPEC;
}

/* (%socket-port socket input? textual?): a port on a duplicate of it. */
PRIM_FN(prim_socket_port) {
    PRIM_UNUSED;
    int fd;
    if (!int_arg(m, "socket-port", a, 1, &fd)) return V_FAIL;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0) return failure(m, "socket-port", strerror(errno));
    unsigned flags =
        (is_true(a[1]) ? PORT_INPUT : PORT_OUTPUT) | (is_true(a[2]) ? PORT_TEXTUAL : PORT_BINARY);
    return rt_fd_port(m, own, flags, "socket");
}

/* (%socket-number socket): the port number that it is bound to. */
PRIM_FN(prim_socket_number) {
    PRIM_UNUSED;
    int fd;
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    if (!int_arg(m, "socket-number", a, 1, &fd)) return V_FAIL;
    if (getsockname(fd, (struct sockaddr *)&at, &size) != 0)
        return failure(m, "socket-number", strerror(errno));
    bool six = at.ss_family == AF_INET6;
    return v_fixnum(ntohs(six ? ((struct sockaddr_in6 *)&at)->sin6_port
                              : ((struct sockaddr_in *)&at)->sin_port));
}

/* (%socket-constant name): the system's number. */
PRIM_FN(prim_socket_constant) {
    PRIM_UNUSED;
    static const struct {
        const char *name;
        int number;
    } rows[] = {
        {"af-unspec", AF_UNSPEC},
        {"af-inet", AF_INET},
        {"af-inet6", AF_INET6},
        {"sock-stream", SOCK_STREAM},
        {"sock-dgram", SOCK_DGRAM},
        {"ai-canonname", AI_CANONNAME},
        {"ai-numerichost", AI_NUMERICHOST},
        {"ai-v4mapped", AI_V4MAPPED},
        {"ai-all", AI_ALL},
        {"ai-addrconfig", AI_ADDRCONFIG},
        {"ipproto-ip", IPPROTO_IP},
        {"ipproto-tcp", IPPROTO_TCP},
        {"ipproto-udp", IPPROTO_UDP},
        {"msg-peek", MSG_PEEK},
        {"msg-oob", MSG_OOB},
        {"msg-waitall", MSG_WAITALL},
        {"shut-rd", SHUT_RD},
        {"shut-wr", SHUT_WR},
        {"shut-rdwr", SHUT_RDWR},
    };
    ARG_CHECK(is_symbol(a[0]), "socket-constant", 1);
    for (size_t i = 0; i < BASE_COUNT(rows); i++)
        if (!strcmp(rows[i].name, rt_symbol_name(a[0]))) return v_fixnum(rows[i].number);
    return mutator_fail(m, ERR_RANGE, "socket-constant", 1, a[0]);
}
