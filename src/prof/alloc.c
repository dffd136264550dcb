/* The allocation profile: objects and bytes by stack, of samples taken every so many bytes.
 *
 * An object of s bytes is a sample with the probability p = 1 - exp(-s / interval), each on its
 * own, so it stands for 1/p objects and s/p bytes, and adds (1 - p) s^2 / p^2 to the variance of
 * the sum of bytes (Horvitz and Thompson's estimator). Large objects are nearly always samples and
 * add no error.
 *
 * Samples are few, some thousands a second at most, so all threads share one table under one lock.
 * A path in it is: labels, number of the thread, frames. A sampled object is remembered until a
 * sweep finds that it has died; what its stack holds alive is kept beside what it has allocated. */
#include <math.h>
#include <stdlib.h>

#include "prof/data.h"
#include "prof/sampler.h"

#define DEFAULT_INTERVAL (512u << 10)
#define MAX_INTERVAL     ((uint64_t)1 << 40)

static const hone_prof_value_type value_types[] = {{"samples", "count"},
                                                   {"alloc_objects", "count"},
                                                   {"alloc_space", "bytes"},
                                                   {"inuse_objects", "count"},
                                                   {"inuse_space", "bytes"}};
enum { SAMPLES, ALLOC_OBJECTS, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE, VALUES };

typedef struct alloc_row {
    uint32_t node;
    uint64_t samples;
    double objects, bytes;
    double live_objects, live_bytes;
} alloc_row;

typedef struct live_object {
    uintptr_t object;
    uint32_t row;
    double objects, bytes; /* what it stands for */
} live_object;

typedef struct thread_name {
    uint64_t id;
    char *name; /* as it was last seen */
} thread_name;

typedef struct prof_alloc {
    os_mutex lock; /* all below. Taken with the instance's not held, and before it */
    bool running;
    uint64_t run; /* counts starts */
    hone_prof_alloc_options options;
    uint64_t started_wall, ran_ns;
    int64_t start_ns;
    prof_stacks stacks;
    BASE_VEC(alloc_row) rows; /* row 0 is not used */
    BASE_VEC(live_object) live;
    BASE_VEC(thread_name) threads;
    double variance;
    hone_prof_stats stats;
    uintptr_t *frames; /* room for depth + mark + root_depth + thread */
} prof_alloc;

/* ---- distances ---- */

static uint64_t next_random(uint64_t *state) {
    return base_hash_u64(*state += 0x9e3779b97f4a7c15u);
}

uint64_t hone_prof_alloc_distance(uint64_t *state, uint64_t interval) {
    double uniform = (double)((next_random(state) >> 11) + 1) * 0x1p-53; /* above 0, up to 1 */
    return (uint64_t)(-log(uniform) * (double)interval);
}

/* ---- the profile of an instance ---- */

static prof_alloc *alloc_of(hone_prof *p) {
    os_mutex_lock(&p->lock);
    if (!p->alloc) {
        prof_alloc *a = base_calloc(1, sizeof *a);
        os_mutex_init(&a->lock);
        __atomic_store_n(&p->alloc, a, __ATOMIC_RELEASE);
    }
    os_mutex_unlock(&p->lock);
    return p->alloc;
}

static prof_alloc *if_made(hone_prof *p) { return __atomic_load_n(&p->alloc, __ATOMIC_ACQUIRE); }

static void clear(prof_alloc *a) {
    prof_stacks_free(&a->stacks);
    BASE_VEC_FREE(&a->rows);
    BASE_VEC_FREE(&a->live);
    for (size_t i = 0; i < a->threads.len; i++) free(a->threads.at[i].name);
    BASE_VEC_FREE(&a->threads);
    a->variance = 0;
    a->stats = (hone_prof_stats){0};
    a->ran_ns = 0;
}

void prof_alloc_free(prof_alloc *a) {
    if (!a) return;
    clear(a);
    os_mutex_destroy(&a->lock);
    free(a->frames);
    free(a);
}

void prof_alloc_forked(prof_alloc *a) {
    os_mutex_init(&a->lock);
    a->running = false;
    clear(a);
}

static bool complete_options(hone_prof_alloc_options *o) {
    if (!o->interval) o->interval = DEFAULT_INTERVAL;
    return o->interval <= MAX_INTERVAL &&
           prof_complete_depths(&o->depth, &o->root_depth, &o->max_nodes);
}

