/* sampling.c: whose run of the sampler it is.
 *
 * There is one sampler, and two that want it: the program (and `hone run --profile`), which starts
 * and stops it, and the server, which needs it for the windows that clients ask for. Neither is to
 * notice the other. So:
 *
 * - A window is the difference of two snapshots. It neither starts nor stops what runs already.
 * - Where nothing runs, the first window starts a run of the server's own (`ours`), and the last
 *   one ends it. What such runs have added is kept aside (`foreign`) and taken off whatever the
 *   program is shown. While one is under way, the program is shown what there was before it.
 * - The program starting the sampler takes over a run of ours; stopping it leaves one where windows
 *   are open. Sampling goes on, so a window is nowhere cut.
 * - A reset puts aside what each open window has by then.
 *
 * A run of ours has the source of the program's last run; the program may begin one of another as
 * long as it has no samples itself.
 */
#include <stdlib.h>
#include "driver/profile.h"
#include "driver/serve.h"
#include "driver/sources.h"

enum { MAX_WINDOWS = 16 };

struct SamplingWindow {
    hone_prof_data *before; /* what was there when it began, or at the last reset; NULL: nothing */
    hone_prof_data *part;   /* its own from before a reset, or NULL */
    int64_t start_ns;
    SamplingWindow *next;
};

static os_mutex lock = OS_MUTEX_INIT; /* all below; taken before any of the profiler's, by enter */
static SamplingWindow *windows;
static int window_count;
static bool ours;
static hone_prof_data *before_ours; /* while ours; NULL: nothing */
static hone_prof_data *foreign;     /* NULL: nothing */

/* Takes the lock. A thread of Hone's is away while it waits: whoever has the lock may hold the
 * world, for a snapshot. */
static void enter(void) {
    if (os_mutex_trylock(&lock)) return;
    Thread *self = rt_current();
    bool leave = self && !rt_is_away(self);
    if (leave) rt_block_begin(&self->m, RT_WAIT_NOTHING);
    os_mutex_lock(&lock);
    if (leave) rt_block_end(&self->m);
}

/* A + B; takes both over. NULL counts as nothing. Of what cannot be added, since a run of another
 * source came between, B remains. */
static hone_prof_data *plus(hone_prof_data *a, hone_prof_data *b) {
    if (!a || !b) return a ? a : b;
    hone_prof_data *sum;
    hone_prof_merge((const hone_prof_data *const[]){a, b}, NULL, 2, true, &sum, NULL);
    hone_prof_data_free(a);
    if (!sum) return b;
    hone_prof_data_free(b);
    return sum;
}

/* A - B; takes A over. */
static hone_prof_data *minus(hone_prof_data *a, const hone_prof_data *b, int64_t start_ns) {
    hone_prof_data *d = hone_prof_subtract(a, b, start_ns);
    hone_prof_data_free(a);
    return d;
}

static void begin_ours(hone_prof *p) {
    before_ours = hone_prof_snapshot(p);
    hone_prof_start(p, NULL);
    ours = true;
}

static void end_ours(hone_prof *p) {
    hone_prof_stop(p);
    foreign = plus(foreign, minus(hone_prof_snapshot(p), before_ours, 0));
    hone_prof_data_free(before_ours);
    before_ours = NULL;
    ours = false;
}

/* Forgets all samples but those of the windows. */
static void forget(hone_prof *p) {
    for (SamplingWindow *w = windows; w; w = w->next) {
        w->part = plus(w->part, minus(hone_prof_snapshot(p), w->before, w->start_ns));
        hone_prof_data_free(w->before);
        w->before = NULL;
    }
    hone_prof_reset(p);
    hone_prof_data_free(foreign);
    hone_prof_data_free(before_ours);
    foreign = before_ours = NULL;
}

/* What is there without the server's. */
static hone_prof_data *own_data(hone_prof *p) {
    hone_prof_data *d = hone_prof_snapshot(p);
    if (ours) { /* what it held before: the rest is taken off */
        hone_prof_data *since = hone_prof_subtract(d, before_ours, 0);
        d = minus(d, since, 0);
        hone_prof_data_free(since);
    }
    return foreign ? minus(d, foreign, 0) : d;
}

static bool owns_nothing(hone_prof *p) {
    hone_prof_data *d = own_data(p);
    bool nothing = hone_prof_data_samples(d) == 0;
    hone_prof_data_free(d);
    return nothing;
}

/* The child of a fork has no windows, and its sampler is stopped. */
void driver_sampling_forked(void) {
    os_mutex_init(&lock);
    windows = NULL;
    window_count = 0;
    ours = false;
    foreign = before_ours = NULL;
}

/* ---- the program's side ---- */

int driver_sample_start(const hone_prof_options *options) {
    hone_prof *p = driver_prof();
    driver_source_wanted(options->source);
    enter();
    bool was_ours = ours;
    if (ours) end_ours(p);
    int status = hone_prof_start(p, options);
    if (status == HONE_PROF_MISMATCH && foreign && owns_nothing(p)) {
        forget(p); /* of another source, and none of it the program's */
        status = hone_prof_start(p, options);
    }
    if (status && was_ours) begin_ours(p);
    os_mutex_unlock(&lock);
    return status;
}

int driver_sample_stop(void) {
    hone_prof *p = driver_prof();
    enter();
    int status = ours ? HONE_PROF_STOPPED : hone_prof_stop(p);
    if (!status && windows) begin_ours(p);
    os_mutex_unlock(&lock);
    return status;
}

int driver_sample_reset(void) {
    hone_prof *p = driver_prof();
    enter();
    forget(p);
    os_mutex_unlock(&lock);
    return HONE_PROF_OK;
}

bool driver_sample_running(void) {
    hone_prof *p = driver_prof();
    enter();
    bool running = !ours && hone_prof_running(p);
    os_mutex_unlock(&lock);
    return running;
}

hone_prof_data *driver_snapshot(void) {
    hone_prof *p = driver_prof();
    enter();
    hone_prof_data *d = own_data(p);
    os_mutex_unlock(&lock);
    return d;
}

/* ---- windows ---- */

SamplingWindow *driver_window_begin(void) {
    hone_prof *p = driver_prof();
    SamplingWindow *w = NULL;
    enter();
    if (window_count < MAX_WINDOWS) {
        if (!hone_prof_running(p)) begin_ours(p);
        w = base_calloc(1, sizeof *w);
        *w = (SamplingWindow){
            .before = hone_prof_snapshot(p), .start_ns = os_wall_ns(), .next = windows};
        windows = w;
        window_count++;
    }
    os_mutex_unlock(&lock);
    return w;
}

hone_prof_data *driver_window_end(SamplingWindow *w) {
    hone_prof *p = driver_prof();
    enter();
    hone_prof_data *d = minus(hone_prof_snapshot(p), w->before, w->start_ns);
    SamplingWindow **at = &windows;
    while (*at != w) at = &(*at)->next;
    *at = w->next;
    window_count--;
    if (!windows && ours) end_ours(p);
    os_mutex_unlock(&lock);
    d = plus(w->part, d);
    hone_prof_data_free(w->before);
    free(w);
    return d;
}
