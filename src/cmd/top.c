/* top.c: hone top: what a running program spends its time on, from the profiles that it serves.
 *
 * Each picture is one profile of the next so many seconds, so what is shown is what happened since
 * the picture before. HTTP is libcurl's, loaded when needed: no other command pays for it. While a
 * profile is being taken one wait listens to the network and to the keyboard. */
#include "cmd/cmd.h"

#define CURL_DISABLE_TYPECHECK /* functions are called by pointer */
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { SECONDS = 1, TOP, ONCE, HELP };

static const base_option options[] = {
    {SECONDS, 's', "seconds", "N", "seconds between two pictures (2)", "Pictures"},
    {TOP, 't', "top", "N", "rows of the table (what fits on the screen; 25)", "Pictures"},
    {ONCE, '1', "once", NULL, "one picture, and end", "Pictures"},
    {HELP, 'h', "help", NULL, "print this", "Other"},
    BASE_OPTION_END,
};

#define PACKAGE "libcurl4"
#define FUNCTIONS(F)                                                                               \
    F(curl_easy_init)                                                                              \
    F(curl_easy_setopt)                                                                            \
    F(curl_easy_getinfo)                                                                           \
    F(curl_easy_strerror)                                                                          \
    F(curl_multi_init)                                                                             \
    F(curl_multi_add_handle)                                                                       \
    F(curl_multi_remove_handle)                                                                    \
    F(curl_multi_perform)                                                                          \
    F(curl_multi_poll)                                                                             \
    F(curl_multi_info_read)

static struct {
#define F(name) __typeof__(name) *name;
    FUNCTIONS(F)
#undef F
} lib;

typedef struct Top {
    double seconds;
    unsigned rows; /* 0: what fits */
    bool once;
    bool screen, keys; /* standard output and input are terminals */
    char address[300];
    CURL *easy;
    CURLM *multi;
    base_buf body;
    struct termios before;
} Top;

static volatile sig_atomic_t told_to_end;

/* ---- the terminal ---- */

static void on_signal(int number) {
    (void)number;
    told_to_end = 1;
}

static void open_keyboard(Top *t) {
    t->keys = t->screen && isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &t->before) == 0;
    if (!t->keys) return;
    struct termios raw = t->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void close_keyboard(Top *t) {
    if (t->keys) tcsetattr(STDIN_FILENO, TCSANOW, &t->before);
    t->keys = false;
}

/* Whether a key asks for the end: q, control-C, control-D, or the terminal is gone. */
static bool wants_end(const Top *t) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char key;
    if (told_to_end) return true;
    if (!t->keys || poll(&in, 1, 0) <= 0) return false;
    return read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q' || key == 3 || key == 4;
}

static struct winsize screen_size(void) {
    struct winsize w = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &w);
    if (w.ws_row < 8) w.ws_row = 24;
    if (w.ws_col < 20) w.ws_col = 80;
    return w;
}

/* As much of TEXT as the screen has room for, without its last line's end. */
static void put_cut(base_buf *out, const char *text, size_t len, struct winsize w) {
    const char *end = text + len;
    for (int row = 0; row < w.ws_row && text < end; row++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)), *p = text;
        if (!stop) stop = end;
        uint32_t cp;
        for (size_t width = 0; p < stop;) {
            unsigned n = base_utf8_get(p, (size_t)(stop - p), &cp);
            if ((width += base_utf8_width(p, n)) > w.ws_col) break;
            p += n;
        }
        base_buf_puts(out, row ? "\r\n" : "");
        base_buf_add(out, text, (size_t)(p - text));
        base_buf_puts(out, "\033[K");
        text = stop + 1;
    }
}

/* ---- fetching ---- */

static bool load_library(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr,
                "hone top: the library libcurl.so.4 is not to be had: install the package " PACKAGE
                " (%s)\n",
                dlerror());
        return false;
    }
#define F(name) lib.name = (__typeof__(lib.name))dlsym(library, #name);
    FUNCTIONS(F)
#undef F
    return true;
}

static size_t on_data(char *data, size_t size, size_t count, void *context) {
    enum { MOST = 64 << 20 };
    base_buf *body = context;
    if (body->len + size * count > MOST) return 0;
    base_buf_add(body, data, size * count);
    return size * count;
}

static void prepare(Top *t) {
    char url[400];
    enum { LATE_MS = 10000, CONNECT_MS = 5000 };
    snprintf(url, sizeof url, "http://%s/debug/pprof/profile?seconds=%g", t->address, t->seconds);
    t->easy = lib.curl_easy_init();
    t->multi = lib.curl_multi_init();
    lib.curl_easy_setopt(t->easy, CURLOPT_URL, url);
    lib.curl_easy_setopt(t->easy, CURLOPT_PROXY, ""); /* it is near */
    lib.curl_easy_setopt(t->easy, CURLOPT_NOSIGNAL, 1L);
    lib.curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    lib.curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, (long)(t->seconds * 1000) + LATE_MS);
    lib.curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_data);
    lib.curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, &t->body);
}

/* Takes one profile. False: the end is wanted. */
static bool fetch(Top *t, CURLcode *result, long *status) {
    struct curl_waitfd keyboard = {.fd = STDIN_FILENO, .events = CURL_WAIT_POLLIN};
    int busy = 1, left;
    bool end = false;
    base_buf_clear(&t->body);
    *result = CURLE_OK;
    lib.curl_multi_add_handle(t->multi, t->easy);
    while (!end && !lib.curl_multi_perform(t->multi, &busy) && busy) {
        enum { MOST_MS = 1000 };
        lib.curl_multi_poll(t->multi, &keyboard, t->keys, MOST_MS, NULL);
        end = wants_end(t);
    }
    CURLMsg *message = lib.curl_multi_info_read(t->multi, &left);
    if (message) *result = message->data.result;
    lib.curl_multi_remove_handle(t->multi, t->easy);
    lib.curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, status);
    return !end;
}

