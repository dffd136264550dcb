/* Several Lua states on several threads, and several instances, in one process. */
#include <hone/prof.h>

#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "hone_lua.h"

/* Runs until it is told to stop, in turns between which a library function is called. */
static const char program[] =
    "local stop, rounds = ...\n"
    "local function busy(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end\n"
    "local n = 0\n"
    "while not stop() do n = n + busy(2000) n = n + math.floor(0.5) end\n";

enum { MS = 1000000 };

typedef struct worker {
    hone_lua *h;
    const char *name;
    uint64_t limit_ns; /* CPU time that it uses */
    uint64_t used_ns;  /* since it was attached */
    bool started;      /* atomic */
    bool *gate;        /* atomic; NULL, or: works on, beyond the limit, until it is set */
    pthread_t thread;
} worker;

static uint64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int stop(lua_State *L) {
    worker *w = lua_touserdata(L, lua_upvalueindex(1));
    __atomic_store_n(&w->started, true, __ATOMIC_RELEASE);
    bool held = w->gate && !__atomic_load_n(w->gate, __ATOMIC_ACQUIRE);
    lua_pushboolean(L, !held && cpu_ns() >= w->limit_ns);
    return 1;
}

static void *work(void *arg) {
    worker *w = arg;
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    hone_lua_attach(w->h, L, w->name);
    uint64_t began = cpu_ns();
    char chunk[64];
    snprintf(chunk, sizeof chunk, "=%s", w->name);
    if (luaL_loadbuffer(L, program, strlen(program), chunk)) abort();
    lua_pushlightuserdata(L, w);
    lua_pushcclosure(L, stop, 1);
    if (lua_pcall(L, 1, 0, 0)) fprintf(stderr, "%s\n", lua_tostring(L, -1));
    w->used_ns = cpu_ns() - began;
    lua_close(L);
    return NULL;
}

static void start_worker(worker *w) { pthread_create(&w->thread, NULL, work, w); }
static void end_worker(worker *w) { pthread_join(w->thread, NULL); }

/* CPU time recorded for a thread, or for all (NULL). */
static uint64_t recorded(const hone_prof_data *d, const char *thread) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample s;
        hone_prof_data_sample(d, i, &s);
        if (!thread || strcmp(s.thread, thread) == 0)
            sum += s.values[hone_prof_data_info(d)->main_value];
    }
    return sum;
}

/* Whether a procedure of the source `file` was seen. */
static bool seen(const hone_prof_data *d, const char *file) {
    for (uint32_t i = 0; i < hone_prof_data_funcs(d); i++)
        if (strcmp(hone_prof_data_func(d, i)->file, file) == 0) return true;
    return false;
}

/* Each thread is charged what the system's clock says it used, whatever the others do. */
static void test_threads(void) {
    hone_lua *h = hone_lua_new("threads");
    worker all[] = {{.h = h, .name = "a", .limit_ns = 60 * MS},
                    {.h = h, .name = "b", .limit_ns = 60 * MS},
                    {.h = h, .name = "c", .limit_ns = 180 * MS}};
    CHECK_EQ(hone_lua_start(h, NULL), HONE_PROF_OK);
    for (int i = 0; i < 3; i++) start_worker(&all[i]);
    for (int i = 0; i < 3; i++) end_worker(&all[i]);
    CHECK_EQ(hone_prof_stop(hone_lua_prof(h)), HONE_PROF_OK);
    hone_prof_data *d = hone_prof_snapshot(hone_lua_prof(h));
    for (int i = 0; i < 3; i++)
        CHECK_NEAR((double)recorded(d, all[i].name) / (double)all[i].used_ns, 1.0, 0.12);
    hone_prof_data_free(d);
    hone_lua_free(h);
}

/* Two instances do not see each other, though both run at once and one ends earlier. */
static void test_instances(void) {
    hone_lua *h[] = {hone_lua_new("one"), hone_lua_new("two")};
    bool open = false;
    worker w[] = {{.h = h[0], .name = "one", .limit_ns = 60 * MS},
                  {.h = h[1], .name = "two", .limit_ns = 60 * MS, .gate = &open}};
    CHECK_EQ(hone_lua_start(h[0], NULL), HONE_PROF_OK);
    CHECK_EQ(hone_lua_start(h[1], &(hone_prof_options){.interval_ns = MS / 2}), HONE_PROF_OK);
    for (int i = 0; i < 2; i++) start_worker(&w[i]);
    end_worker(&w[0]);
    CHECK_EQ(hone_prof_stop(hone_lua_prof(h[0])), HONE_PROF_OK);
    CHECK(hone_prof_running(hone_lua_prof(h[1])));
    hone_prof_data *d = hone_prof_snapshot(hone_lua_prof(h[0]));
    CHECK(seen(d, "one"));
    CHECK(!seen(d, "two"));
    CHECK_STR(hone_prof_data_info(d)->program, "one");
    hone_prof_data_free(d);
    hone_lua_free(h[0]); /* while the other one is sampling */
    __atomic_store_n(&open, true, __ATOMIC_RELEASE);
    end_worker(&w[1]);
    d = hone_prof_snapshot(hone_lua_prof(h[1]));
    CHECK(seen(d, "two"));
    CHECK(!seen(d, "one"));
    CHECK_NEAR((double)recorded(d, NULL) / (double)w[1].used_ns, 1.0, 0.12);
    hone_prof_data_free(d);
    hone_lua_free(h[1]);
}

