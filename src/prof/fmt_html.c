/* A page with a flame graph: one file, which no network is needed for.
 *
 * What stands before and behind the profile's data is the same in every page and is put into the
 * program when it is built (html/, tools/embed-page). The data are JSON in a script element:
 *
 *   values    what is measured: type, unit, sum; `main` is the one to show first
 *   funcs     [label, file, line]        files    paths; a file of -1 is none
 *   frames    [func, line]               sources  the text of files, by number, as lines
 *   nodes     the tree of all paths: parent and frame of each; node 0 is the root
 *   samples   where paths end: node, set of labels, and for each value the sums
 *   procs     for each value the costliest procedures, [func, self, total] and the same of before
 *   sets      lists of [key, value]      keys     those there are, for splitting
 *
 * A comparison has two sides, `before` in the same shape as `after`, in one tree: procedures meet
 * as in `hone diff`.
 *
 * The page must stay small and its tree shallow, whatever the profile holds. So a tree of more than
 * MOST_NODES is cut: a frame that takes less than SMALLEST_SHARE of every value is merged with its
 * likes under their caller into one named [smaller]; where that leaves too many the bound is
 * raised. Where stacks are very deep, rounds of recursion are folded, and what is deeper still is
 * [deeper]. Sums stay exact, and the page says what was done.
 */
#include <math.h>
#include <stdlib.h>

#include "prof/render.h"

#define SMALLEST_SHARE 0.0002
enum {
    MOST_NODES = 20000,
    DEEP = 400, /* levels from which rounds are folded */
    MOST_PROCS = 60,
    DEEPEST = 1000,        /* levels that are never passed */
    MOST_SOURCE = 4 << 20, /* bytes of source text in a page */
    NO_FILE = -1
};

extern const char prof_page_head[], prof_page_tail[];
extern const uint64_t prof_page_head_length, prof_page_tail_length;

typedef struct page_func {
    const char *label, *file;
    uint32_t line;
    int64_t file_number;
    uint32_t stamp;  /* the sample that was the last to be credited */
    uint64_t *costs; /* of each side and column its self and its total */
} page_func;

typedef struct page_node {
    uint32_t parent, frame;
    float share; /* the largest of all values' shares, its children's included */
} page_node;

/* Samples of one node and one set of labels, added up. values: sides * columns of them. */
typedef struct page_entry {
    uint32_t node, set;
    uint64_t *values;
} page_entry;

typedef struct page {
    const hone_prof_data *side[2]; /* after, before */
    unsigned sides, columns;
    unsigned column[2][HONE_PROF_MAX_VALUES]; /* of a column, the side's value */
    uint32_t *func_number[2];                 /* of a side's function, the page's */
    BASE_VEC(page_func) funcs;
    BASE_VEC(prof_span) frames; /* first: function, count: line */
    BASE_VEC(page_node) nodes;
    BASE_VEC(page_entry) entries;
    BASE_VEC(const char *) files;
    base_map frame_of, node_of, entry_of;
    base_strmap set_of; /* its JSON -> number + 1 */
    BASE_VEC(const char *) sets;
    base_arena mem;
    uint32_t smaller, deeper; /* functions */
    uint32_t stamp;
    bool folded, cut;
    double bound;
    size_t merged;
    base_buf *out;
} page;

static const hone_prof_data *main_side(const page *p) { return p->side[0]; }

static unsigned main_column(const page *p) {
    for (unsigned c = 0; c < p->columns; c++)
        if (p->column[0][c] == main_side(p)->info.main_value) return c;
    return 0;
}

/* ---- building ---- */

static uint32_t frame_of(page *p, uint32_t func, uint32_t line) {
    bool added;
    uint64_t *at = base_map_at(&p->frame_of, (uint64_t)func << 32 | line, &added);
    if (added) {
        *at = p->frames.len;
        BASE_PUSH(&p->frames, (prof_span){func, line});
    }
    return (uint32_t)*at;
}