int hone_prof_alloc_start(hone_prof *p, const hone_prof_alloc_options *options) {
    hone_prof_alloc_options o = options ? *options : (hone_prof_alloc_options){0};
    if (!complete_options(&o)) return HONE_PROF_BAD_ARGUMENT;
    prof_alloc *a = alloc_of(p);
    os_mutex_lock(&a->lock);
    bool already = a->running;
    if (!already) {
        a->running = true;
        a->run++;
        a->options = o;
        a->frames = base_resize(a->frames, (size_t)o.depth + o.root_depth + 2, sizeof *a->frames);
        a->started_wall = p->config.wall_ns(p->config.host);
        if (!a->start_ns) a->start_ns = os_wall_ns();
    }
    os_mutex_unlock(&a->lock);
    return already ? HONE_PROF_ALREADY : HONE_PROF_OK;
}

int hone_prof_alloc_stop(hone_prof *p) {
    prof_alloc *a = alloc_of(p);
    os_mutex_lock(&a->lock);
    bool was_running = a->running;
    if (was_running) a->ran_ns += p->config.wall_ns(p->config.host) - a->started_wall;
    a->running = false;
    os_mutex_unlock(&a->lock);
    return was_running ? HONE_PROF_OK : HONE_PROF_STOPPED;
}

int hone_prof_alloc_reset(hone_prof *p) {
    prof_alloc *a = alloc_of(p);
    os_mutex_lock(&a->lock);
    clear(a);
    a->started_wall = p->config.wall_ns(p->config.host);
    a->start_ns = a->running ? os_wall_ns() : 0;
    os_mutex_unlock(&a->lock);
    return HONE_PROF_OK;
}

uint64_t hone_prof_alloc_run(hone_prof *p, uint64_t *interval) {
    prof_alloc *a = if_made(p);
    if (!a) return 0;
    os_mutex_lock(&a->lock);
    uint64_t run = a->running ? a->run : 0;
    *interval = a->options.interval;
    os_mutex_unlock(&a->lock);
    return run;
}

/* ---- recording ---- */

/* Remembers what the thread is called. */
static void note_name(prof_alloc *a, hone_prof_thread *t) {
    for (size_t i = 0; i < a->threads.len; i++)
        if (a->threads.at[i].id == t->id) return;
    os_mutex_lock(&t->prof->lock);
    BASE_PUSH(&a->threads, ((thread_name){t->id, base_strdup(t->name)}));
    os_mutex_unlock(&t->prof->lock);
}

/* The frames of the moment, innermost first, with the mark where some were left out. */
static size_t walk(prof_alloc *a, hone_prof_thread *t, uint32_t *labels) {
    const hone_prof_config *c = &t->prof->config;
    hone_prof_stack stack = {
        .frames = a->frames, .inner_max = a->options.depth, .root_max = a->options.root_depth};
    c->walk(c->host, t->host_thread, &stack);
    *labels = stack.labels;
    if (stack.refused) return 0;
    a->stats.truncated += stack.truncated;
    return prof_join_frames(&stack);
}

static alloc_row *row_of(prof_alloc *a, uint32_t node) {
    if (!a->rows.len) BASE_PUSH(&a->rows, (alloc_row){0});
    prof_node *n = &a->stacks.nodes.at[node];
    if (!n->row) {
        n->row = (uint32_t)a->rows.len;
        BASE_PUSH(&a->rows, (alloc_row){.node = node});
    }
    return &a->rows.at[n->row];
}

static void count(prof_alloc *a, alloc_row *row, const hone_prof_alloc_object *o) {
    double bytes = (double)o->bytes, p = -expm1(-bytes / (double)a->options.interval);
    row->samples++;
    row->objects += 1 / p;
    row->bytes += bytes / p;
    a->variance += (1 - p) * (bytes / p) * (bytes / p);
    a->stats.samples++;
    if (!o->object) return;
    row->live_objects += 1 / p;
    row->live_bytes += bytes / p;
    BASE_PUSH(&a->live, ((live_object){.object = o->object,
                                       .row = (uint32_t)(row - a->rows.at),
                                       .objects = 1 / p,
                                       .bytes = bytes / p}));
}

static void record(prof_alloc *a, hone_prof_thread *t, const hone_prof_alloc_object *objects,
                   size_t n, int account) {
    uint32_t labels = 0;
    size_t depth = account < 0 ? walk(a, t, &labels) : 0;
    if (!depth) a->frames[depth++] = PROF_ACCOUNT(account < 0 ? HONE_PROF_NATIVE : account);
    note_name(a, t);
    a->frames[depth++] = (uintptr_t)t->id;
    uint32_t node = prof_stacks_intern(&a->stacks, labels, a->frames, depth, a->options.max_nodes);
    if (!node) {
        a->stats.lost[HONE_PROF_LOST_TABLE_FULL] += n;
        return;
    }
    alloc_row *row = row_of(a, node);
    for (size_t i = 0; i < n; i++) count(a, row, &objects[i]);
}

