/* pages.c: what is served: profiles, at the paths and in the forms that Go's servers have, so that
 * the tools and stores that take those take ours.
 *
 * The fiber profile is of one moment: the world is held, the stacks' descriptors are copied, the
 * world goes on, and only then are places named and equal stacks counted. */
#include <stdio.h>
#include <stdlib.h>
#include "driver/profile.h"
#include "driver/serve.h"
#include "fiber/fiber.h"

#define MAX_SECONDS 300
#define ROOT        "/debug/pprof/"
#define TEXT        "text/plain; charset=utf-8"

void driver_page_text(ServeAnswer *out, int status, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    base_buf_clear(&out->body);
    base_buf_vprintf(&out->body, format, ap);
    base_buf_putc(&out->body, '\n');
    va_end(ap);
    out->status = status;
    out->type = TEXT;
    out->file = NULL;
}

static int number(const ServeRequest *r, const char *name) {
    const char *text = driver_serve_argument(r, name);
    uint64_t n;
    return text && base_parse_u64(text, 0, 9, &n) ? (int)n : 0;
}

/* The argument `seconds`, or OTHERWISE where it is not given. False: it is out of bounds, which is
 * answered. */
static bool seconds_of(const ServeRequest *r, double otherwise, double *seconds, ServeAnswer *out) {
    const char *text = driver_serve_argument(r, "seconds");
    *seconds = otherwise;
    if (!text || base_parse_double(text, 0.01, MAX_SECONDS, seconds)) return true;
    driver_page_text(out, 400, "seconds must be a number from 0.01 to %d", MAX_SECONDS);
    return false;
}

/* D as a profile to be kept under the name FILE, or as a report for people; frees it. */
static void put_profile(const ServeRequest *r, hone_prof_data *d, const char *file,
                        ServeAnswer *out) {
    bool text = number(r, "debug") > 0;
    hone_prof_bytes bytes = text ? hone_prof_report_text(d, NULL)
                                 : hone_prof_write(d, hone_prof_format_by_name("pprof"), NULL);
    base_buf_add(&out->body, bytes.at, bytes.len);
    free(bytes.at);
    hone_prof_data_free(d);
    if (text)
        out->type = TEXT;
    else
        out->file = file;
}

/* ---- time ---- */

static void page_profile(const ServeRequest *r, ServeAnswer *out) {
    enum { SECONDS = 30 };
    double seconds;
    if (!seconds_of(r, SECONDS, &seconds, out)) return;
    SamplingWindow *w = driver_window_begin();
    if (!w) {
        driver_page_text(out, 503, "too many profiles are being taken at once; ask again later");
        return;
    }
    bool here = driver_serve_wait(r, seconds);
    hone_prof_data *d = driver_window_end(w);
    if (here) {
        put_profile(r, d, "profile", out);
    } else {
        hone_prof_data_free(d);
        out->status = 0;
    }
}

/* ---- allocation ---- */

/* LIVE: what lives, by where it was allocated; over some seconds always what was allocated in them.
 */
static void allocations(const ServeRequest *r, bool live, const char *const files[2],
                        ServeAnswer *out) {
    double seconds;
    if (!seconds_of(r, 0, &seconds, out)) return;
    if (!driver_alloc_sampled()) {
        driver_page_text(out, 501,
                         "allocations are not being sampled; run the program with "
                         "--profile=alloc, or let it call (sample-allocations!)");
        return;
    }
    hone_prof_data *d = driver_alloc_snapshot(live && seconds == 0);
    if (seconds > 0) {
        int64_t began = os_wall_ns();
        if (!driver_serve_wait(r, seconds)) {
            hone_prof_data_free(d);
            out->status = 0;
            return;
        }
        hone_prof_data *after = driver_alloc_snapshot(false);
        hone_prof_data *since = hone_prof_subtract(after, d, began);
        hone_prof_data_free(after);
        hone_prof_data_free(d);
        d = since;
    }
    put_profile(r, d, files[seconds > 0], out);
}

static void page_heap(const ServeRequest *r, ServeAnswer *out) {
    allocations(r, true, (const char *const[]){"heap", "heap-delta"}, out);
}
static void page_allocs(const ServeRequest *r, ServeAnswer *out) {
    allocations(r, false, (const char *const[]){"allocs", "allocs-delta"}, out);
}

/* ---- threads and fibers ---- */

enum { MAX_FRAMES = 128, PATIENCE_NS = 1000000000 };

/* One stack, innermost frame first. */
typedef struct Stack {
    size_t first; /* of COUNT frames in Look.frames */
    uint32_t count;
    bool cut;  /* there are more */
    bool away; /* it waits, or it has nothing to run */
    RtWait waits_for;
    uint64_t since_ns; /* how long it has waited */
    uint32_t alike;    /* threads with this stack; 0: counted with an earlier one */
} Stack;

typedef struct Look {
    BASE_VEC(Stack) stacks;
    BASE_VEC(const FrameDesc *) frames;
    uint64_t now;
} Look;

