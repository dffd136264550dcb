/* profile.c: the profiler core's host: walks our stack, names our descriptors, and profiles whole
 * runs.
 *
 * A frame's address is its descriptor's (rt/frame.h), or a row of the primitives' table for time
 * inside a primitive. Both are static for the life of the process, so a sample holds no heap object
 * and is resolved when a report is made. */
#include "driver/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "driver/serve.h"
#include "driver/sources.h"
#include "fiber/fiber.h"
#include "vm/stats.h"

static hone_prof *prof;
static os_mutex lock = OS_MUTEX_INIT;
static DriverOptions run; /* what the whole run asks for */
static char *out_path;    /* absolute: the program may change its directory */
static bool failed, finished;

/* ---- walking ---- */

/* Added to the address of a descriptor: that procedure has left by a tail call. */
enum { TAIL_MARK = 4 };

static bool push_frame(const FrameDesc *d, bool tail, void *context) {
    hone_prof_stack *out = context;
    if (!d->site)
        return true; /* no call of the program's: arguments of a primitive about to be called */
    if (hone_prof_stack_push(out, (uintptr_t)d + (tail ? TAIL_MARK : 0))) return true;
    out->truncated = true;
    return false;
}

void driver_push_frames(Thread *t, const Word *sp, hone_prof_stack *out) {
    vm_walk(t, sp, push_frame, out);
    if (!out->truncated) return;
    const FrameDesc *root[out->root_max + 1];
    unsigned n = rt_walk_outermost(t, sp, root, out->root_max);
    for (unsigned i = 0; i < n; i++) hone_prof_stack_root(out, (uintptr_t)root[i]);
}

static void walk(void *host, void *thread, hone_prof_stack *out) {
    (void)host;
    Thread *t = thread;
    const Word *sp = t->sp;
    out->labels = t->labels;
    out->beat_ns = __atomic_load_n(&t->tick_mono_ns, __ATOMIC_RELAXED);
    if (out->capture)
        sp = driver_push_leaf(t, out);
    else if (t->long_primitive)
        hone_prof_stack_push(out, (uintptr_t)t->long_primitive);
    driver_push_frames(t, sp, out);
}

/* ---- naming ---- */

/* outer/inner for a procedure that stands in another. At most three steps. */
static void full_name(const ProcInfo *p, base_buf *out, int steps) {
    if (p->outer && p->outer->name[0] && steps > 0) {
        full_name(p->outer, out, steps - 1);
        base_buf_puts(out, "/");
    }
    base_buf_puts(out, p->name[0] ? p->name : "top level");
}

/* The library's procedure %X that S is part of, or NULL. It and the lambdas in it are how the form
 * X works, as guard, and no procedures of anyone's: in profiles they are one procedure, named X. */
static const ProcInfo *machinery(const Site *s) {
    const ProcInfo *p = s->proc;
    if (!s->pos.file || !driver_is_builtin(s->pos.file)) return NULL;
    while (p && p->name[0] != '%') p = p->outer;
    return p && p->name[1] ? p : NULL;
}

hone_prof_frame driver_site_frame(const Site *s, base_buf *name) {
    static const ProcInfo nobody = {.name = "unknown"};
    const ProcInfo *form = machinery(s), *p = form ? form : s->proc ? s->proc : &nobody;
    base_buf_clear(name);
    if (form)
        base_buf_puts(name, form->name + 1);
    else
        full_name(p, name, 2);
    return (hone_prof_frame){.name = base_buf_str(name),
                             .file = s->pos.file ? s->pos.file->path : NULL,
                             .line = s->pos.line,
                             .column = s->pos.column,
                             .func_line = p->pos.line,
                             .func_column = p->pos.column,
                             .func_id = (uint64_t)p};
}

static void emit_site(hone_prof_sink *sink, const Site *s, bool tail) {
    base_buf name = {0};
    hone_prof_frame frame = driver_site_frame(s, &name);
    if (tail) base_buf_puts(&name, " (tail)");
    frame.name = base_buf_str(&name);
    hone_prof_emit(sink, &frame);
    base_buf_free(&name);
}

