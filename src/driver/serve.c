/* serve.c: the server: sockets, connections, its beginning and end.
 *
 * HTTP is libmicrohttpd's. It is loaded when a server is first asked for: linked, it and its TLS
 * library would be loaded by every program, also those that never serve. It runs a thread for each
 * connection, so that a page may simply wait; what keeps that small are the bounds below. The
 * threads are made with all signals blocked.
 *
 * Who waits, waits in one poll: for the client to go, for the end of the server (an eventfd, which
 * stays readable from then on), and for the time to be over. At the end of the process the answers
 * under way get a tenth of a second to be sent; the rest is closed by the system.
 *
 * The sockets are made here, so that an address in use is known for what it is. The child of a fork
 * has none of the threads: it closes its copies of the sockets and serves nothing. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "driver/serve.h"

enum {
    MAX_SOCKETS = 2,
    MAX_CONNECTIONS = 64, /* on each socket; more wait until one is free */
    CONNECTION_BYTES = 16384,
    CONNECTION_STACK = 1 << 20,
    IDLE_SECONDS = 10, /* a connection on which nothing moves for so long is closed */
    PATIENCE_NS = 100000000,
};

#define LIBRARY "libmicrohttpd.so.12"
#define PACKAGE "libmicrohttpd12"
#define FUNCTIONS(F)                                                                               \
    F(MHD_start_daemon)                                                                            \
    F(MHD_stop_daemon)                                                                             \
    F(MHD_create_response_from_buffer)                                                             \
    F(MHD_add_response_header)                                                                     \
    F(MHD_queue_response)                                                                          \
    F(MHD_destroy_response)                                                                        \
    F(MHD_lookup_connection_value)                                                                 \
    F(MHD_get_connection_info)

static struct {
#define F(name) __typeof__(name) *name;
    FUNCTIONS(F)
#undef F
} mhd;

static os_mutex life = OS_MUTEX_INIT; /* held while a server begins or ends; before `lock` */
static int socket_count;              /* under `life`, as are the next two */
static int sockets[MAX_SOCKETS];
static struct MHD_Daemon *daemons[MAX_SOCKETS];

static os_mutex lock = OS_MUTEX_INIT; /* the rest */
static os_cond answered;
static bool running, ending;
static int end_event = -1; /* an eventfd: readable once the server ends */
static int answering;      /* requests that were begun and not completed */
static int connections[MAX_SOCKETS * MAX_CONNECTIONS]; /* their sockets, and 1; 0: free */

static void close_socket(int *s) {
    if (*s >= 0) close(*s);
    *s = -1;
}

/* ---- connections ---- */

struct ServeRequest {
    struct MHD_Connection *connection;
    int socket;
};