static bool push_frame(const FrameDesc *d, void *context) {
    Look *look = context;
    Stack *s = &look->stacks.at[look->stacks.len - 1];
    if (!d->site) return true;
    s->cut = s->count == MAX_FRAMES;
    if (s->cut) return false;
    BASE_PUSH(&look->frames, d);
    s->count++;
    return true;
}

/* The frames are to be pushed next. SINCE_NS 0: it is not known. */
static void push_stack(Look *look, bool away, RtWait why, uint64_t since_ns) {
    bool known = away && since_ns && since_ns < look->now;
    BASE_PUSH(&look->stacks, (Stack){.first = look->frames.len,
                                     .away = away,
                                     .waits_for = why,
                                     .since_ns = known ? look->now - since_ns : 0});
}

static void look_at_thread(Thread *t, void *context) {
    push_stack(context, t->state == THREAD_AWAY, t->waits_for, t->away_since_ns);
    rt_walk(t, t->sp, push_frame, context);
}

static void look_at_fiber(const FiberParked *fiber, void *context) {
    push_stack(context, true, fiber->why, fiber->since_ns);
    rt_walk_cont(fiber->cont, push_frame, context);
}

static const char *state_name(const Stack *s) {
    static const char *const names[] = {
#define ROW(name, word) word,
        RT_WAITS(ROW)
#undef ROW
    };
    return !s->away ? "running" : s->waits_for == RT_WAIT_NOTHING ? "idle" : names[s->waits_for];
}

static void count_alike(Look *look) {
    base_strmap seen = {0};
    for (size_t i = 0; i < look->stacks.len; i++) {
        Stack *s = &look->stacks.at[i];
        base_buf key = {0};
        base_buf_printf(&key, "%d%d:", s->away, s->waits_for);
        if (s->count) base_buf_add(&key, look->frames.at + s->first, s->count * sizeof(void *));
        bool added;
        void **at = base_strmap_at(&seen, key.at, key.len, &added);
        base_buf_free(&key);
        if (added) *at = (void *)(i + 1);
        Stack *all = &look->stacks.at[(uintptr_t)*at - 1];
        all->alike++;
        all->since_ns = BASE_MAX(all->since_ns, s->since_ns);
    }
    base_strmap_free(&seen);
}