static uint32_t node_of(page *p, uint32_t parent, uint32_t frame) {
    bool added;
    uint64_t *at = base_map_at(&p->node_of, (uint64_t)parent << 32 | frame, &added);
    if (added) {
        *at = p->nodes.len;
        BASE_PUSH(&p->nodes, (page_node){.parent = parent, .frame = frame});
    }
    return (uint32_t)*at;
}

static page_entry *entry_of(page *p, uint32_t node, uint32_t set) {
    bool added;
    uint64_t *at = base_map_at(&p->entry_of, (uint64_t)node << 32 | set, &added);
    if (added) {
        *at = p->entries.len;
        uint64_t *values = BASE_NEW_ARRAY(&p->mem, uint64_t, (size_t)p->sides * p->columns);
        BASE_PUSH(&p->entries, (page_entry){node, set, values});
    }
    return &p->entries.at[*at];
}

static void put_pair(base_buf *b, const char *key, const char *value) {
    base_buf_puts(b, b->len > 1 ? ",[" : "[");
    prof_put_json(b, key);
    base_buf_putc(b, ',');
    prof_put_json(b, value);
    base_buf_putc(b, ']');
}

static void put_label(base_buf *b, const hone_prof_label *l) {
    base_buf number = {0};
    if (!l->value) base_buf_printf(&number, "%lld%s", (long long)l->number, l->unit);
    put_pair(b, l->key, l->value ? l->value : number.at);
    base_buf_free(&number);
}

static uint32_t set_of(page *p, const hone_prof_data *d, const prof_sample *s) {
    base_buf json = {0};
    bool added;
    base_buf_putc(&json, '[');
    if (*s->thread) put_pair(&json, "thread", s->thread);
    for (uint32_t i = 0; i < s->labels.count; i++)
        put_label(&json, &d->labels.at[s->labels.first + i]);
    base_buf_putc(&json, ']');
    void **at = base_strmap_at(&p->set_of, json.at, json.len, &added);
    base_buf_free(&json);
    if (added) {
        BASE_PUSH(&p->sets, base_strmap_key(at));
        *at = (void *)p->sets.len;
    }
    return (uint32_t)(uintptr_t)*at - 1;
}

static uint32_t deepest(const hone_prof_data *d) {
    uint32_t most = 0;
    for (size_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        uint32_t depth = 0;
        for (uint32_t k = 0; k < s->depth; k++)
            depth += d->locations.at[d->stack.at[s->first + k]].count;
        most = BASE_MAX(most, depth);
    }
    return most;
}

/* Credits a procedure with a sample's values: its total once, and its self if it is the leaf. */
static void credit(page *p, unsigned side, const prof_sample *s, uint32_t func, bool leaf) {
    page_func *f = &p->funcs.at[func];
    bool once = f->stamp != p->stamp;
    f->stamp = p->stamp;
    for (unsigned c = 0; c < p->columns; c++) {
        uint64_t *cost = &f->costs[2 * (side * p->columns + c)];
        uint64_t value = prof_value(p->side[side], s, p->column[side][c]);
        if (leaf) cost[0] = base_sat_add(cost[0], value);
        if (once) cost[1] = base_sat_add(cost[1], value);
    }
}

static void add_sample(page *p, unsigned side, const prof_sample *s, prof_path *path) {
    const hone_prof_data *d = p->side[side];
    uint32_t node = 0;
    prof_sample_path(d, s, p->folded, path);
    p->stamp++;
    for (size_t k = 0; k < path->len; k++) {
        uint32_t func = p->func_number[side][path->at[k].func];
        credit(p, side, s, func, k + 1 == path->len);
        if (k < DEEPEST)
            node = node_of(p, node, frame_of(p, func, path->at[k].line));
        else if (k == DEEPEST)
            node = node_of(p, node, frame_of(p, p->deeper, 0));
    }
    p->cut = p->cut || path->len > DEEPEST;
    page_entry *e = entry_of(p, node, set_of(p, d, s));
    for (unsigned c = 0; c < p->columns; c++) {
        uint64_t *sum = &e->values[side * p->columns + c];
        *sum = base_sat_add(*sum, prof_value(d, s, p->column[side][c]));
    }
}