const char *driver_serve_argument(const ServeRequest *r, const char *name) {
    return mhd.MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool driver_serve_wait(const ServeRequest *r, double seconds) {
    uint64_t until = os_mono_ns() + (uint64_t)(seconds * 1e9);
    struct pollfd fds[] = {{.fd = r->socket, .events = POLLRDHUP},
                           {.fd = end_event, .events = POLLIN}};
    for (uint64_t now; (now = os_mono_ns()) < until;) {
        if (poll(fds, 2, (int)((until - now) / 1000000 + 1)) <= 0) continue;
        if (fds[0].revents) return false;
        return true;
    }
    return true;
}

static int socket_of(struct MHD_Connection *c) {
    const union MHD_ConnectionInfo *info =
        mhd.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static void add_header(struct MHD_Response *response, const char *name, const char *value) {
    mhd.MHD_add_response_header(response, name, value);
}

/* Headers as Go's servers send them, which tools look at: X-Go-Pprof lets them show the text. */
static enum MHD_Result send_answer(struct MHD_Connection *c, ServeAnswer *a) {
    size_t length = a->body.len;
    char *body = base_buf_take(&a->body), attachment[80];
    struct MHD_Response *response =
        mhd.MHD_create_response_from_buffer(length, body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(body);
        return MHD_NO;
    }
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
    add_header(response, "X-Content-Type-Options", "nosniff");
    if (a->status >= 400) add_header(response, "X-Go-Pprof", "1");
    if (a->status == 405) add_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    if (a->file) {
        snprintf(attachment, sizeof attachment, "attachment; filename=\"%s\"", a->file);
        add_header(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, attachment);
    }
    enum MHD_Result result = mhd.MHD_queue_response(c, (unsigned)a->status, response);
    mhd.MHD_destroy_response(response);
    return result;
}

/* States of a request: begun, and counted in `answering`. */
static char begun, counted;

static bool count_request(void) {
    os_mutex_lock(&lock);
    bool welcome = running && !ending;
    answering += welcome;
    os_mutex_unlock(&lock);
    return welcome;
}

static void on_completed(void *unused, struct MHD_Connection *c, void **state,
                         enum MHD_RequestTerminationCode why) {
    (void)unused, (void)c, (void)why;
    if (*state != &counted) return;
    os_mutex_lock(&lock);
    answering--;
    os_cond_broadcast(&answered);
    os_mutex_unlock(&lock);
}

/* Called twice for each request without a body: when its headers are there, and to answer it. */
static enum MHD_Result on_request(void *unused, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **state) {
    (void)unused, (void)version, (void)upload;
    ServeAnswer answer = {.status = 200, .type = "application/octet-stream"};
    bool head = !strcmp(method, MHD_HTTP_METHOD_HEAD);
    if (!head && strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
        if (*state) return MHD_NO;
        *state = &begun;
        driver_page_text(&answer, 405, "only GET and HEAD are answered here");
        return send_answer(c, &answer);
    }
    if (*upload_size) return MHD_NO; /* a GET with a body */
    if (!*state) {
        *state = &begun;
        return MHD_YES;
    }
    if (!count_request()) return MHD_NO;
    *state = &counted;
    driver_page(url, head, &(ServeRequest){c, socket_of(c)}, &answer);
    return answer.status ? send_answer(c, &answer) : MHD_NO;
}

/* Keeps the list of connections for the child of a fork. */
static void on_connection(void *unused, struct MHD_Connection *c, void **context,
                          enum MHD_ConnectionNotificationCode what) {
    (void)unused, (void)context;
    bool opens = what == MHD_CONNECTION_NOTIFY_STARTED;
    int id = socket_of(c) + 1;
    os_mutex_lock(&lock);
    for (size_t i = 0; i < BASE_COUNT(connections); i++) {
        if (connections[i] != (opens ? 0 : id)) continue;
        connections[i] = opens ? id : 0;
        break;
    }
    os_mutex_unlock(&lock);
}

/* ---- addresses ---- */

typedef struct Address {
    const char *host; /* NULL: loopback */
    const char *port;
    char text[300];
} Address;

static bool parse_address(const char *text, Address *out, base_buf *error) {
    uint64_t number;
    snprintf(out->text, sizeof out->text, "%s", text);
    char *colon = strrchr(out->text, ':'), *host = out->text;
    out->port = colon ? colon + 1 : out->text;
    out->host = colon ? host : NULL;
    if (colon) *colon = 0;
    if (colon && host[0] == '[' && colon[-1] == ']') {
        colon[-1] = 0;
        out->host = host + 1;
    } else if (colon && (!host[0] || strchr(host, ':'))) {
        base_buf_printf(error,
                        "`%s` is no address to serve at; give PORT for this machine alone, "
                        "HOST:PORT, [IPV6]:PORT, or 0.0.0.0:PORT for every one that reaches it",
                        text);
        return false;
    }
    if (base_parse_u64(out->port, 0, 65535, &number)) return true;
    base_buf_printf(
        error, "`%s` is no port to serve at; give a number to 65535, 0 for any free one", text);
    return false;
}

/* A listening socket, or -1 with errno. *PORT 0 is replaced by the one that was free. */
static int listen_at(const struct addrinfo *a, int *port) {
    struct sockaddr_storage address = {0};
    socklen_t length = a->ai_addrlen;
    memcpy(&address, a->ai_addr, length);
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address; /* the port is where IPv4 has it */
    int yes = 1, s = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) return -1;
    six->sin6_port = htons((uint16_t)*port);
    int alone = a->ai_family == AF_INET6 && !IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
    if (a->ai_family == AF_INET6) setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &alone, sizeof alone);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s, (struct sockaddr *)&address, length) || listen(s, MAX_CONNECTIONS) ||
        getsockname(s, (struct sockaddr *)&address, &length)) {
        int why = errno;
        close(s);
        errno = why;
        return -1;
    }
    *port = ntohs(six->sin6_port);
    return s;
}

static void refuse_bind(base_buf *error, const char *host, int port, int why) {
    base_buf_printf(error, "cannot serve profiles at %s, port %d: ", host, port);
    if (why == EADDRINUSE)
        base_buf_puts(error, "another program has that port; choose another one, or 0 for any "
                             "that is free");
    else if (why == EACCES)
        base_buf_puts(error, "this user may not have that port; choose one above 1023");
    else if (why == EADDRNOTAVAIL)
        base_buf_puts(error, "this machine has no such address");
    else
        base_buf_puts(error, strerror(why));
}

static void close_sockets(void) {
    for (int i = 0; i < socket_count; i++) close_socket(&sockets[i]);
    socket_count = 0;
}

/* Listens at one address of HOST after the other, all with one port. Loopback may lack IPv6.
 * False with errno. */
static bool listen_all(const struct addrinfo *list, bool loopback, int *port) {
    for (const struct addrinfo *a = list; a && socket_count < MAX_SOCKETS; a = a->ai_next) {
        int s = listen_at(a, port);
        if (s >= 0)
            sockets[socket_count++] = s;
        else if (!loopback || !socket_count || errno == EADDRINUSE || errno == EACCES)
            return false;
    }
    return socket_count > 0;
}