/* ---- pictures ---- */

static bool show(const Top *t, const hone_prof_data *d) {
    struct winsize w = screen_size();
    enum { AROUND = 8 }; /* lines above the table's rows */
    hone_prof_report report = {.no_tree = true, .top = t->rows};
    if (!t->rows && t->screen && !t->once) report.top = (unsigned)BASE_MAX(w.ws_row - AROUND, 1);
    hone_prof_bytes text = hone_prof_report_text(d, &report);
    base_buf out = {0};
    if (t->screen && !t->once) {
        base_buf all = {0};
        base_buf_printf(&all, "%s, each %g s; q: quit\n", t->address, t->seconds);
        base_buf_add(&all, text.at, text.len);
        base_buf_puts(&out, "\033[H");
        put_cut(&out, all.at, all.len, w);
        base_buf_puts(&out, "\033[J");
        base_buf_free(&all);
    } else {
        base_buf_add(&out, text.at, text.len);
        if (!t->once) base_buf_putc(&out, '\n');
    }
    bool sent = fwrite(out.at, 1, out.len, stdout) == out.len && fflush(stdout) == 0;
    base_buf_free(&out);
    free(text.at);
    return sent;
}

/* Tells why there is no picture; the exit code. */
static int explain(Top *t, CURLcode result, long status, bool first) {
    bool reached = result != CURLE_COULDNT_CONNECT && result != CURLE_COULDNT_RESOLVE_HOST;
    if (t->screen && !first) putchar('\n');
    fflush(stdout);
    if (result == CURLE_OK && status != 200) {
        fprintf(stderr, "hone top: %s answers %ld: %.*s\n", t->address, status,
                (int)strcspn(base_buf_str(&t->body), "\r\n"), base_buf_str(&t->body));
        return EXIT_SCHEME_ERROR;
    }
    if (!first && (!reached || result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR)) {
        fprintf(stderr, "hone top: the program has ended\n");
        return EXIT_OK;
    }
    fprintf(stderr, "hone top: no profile from %s: %s%s\n", t->address,
            lib.curl_easy_strerror(result),
            reached ? "" : "; is a program running that serves there (hone run --profile-serve)?");
    return EXIT_SCHEME_ERROR;
}

static int watch(Top *t) {
    hone_prof_error error;
    hone_prof_data *d;
    CURLcode result;
    long status;
    for (bool first = true;; first = false) {
        if (!fetch(t, &result, &status)) return EXIT_OK;
        if (result != CURLE_OK || status != 200) return explain(t, result, status, first);
        if (hone_prof_data_parse(t->body.at, t->body.len, t->address, &d, &error)) {
            fprintf(stderr, "hone top: %s\n", error.text);
            return EXIT_SCHEME_ERROR;
        }
        if (first && t->screen && !t->once) fputs("\033[2J", stdout);
        bool sent = show(t, d);
        hone_prof_data_free(d);
        if (!sent) {
            if (errno == EPIPE) return EXIT_OK; /* the reader has seen enough */
            fprintf(stderr, "hone top: output was lost: %s\n", strerror(errno));
            return EXIT_SCHEME_ERROR;
        }
        if (t->once) return EXIT_OK;
    }
}

/* PORT or HOST:PORT. */
static bool take_address(Top *t, const char *text) {
    const char *colon = strrchr(text, ':');
    uint64_t port;
    if (!base_parse_u64(colon ? colon + 1 : text, 1, 65535, &port) || colon == text ||
        strlen(text) > 280 || strpbrk(text, "/ ?#@"))
        return false;
    snprintf(t->address, sizeof t->address, "%s%s", colon ? "" : "127.0.0.1:", text);
    return true;
}

int cmd_top(int argc, char **argv) {
    Top t = {.seconds = 2};
    uint64_t n;
    base_options o;
    int operands = 0;
    base_options_init(&o, options, argc, argv, 1);
    for (int id; (id = cmd_next_option(&o, &operands)) != BASE_OPTION_DONE;) {
        switch (id) {
        case BASE_OPTION_ERROR: return cmd_usage_error("top", o.error);
        case SECONDS:
            if (!base_parse_double(o.value, 0.1, 300, &t.seconds))
                return cmd_usage_error("top", "--seconds takes 0.1 to 300");
            break;
        case TOP:
            if (!base_parse_u64(o.value, 1, 1000000, &n))
                return cmd_usage_error("top", "--top takes 1 to 1000000");
            t.rows = (unsigned)n;
            break;
        case ONCE: t.once = true; break;
        case HELP: return cmd_help(cmd_find("top"), options);
        }
    }
    if (operands != 1) return cmd_usage_error("top", "name the port of one program");
    if (!take_address(&t, argv[1]))
        return cmd_usage_error("top", "the program is named by PORT or HOST:PORT");
    if (!load_library()) return EXIT_SCHEME_ERROR;
    signal(SIGPIPE, SIG_IGN);
    t.screen = isatty(STDOUT_FILENO);
    prepare(&t);
    open_keyboard(&t);
    int code = watch(&t);
    if (t.screen && !t.once && code == EXIT_OK) putchar('\n');
    close_keyboard(&t);
    base_buf_free(&t.body);
    return code;
}
