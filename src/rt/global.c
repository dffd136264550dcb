/* global.c: global variables and the arena of things that live for ever. */
#include "rt/global.h"

#include "base/base.h"
#include "rt/rt.h"

static os_mutex lock = OS_MUTEX_INIT;
static base_arena forever;
static Global *globals;

void *rt_forever_alloc(size_t bytes) {
    os_mutex_lock(&lock);
    void *p = base_arena_alloc(&forever, bytes);
    os_mutex_unlock(&lock);
    return p;
}

const char *rt_forever_string(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(rt_forever_alloc(n), s, n);
}

/* Global values that are old are kept right by the barrier; only values in collected generations
 * are visited. */
static void scan_globals(void *context, Collector *c) {
    (void)context;
    for (Global *g = globals; g; g = g->next)
        if (is_heap(g->value)) gc_visit(c, &g->value);
}

Global *rt_global_new(const char *name, const char *library) {
    Global *g = rt_forever_alloc(sizeof *g);
    g->name = rt_forever_string(name);
    g->library = rt_forever_string(library);
    g->value = V_UNBOUND;
    os_mutex_lock(&lock);
    if (!globals) rt_add_roots(scan_globals, NULL);
    g->next = globals;
    globals = g;
    os_mutex_unlock(&lock);
    return g;
}

void rt_global_set(Mutator *m, Global *g, Value v) {
    (void)m;
    __atomic_store_n(&g->value, v, __ATOMIC_RELEASE);
}
