/* The call tree, with no recursion on its depth: stacks may be hundreds of thousands deep.
 *
 * First nodes are made in order of discovery, found again by (parent, procedure). A parent is then
 * older than its children, so one pass backwards adds totals up. Then the children of each node are
 * sorted and the nodes laid out depth first, with a stack of our own. */
#include <stdlib.h>

#include "prof/render.h"

/* ---- paths ---- */

enum { MOST_PERIOD = 16 };

static bool round_before(const prof_path *p, size_t period) {
    const prof_step *end = p->at + p->len;
    for (size_t k = 1; k <= period; k++)
        if (end[-(ptrdiff_t)k].func != end[-(ptrdiff_t)(k + period)].func) return false;
    return true;
}

/* Where the last steps are a round of a cycle for the second time, makes them one with the first.
 */
static void fold_round(prof_path *p) {
    for (size_t period = 1; period <= MOST_PERIOD && 2 * period <= p->len; period++) {
        if (!round_before(p, period)) continue;
        p->len -= period;
        prof_step *first = p->at + p->len - period;
        for (size_t k = 0; k < period; k++) {
            first[k].line = first[k + period].line;
            first[k].levels += first[k + period].levels;
        }
        if (first->cycle < period) first->cycle = (uint32_t)period;
        return;
    }
}

void prof_sample_path(const hone_prof_data *d, const prof_sample *s, bool fold, prof_path *out) {
    out->len = 0;
    for (uint32_t k = s->depth; k-- > 0;) {
        const prof_span *l = &d->locations.at[d->stack.at[s->first + k]];
        for (uint32_t j = l->count; j-- > 0;) {
            const hone_prof_line *line = &d->lines.at[l->first + j];
            BASE_PUSH(out, (prof_step){line->func, line->line, 1, 1});
            if (fold) fold_round(out);
        }
    }
}

/* ---- trees ---- */

typedef struct builder {
    const hone_prof_data *d;
    BASE_VEC(hone_prof_node) nodes;
    base_map of; /* parent and func -> node */
} builder;

static uint32_t child(builder *b, uint32_t parent, uint32_t func) {
    bool added;
    uint64_t *at = base_map_at(&b->of, (uint64_t)parent << 32 | func, &added);
    if (added) {
        *at = b->nodes.len;
        BASE_PUSH(&b->nodes, (hone_prof_node){.func = func,
                                              .parent = parent,
                                              .depth = b->nodes.at[parent].depth + 1,
                                              .levels = 1,
                                              .cycle = 1});
        b->nodes.at[parent].children++;
    }
    return (uint32_t)*at;
}

static void add_self(builder *b, uint32_t node, const prof_sample *s) {
    hone_prof_node *n = &b->nodes.at[node];
    n->self = base_sat_add(n->self, prof_value(b->d, s, b->d->info.main_value));
    n->self_samples = base_sat_add(n->self_samples, prof_sample_count(b->d, s));
}

/* Samples are sorted from the root inwards, so neighbours share the outer part of their paths: only
 * where a path leaves the last one is the map asked. */
static void add_samples(builder *b) {
    const hone_prof_data *d = b->d;
    BASE_VEC(uint32_t) path = {0}; /* nodes of the last path, outermost first */
    for (size_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        size_t known = path.len, depth = 0;
        uint32_t node = 0;
        for (uint32_t k = s->depth; k-- > 0;) {
            const prof_span *l = &d->locations.at[d->stack.at[s->first + k]];
            for (uint32_t j = l->count; j-- > 0; depth++) {
                uint32_t func = d->lines.at[l->first + j].func;
                if (depth < known && b->nodes.at[path.at[depth]].func == func) {
                    node = path.at[depth];
                    continue;
                }
                node = child(b, node, func);
                path.len = known = depth;
                BASE_PUSH(&path, node);
            }
        }
        path.len = depth;
        add_self(b, node, s);
    }
    BASE_VEC_FREE(&path);
}

/* The path of one stack in the folded tree. */
typedef struct folded_path {
    BASE_VEC(uint32_t) nodes, levels; /* outermost first */
    uint32_t *place;                  /* of a procedure in it, where it is in it */
    size_t floor;                     /* what lies below is behind a truncated mark */
    BASE_VEC(uint32_t) stamps; /* of each node of the tree, the sample that touched it last */
} folded_path;

static bool on_path(const builder *b, const folded_path *p, uint32_t func) {
    size_t k = p->place[func];
    return k >= p->floor && k < p->nodes.len && b->nodes.at[p->nodes.at[k]].func == func;
}

/* Enters FUNC: back to its node, if it is on the path, else on to a child. Gives the node. */
static uint32_t enter_folded(builder *b, folded_path *p, uint32_t func) {
    if (on_path(b, p, func)) {
        size_t k = p->place[func];
        uint32_t levels = ++p->levels.at[k], *most = &b->nodes.at[p->nodes.at[k]].levels;
        p->nodes.len = p->levels.len = k + 1;
        if (levels > *most) *most = levels;
        return p->nodes.at[k];
    }
    uint32_t node = child(b, p->nodes.len ? p->nodes.at[p->nodes.len - 1] : 0, func);
    p->place[func] = (uint32_t)p->nodes.len;
    BASE_PUSH(&p->nodes, node);
    BASE_PUSH(&p->levels, 1);
    return node;
}

static void touch(builder *b, folded_path *p, uint32_t node, const prof_sample *s, uint32_t stamp) {
    while (p->stamps.len < b->nodes.len) BASE_PUSH(&p->stamps, 0);
    if (p->stamps.at[node] == stamp) return;
    p->stamps.at[node] = stamp;
    hone_prof_node *n = &b->nodes.at[node];
    n->total = base_sat_add(n->total, prof_value(b->d, s, b->d->info.main_value));
    n->total_samples = base_sat_add(n->total_samples, prof_sample_count(b->d, s));
}

