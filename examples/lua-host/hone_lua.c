/* hone_lua.c: the adapter between Lua 5.4 and hone/prof.h.
 *
 * - Device. A tick is an instruction: the scheduler says after how many the next sample is due. The
 *   count hook is set to half of that, then to half of what the clock says is left, and so on, for
 *   instructions are not all alike and each coroutine counts for itself.
 * - C functions. The hook comes between instructions only. So C functions are called by `called`,
 *   which looks at the clock before and behind: a sample that fell due inside is the function's.
 * - Coroutines. Lua does not tell who resumed whom: `chain` goes from the main one to the one that
 *   runs. Whoever finds another one running puts it right: an entry that waits for no one is
 * popped.
 * - Addresses. Lua has none that last: hone_prof_place gives numbers for places in the source. */
#include "hone_lua.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CHAIN = 256,            /* Lua allows 200 */
    ROOTS = 8,              /* outermost frames kept of a deep stack */
    LEVELS_PER_SAMPLE = 256 /* see push_roots */
};

struct hone_lua {
    hone_prof *prof;
    hone_prof_places *places;
    _Atomic uint64_t interval; /* ns */
};

/* A state's part, a userdatum. Its user value holds the coroutines of `chain` by number, lest one
 * be collected that an error left there, and the label set of each coroutine seen, by coroutine. */
typedef struct state {
    hone_lua *h;
    hone_prof_thread *thread;
    pthread_t owner;
    hone_prof_ticks ticks;
    _Atomic bool poked;
    uint64_t armed, gone;       /* instructions: asked for, 0 for none; gone by since it fired */
    uint64_t fired, aimed, due; /* monotonic ns: last fire; hook last set; next sample */
    uint64_t cpu_seen, cpu_sampled, random;
    int count, innermost; /* that the hook was set to; level at which a sample begins */
    uint32_t labels, coroutines, depth;
    lua_State *aimed_at, *chain[CHAIN];
    int root_count, root_keep;
    uintptr_t roots[ROOTS]; /* innermost first */
} state;

static const char key[] = "hone_lua"; /* its address: of the state in Lua's registry */

static int called(lua_State *L);
static int resumed(lua_State *L);
static int wrap(lua_State *L);
static void hook(lua_State *L, lua_Debug *ar);