static void set_func(page *p, uint32_t number, const hone_prof_func *f) {
    while (p->funcs.len <= number) BASE_PUSH(&p->funcs, (page_func){.label = NULL});
    if (p->funcs.at[number].label) return;
    uint64_t *costs = BASE_NEW_ARRAY(&p->mem, uint64_t, (size_t)2 * p->sides * p->columns);
    p->funcs.at[number] =
        (page_func){.label = f->label, .file = f->file, .line = f->line, .costs = costs};
}

static void add_funcs(page *p) {
    size_t n;
    for (unsigned side = 0; side < p->sides; side++)
        for (uint32_t f = 0; f < p->side[side]->funcs.len; f++)
            set_func(p, p->func_number[side][f], &p->side[side]->funcs.at[f].pub);
    n = p->funcs.len;
    p->smaller = (uint32_t)n;
    p->deeper = (uint32_t)n + 1;
    set_func(p, p->smaller, &(hone_prof_func){.label = "[smaller]", .file = ""});
    set_func(p, p->deeper, &(hone_prof_func){.label = "[deeper]", .file = ""});
}

static void add_all(page *p) {
    prof_path path = {0};
    BASE_PUSH(&p->nodes, (page_node){0});
    for (unsigned side = 0; side < p->sides; side++)
        if (deepest(p->side[side]) > DEEP) p->folded = true;
    for (unsigned side = 0; side < p->sides; side++)
        for (size_t i = 0; i < p->side[side]->samples.len; i++)
            add_sample(p, side, &p->side[side]->samples.at[i], &path);
    BASE_VEC_FREE(&path);
}

/* ---- cutting ---- */

static void find_shares(page *p) {
    uint64_t *sum = base_calloc(p->nodes.len, sizeof *sum);
    for (unsigned v = 0; v < p->sides * p->columns; v++) {
        memset(sum, 0, p->nodes.len * sizeof *sum);
        for (size_t i = 0; i < p->entries.len; i++) {
            uint64_t *at = &sum[p->entries.at[i].node];
            *at = base_sat_add(*at, p->entries.at[i].values[v]);
        }
        for (size_t i = p->nodes.len; i-- > 1;) {
            uint64_t *at = &sum[p->nodes.at[i].parent];
            *at = base_sat_add(*at, sum[i]);
        }
        for (size_t i = 0; i < p->nodes.len && sum[0]; i++) {
            float share = (float)((double)sum[i] / (double)sum[0]);
            p->nodes.at[i].share = fmaxf(p->nodes.at[i].share, share);
        }
    }
    free(sum);
}

static size_t nodes_above(const page *p, double bound) {
    size_t n = 0;
    for (size_t i = 0; i < p->nodes.len; i++) n += p->nodes.at[i].share >= bound;
    return n;
}

/* Makes the tree of the nodes that stay, and moves the entries of the others. A parent stands
 * before its children, and its share is no smaller. */
static void cut(page *p) {
    if (p->nodes.len <= MOST_NODES) return;
    p->bound = SMALLEST_SHARE;
    while (nodes_above(p, p->bound) > MOST_NODES) p->bound *= 1.25;
    page_node *old = p->nodes.at;
    size_t n = p->nodes.len;
    uint32_t *new_of = base_calloc(n, sizeof *new_of);
    page_entry *entries = p->entries.at;
    size_t entry_count = p->entries.len;
    base_map_free(&p->node_of);
    base_map_free(&p->entry_of);
    memset(&p->nodes, 0, sizeof p->nodes);
    memset(&p->entries, 0, sizeof p->entries);
    BASE_PUSH(&p->nodes, (page_node){0});
    for (size_t i = 1; i < n; i++) {
        uint32_t parent = new_of[old[i].parent];
        bool in_smaller = parent && p->frames.at[p->nodes.at[parent].frame].first == p->smaller;
        bool stays = old[i].share >= p->bound;
        if (!stays) p->merged++;
        if (in_smaller)
            new_of[i] = parent;
        else
            new_of[i] = node_of(p, parent, stays ? old[i].frame : frame_of(p, p->smaller, 0));
    }
    for (size_t i = 0; i < entry_count; i++) {
        page_entry *e = entry_of(p, new_of[entries[i].node], entries[i].set);
        for (unsigned v = 0; v < p->sides * p->columns; v++)
            e->values[v] = base_sat_add(e->values[v], entries[i].values[v]);
    }
    free(new_of);
    free(old);
    free(entries);
}