static bool resolve(void *host, uintptr_t address, hone_prof_sink *sink) {
    (void)host;
    if (address >= (uintptr_t)&rt_prims[0] && address < (uintptr_t)&rt_prims[PRIM_COUNT]) {
        const Prim *p = (const Prim *)address;
        hone_prof_emit(sink, &(hone_prof_frame){.name = p->name, .func_id = address});
        return true;
    }
    if (driver_wait_name(address)) {
        hone_prof_emit(sink, &(hone_prof_frame){.name = driver_wait_name(address)});
        return true;
    }
    const Site *leaf = driver_leaf_site(address);
    if (driver_is_native(address)) return false;
    bool tail = !leaf && address & TAIL_MARK;
    if (!leaf) leaf = ((const FrameDesc *)(address & ~(uintptr_t)TAIL_MARK))->site;
    for (const Site *s = leaf; s; s = s->caller) emit_site(sink, s, tail);
    return leaf != NULL;
}

static void wake(void *host, void *thread) {
    (void)host;
    fiber_wake(thread);
}

/* ---- the process's one profile ---- */

/* A thread is added by itself or, where it runs already when the profile is made, by whoever makes
 * it; perhaps both try. One that ends is never added again. */
static void add_thread(Thread *t, void *context) {
    (void)context;
    char name[32];
    snprintf(name, sizeof name, t->id == 1 ? "main" : "thread %u", t->id);
    os_mutex_lock(&lock);
    if (!t->prof && !t->ended) {
        hone_prof_thread *added = hone_prof_thread_add(prof, t, &t->ticks, name);
        __atomic_store_n(&t->prof, added, __ATOMIC_RELEASE);
    }
    os_mutex_unlock(&lock);
}

static void thread_begin(Thread *t) {
    if (__atomic_load_n(&prof, __ATOMIC_ACQUIRE)) add_thread(t, NULL);
    driver_alloc_thread(t);
}

static void thread_end(Thread *t) {
    os_mutex_lock(&lock);
    hone_prof_thread *p = t->prof;
    __atomic_store_n(&t->prof, NULL, __ATOMIC_SEQ_CST); /* no signal uses it from here on */
    if (p) hone_prof_thread_remove(p);
    t->ended = true;
    os_mutex_unlock(&lock);
}

static void collected(Thread *t, uint64_t ns) {
    hone_prof *p = __atomic_load_n(&prof, __ATOMIC_ACQUIRE);
    if (p)
        hone_prof_account(p, __atomic_load_n(&t->prof, __ATOMIC_ACQUIRE), HONE_PROF_COLLECTOR, ns);
}

uint64_t driver_compiling_begin(void) {
    return __atomic_load_n(&prof, __ATOMIC_ACQUIRE) ? os_thread_cpu_ns() : 0;
}

void driver_compiling_end(Mutator *m, uint64_t began) {
    hone_prof_thread *p = __atomic_load_n(&rt_thread(m)->prof, __ATOMIC_ACQUIRE);
    driver_alloc_compiled(rt_thread(m));
    if (began && p) hone_prof_account(prof, p, HONE_PROF_COMPILING, os_thread_cpu_ns() - began);
}

const char *driver_program_name(void) { return run.program ? base_path_name(run.program) : "hone"; }

static uint32_t label_fiber(uint32_t inherited, const char *name) {
    return hone_prof_labels(prof, inherited, "fiber", name);
}

/* Made when sampling is first asked for; until then threads pay nothing. */
hone_prof *driver_prof(void) {
    os_mutex_lock(&lock);
    bool made = !prof;
    if (made) {
        hone_prof_config config = {
            .walk = walk, .resolve = resolve, .wake = wake, .program = driver_program_name()};
        driver_source_hooks(&config);
        __atomic_store_n(&prof, hone_prof_new(&config), __ATOMIC_RELEASE);
    }
    os_mutex_unlock(&lock);
    if (made) {
        __atomic_store_n(&fiber_label, label_fiber, __ATOMIC_RELEASE);
        rt_each_thread(add_thread, NULL);
    }
    return prof;
}

/* ---- line counts ---- */

typedef BASE_VEC(hone_prof_count) Counts;