static uint64_t now_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static state *state_of(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    state *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

static const char *file_of(const lua_Debug *ar) {
    return *ar->source == '@' || *ar->source == '=' ? ar->source + 1 : ar->short_src;
}

/* The C function of a frame, also where one of ours stands in front. */
static lua_CFunction c_function(lua_State *L, lua_Debug *ar) {
    if (!lua_checkstack(L, 2)) return NULL;
    lua_getinfo(L, "f", ar);
    int own = lua_gettop(L);
    lua_CFunction c = lua_tocfunction(L, own);
    if (c == called || (c == resumed && !lua_getupvalue(L, own, 3)))
        c = lua_getupvalue(L, own, 1) ? lua_tocfunction(L, -1) : NULL;
    lua_settop(L, own - 1);
    return c == resumed ? wrap : c;
}

static uint32_t number(int line) { return line > 0 ? (uint32_t)line : 0; }
static uintptr_t address_of(hone_lua *h, lua_State *L, lua_Debug *ar) {
    char event[64];
    bool named;
    lua_getinfo(L, "Sl", ar);
    hone_prof_frame frame = {
        .file = file_of(ar), .line = number(ar->currentline), .func_line = number(ar->linedefined)};
    if (*ar->what == 'C') frame.func_id = (uintptr_t)c_function(L, ar);
    if (*ar->what == 'm') frame.name = "main chunk";
    uintptr_t address = hone_prof_place(h->places, &frame, &named);
    if (named || !lua_getinfo(L, "n", ar) || !ar->name) return address;
    snprintf(event, sizeof event, "__%s", ar->name);
    frame.name = strcmp(ar->namewhat, "metamethod") || *ar->name == '_' ? ar->name : event;
    return hone_prof_place(h->places, &frame, NULL);
}

static bool waits(lua_State *L) { /* for a coroutine that it resumed */
    lua_Debug ar;
    return lua_status(L) == LUA_OK && lua_getstack(L, 0, &ar);
}

static void push_table(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    lua_getiuservalue(L, -1, 1);
    lua_remove(L, -2);
}

static void push_running(state *s, lua_State *L, lua_State *co) {
    if (s->depth == CHAIN || !lua_checkstack(L, 3) || !lua_checkstack(co, 1)) return;
    push_table(L);
    lua_pushthread(co);
    lua_xmove(co, L, 1);
    s->chain[s->depth++] = co;
    lua_rawseti(L, -2, s->depth);
    lua_pop(L, 1);
}

/* L is the one that runs. */
static void enter(state *s, lua_State *L) {
    while (s->depth > 1 && s->chain[s->depth - 1] != L && !waits(s->chain[s->depth - 1]))
        s->depth--;
    if (s->chain[s->depth - 1] != L) push_running(s, L, L);
}

static int depth_of(lua_State *L) {
    lua_Debug ar;
    int in = -1, out = 64; /* levels that are there and not there */
    while (lua_getstack(L, out, &ar)) in = out, out *= 2;
    for (int mid; (mid = in + (out - in) / 2) > in;)
        *(lua_getstack(L, mid, &ar) ? &in : &out) = mid;
    return out;
}

/* The label set of L, which runs: fiber=FILE:LINE#NUMBER. */
static uint32_t labels_of(state *s, lua_State *L) {
    lua_Debug ar;
    char text[200];
    int top = lua_gettop(L);
    if (L == s->chain[0] || !lua_checkstack(L, 4)) return 0;
    push_table(L);
    lua_pushthread(L);
    if (lua_rawget(L, -2) != LUA_TNUMBER && lua_getstack(L, depth_of(L) - 1, &ar)) {
        lua_getinfo(L, "S", &ar);
        snprintf(text, sizeof text, "%s:%d#%u", ar.short_src, ar.linedefined, ++s->coroutines);
        lua_pushthread(L);
        lua_pushinteger(L, hone_prof_labels(s->h->prof, 0, "fiber", text));
        lua_copy(L, -1, top + 2);
        lua_rawset(L, top + 1);
    }
    uint32_t labels = (uint32_t)lua_tointeger(L, top + 2);
    lua_settop(L, top);
    return labels;
}

/* The outermost frames, below `level` of the main coroutine. To find a level costs Lua time in
 * proportion to it, so those of a very deep stack are looked up once in many samples. */
static void push_roots(state *s, int level, hone_prof_stack *out) {
    lua_Debug ar;
    lua_State *L = s->chain[0];
    int max = out->root_max < ROOTS ? (int)out->root_max : ROOTS;
    bool deeper = lua_getstack(L, level + max, &ar);
    if (!deeper || s->root_keep-- <= 0) {
        int depth = depth_of(L), from = deeper ? depth - max : level;
        for (s->root_count = 0; from < depth && lua_getstack(L, from, &ar); from++)
            s->roots[s->root_count++] = address_of(s->h, L, &ar);
        s->root_keep = depth / LEVELS_PER_SAMPLE;
    }
    out->truncated |= deeper;
    for (int i = 0; i < s->root_count; i++) hone_prof_stack_root(out, s->roots[i]);
}

static void walk(void *host, void *thread, hone_prof_stack *out) {
    (void)host;
    state *s = thread;
    lua_Debug ar;
    int level = s->innermost;
    uint32_t i = s->depth - 1;
    s->cpu_sampled = s->cpu_seen;
    out->labels = s->labels;
    while (out->inner < out->inner_max) {
        if (lua_getstack(s->chain[i], level, &ar)) {
            hone_prof_stack_push(out, address_of(s->h, s->chain[i], &ar));
            level++;
        } else if (i-- > 0)
            level = 0;
        else
            return;
    }
    out->truncated = i > 1 || (i > 0 && lua_getstack(s->chain[i], level, &ar));
    push_roots(s, i > 0 ? 0 : level, out);
}

static void arm(void *ctx, uint64_t ticks) {
    ((state *)ctx)->armed = ticks == HONE_PROF_NEVER ? 0 : ticks;
}

static void aim(state *s, lua_State *L, uint64_t now) {
    double left = s->due > now ? (double)(s->due - now) : 0, half = (double)s->armed / 2;
    if (s->gone && now > s->fired) half = (double)s->gone / (double)(now - s->fired) * left / 2;
    s->count = 8 + (half < 1e9 ? (int)half : 1000000000);
    s->aimed = now;
    s->aimed_at = L;
    lua_sethook(L, hook, LUA_MASKCOUNT, s->count);
}

static void fire(state *s, lua_State *L, int innermost) {
    s->labels = labels_of(s, L);
    s->innermost = innermost;
    s->poked = false;
    hone_prof_ticks_due(&s->ticks);
    hone_prof_ticks_fire(&s->ticks, s->gone);
    uint64_t used = s->cpu_seen - s->cpu_sampled, interval = s->h->interval;
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    s->fired = now_ns(CLOCK_MONOTONIC);
    s->due = s->fired + (used < interval ? interval - used : 0);
    s->gone = 0;
    /* A program that does the same over and over must not be met at the same place each time. */
    if (!used) s->due += (s->random >> 32) % (interval / 4 + 1);
    if (s->armed) aim(s, L, s->fired);
}

/* At a safe point where L runs, `gone` instructions after the hook was set, negative: unknown, so
 * that it is told by the clock. `innermost`: the level at which a sample begins. */
static void look(state *s, lua_State *L, int gone, int innermost) {
    bool due = s->poked;
    if (!s->armed && !due) return;
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    due |= now >= s->due;
    double part = 2 * (double)(now - s->aimed) / (double)(s->due - s->aimed + 1);
    if (!due && gone < 0 && part < 1 && s->aimed_at == L) return;
    enter(s, L);
    s->gone += (uint64_t)(gone >= 0 ? gone : part < 1 ? part * s->count : s->count);
    if (due)
        fire(s, L, innermost);
    else
        aim(s, L, now);
}

static void hook(lua_State *L, lua_Debug *ar) {
    (void)ar;
    state *s = state_of(L);
    look(s, L, lua_gethookcount(L), 0);
    if (!s->armed) lua_sethook(L, NULL, 0, 0);
}

/* Another thread's hook is not ours to set: it notices when it next calls a C function. */
static void wake(void *host, void *thread) {
    (void)host;
    state *s = thread;
    s->poked = true;
    if (pthread_equal(s->owner, pthread_self()))
        lua_sethook(s->chain[s->depth - 1], hook, LUA_MASKCOUNT, 1);
}

static uint64_t cpu_ns(void *host, void *thread) {
    (void)host;
    state *s = thread;
    s->cpu_seen = now_ns(CLOCK_THREAD_CPUTIME_ID);
    if (!s->armed) s->cpu_sampled = s->cpu_seen; /* sampling begins */
    return s->cpu_seen;
}

/* Upvalues: the C function, the state. The function runs in this one's frame: it sees the same
 * arguments and levels, and words its errors alike. What was due before is the caller's. */
static int called(lua_State *L) {
    state *s = lua_touserdata(L, lua_upvalueindex(2));
    look(s, L, -1, 1);
    int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    look(s, L, -1, 0);
    return results;
}

/* coroutine.resume, with the upvalues of `called`; and what coroutine.wrap gives, with the
 * coroutine in the first, where Lua's function too looks for it, and that function in the third. */
static int resumed(lua_State *L) {
    state *s = lua_touserdata(L, lua_upvalueindex(2));
    bool wrapped = lua_isthread(L, lua_upvalueindex(1));
    lua_State *co = lua_tothread(L, wrapped ? lua_upvalueindex(1) : 1);
    lua_CFunction f = lua_tocfunction(L, lua_upvalueindex(wrapped ? 3 : 1));
    if (!co || co == L) return f(L);
    look(s, L, -1, 1);
    enter(s, L);
    if (lua_status(co) <= LUA_YIELD && !waits(co)) {
        push_running(s, L, co);
        look(s, co, -1, 0);
    }
    int results = f(L);
    look(s, L, -1, 0);
    return results;
}

/* coroutine.wrap, with the upvalues of `called`. */
static int wrap(lua_State *L) {
    int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    lua_getupvalue(L, -1, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushcfunction(L, lua_tocfunction(L, -3));
    lua_pushcclosure(L, resumed, 3);
    return results;
}

/* The function to stand in front of c, which is named, as is what coroutine.wrap gives. */
static lua_CFunction front_of(hone_lua *h, lua_CFunction c, const char *prefix, const char *name) {
    char full[200];
    snprintf(full, sizeof full, "%s%s%s", prefix, *prefix ? "." : "", name);
    bool wraps = strcmp(full, "coroutine.wrap") == 0;
    hone_prof_frame f = {.name = full, .file = "[C]", .func_id = (uintptr_t)(wraps ? wrap : c)};
    hone_prof_place(h->places, &f, NULL);
    return wraps ? wrap : strcmp(full, "coroutine.resume") == 0 ? resumed : called;
}

void hone_lua_watch(lua_State *L, const char *prefix) {
    luaL_checkstack(L, 6, NULL);
    state *s = state_of(L);
    int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table); lua_settop(L, table + 1)) {
        lua_CFunction c = lua_tocfunction(L, -1);
        if (!c || lua_type(L, -2) != LUA_TSTRING || lua_getupvalue(L, -1, 1)) continue;
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawgetp(L, LUA_REGISTRYINDEX, key);
        lua_pushcclosure(L, front_of(s->h, c, prefix, lua_tostring(L, -3)), 2);
        lua_rawset(L, table);
    }
}