/* ---- JSON ---- */

static void put_key(page *p, const char *key) { base_buf_printf(p->out, ",\n\"%s\":", key); }

static void put_string(page *p, const char *key, const char *text) {
    put_key(p, key);
    prof_put_json(p->out, text);
}

/* An array of COUNT numbers, each given by an expression of i. */
#define PUT_ARRAY(p, count, number)                                                                \
    do {                                                                                           \
        base_buf_putc((p)->out, '[');                                                              \
        for (size_t i = 0; i < (count); i++)                                                       \
            base_buf_printf((p)->out, i ? ",%llu" : "%llu", (prof_ull)(number));                   \
        base_buf_putc((p)->out, ']');                                                              \
    } while (0)

static uint64_t samples_of(const hone_prof_data *d) {
    return d->info.sample_value < 0 ? 0 : d->totals[d->info.sample_value];
}

static void put_values(page *p) {
    const hone_prof_data *d = main_side(p);
    int sample_value = -1;
    put_key(p, "values");
    for (unsigned c = 0; c < p->columns; c++) {
        unsigned v = p->column[0][c];
        if ((int)v == d->info.sample_value) sample_value = (int)c;
        base_buf_puts(p->out, c ? ",{\"type\":" : "[{\"type\":");
        prof_put_json(p->out, d->types[v].type);
        base_buf_puts(p->out, ",\"unit\":");
        prof_put_json(p->out, d->types[v].unit);
        base_buf_puts(p->out, ",\"total\":");
        PUT_ARRAY(p, p->sides, p->side[i]->totals[p->column[i][c]]);
        base_buf_putc(p->out, '}');
    }
    base_buf_printf(p->out, "],\n\"main\":%u,\n\"sampleValue\":%d,\n\"sides\":%u", main_column(p),
                    sample_value, p->sides);
}

/* Numbers the files in the order of what their procedures cost themselves, those of most cost
 * first. */
typedef struct file_weight {
    const char *file;
    uint64_t weight;
} file_weight;

static int cmp_weight(const void *pa, const void *pb) {
    const file_weight *a = pa, *b = pb;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return strcmp(a->file, b->file);
}

static void number_files(page *p) {
    base_strmap number = {0};
    BASE_VEC(file_weight) files = {0};
    for (size_t i = 0; i < p->funcs.len; i++) {
        page_func *f = &p->funcs.at[i];
        bool added;
        if (!*f->file) continue;
        void **at = base_strmap_at(&number, f->file, strlen(f->file), &added);
        if (added) {
            BASE_PUSH(&files, (file_weight){.file = f->file});
            *at = (void *)files.len;
        }
        uint64_t *weight = &files.at[(uintptr_t)*at - 1].weight;
        *weight = base_sat_add(*weight, f->costs[2 * main_column(p)]);
    }
    if (files.len) qsort(files.at, files.len, sizeof *files.at, cmp_weight);
    for (size_t i = 0; i < files.len; i++) {
        *base_strmap_find(&number, files.at[i].file, strlen(files.at[i].file)) = (void *)i;
        BASE_PUSH(&p->files, files.at[i].file);
    }
    for (size_t i = 0; i < p->funcs.len; i++) {
        page_func *f = &p->funcs.at[i];
        f->file_number = NO_FILE;
        if (*f->file)
            f->file_number = (intptr_t)*base_strmap_find(&number, f->file, strlen(f->file));
    }
    BASE_VEC_FREE(&files);
    base_strmap_free(&number);
}

static void put_funcs(page *p) {
    put_key(p, "funcs");
    for (size_t i = 0; i < p->funcs.len; i++) {
        const page_func *f = &p->funcs.at[i];
        base_buf_puts(p->out, i ? ",\n[" : "[[");
        prof_put_json(p->out, f->label);
        base_buf_printf(p->out, ",%lld,%u]", (long long)f->file_number, f->line);
    }
    base_buf_putc(p->out, ']');
    put_key(p, "files");
    base_buf_putc(p->out, '[');
    for (size_t i = 0; i < p->files.len; i++) {
        if (i) base_buf_puts(p->out, ",\n");
        prof_put_json(p->out, p->files.at[i]);
    }
    base_buf_putc(p->out, ']');
}

