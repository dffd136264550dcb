/* Several mutators at once, stopped for collections by a lock-step of their own: each keeps a list
 * of its own numbers, and stores into objects and root words that all share. */
#include "gc_rig.h"
#include "os/os.h"

enum { THREADS = 4, ROUNDS = 300, PER_ROUND = 2000, SHARED = 64 };

typedef struct World World;
typedef struct Worker {
    World *world;
    Mutator m;
    Value list;
    int id;
    bool right;
} Worker;

struct World {
    Heap *heap;
    Worker worker[THREADS];
    Value shared;       /* a vector, soon old */
    Value cell[SHARED]; /* root words */
    os_mutex lock;      /* all below */
    os_cond stopped, go;
    int running, waiting;
    uint64_t collections;
    bool wants; /* atomic */
};

static void scan_roots(void *context, Collector *c) {
    World *w = context;
    for (int i = 0; i < THREADS; i++) gc_visit(c, &w->worker[i].list);
    gc_visit(c, &w->shared);
    if (collector_generation(c) == GC_GENERATIONS - 1)
        for (int i = 0; i < SHARED; i++) gc_visit(c, &w->cell[i]);
}
static void scan_cont(void *context, Collector *c, Object *o) { (void)context, (void)c, (void)o; }
static void after_mark(void *context, Collector *c) { (void)context, (void)c; }
static void request(void *context) {
    __atomic_store_n(&((World *)context)->wants, true, __ATOMIC_RELAXED);
}

/* Under the lock: the last thread that runs collects for all. */
static void collect_if_last(World *w) {
    if (w->waiting < w->running || !__atomic_load_n(&w->wants, __ATOMIC_RELAXED)) return;
    __atomic_store_n(&w->wants, false, __ATOMIC_RELAXED);
    gc_collect(w->heap, -1);
    w->collections++;
    os_cond_broadcast(&w->go);
}

static void safe_point(World *w) {
    if (!__atomic_load_n(&w->wants, __ATOMIC_RELAXED)) return;
    os_mutex_lock(&w->lock);
    uint64_t seen = w->collections;
    w->waiting++;
    collect_if_last(w);
    while (w->collections == seen && __atomic_load_n(&w->wants, __ATOMIC_RELAXED))
        os_cond_wait(&w->go, &w->lock);
    w->waiting--;
    os_mutex_unlock(&w->lock);
}

static bool list_right(Value list, int id) {
    int64_t n = 0;
    for (; list != V_NIL; list = cdr(list), n++)
        if (car(list) != v_fixnum(id * 1000000 + n)) return false;
    return n == PER_ROUND;
}

static void round_of(Worker *k, int round) {
    World *w = k->world;
    k->list = V_NIL;
    for (int64_t i = PER_ROUND - 1; i >= 0; i--) {
        k->list = gc_cons(&k->m, v_fixnum(k->id * 1000000 + i), k->list);
        if (i % 16 == 0) safe_point(w);
    }
    int place = (round * THREADS + k->id) % SHARED; /* no two threads in one place at a time */
    gc_write(&k->m, &object_slots(w->shared)[place], k->list);
    gc_write(&k->m, &w->cell[place], k->list);
    if (round % 50 == k->id) gc_bytes(&k->m, T_BYTEVECTOR, 50000, 0);
    safe_point(w);
    k->right &= list_right(object_slots(w->shared)[place], k->id);
    k->right &= list_right(w->cell[place], k->id);
}

static void *work(void *arg) {
    Worker *k = arg;
    World *w = k->world;
    k->right = true;
    for (int i = 0; i < ROUNDS; i++) round_of(k, i);
    k->list = V_NIL;
    os_mutex_lock(&w->lock);
    gc_mutator_leave(&k->m);
    w->running--;
    collect_if_last(w);
    os_mutex_unlock(&w->lock);
    return NULL;
}

static void run(GcOptions options) {
    World *w = base_calloc(1, sizeof *w);
    GcHooks hooks = {w, scan_roots, scan_cont, after_mark, request};
    w->heap = gc_heap_new(&options, &hooks);
    REQUIRE(w->heap != NULL);
    os_mutex_init(&w->lock);
    os_cond_init(&w->go);
    w->running = THREADS;
    for (int i = 0; i < SHARED; i++) w->cell[i] = V_NIL;
    for (int i = 0; i < THREADS; i++) {
        w->worker[i] = (Worker){.world = w, .id = i, .list = V_NIL};
        gc_mutator_init(&w->worker[i].m, w->heap);
    }
    Object *o = gc_object(&w->worker[0].m, T_VECTOR, SHARED);
    for (int i = 0; i < SHARED; i++) o->slot[i] = V_NIL;
    w->shared = v_object(o);
    gc_collect(w->heap, 1);
    gc_collect(w->heap, 1);
    os_thread threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(os_thread_start(&threads[i], work, &w->worker[i], 0, false));
    for (int i = 0; i < THREADS; i++) os_thread_join(threads[i]);
    for (int i = 0; i < THREADS; i++) CHECK(w->worker[i].right);
    for (int i = 0; i < SHARED; i++) {
        CHECK(w->cell[i] == object_slots(w->shared)[i]);
        CHECK(list_right(w->cell[i], i % THREADS));
    }
    CHECK(w->collections > 3);
    GcStats s;
    gc_stats(w->heap, &s);
    uint64_t pairs = (uint64_t)THREADS * ROUNDS * PER_ROUND;
    CHECK(s.bytes_allocated >= pairs * 16 && s.bytes_allocated <= pairs * 16 + (4 << 20));
    gc_heap_free(w->heap);
    os_mutex_destroy(&w->lock);
    os_cond_destroy(&w->go);
    free(w);
}

static void test_threads(void) { run((GcOptions){.nursery_bytes = 2 << 20}); }
static void test_threads_verified(void) {
    run((GcOptions){.nursery_bytes = 1 << 20, .poison = true, .verify = true});
}

CHECK_MAIN(test_threads, test_threads_verified)