/* The executions of a line of one body: of a procedure as it is, or of one copy of it that was
 * inlined. */
typedef struct LineCount {
    const Site *site; /* the first that was found of them */
    uint64_t count;
} LineCount;
typedef BASE_VEC(LineCount) LineCounts;

static LineCount *same_line(LineCounts *lines, const Site *s) {
    for (size_t k = lines->len; k-- > 0;) {
        const Site *other = lines->at[k].site;
        if (other->pos.line == s->pos.line && other->proc == s->proc && other->caller == s->caller)
            return &lines->at[k];
    }
    return NULL;
}

static void push_count(Counts *all, const LineCount *line) {
    const Site *s = line->site;
    base_buf name = {0};
    full_name(s->proc, &name, 2);
    BASE_PUSH(all, (hone_prof_count){.place = {.name = rt_forever_string(base_buf_str(&name)),
                                               .file = s->pos.file->path,
                                               .line = s->pos.line,
                                               .column = s->pos.column,
                                               .func_line = s->proc->pos.line,
                                               .func_column = s->proc->pos.column,
                                               .func_id = (uint64_t)s->proc},
                                     .count = line->count});
    base_buf_free(&name);
}

/* A site is executed as often as its first instruction: behind that there may be some that have no
 * place of their own and are executed on other ways too. A line of a body is executed as often as
 * the most executed site on it; bodies that are inlined several times add up. */
static void count_code(Code *code, void *context) {
    const uint64_t *counts = __atomic_load_n(
        &code->counts, __ATOMIC_ACQUIRE); /* made by whichever thread counts first */
    if (!counts) return;
    LineCounts lines = {0};
    for (uint32_t i = 0; i < code->position_count; i++) {
        const PosEntry *e = &code->positions[i];
        uint64_t count = __atomic_load_n(&counts[e->pc], __ATOMIC_RELAXED);
        if (!count || !e->site->pos.file || !e->site->proc) continue;
        LineCount *line = same_line(&lines, e->site);
        if (!line)
            BASE_PUSH(&lines, (LineCount){.site = e->site, .count = count});
        else if (count > line->count)
            line->count = count;
    }
    for (size_t i = 0; i < lines.len; i++) push_count(context, &lines.at[i]);
    BASE_VEC_FREE(&lines);
}

hone_prof_data *driver_line_counts(void) {
    Counts all = {0};
    vm_each_code(count_code, &all);
    hone_prof_data *d = hone_prof_data_from_counts(driver_program_name(), all.at, all.len);
    BASE_VEC_FREE(&all);
    return d;
}

static void reset_code(Code *code, void *context) {
    (void)context;
    uint64_t *counts = __atomic_load_n(&code->counts, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; counts && i < code->length; i++)
        __atomic_store_n(&counts[i], 0, __ATOMIC_RELAXED);
}
void driver_reset_counts(void) { vm_each_code(reset_code, NULL); }

/* ---- whole runs ---- */

/* What can be known before the program runs is said before it runs. */
static void check_out(void) {
    hone_prof_error error;
    char *why = NULL;
    out_path = base_path_absolute(run.profile_out);
    int status = (run.profile == PROFILE_VM ? hone_prof_vmstats_check_path
                                            : hone_prof_check_path)(run.profile_out, &error);
    if (!status && base_file_can_write(out_path, &why)) return;
    fprintf(stderr, "hone: %s\n", status ? error.text : why);
    exit(EXIT_USAGE);
}

/* A port that was left to chance is told. */
static void serve(const char *address) {
    base_buf error = {0};
    int port = driver_serve_start(address, &error);
    if (port < 0) {
        fprintf(stderr, "hone: %s\n", base_buf_str(&error));
        exit(EXIT_USAGE);
    }
    const char *digits = strrchr(address, ':');
    if (!strcmp(digits ? digits + 1 : address, "0"))
        fprintf(stderr, "hone: serving profiles at port %d\n", port);
}

/* The child of a fork has no threads but its own and no timers: it is not sampled, and the file is
 * its parent's. */
static void forked(void) {
    run.profile = PROFILE_NONE;
    run.allocations = false;
    os_mutex_init(&lock);
    finished = true;
    if (prof) hone_prof_forked(prof);
}