/* A procedure and what the rows are ordered by: its self share, or the change of that. */
typedef struct proc_rank {
    uint32_t func;
    double rank;
} proc_rank;

static int cmp_rank(const void *pa, const void *pb) {
    const proc_rank *a = pa, *b = pb;
    if (a->rank != b->rank) return a->rank < b->rank ? 1 : -1;
    return a->func < b->func ? -1 : 1;
}

static double self_share(const page *p, const page_func *f, unsigned side, unsigned c) {
    uint64_t all = p->side[side]->totals[p->column[side][c]];
    return all ? (double)f->costs[2 * (side * p->columns + c)] / (double)all : 0;
}

static void put_procs_of(page *p, unsigned c, proc_rank *ranks) {
    for (uint32_t i = 0; i < p->funcs.len; i++) {
        const page_func *f = &p->funcs.at[i];
        double share = self_share(p, f, 0, c);
        ranks[i] = (proc_rank){i, p->sides < 2 ? share : fabs(share - self_share(p, f, 1, c))};
    }
    qsort(ranks, p->funcs.len, sizeof *ranks, cmp_rank);
    base_buf_puts(p->out, c ? ",\n[" : "[");
    for (size_t i = 0; i < p->funcs.len && i < MOST_PROCS && ranks[i].rank > 0; i++) {
        base_buf_printf(p->out, i ? ",[%u" : "[%u", ranks[i].func);
        for (unsigned side = 0; side < p->sides; side++) {
            const uint64_t *cost = &p->funcs.at[ranks[i].func].costs[2 * (side * p->columns + c)];
            base_buf_printf(p->out, ",%llu,%llu", (prof_ull)cost[0], (prof_ull)cost[1]);
        }
        base_buf_putc(p->out, ']');
    }
    base_buf_putc(p->out, ']');
}

static void put_procs(page *p) {
    proc_rank *ranks = base_calloc(p->funcs.len + 1, sizeof *ranks);
    put_key(p, "procs");
    base_buf_putc(p->out, '[');
    for (unsigned c = 0; c < p->columns; c++) put_procs_of(p, c, ranks);
    base_buf_putc(p->out, ']');
    free(ranks);
}

/* The lines of a text as an array of strings. */
static void put_text_lines(base_buf *b, const base_buf *text) {
    const char *at = text->at, *end = text->at + text->len;
    base_buf_putc(b, '[');
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        char *line = base_strndup(at, len && at[len - 1] == '\r' ? len - 1 : len);
        if (at != text->at) base_buf_putc(b, ',');
        prof_put_json(b, line);
        free(line);
        at += len + 1;
    }
    base_buf_putc(b, ']');
}

/* Texts of the files, costliest first, while they fit. Gives how many were there but did not. */
static size_t put_sources(page *p, bool none) {
    prof_sources sources = {0};
    size_t used = 0, left_out = 0;
    const char *between = "";
    put_key(p, "sources");
    base_buf_putc(p->out, '{');
    for (size_t i = 0; i < p->files.len && !none; i++) {
        const base_buf *text = prof_source_text(&sources, p->files.at[i]);
        if (!text->at) continue;
        if (used + text->len > MOST_SOURCE) {
            left_out++;
            continue;
        }
        used += text->len;
        base_buf_printf(p->out, "%s\"%zu\":", between, i);
        put_text_lines(p->out, text);
        between = ",\n";
    }
    base_buf_putc(p->out, '}');
    prof_sources_free(&sources);
    return left_out;
}