static int by_number(const void *pa, const void *pb) {
    const Stack *a = pa, *b = pb;
    if (a->alike != b->alike) return a->alike < b->alike ? 1 : -1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static void put_site(base_buf *out, const Site *s) {
    base_buf name = {0};
    hone_prof_frame f = driver_site_frame(s, &name);
    base_buf_printf(out, "#\t%s", f.name);
    if (f.file) base_buf_printf(out, "\t%s:%u", f.file, f.line);
    base_buf_putc(out, '\n');
    base_buf_free(&name);
}

/* As Go's goroutine profile for people: each stack with the number of those that have it. */
static void put_stacks(const Look *look, size_t total, ServeAnswer *out) {
    base_buf *b = &out->body;
    out->type = TEXT;
    base_buf_printf(b, "fiber profile: total %zu\n", total);
    for (size_t i = 0; i < look->stacks.len; i++) {
        const Stack *s = &look->stacks.at[i];
        base_buf_printf(b, "%u @ %s", s->alike, state_name(s));
        if (s->since_ns)
            base_buf_printf(b, " for %.3f s%s", (double)s->since_ns / 1e9,
                            s->alike > 1 ? " at most" : "");
        base_buf_putc(b, '\n');
        for (uint32_t k = 0; k < s->count; k++)
            for (const Site *site = look->frames.at[s->first + k]->site; site; site = site->caller)
                put_site(b, site);
        if (s->cut) base_buf_puts(b, "#\t...\n");
        base_buf_putc(b, '\n');
    }
}

static uint32_t add_state(hone_prof_data *d, const Stack *s) {
    char name[40];
    bool waits = s->away && s->waits_for != RT_WAIT_NOTHING;
    snprintf(name, sizeof name, waits ? "[waiting: %s]" : "[%s]", state_name(s));
    hone_prof_line line = {hone_prof_data_add_func(d, name, "", 0, 0, 0), 0, 0};
    return hone_prof_data_add_location(d, &line, 1);
}

static uint32_t add_frame(hone_prof_data *d, const FrameDesc *frame) {
    BASE_VEC(hone_prof_line) lines = {0};
    for (const Site *s = frame->site; s; s = s->caller) {
        base_buf name = {0};
        hone_prof_frame f = driver_site_frame(s, &name);
        uint32_t func =
            hone_prof_data_add_func(d, f.name, f.file, f.func_line, f.func_column, f.func_id);
        BASE_PUSH(&lines, (hone_prof_line){func, f.line, f.column});
        base_buf_free(&name);
    }
    uint32_t location = hone_prof_data_add_location(d, lines.at, (uint32_t)lines.len);
    BASE_VEC_FREE(&lines);
    return location;
}

/* What a thread waits for is its innermost frame. */
static hone_prof_data *stacks_data(const Look *look) {
    static const hone_prof_value_type type = {"fiber", "count"};
    hone_prof_data *d =
        hone_prof_data_new(&(hone_prof_info){.program = driver_program_name(),
                                             .meaning = "threads and fibers at one moment, counted",
                                             .values = &type,
                                             .value_count = 1,
                                             .sample_value = 0,
                                             .start_ns = os_wall_ns(),
                                             .sources = 1,
                                             .own = true});
    BASE_VEC(uint32_t) path = {0};
    for (size_t i = 0; i < look->stacks.len; i++) {
        const Stack *s = &look->stacks.at[i];
        uint64_t alike = s->alike;
        path.len = 0;
        if (s->away || !s->count) BASE_PUSH(&path, add_state(d, s));
        for (uint32_t k = 0; k < s->count; k++)
            BASE_PUSH(&path, add_frame(d, look->frames.at[s->first + k]));
        hone_prof_data_add_sample(d, path.at, (uint32_t)path.len, &alike, "", NULL, 0);
    }
    BASE_VEC_FREE(&path);
    hone_prof_data_finish(d);
    return d;
}

static void page_fiber(const ServeRequest *r, ServeAnswer *out) {
    if (driver_serve_argument(r, "seconds")) {
        driver_page_text(out, 400, "this profile is of one moment: it takes no `seconds`");
        return;
    }
    Look look = {0};
    look.now = os_mono_ns();
    if (!rt_world_hold_until(look.now + PATIENCE_NS)) {
        driver_page_text(out, 503, "a thread has come to no safe point for %d s; ask again later",
                         PATIENCE_NS / 1000000000);
        return;
    }
    rt_each_thread(look_at_thread, &look);
    fiber_each_parked(look_at_fiber, &look);
    rt_world_release();
    size_t total = look.stacks.len, kept = 0;
    count_alike(&look);
    for (size_t i = 0; i < total; i++)
        if (look.stacks.at[i].alike) look.stacks.at[kept++] = look.stacks.at[i];
    look.stacks.len = kept;
    qsort(look.stacks.at, kept, sizeof *look.stacks.at, by_number);
    if (number(r, "debug") > 0)
        put_stacks(&look, total, out);
    else
        put_profile(r, stacks_data(&look), "fiber", out);
    BASE_VEC_FREE(&look.stacks);
    BASE_VEC_FREE(&look.frames);
}

/* ---- small ones ---- */

/* The words, with a NUL between them. */
static void page_cmdline(const ServeRequest *r, ServeAnswer *out) {
    (void)r;
    char *why = NULL;
    out->type = TEXT;
    if (!base_file_read("/proc/self/cmdline", 0, &out->body, &why)) {
        driver_page_text(out, 500, "%s", why);
        free(why);
    } else if (out->body.len && !out->body.at[out->body.len - 1]) {
        out->body.len--;
    }
}

static void page_index(const ServeRequest *r, ServeAnswer *out);

static const struct Page {
    const char *path; /* behind ROOT */
    void (*answer)(const ServeRequest *r, ServeAnswer *out);
    const char *link, *help; /* NULL: not in the index */
} pages[] = {
    {"", page_index, NULL, NULL},
    {"profile", page_profile, "profile?seconds=30",
     "CPU time of the next <code>seconds</code> seconds, by stack"},
    {"heap", page_heap, "heap", "objects and bytes that are alive, by where they were allocated"},
    {"allocs", page_allocs, "allocs",
     "objects and bytes that were allocated; with <code>seconds</code>, in that time"},
    {"fiber", page_fiber, "fiber?debug=1", "what every thread and fiber is doing now"},
    {"goroutine", page_fiber, NULL, NULL},
    {"cmdline", page_cmdline, "cmdline", "the command line, with NUL between its words"},
};

static void page_index(const ServeRequest *r, ServeAnswer *out) {
    (void)r;
    out->type = "text/html; charset=utf-8";
    base_buf_puts(&out->body,
                  "<!doctype html>\n<title>Hone: profiles</title>\n<h1>" ROOT "</h1>\n<table>\n");
    for (size_t i = 0; i < BASE_COUNT(pages); i++)
        if (pages[i].link)
            base_buf_printf(&out->body, "<tr><td><a href=\"%s%s\">%s</a><td>%s\n", ROOT,
                            pages[i].link, pages[i].path, pages[i].help);
    base_buf_puts(&out->body, "</table>\n<p>Profiles are in the pprof format; with "
                              "<code>debug=1</code> they are text.\n");
}

void driver_page(const char *path, bool head_only, const ServeRequest *r, ServeAnswer *out) {
    size_t root = strlen(ROOT);
    const char *name = strcmp(path, "/debug/pprof") == 0 ? ""
                       : strncmp(path, ROOT, root) == 0  ? path + root
                                                         : NULL;
    for (size_t i = 0; name && i < BASE_COUNT(pages); i++) {
        if (strcmp(name, pages[i].path) != 0) continue;
        if (!head_only) pages[i].answer(r, out);
        return;
    }
    driver_page_text(out, 404, "there is nothing at that path; see " ROOT);
}
