/* client.c: well and badly behaved clients of the profile server. Usage: client PORT WHAT [N
 * [PATH]]
 *
 *   many     N requests, of the paths given in turn, 50 to a connection; each must be answered 200
 *   cut      N requests, each given up once it was sent
 *   slow     N connections that send a byte of a request every tenth of a second, for a second,
 *            while one more asks for PATH over and over: it must be answered each time
 *   unread   N requests whose answers nobody reads; ends after a second
 *   garbage  N connections with bytes that are no request
 *   huge     N requests with a header of a megabyte
 *   full     N requests for PATH, which lasts, and 8 more: those are answered 503
 *   hammer   requests for PATH until the server is gone; prints how many were answered
 *
 * Ends with 0, or with 1 and a message. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 20, PER_CONNECTION = 50 };
static int port;
static char buffer[MOST];

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "client: %s (%s)\n", what, strerror(errno));
    exit(1);
}

static int try_connect(void) {
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((unsigned short)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 20};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0) fail("socket");
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(s, (struct sockaddr *)&a, sizeof a) == 0) return s;
    close(s);
    return -1;
}

static int must_connect(void) {
    int s = try_connect();
    if (s < 0) fail("connect");
    return s;
}

static void nap_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

static void send_get(int s, const char *path) {
    char text[400];
    int n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    send(s, text, (size_t)n, MSG_NOSIGNAL);
}

/* Reads one answer; its status, or 0 where the connection ended before it was whole. */
static int answer(int s) {
    size_t have = 0;
    for (;;) {
        ssize_t n = recv(s, buffer + have, MOST - 1 - have, 0);
        if (n <= 0) return 0;
        have += (size_t)n;
        buffer[have] = 0;
        char *end = strstr(buffer, "\r\n\r\n"),
             *length = strcasestr(buffer, "\r\nContent-Length: ");
        if (!end) continue;
        if (!length || length > end) fail("an answer without a length");
        if (have >= (size_t)(end + 4 - buffer) + strtoul(length + 18, NULL, 10))
            return atoi(buffer + 9);
    }
}

static void many(int n, char **paths, int count) {
    int s = -1;
    for (int i = 0; i < n; i++) {
        if (i % PER_CONNECTION == 0) {
            if (s >= 0) close(s);
            s = must_connect();
        }
        send_get(s, paths[i % count]);
        if (answer(s) != 200) fail("no answer 200");
    }
    close(s);
}

static void cut(int n, const char *path) {
    for (int i = 0; i < n; i++) {
        int s = must_connect();
        send_get(s, path);
        if (i % 2) nap_ms(1);
        close(s);
    }
}

static void slow(int n, const char *path) {
    static const char part[] = "GET /debug/pprof/ HTTP/1.1\r\n";
    int s[1000];
    for (int i = 0; i < n; i++) s[i] = must_connect();
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < n; i++) send(s[i], part + k, 1, MSG_NOSIGNAL);
        int one = must_connect();
        send_get(one, path);
        if (answer(one) != 200) fail("no answer beside slow clients");
        close(one);
        nap_ms(100);
    }
    for (int i = 0; i < n; i++) close(s[i]);
}

static void unread(int n, const char *path) {
    int s[1000];
    for (int i = 0; i < n; i++) {
        s[i] = must_connect();
        for (int k = 0; k < 100; k++) send_get(s[i], path);
    }
    nap_ms(1000);
    for (int i = 0; i < n; i++) close(s[i]);
}

static void garbage(int n) {
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        unsigned char bytes[3000];
        int s = must_connect();
        for (size_t k = 0; k < sizeof bytes; k++) {
            state = state * 1664525 + 1013904223;
            bytes[k] = (unsigned char)(i % 3 ? state >> 24 : (state >> 24) % 96 + 32);
        }
        if (i % 4 == 1) memcpy(bytes, "GET /debug/pprof/fiber?debug=", 29);
        if (i % 4 == 2)
            memcpy(bytes, "POST /debug/pprof/ HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 61);
        if (i % 4 == 3)
            memcpy(bytes, "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 51);
        send(s, bytes, sizeof bytes, MSG_NOSIGNAL);
        shutdown(s, SHUT_WR);
        while (recv(s, buffer, MOST, 0) > 0) continue;
        close(s);
    }
}

static void huge(int n) {
    memset(buffer, 'a', MOST);
    memcpy(buffer, "GET /debug/pprof/ HTTP/1.1\r\nX: ", 31);
    for (int i = 0; i < n; i++) {
        char head[20] = {0};
        int s = must_connect();
        send(s, buffer, MOST, MSG_NOSIGNAL);
        ssize_t got = recv(s, head, sizeof head - 1, 0);
        if (got > 12 && head[9] != '4') fail("a header of a megabyte was taken");
        close(s);
    }
}

/* Whether no answer has come yet. */
static int is_silent(int s) {
    return recv(s, buffer, 1, MSG_DONTWAIT | MSG_PEEK) < 0 && errno == EAGAIN;
}

static void full(int n, const char *path) {
    enum { MORE = 8, PATIENCE_MS = 20000 };
    int s[1000], silent = 0;
    for (int i = 0; i < n + MORE; i++) {
        s[i] = must_connect();
        send_get(s[i], path);
    }
    for (int ms = 0; ms < PATIENCE_MS && silent != n; ms += 100) {
        nap_ms(100);
        silent = 0;
        for (int i = 0; i < n + MORE; i++) silent += is_silent(s[i]);
    }
    nap_ms(300);
    if (silent != n) fail("another number was taken");
    for (int i = 0; i < n + MORE; i++)
        if (!is_silent(s[i]) && answer(s[i]) != 503) fail("no answer 503");
}

static void hammer(const char *path) {
    int answered = 0;
    for (int s; (s = try_connect()) >= 0; close(s)) {
        send_get(s, path);
        answered += answer(s) == 200;
    }
    printf("%d\n", answered);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    port = atoi(argv[1]);
    const char *what = argv[2], *path = argc > 4 ? argv[4] : "/debug/pprof/";
    int n = argc > 3 ? atoi(argv[3]) : 1;
    if (!strcmp(what, "many"))
        many(n, argv + 4, argc - 4);
    else if (!strcmp(what, "cut"))
        cut(n, path);
    else if (!strcmp(what, "slow"))
        slow(n, path);
    else if (!strcmp(what, "unread"))
        unread(n, path);
    else if (!strcmp(what, "garbage"))
        garbage(n);
    else if (!strcmp(what, "huge"))
        huge(n);
    else if (!strcmp(what, "full"))
        full(n, path);
    else if (!strcmp(what, "hammer"))
        hammer(path);
    else
        return 2;
    return 0;
}