static void put_tree(page *p) {
    put_key(p, "frames");
    base_buf_putc(p->out, '[');
    for (size_t i = 0; i < p->frames.len; i++)
        base_buf_printf(p->out, i ? ",[%u,%u]" : "[%u,%u]", p->frames.at[i].first,
                        p->frames.at[i].count);
    base_buf_puts(p->out, "]");
    put_key(p, "nodes");
    base_buf_puts(p->out, "{\"parent\":");
    PUT_ARRAY(p, p->nodes.len, p->nodes.at[i].parent);
    base_buf_puts(p->out, ",\n\"frame\":");
    PUT_ARRAY(p, p->nodes.len, p->nodes.at[i].frame);
    base_buf_putc(p->out, '}');
}

static void put_samples(page *p) {
    static const char *const names[] = {"after", "before"};
    put_key(p, "samples");
    base_buf_puts(p->out, "{\"node\":");
    PUT_ARRAY(p, p->entries.len, p->entries.at[i].node);
    base_buf_puts(p->out, ",\n\"set\":");
    PUT_ARRAY(p, p->entries.len, p->entries.at[i].set);
    base_buf_puts(p->out, ",\n\"count\":");
    PUT_ARRAY(p, p->sides, samples_of(p->side[i]));
    for (unsigned side = 0; side < p->sides; side++) {
        base_buf_printf(p->out, ",\n\"%s\":[", names[side]);
        for (unsigned c = 0; c < p->columns; c++) {
            if (c) base_buf_puts(p->out, ",\n");
            PUT_ARRAY(p, p->entries.len, p->entries.at[i].values[side * p->columns + c]);
        }
        base_buf_putc(p->out, ']');
    }
    base_buf_putc(p->out, '}');
}

static void add_key(base_strmap *keys, base_buf *out, const char *key) {
    bool added;
    base_strmap_at(keys, key, strlen(key), &added);
    if (!added) return;
    if (out->len) base_buf_putc(out, ',');
    prof_put_json(out, key);
}

static void put_sets(page *p) {
    base_strmap keys = {0};
    base_buf names = {0};
    put_key(p, "sets");
    base_buf_putc(p->out, '[');
    for (size_t i = 0; i < p->sets.len; i++)
        base_buf_printf(p->out, i ? ",%s" : "%s", p->sets.at[i]);
    base_buf_putc(p->out, ']');
    for (unsigned side = 0; side < p->sides; side++) {
        const hone_prof_data *d = p->side[side];
        for (size_t i = 0; i < d->samples.len; i++) {
            const prof_sample *sample = &d->samples.at[i];
            if (*sample->thread) add_key(&keys, &names, "thread");
            for (uint32_t k = 0; k < sample->labels.count; k++)
                add_key(&keys, &names, d->labels.at[sample->labels.first + k].key);
        }
    }
    put_key(p, "keys");
    base_buf_printf(p->out, "[%s]", base_buf_str(&names));
    base_buf_free(&names);
    base_strmap_free(&keys);
}

static void put_notes(page *p, size_t sources_left_out, bool no_sources) {
    base_buf note = {0};
    const char *between = "";
    put_key(p, "notes");
    base_buf_putc(p->out, '[');
#define NOTE(...)                                                                                  \
    do {                                                                                           \
        base_buf_clear(&note);                                                                     \
        base_buf_printf(&note, __VA_ARGS__);                                                       \
        base_buf_puts(p->out, between);                                                            \
        prof_put_json(p->out, note.at);                                                            \
        between = ",";                                                                             \
    } while (0)
    if (p->merged)
        NOTE("%zu frames with less than %.2g %% of every value are merged into [smaller].",
             p->merged, 100 * p->bound);
    if (p->folded)
        NOTE("Stacks are deeper than %d frames: rounds of recursion are drawn as one.", DEEP);
    if (p->cut) NOTE("What is deeper than %d levels even so is [deeper].", DEEPEST);
    if (sources_left_out)
        NOTE("The text of %zu source files is left out, as the page would be too large.",
             sources_left_out);
    if (no_sources) NOTE("Source text was left out, as asked.");
#undef NOTE
    base_buf_putc(p->out, ']');
    base_buf_free(&note);
}