/* The addresses of HOST; of loopback IPv4's first. NULL with ERROR. The caller frees the list. */
static struct addrinfo *addresses_of(const char *host, base_buf *error) {
    struct addrinfo *list = NULL, *six = NULL;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    hints.ai_flags |= host ? 0 : AI_NUMERICHOST;
    int bad = getaddrinfo(host ? host : "127.0.0.1", NULL, &hints, &list);
    if (bad) {
        base_buf_printf(error, "cannot serve profiles at %s: %s", host ? host : "127.0.0.1",
                        gai_strerror(bad));
        return NULL;
    }
    if (!host && getaddrinfo("::1", NULL, &hints, &six) == 0) list->ai_next = six;
    return list;
}

/* The port, or -1 with ERROR. */
static int open_sockets(const char *text, base_buf *error) {
    enum { TRIES = 16 }; /* a port that is free for IPv4 may not be so for IPv6 */
    Address address;
    if (!parse_address(text, &address, error)) return -1;
    struct addrinfo *list = addresses_of(address.host, error);
    if (!list) return -1;
    int wanted = atoi(address.port), port = wanted, why = 0;
    bool open = false;
    for (int i = 0; !open && i < (wanted ? 1 : TRIES); i++) {
        close_sockets();
        port = wanted;
        open = listen_all(list, !address.host, &port);
        why = errno;
    }
    freeaddrinfo(list);
    if (open) return port;
    close_sockets();
    refuse_bind(error, address.host ? address.host : "127.0.0.1 and ::1", wanted, why);
    return -1;
}

/* ---- beginning ---- */

static bool load_library(base_buf *error) {
    static void *library;
    if (!library && !(library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL))) {
        base_buf_printf(error,
                        "serving profiles takes the library %s, which is not to be had: install "
                        "the package %s (%s)",
                        LIBRARY, PACKAGE, dlerror());
        return false;
    }
#define F(name) mhd.name = (__typeof__(mhd.name))dlsym(library, #name);
    FUNCTIONS(F)
#undef F
    return true;
}

static void before_fork(void) {
    os_mutex_lock(&life);
    os_mutex_lock(&lock);
}
static void after_fork(void) {
    os_mutex_unlock(&lock);
    os_mutex_unlock(&life);
}
static void in_child(void) {
    for (size_t i = 0; i < BASE_COUNT(connections); i++) {
        if (connections[i]) close(connections[i] - 1);
        connections[i] = 0;
    }
    close_sockets();
    close_socket(&end_event);
    running = ending = false;
    answering = 0;
    driver_sampling_forked();
    after_fork();
}

static struct MHD_Daemon *start_daemon(int s) {
    return mhd.MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
            MHD_USE_ITC,
        0, NULL, NULL, on_request, NULL, MHD_OPTION_LISTEN_SOCKET, s, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)CONNECTION_STACK, MHD_OPTION_SIGPIPE_HANDLED_BY_APP,
        1, MHD_OPTION_END);
}

static bool start_daemons(void) {
    sigset_t all, before;
    bool started = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < socket_count; i++)
        started = (daemons[i] = start_daemon(sockets[i])) != NULL && started;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void set_running(bool on) {
    static bool first = true;
    if (first) {
        os_cond_init(&answered);
        pthread_atfork(before_fork, after_fork, in_child);
        first = false;
    }
    os_mutex_lock(&lock);
    if (on) end_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    running = on;
    ending = false;
    os_mutex_unlock(&lock);
}

/* Answers under way are told to finish, and waited for so long. One may be about to hold the world:
 * a thread of Hone's is away meanwhile. */
void driver_serve_finish(void) {
    Thread *self = rt_current();
    bool leave = self && !rt_is_away(self);
    if (leave) rt_block_begin(&self->m, RT_WAIT_NOTHING);
    os_mutex_lock(&lock);
    if (running) {
        uint64_t until = os_mono_ns() + PATIENCE_NS;
        ending = true;
        eventfd_write(end_event, 1);
        while (answering && os_cond_wait_until(&answered, &lock, until)) continue;
    }
    os_mutex_unlock(&lock);
    if (leave) rt_block_end(&self->m);
}

static void end(void) {
    driver_serve_finish();
    for (int i = 0; i < socket_count; i++) {
        if (daemons[i])
            mhd.MHD_stop_daemon(daemons[i]); /* closes its socket */
        else
            close_socket(&sockets[i]);
    }
    socket_count = 0;
    set_running(false);
    close_socket(&end_event);
}

int driver_serve_start(const char *address, base_buf *error) {
    os_mutex_lock(&life);
    int port = -1;
    if (running)
        base_buf_puts(error, "profiles are being served already");
    else if (load_library(error) && (port = open_sockets(address, error)) >= 0) {
        set_running(true);
        if (!start_daemons()) {
            base_buf_puts(error, "the server cannot start its threads");
            end();
            port = -1;
        }
    }
    os_mutex_unlock(&life);
    return port;
}

bool driver_serve_stop(void) {
    os_mutex_lock(&life);
    bool was_running = running;
    if (was_running) end();
    os_mutex_unlock(&life);
    return was_running;
}