/* A state that runs already is sampled from when another thread starts the profiler to when it
 * stops it, and once more after a second start. */
static void test_start_from_outside(void) {
    hone_lua *h = hone_lua_new("outside");
    bool open = false;
    worker w = {.h = h, .name = "w", .gate = &open};
    hone_prof *p = hone_lua_prof(h);
    start_worker(&w);
    while (!__atomic_load_n(&w.started, __ATOMIC_ACQUIRE)) nanosleep(&(struct timespec){0, MS}, 0);
    uint64_t before = 0;
    for (int round = 0; round < 2; round++) {
        CHECK_EQ(hone_lua_start(h, NULL), HONE_PROF_OK);
        CHECK_EQ(hone_lua_start(h, NULL), HONE_PROF_ALREADY);
        hone_prof_stats stats = {0};
        for (int tries = 0; tries < 5000 && stats.samples < before + 5; tries++) {
            nanosleep(&(struct timespec){0, MS}, 0);
            hone_prof_get_stats(p, &stats);
        }
        CHECK(stats.samples >= before + 5);
        CHECK_EQ(hone_prof_stop(p), HONE_PROF_OK);
        CHECK_EQ(hone_prof_stop(p), HONE_PROF_STOPPED);
        hone_prof_get_stats(p, &stats);
        before = stats.samples;
        nanosleep(&(struct timespec){0, 10 * MS}, 0);
        hone_prof_get_stats(p, &stats);
        CHECK_EQ_U(stats.samples, before);
    }
    __atomic_store_n(&open, true, __ATOMIC_RELEASE);
    end_worker(&w);
    hone_lua_free(h);
}

/* A state is attached once; the error is Lua's. */
static int attach_again(lua_State *L) {
    hone_lua_attach(lua_touserdata(L, 1), L, NULL);
    return 0;
}
static void test_attached_twice(void) {
    hone_lua *h = hone_lua_new("twice");
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    hone_lua_attach(h, L, NULL);
    CHECK_EQ(lua_gettop(L), 0);
    lua_pushcfunction(L, attach_again);
    lua_pushlightuserdata(L, h);
    CHECK_EQ(lua_pcall(L, 1, 0, 0), LUA_ERRRUN);
    CHECK_STR(lua_tostring(L, -1), "the state is attached already");
    lua_close(L);
    hone_lua_free(h);
}

/* C functions of a host's own, put under watch, take the time that they use. */
static int spin(lua_State *L) {
    uint64_t end = cpu_ns() + (uint64_t)luaL_checkinteger(L, 1);
    while (cpu_ns() < end) {
    }
    return 0;
}
static void test_own_functions(void) {
    hone_lua *h = hone_lua_new("own");
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    hone_lua_attach(h, L, NULL);
    luaL_newlib(L, ((luaL_Reg[]){{"spin", spin}, {NULL, NULL}}));
    hone_lua_watch(L, "own");
    lua_setglobal(L, "own");
    hone_lua_start(h, NULL);
    CHECK_EQ(luaL_dostring(L, "for i = 1, 100 do own.spin(400000) end"), LUA_OK);
    hone_prof_stop(hone_lua_prof(h));
    hone_prof_data *d = hone_prof_snapshot(hone_lua_prof(h));
    size_t n;
    hone_prof_proc *rows = hone_prof_procs(d, &n);
    CHECK(n > 0);
    CHECK_STR(hone_prof_data_func(d, rows[0].func)->name, "own.spin");
    CHECK(rows[0].self_share > 0.9);
    free(rows);
    hone_prof_data_free(d);
    lua_close(L);
    hone_lua_free(h);
}

CHECK_MAIN(test_threads, test_instances, test_start_from_outside, test_attached_twice,
           test_own_functions)