static void put_facts(page *p) {
    base_buf facts = {0};
    const hone_prof_data *d = main_side(p);
    if (p->sides == 2) {
        prof_put_side(&facts, "before", p->side[1]);
        prof_put_side(&facts, "after", d);
    } else {
        prof_put_head(&facts, d);
    }
    put_string(p, "facts", base_buf_str(&facts));
    base_buf_clear(&facts);
    const char *program = *d->info.program ? d->info.program : "Profile";
    base_buf_printf(&facts, p->sides == 2 ? "%s: what changed" : "%s", program);
    put_string(p, "title", facts.at);
    base_buf_free(&facts);
}

static void put_page(page *p, const hone_prof_report *options) {
    base_buf_add(p->out, prof_page_head, prof_page_head_length);
    base_buf_puts(p->out, "{\"program\":");
    prof_put_json(p->out, main_side(p)->info.program);
    put_facts(p);
    put_values(p);
    put_funcs(p);
    put_procs(p);
    put_tree(p);
    put_sets(p);
    put_samples(p);
    size_t left_out = put_sources(p, options->no_sources);
    put_notes(p, left_out, options->no_sources);
    base_buf_puts(p->out, "}\n");
    base_buf_add(p->out, prof_page_tail, prof_page_tail_length);
}

/* ---- doors ---- */

static void page_free(page *p) {
    for (int side = 0; side < 2; side++) free(p->func_number[side]);
    BASE_VEC_FREE(&p->funcs);
    BASE_VEC_FREE(&p->frames);
    BASE_VEC_FREE(&p->nodes);
    BASE_VEC_FREE(&p->entries);
    BASE_VEC_FREE(&p->files);
    BASE_VEC_FREE(&p->sets);
    base_map_free(&p->frame_of);
    base_map_free(&p->node_of);
    base_map_free(&p->entry_of);
    base_strmap_free(&p->set_of);
    base_arena_free(&p->mem);
}

static void make_page(page *p, const hone_prof_report *options) {
    if (hone_prof_has_page(NULL)) {
        base_buf_puts(p->out, "<!doctype html><title>No page</title><p>This build of Hone holds no "
                              "flame graph libraries: npm could not fetch them.\n");
    } else {
        add_funcs(p);
        add_all(p);
        find_shares(p);
        cut(p);
        number_files(p);
        put_page(p, options);
    }
    page_free(p);
}

void prof_write_html(const hone_prof_data *d, const hone_prof_report *options, void *buf) {
    page p = {.side = {d}, .sides = 1, .columns = d->info.value_count, .out = buf};
    p.func_number[0] = base_calloc(d->funcs.len + 1, sizeof(uint32_t));
    for (uint32_t f = 0; f < d->funcs.len; f++) p.func_number[0][f] = f;
    for (unsigned v = 0; v < p.columns; v++) p.column[0][v] = v;
    make_page(&p, options);
}

/* The columns of a comparison: the values that both sides have, else their main ones. */
static void pair_columns(page *p) {
    const hone_prof_data *after = p->side[0], *before = p->side[1];
    for (unsigned a = 0; a < after->info.value_count; a++)
        for (unsigned b = 0; b < before->info.value_count; b++) {
            if (strcmp(after->types[a].type, before->types[b].type) ||
                strcmp(after->types[a].unit, before->types[b].unit))
                continue;
            p->column[0][p->columns] = a;
            p->column[1][p->columns++] = b;
            break;
        }
    if (p->columns) return;
    p->columns = 1;
    p->column[0][0] = after->info.main_value;
    p->column[1][0] = before->info.main_value;
}

hone_prof_bytes hone_prof_diff_html(const hone_prof_data *before, const hone_prof_data *after,
                                    const hone_prof_report *options) {
    base_buf out = {0};
    size_t n;
    page p = {.side = {after, before}, .sides = 2, .out = &out};
    pair_columns(&p);
    prof_pair_funcs(before, after, &p.func_number[1], &p.func_number[0], &n);
    make_page(&p, options);
    return prof_bytes(&out);
}

int hone_prof_has_page(hone_prof_error *error) {
    if (prof_page_tail_length) return HONE_PROF_OK;
    return prof_fail(error, HONE_PROF_UNSUPPORTED,
                     "this build of Hone can not write HTML: the flame graph libraries were "
                     "missing, as npm could not fetch them");
}