void hone_prof_alloc_record(hone_prof_thread *t, uint64_t run,
                            const hone_prof_alloc_object *objects, size_t n, int account) {
    prof_alloc *a = if_made(t->prof);
    if (!a) return;
    os_mutex_lock(&a->lock);
    if (a->running && a->run == run) record(a, t, objects, n, account);
    os_mutex_unlock(&a->lock);
}

void hone_prof_alloc_sweep(hone_prof *p, bool (*alive)(void *ctx, uintptr_t *object), void *ctx) {
    prof_alloc *a = if_made(p);
    if (!a) return;
    os_mutex_lock(&a->lock);
    size_t kept = 0;
    for (size_t i = 0; i < a->live.len; i++) {
        live_object *l = &a->live.at[i];
        if (alive(ctx, &l->object)) {
            a->live.at[kept++] = *l;
        } else {
            a->rows.at[l->row].live_objects -= l->objects;
            a->rows.at[l->row].live_bytes -= l->bytes;
        }
    }
    a->live.len = kept;
    os_mutex_unlock(&a->lock);
}

/* ---- the finished profile ---- */

/* A copy to read while the threads go on. */
static void gather(hone_prof *p, prof_alloc *a, prof_alloc *to, hone_prof_info *info) {
    os_mutex_lock(&a->lock);
    prof_stacks_copy(&to->stacks, &a->stacks);
    for (size_t i = 0; i < a->rows.len; i++) BASE_PUSH(&to->rows, a->rows.at[i]);
    for (size_t i = 0; i < a->threads.len; i++)
        BASE_PUSH(&to->threads,
                  ((thread_name){a->threads.at[i].id, base_strdup(a->threads.at[i].name)}));
    info->stats = a->stats;
    info->stats.alloc_error = (uint64_t)sqrt(a->variance);
    info->period_ns = a->options.interval;
    info->start_ns = a->start_ns;
    info->duration_ns = a->ran_ns;
    if (a->running) info->duration_ns += p->config.wall_ns(p->config.host) - a->started_wall;
    os_mutex_unlock(&a->lock);
}

static const char *name_of(const prof_alloc *a, uint64_t id) {
    for (size_t i = 0; i < a->threads.len; i++)
        if (a->threads.at[i].id == id) return a->threads.at[i].name;
    return "";
}

static uint64_t whole(double x) { return x < 0.5 ? 0 : (uint64_t)llround(x); }

static void add_rows(hone_prof *p, hone_prof_data *d, const prof_alloc *a) {
    BASE_VEC(uint32_t) path = {0};
    prof_label_list labels = {0};
    base_map places = {0};
    for (size_t i = 1; i < a->rows.len; i++) {
        const alloc_row *row = &a->rows.at[i];
        const prof_node *nodes = a->stacks.nodes.at;
        uint32_t n = row->node;
        path.len = 0;
        for (; nodes[nodes[n].parent].parent; n = nodes[n].parent)
            BASE_PUSH(&path, prof_locate(p, d, &places, nodes[n].address));
        prof_labels_list(&p->labels, (uint32_t)nodes[nodes[n].parent].address, &labels);
        uint64_t values[VALUES] = {row->samples, whole(row->objects), whole(row->bytes),
                                   whole(row->live_objects), whole(row->live_bytes)};
        hone_prof_data_add_sample(d, path.at, (uint32_t)path.len, values,
                                  name_of(a, nodes[n].address), labels.at, (uint32_t)labels.len);
    }
    base_map_free(&places);
    BASE_VEC_FREE(&labels);
    BASE_VEC_FREE(&path);
}

hone_prof_data *hone_prof_alloc_snapshot(hone_prof *p, bool live) {
    prof_alloc copy = {0};
    hone_prof_info info = {
        .program = p->config.program,
        .meaning = live ? "memory that is alive, by where it was allocated, estimated from samples"
                        : "memory allocated by each thread, estimated from samples",
        .values = value_types,
        .value_count = VALUES,
        .main_value = live ? INUSE_SPACE : ALLOC_SPACE,
        .sample_value = SAMPLES,
        .sources = 1,
        .own = true};
    gather(p, alloc_of(p), &copy, &info);
    if (copy.threads.len)
        prof_number_names(&copy.threads.at[0].name, copy.threads.len, sizeof *copy.threads.at);
    hone_prof_data *d = hone_prof_data_new(&info);
    os_mutex_lock(&p->resolving);
    add_rows(p, d, &copy);
    os_mutex_unlock(&p->resolving);
    hone_prof_data_finish(d);
    clear(&copy);
    return d;
}