static void start_allocations(void) {
    int status = driver_alloc_start(
        &(hone_prof_alloc_options){.interval = run.alloc_interval, .depth = run.depth});
    if (status) {
        fprintf(stderr, "hone: the profiler cannot start: %s\n", hone_prof_status_text(status));
        exit(EXIT_USAGE);
    }
}

void driver_profile_start(const DriverOptions *options) {
    run = *options;
    pthread_atfork(NULL, NULL, forked);
    rt_on_collection = collected;
    fiber_on_thread_begin = thread_begin;
    fiber_on_thread_end = thread_end;
    driver_alloc_init();
    if (run.tail_calls) vm_set_watch(VM_WATCH_TAILS, true);
    if (run.profile_out) check_out();
    if (run.allocations) start_allocations();
    switch (run.profile) {
    case PROFILE_NONE: break;
    case PROFILE_SAMPLE: {
        hone_prof_error error;
        hone_prof_options o = {.interval_ns = (uint64_t)llround(run.interval_ms * 1e6),
                               .depth = run.depth,
                               .source = run.source,
                               .error = &error};
        if (driver_sample_start(&o)) {
            fprintf(stderr, "hone: the profiler cannot start: %s\n", error.text);
            exit(EXIT_USAGE);
        }
        break;
    }
    case PROFILE_COUNTS: vm_set_mode(VM_COUNTS); break;
    case PROFILE_VM: vm_set_mode(VM_STATISTICS); break;
    }
    if (run.serve) serve(run.serve);
}

static void save(hone_prof_data *d, const char *path) {
    hone_prof_error error;
    if (path) {
        if (hone_prof_save(d, path, NULL, NULL, &error)) {
            fprintf(stderr, "hone: %s\n", error.text);
            failed = true;
        }
    } else {
        hone_prof_bytes text = hone_prof_report_text(d, &(hone_prof_report){.top = run.top});
        fwrite(text.at, 1, text.len, stderr);
        free(text.at);
    }
    hone_prof_data_free(d);
}

static void save_vm(void) {
    hone_prof_error error;
    if (out_path) {
        if (hone_prof_vmstats_save(vm_statistics(), out_path, NULL, &error)) {
            fprintf(stderr, "hone: %s\n", error.text);
            failed = true;
        }
        return;
    }
    hone_prof_bytes text = hone_prof_vmstats_text(vm_statistics(), 0);
    fwrite(text.at, 1, text.len, stderr);
    free(text.at);
}

/* Beside another profile in NAME.EXT the one of the allocations is NAME.alloc.EXT. */
static char *alloc_path(void) {
    if (!out_path) return NULL;
    if (run.profile == PROFILE_NONE) return base_strdup(out_path);
    const char *name = base_path_name(out_path), *dot = strchr(name + (*name == '.'), '.');
    base_buf b = {0};
    base_buf_add(&b, out_path, dot ? (size_t)(dot - out_path) : strlen(out_path));
    base_buf_printf(&b, ".alloc%s", dot ? dot : "");
    return base_buf_take(&b);
}

static void finish_allocations(void) {
    uint64_t interval;
    char *path = alloc_path();
    if (hone_prof_alloc_run(driver_prof(), &interval)) driver_alloc_stop();
    save(driver_alloc_snapshot(false), path);
    free(path);
}

static void finish(void) {
    if (run.allocations) finish_allocations();
    switch (run.profile) {
    case PROFILE_NONE: break;
    case PROFILE_SAMPLE:
        driver_sample_stop();
        save(driver_snapshot(), out_path);
        break;
    case PROFILE_COUNTS: save(driver_line_counts(), out_path); break;
    case PROFILE_VM: save_vm(); break;
    }
}

/* A thread that ends the process and the one that waits for signals may both come here: the later
 * waits for the earlier. */
void driver_profile_finish(void) {
    static os_mutex finishing = OS_MUTEX_INIT;
    os_mutex_lock(&finishing);
    if (!finished) {
        driver_serve_finish();
        finish();
    }
    finished = true;
    os_mutex_unlock(&finishing);
}

bool driver_profile_failed(void) { return failed; }
