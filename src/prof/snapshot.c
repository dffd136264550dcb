/* From a live instance to a profile. The tables are copied under the locks, one thread after the
 * other; resolving, which may take long, holds up no one but another snapshot. */
#include <stdlib.h>

#include "prof/data.h"
#include "prof/sampler.h"

static const hone_prof_value_type value_types[] = {
    {"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};
enum { SAMPLES, CPU, WALL, VALUES };

typedef struct table {
    prof_stacks stacks;
    char *name;
    const hone_prof_thread *thread;
} table;
typedef BASE_VEC(table) tables;

static void copy_table(tables *to, hone_prof_thread *t) {
    table copy = {.name = base_strdup(t->name), .thread = t};
    os_mutex_lock(&t->lock);
    prof_stacks_copy(&copy.stacks, &t->stacks);
    os_mutex_unlock(&t->lock);
    BASE_PUSH(to, copy);
}

void prof_number_names(void *first, size_t count, size_t stride) {
    base_strmap seen = {0};
    for (size_t i = 0; i < count; i++) {
        char **name = (char **)((char *)first + i * stride);
        void **n = base_strmap_at(&seen, *name, strlen(*name), NULL);
        *n = (void *)((uintptr_t)*n + 1);
        if ((uintptr_t)*n == 1) continue;
        base_buf b = {0};
        base_buf_printf(&b, "%s#%lu", *name, (unsigned long)(uintptr_t)*n);
        free(*name);
        *name = base_buf_take(&b);
    }
    base_strmap_free(&seen);
}

static int by_id(const void *a, const void *b) {
    const hone_prof_thread *x = *(hone_prof_thread *const *)a, *y = *(hone_prof_thread *const *)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Those who wait now are as if they had gone on now. */
static void add_waiting(hone_prof *p, tables *all, const hone_prof_waiting *list,
                        hone_prof_info *info) {
    uint64_t now = p->config.wall_ns(p->config.host);
    for (size_t i = 0; i < list->len; i++) {
        const prof_wait *w = &list->at[i];
        table *to = all->at; /* the last one is nobody's */
        while (to->thread != w->thread && to->thread != &p->nobody) to++;
        uint64_t counted = __atomic_load_n(&to->thread->counted_wall, __ATOMIC_RELAXED);
        uint64_t since = BASE_MAX(BASE_MAX(to->thread->began_wall, counted),
                                  BASE_MAX(p->started_wall, w->since_ns));
        prof_row values = {.samples = 1, .wall_ns = now > since ? now - since : 0};
        if (!values.wall_ns || !w->depth) continue;
        prof_stacks_add(&to->stacks, w->labels, w->frames, w->depth, &values, SIZE_MAX);
        info->stats.samples++;
        info->stats.wall_ns = base_sat_add(info->stats.wall_ns, values.wall_ns);
    }
}

/* All that a profile needs of a live instance, taken under the locks. */
static void gather(hone_prof *p, tables *all, const hone_prof_waiting *waiting,
                   hone_prof_info *info) {
    os_mutex_lock(&p->lock);
    BASE_VEC(hone_prof_thread *) threads = {0};
    for (size_t i = 0; i < p->ended.len; i++) BASE_PUSH(&threads, p->ended.at[i]);
    for (size_t i = 0; i < p->threads.len; i++) BASE_PUSH(&threads, p->threads.at[i]);
    if (threads.len) qsort(threads.at, threads.len, sizeof *threads.at, by_id);
    for (size_t i = 0; i < threads.len; i++) copy_table(all, threads.at[i]);
    copy_table(all, &p->nobody);
    BASE_VEC_FREE(&threads);
    prof_gather_stats(p, &info->stats);
    if (p->running) add_waiting(p, all, waiting, info);
    info->period_ns = p->run.interval_ns;
    info->start_ns = p->start_ns;
    info->duration_ns = p->ran_ns;
    info->process_cpu_ns = p->ran_process_ns;
    if (p->running) {
        info->duration_ns += p->config.wall_ns(p->config.host) - p->started_wall;
        info->process_cpu_ns += p->config.process_cpu_ns(p->config.host) - p->started_process;
    }
    os_mutex_unlock(&p->lock);
}

static uint32_t add_site(hone_prof_data *d, const prof_site *site) {
    hone_prof_line *lines = base_calloc(site->count, sizeof *lines);
    for (uint32_t i = 0; i < site->count; i++) {
        const hone_prof_frame *f = &site->chain[i];
        lines[i].func =
            hone_prof_data_add_func(d, f->name, f->file, f->func_line, f->func_column, f->func_id);
        lines[i].line = f->line;
        lines[i].column = f->column;
    }
    uint32_t location = hone_prof_data_add_location(d, lines, site->count);
    free(lines);
    return location;
}

uint32_t prof_locate(hone_prof *p, hone_prof_data *d, base_map *places, uintptr_t address) {
    bool added;
    uint64_t *place = base_map_at(places, address, &added);
    if (added) *place = add_site(d, prof_codemap_find(&p->codemap, &p->config, address));
    return (uint32_t)*place;
}

static void add_table(hone_prof *p, hone_prof_data *d, base_map *places, const table *t) {
    BASE_VEC(uint32_t) path = {0};
    prof_label_list labels = {0};
    for (size_t r = 1; r < t->stacks.rows.len; r++) {
        const prof_row *row = &t->stacks.rows.at[r];
        const prof_node *nodes = t->stacks.nodes.at;
        uint32_t n = row->node;
        path.len = 0;
        for (; nodes[n].parent; n = nodes[n].parent) /* the last one is the labels */
            BASE_PUSH(&path, prof_locate(p, d, places, nodes[n].address));
        uint64_t values[VALUES] = {row->samples, row->cpu_ns, row->wall_ns};
        prof_labels_list(&p->labels, (uint32_t)nodes[n].address, &labels);
        hone_prof_data_add_sample(d, path.at, (uint32_t)path.len, values, t->name, labels.at,
                                  (uint32_t)labels.len);
    }
    BASE_VEC_FREE(&labels);
    BASE_VEC_FREE(&path);
}

/* Accounts become samples of procedures of their own, with time and without a count. */
static void add_accounts(hone_prof_data *d) {
    for (int k = 0; k < HONE_PROF_ACCOUNT_COUNT; k++) {
        uint64_t ns = d->info.stats.account_ns[k];
        if (!ns) continue;
        base_buf name = {0};
        base_buf_printf(&name, "[%s]", prof_accounts[k].word);
        hone_prof_line line = {hone_prof_data_add_func(d, name.at, "", 0, 0, 0), 0, 0};
        base_buf_free(&name);
        uint32_t location = hone_prof_data_add_location(d, &line, 1);
        uint64_t values[VALUES] = {0, prof_accounts[k].cpu ? ns : 0, ns};
        hone_prof_data_add_sample(d, &location, 1, values, "", NULL, 0);
    }
}

/* The sentence of the source, and what its device counts. */
static char *meaning_of(hone_prof *p) {
    static const char *const sentences[] = {
#define HONE_PROF_ROW(name, word, meaning) meaning,
        HONE_PROF_SOURCES(HONE_PROF_ROW)
#undef HONE_PROF_ROW
    };
    hone_prof_source source = p->run.source;
    base_buf b = {0};
    bool own = source == HONE_PROF_SAFEPOINT && p->config.meaning;
    base_buf_puts(&b, own ? p->config.meaning : sentences[source]);
    if (p->event) base_buf_printf(&b, " (%s)", p->event);
    return base_buf_take(&b);
}

hone_prof_data *hone_prof_snapshot(hone_prof *p) {
    tables all = {0};
    hone_prof_waiting waiting = {0};
    prof_ask_waiting(p, &waiting);
    os_mutex_lock(&p->lock);
    bool by_wall = p->run.source == HONE_PROF_WALL;
    char *meaning = meaning_of(p);
    os_mutex_unlock(&p->lock);
    hone_prof_info info = {.program = p->config.program,
                           .meaning = meaning,
                           .values = value_types,
                           .value_count = VALUES,
                           .main_value = by_wall ? WALL : CPU,
                           .sample_value = SAMPLES,
                           .sources = 1,
                           .own = true};
    base_map places = {0};
    gather(p, &all, &waiting, &info);
    prof_waiting_free(&waiting);
    if (all.len) prof_number_names(&all.at[0].name, all.len, sizeof *all.at);
    hone_prof_data *d = hone_prof_data_new(&info);
    os_mutex_lock(&p->resolving);
    for (size_t i = 0; i < all.len; i++) add_table(p, d, &places, &all.at[i]);
    os_mutex_unlock(&p->resolving);
    add_accounts(d);
    hone_prof_data_finish(d);
    for (size_t i = 0; i < all.len; i++) {
        prof_stacks_free(&all.at[i].stacks);
        free(all.at[i].name);
    }
    BASE_VEC_FREE(&all);
    base_map_free(&places);
    free(meaning);
    return d;
}
