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

/* The globals of libraries by "library name", those of one name in the order in which they were
 * made; only in native programs. */
typedef struct Named {
    Global *global;
    bool given; /* out by rt_global_new */
    struct Named *next;
} Named;
static base_strmap named;
static bool naming;

static Named **named_at(const char *name, const char *library) {
    base_buf key = {0};
    base_buf_printf(&key, "%s %s", library, name);
    Named **place = (Named **)base_strmap_at(&named, key.at, key.len, NULL);
    base_buf_free(&key);
    return place;
}

static void remember(Global *g, bool given) {
    Named **end = named_at(g->name, g->library);
    while (*end) end = &(*end)->next;
    *end = BASE_NEW(&forever, Named);
    **end = (Named){.global = g, .given = given};
}

/* Under the lock. */
static void link_in(Global *g) {
    if (!globals) rt_add_roots(scan_globals, NULL);
    g->next = globals;
    globals = g;
}

static Global *adopted(const char *name, const char *library) {
    if (!naming || !library[0]) return NULL;
    for (Named *n = *named_at(name, library); n; n = n->next)
        if (!n->given) {
            n->given = true;
            return n->global;
        }
    return NULL;
}

Global *rt_global_new(const char *name, const char *library) {
    os_mutex_lock(&lock);
    Global *g = adopted(name, library);
    if (!g) {
        g = BASE_NEW(&forever, Global);
        g->name = base_arena_strdup(&forever, name);
        g->library = base_arena_strdup(&forever, library);
        g->value = V_UNBOUND;
        link_in(g);
        if (naming && library[0]) remember(g, true);
    }
    os_mutex_unlock(&lock);
    return g;
}

void rt_global_adopt(Global *const *items, size_t count) {
    naming = true;
    for (size_t i = 0; i < count; i++) {
        link_in(items[i]);
        if (items[i]->library[0]) remember(items[i], false);
    }
}

void rt_global_offer_again(const char *library) {
    size_t it = 0;
    void *value;
    os_mutex_lock(&lock);
    while (naming && base_strmap_next(&named, &it, NULL, &value))
        for (Named *n = value; n; n = n->next)
            if (strcmp(n->global->library, library) == 0) n->given = false;
    os_mutex_unlock(&lock);
}

Global *rt_global_find(const char *name, const char *library) {
    os_mutex_lock(&lock);
    const Named *n = *named_at(name, library);
    os_mutex_unlock(&lock);
    return n ? n->global : NULL;
}

void rt_each_global(void (*f)(void *context, Global *g), void *context) {
    for (Global *g = globals; g; g = g->next) f(context, g);
}

void rt_global_set(Global *g, Value v) { __atomic_store_n(&g->value, v, __ATOMIC_RELEASE); }
