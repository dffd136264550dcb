/* pty.c: runs a program on a terminal of its own and types at it. Usage: pty SCRIPT PROGRAM
 * [ARG...]
 *
 * A line of SCRIPT is one of
 *   type TEXT     sends TEXT
 *   wait TEXT     reads until TEXT came, for 20 s at most
 *   absent TEXT   TEXT did not come since the last but one `wait`
 *   sleep MS
 *   close         hangs up
 * In a TEXT \n, \t, \xHH and \\ are understood. What the program writes goes to standard output.
 * Ends with the program's status (128 + N for a signal), or with 99 and a message where the script
 * was not fulfilled. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, MOST = 1 << 20 };

static int terminal = -1;
static pid_t child;
static char seen[MOST];              /* all that came */
static size_t length, before, after; /* of the last `wait`: what it looked at, and where it ended */

static _Noreturn void give_up(const char *format, const char *what) {
    fprintf(stderr, "pty: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\n");
    kill(child, SIGKILL);
    exit(99);
}

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Takes what comes within MS; false at the end. */
static int take(int ms) {
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    if (poll(&p, 1, ms) <= 0) return 1;
    ssize_t got = read(terminal, seen + length, MOST - 1 - length);
    if (got <= 0) return 0;
    fwrite(seen + length, 1, (size_t)got, stdout);
    fflush(stdout);
    length += (size_t)got;
    seen[length] = 0;
    return 1;
}

/* \n, \t, \xHH and \\ in place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *s = text; *s; s++) {
        if (*s != '\\') {
            *to++ = *s;
            continue;
        }
        s++;
        if (*s == 'x') {
            char hex[3] = {s[1], s[2], 0};
            *to++ = (char)strtol(hex, NULL, 16);
            s += 2;
        } else {
            *to++ = *s == 'n' ? '\n' : *s == 't' ? '\t' : *s;
        }
    }
    *to = 0;
}

static void type(const char *text) {
    size_t n = strlen(text);
    if (write(terminal, text, n) != (ssize_t)n) give_up("cannot type: %s", strerror(errno));
}

static void wait_for(const char *text) {
    long long end = now_ms() + PATIENCE_MS;
    char *at;
    while (!(at = strstr(seen + after, text))) {
        if (now_ms() > end) give_up("did not come: %s", text);
        if (!take(50) && !strstr(seen + after, text)) give_up("ended without: %s", text);
    }
    before = after;
    after = (size_t)(at - seen) + strlen(text);
}

static void check_absent(const char *text) {
    char *at = strstr(seen + before, text);
    if (at && at < seen + after) give_up("came: %s", text);
}

static void obey(char *line) {
    char *argument = strchr(line, ' ');
    if (argument) {
        *argument++ = 0;
        unescape(argument);
    }
    if (!strcmp(line, "type"))
        type(argument);
    else if (!strcmp(line, "wait"))
        wait_for(argument);
    else if (!strcmp(line, "absent"))
        check_absent(argument);
    else if (!strcmp(line, "sleep"))
        for (long long end = now_ms() + atoi(argument); now_ms() < end;) take(5);
    else if (!strcmp(line, "close")) {
        close(terminal);
        terminal = -1;
    } else
        give_up("no such command: %s", line);
}

int main(int argc, char **argv) {
    char line[4096];
    FILE *script = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!script) give_up("usage: %s SCRIPT PROGRAM [ARG...]", argv[0]);
    struct winsize size = {.ws_row = 24, .ws_col = 120};
    child = forkpty(&terminal, NULL, NULL, &size);
    if (child < 0) give_up("no terminal: %s", strerror(errno));
    if (child == 0) {
        setenv("TERM", "dumb", 1);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    while (fgets(line, sizeof line, script)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] && line[0] != '#') obey(line);
    }
    int status;
    for (long long end = now_ms() + PATIENCE_MS; waitpid(child, &status, WNOHANG) == 0;) {
        if (now_ms() > end) give_up("does not end: %s", argv[2]);
        if (terminal < 0 || !take(20)) usleep(10000);
    }
    if (terminal >= 0) take(0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