static int close_state(lua_State *L) {
    state *s = lua_touserdata(L, 1);
    if (s && s->thread) hone_prof_thread_remove(s->thread);
    return 0;
}

/* It and its table share a metatable. */
static state *make_state(lua_State *L) {
    luaL_newmetatable(L, key);
    lua_pushcfunction(L, close_state);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    state *s = memset(lua_newuserdatauv(L, sizeof *s, 1), 0, sizeof *s);
    luaL_setmetatable(L, key);
    lua_createtable(L, CHAIN, 0);
    luaL_setmetatable(L, key);
    lua_setiuservalue(L, -2, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
    return s;
}

void hone_lua_attach(hone_lua *h, lua_State *L, const char *name) {
    luaL_checkstack(L, 12, NULL);
    if (state_of(L)) luaL_error(L, "the state is attached already");
    int top = lua_gettop(L);
    state *s = make_state(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    s->h = h;
    s->chain[0] = lua_tothread(L, -1);
    s->depth = 1;
    s->owner = pthread_self();
    hone_prof_ticks_init(&s->ticks, &(hone_prof_device){.arm = arm, .ctx = s});
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *library = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        if (lua_istable(L, -1)) hone_lua_watch(L, strcmp(library, LUA_GNAME) ? library : "");
    }
    if (luaL_getmetatable(L, LUA_FILEHANDLE) && lua_getfield(L, -1, "__index") == LUA_TTABLE)
        hone_lua_watch(L, "file");
    s->thread = hone_prof_thread_add(h->prof, s, &s->ticks, name);
    lua_settop(L, top);
}

hone_lua *hone_lua_new(const char *program) {
    hone_lua *h = calloc(1, sizeof *h);
    if (!h) abort();
    hone_prof_config config = {.walk = walk, .wake = wake, .cpu_ns = cpu_ns, .program = program};
    config.host = h->places = hone_prof_places_new();
    config.resolve = hone_prof_places_resolve;
    config.meaning = "CPU time, between Lua's instructions and in C functions";
    h->prof = hone_prof_new(&config);
    return h;
}

hone_prof *hone_lua_prof(hone_lua *h) { return h->prof; }

int hone_lua_start(hone_lua *h, const hone_prof_options *options) {
    int status = hone_prof_start(h->prof, options);
    if (!status) h->interval = options && options->interval_ns ? options->interval_ns : 1000000;
    return status;
}

void hone_lua_free(hone_lua *h) {
    hone_prof_free(h->prof);
    hone_prof_places_free(h->places);
    free(h);
}