static bool is_truncated_mark(const hone_prof_data *d, uint32_t func) {
    return !strcmp(d->funcs.at[func].pub.name, PROF_TRUNCATED_NAME);
}

static void add_samples_folded(builder *b) {
    const hone_prof_data *d = b->d;
    folded_path p = {.place = base_calloc(d->funcs.len + 1, sizeof *p.place)};
    for (uint32_t i = 0; i < d->samples.len; i++) {
        const prof_sample *s = &d->samples.at[i];
        uint32_t node = 0;
        p.nodes.len = p.levels.len = p.floor = 0;
        touch(b, &p, node, s, i + 1);
        for (uint32_t k = s->depth; k-- > 0;) {
            const prof_span *l = &d->locations.at[d->stack.at[s->first + k]];
            for (uint32_t j = l->count; j-- > 0;) {
                uint32_t func = d->lines.at[l->first + j].func;
                node = enter_folded(b, &p, func);
                touch(b, &p, node, s, i + 1);
                if (is_truncated_mark(d, func)) p.floor = p.nodes.len;
            }
        }
        add_self(b, node, s);
    }
    BASE_VEC_FREE(&p.nodes);
    BASE_VEC_FREE(&p.levels);
    BASE_VEC_FREE(&p.stamps);
    free(p.place);
}

static void add_totals(builder *b) {
    for (size_t i = b->nodes.len; i-- > 0;) {
        hone_prof_node *n = &b->nodes.at[i], *parent = &b->nodes.at[n->parent];
        n->total = base_sat_add(n->total, n->self);
        n->total_samples = base_sat_add(n->total_samples, n->self_samples);
        if (!i) break;
        parent->total = base_sat_add(parent->total, n->total);
        parent->total_samples = base_sat_add(parent->total_samples, n->total_samples);
    }
}

/* By parent; siblings lightest first, as they will be taken from the end of a stack. */
static int cmp_node(const void *pa, const void *pb, void *ctx) {
    const hone_prof_node *nodes = ctx;
    const hone_prof_node *a = &nodes[*(const uint32_t *)pa], *b = &nodes[*(const uint32_t *)pb];
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    if (a->total != b->total) return a->total < b->total ? -1 : 1;
    if (a->total_samples != b->total_samples) return a->total_samples < b->total_samples ? -1 : 1;
    return a->func < b->func ? 1 : -1;
}

/* The nodes depth first. order[] holds all but the root, those of one parent together. */
static hone_prof_node *lay_out(builder *b, const uint32_t *order) {
    size_t n = b->nodes.len;
    uint32_t *first = base_calloc(n, sizeof *first);   /* of a node's children, in order[] */
    uint32_t *new_of = base_calloc(n, sizeof *new_of); /* number in the result */
    hone_prof_node *out = base_calloc(n, sizeof *out);
    BASE_VEC(uint32_t) todo = {0};
    for (uint32_t i = (uint32_t)n - 1; i-- > 0;) first[b->nodes.at[order[i]].parent] = i;
    BASE_PUSH(&todo, 0);
    for (uint32_t next = 0; todo.len; next++) {
        uint32_t old = BASE_POP(&todo);
        new_of[old] = next;
        out[next] = b->nodes.at[old];
        out[next].parent = new_of[out[next].parent];
        for (uint32_t i = 0; i < out[next].children; i++) BASE_PUSH(&todo, order[first[old] + i]);
    }
    BASE_VEC_FREE(&todo);
    free(first);
    free(new_of);
    return out;
}

static void add_samples_with_totals(builder *b) {
    add_samples(b);
    add_totals(b);
}

static void add_samples_in_rounds(builder *b) {
    prof_path path = {0};
    for (size_t i = 0; i < b->d->samples.len; i++) {
        uint32_t node = 0;
        prof_sample_path(b->d, &b->d->samples.at[i], true, &path);
        for (size_t k = 0; k < path.len; k++) {
            node = child(b, node, path.at[k].func);
            hone_prof_node *n = &b->nodes.at[node];
            n->levels = BASE_MAX(n->levels, path.at[k].levels);
            n->cycle = BASE_MAX(n->cycle, path.at[k].cycle);
        }
        add_self(b, node, &b->d->samples.at[i]);
    }
    BASE_VEC_FREE(&path);
    add_totals(b);
}

static hone_prof_node *make_tree(const hone_prof_data *d, void (*add)(builder *), size_t *count) {
    builder b = {.d = d};
    BASE_PUSH(&b.nodes, (hone_prof_node){.func = UINT32_MAX, .levels = 1, .cycle = 1});
    add(&b);
    size_t n = b.nodes.len;
    uint32_t *order = base_calloc(n, sizeof *order);
    for (uint32_t i = 1; i < n; i++) order[i - 1] = i;
    qsort_r(order, n - 1, sizeof *order, cmp_node, b.nodes.at);
    hone_prof_node *out = lay_out(&b, order);
    free(order);
    BASE_VEC_FREE(&b.nodes);
    base_map_free(&b.of);
    *count = n;
    return out;
}

hone_prof_node *hone_prof_tree(const hone_prof_data *d, size_t *count) {
    return make_tree(d, add_samples_with_totals, count);
}

hone_prof_node *hone_prof_tree_folded(const hone_prof_data *d, size_t *count) {
    return make_tree(d, add_samples_folded, count);
}

hone_prof_node *hone_prof_tree_rounds(const hone_prof_data *d, size_t *count) {
    return make_tree(d, add_samples_in_rounds, count);
}
