/* The profile server by itself: addresses, its beginning and end, the child of a fork. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "driver/serve.h"

/* The status of the answer to a request for the command line; 0: none. */
static int ask(int port) {
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char request[] = "GET /debug/pprof/cmdline HTTP/1.0\r\n\r\n";
    char answer[4000] = {0};
    size_t have = 0;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(s, (struct sockaddr *)&a, sizeof a) == 0) {
        send(s, request, sizeof request - 1, MSG_NOSIGNAL);
        for (ssize_t n; (n = recv(s, answer + have, sizeof answer - 1 - have, 0)) > 0;)
            have += (size_t)n;
    }
    close(s);
    return have > 12 ? atoi(answer + 9) : 0;
}

static int start(const char *address) {
    base_buf error = {0};
    int port = driver_serve_start(address, &error);
    CHECK_EQ(port < 0, error.len > 0);
    base_buf_free(&error);
    return port;
}

static int listening(void) {
    int count = 0;
    for (int s = 0; s < 1000; s++) {
        int yes = 0;
        socklen_t length = sizeof yes;
        if (getsockopt(s, SOL_SOCKET, SO_ACCEPTCONN, &yes, &length) == 0) count += yes;
    }
    return count;
}

static void test_life(void) {
    int port = start("127.0.0.1:0");
    CHECK(port > 0);
    CHECK_EQ(ask(port), 200);
    CHECK_EQ(start("0"), -1); /* one at a time */
    CHECK(driver_serve_stop());
    CHECK(!driver_serve_stop());
    CHECK_EQ(ask(port), 0);
    CHECK_EQ(listening(), 0);
    char again[20];
    snprintf(again, sizeof again, "%d", port);
    CHECK_EQ(start(again), port); /* free at once, by loopback's other address too */
    CHECK_EQ(ask(port), 200);
    CHECK(driver_serve_stop());
}

static void test_addresses(void) {
    static const char *const bad[] = {
        "",   "x",    ":1",         "1:2:3", "[::1:1",   "::1:80x", "65536",
        "-1", "0x10", "127.0.0.1:", "[]:0",  "1.2.3.4:", " 6060"};
    for (size_t i = 0; i < BASE_COUNT(bad); i++) CHECK_EQ(start(bad[i]), -1);
    CHECK_EQ(listening(), 0);
    CHECK(start("localhost:0") > 0);
    CHECK(driver_serve_stop());
}

/* A child of fork has none of the sockets, and can serve itself. */
static void in_child(int port) {
    bool good = listening() == 0 && !driver_serve_stop();
    int own = start("127.0.0.1:0");
    good = good && own > 0 && own != port && ask(own) == 200 && ask(port) == 200;
    good = good && driver_serve_stop() && ask(port) == 200;
    _exit(good ? 0 : 1);
}

static void test_fork(void) {
    int port = start("127.0.0.1:0"), status = -1;
    CHECK_EQ(ask(port), 200);
    pid_t child = fork();
    if (child == 0) in_child(port);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(ask(port), 200);
    CHECK(driver_serve_stop());
    CHECK_EQ(ask(port), 0);
}

CHECK_MAIN(test_life, test_addresses, test_fork)
