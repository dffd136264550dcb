/* Primitives that ask or tell the process: time, environment, exit, the collector. */
#include "rt/system.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "num/num.h"
#include "os/os.h"
#include "rt/args.h"
#include "rt/list.h"
#include "rt/port.h"
#include "rt/prim.h"
#include "rt/rt.h"
#include "rt/string.h"

extern char **environ;

enum { NS_PER_SECOND = 1000000000 };

/* ---- time ---- */

PRIM_FN(prim_current_second) {
    PRIM_UNUSED;
    return num_from_double(m, (double)os_wall_ns() / NS_PER_SECOND);
}

PRIM_FN(prim_current_jiffy) {
    PRIM_UNUSED;
    return num_from_uint64(m, os_mono_ns());
}

PRIM_FN(prim_jiffies_per_second) {
    PRIM_UNUSED;
    return v_fixnum(NS_PER_SECOND);
}

PRIM_FN(prim_process_cpu_ns) {
    PRIM_UNUSED;
    return num_from_uint64(m, os_process_cpu_ns());
}

/* ---- environment ---- */

static struct {
    const char *program;
    int argc;
    char *const *argv;
} command_line = {.program = "hone"};

void rt_set_command_line(const char *program, int argc, char *const *argv) {
    command_line.program = program;
    command_line.argc = argc;
    command_line.argv = argv;
}

PRIM_FN(prim_command_line) {
    PRIM_UNUSED;
    Value list = V_NIL;
    for (int i = command_line.argc; i-- > 0;)
        list = gc_cons(m, rt_string_from_system(m, command_line.argv[i]), list);
    return gc_cons(m, rt_string_from_system(m, command_line.program), list);
}

PRIM_FN(prim_get_environment_variable) {
    PRIM_UNUSED;
    ARG_CHECK(is_string(a[0]), "get-environment-variable", 1);
    char *name = rt_string_utf8(a[0], NULL);
    const char *value = getenv(name);
    free(name);
    return value ? rt_string_from_system(m, value) : V_FALSE;
}

/* "NAME=VALUE" as a pair. */
static Value variable(Mutator *m, const char *text) {
    const char *sign = strchr(text, '=');
    if (!sign) return V_FALSE;
    char *name = base_strndup(text, (size_t)(sign - text));
    Value pair = gc_cons(m, rt_string_from_system(m, name), rt_string_from_system(m, sign + 1));
    free(name);
    return pair;
}

PRIM_FN(prim_get_environment_variables) {
    PRIM_UNUSED;
    Value list = V_NIL;
    for (char **v = environ; *v; v++) {
        Value pair = variable(m, *v);
        if (pair != V_FALSE) list = gc_cons(m, pair, list);
    }
    return list;
}

/* ---- exit ---- */

void (*rt_exit_hook)(int code);

int rt_exit_code(Value v) {
    if (v == V_TRUE || v == V_DEFAULT || v == V_UNSPEC) return 0;
    return is_fixnum(v) ? (int)(fixnum(v) & 255) : 1;
}

_Noreturn void rt_exit(int code) {
    if (!rt_ports_flush_all()) {
        fprintf(stderr, "hone: output was lost: %s\n", strerror(errno));
        if (code == 0) code = 1;
    }
    if (rt_exit_hook) rt_exit_hook(code);
    exit(code);
}

PRIM_FN(prim_exit_code) {
    PRIM_UNUSED;
    return v_fixnum(rt_exit_code(n > 0 ? a[0] : V_DEFAULT));
}

PRIM_FN(prim_emergency_exit) {
    PRIM_UNUSED;
    rt_exit(rt_exit_code(n > 0 ? a[0] : V_DEFAULT));
}

/* ---- the collector ---- */

PRIM_FN(prim_gc) {
    PRIM_UNUSED;
    Thread *t = rt_thread(m);
    rt_collect(t, t->sp, GC_GENERATIONS - 1);
    rt_ports_reap();
    return V_UNSPEC;
}

static Value entry(Mutator *m, const char *name, uint64_t value, Value rest) {
    return gc_cons(m, gc_cons(m, rt_intern_c(m, name), num_from_uint64(m, value)), rest);
}

PRIM_FN(prim_gc_stats) {
    PRIM_UNUSED;
    GcStats stats;
    gc_stats(m->heap, &stats);
    Value list = V_NIL;
    list = entry(m, "peak-heap-bytes", stats.peak_heap_bytes, list);
    list = entry(m, "heap-bytes", stats.heap_bytes, list);
    list = entry(m, "live-bytes", stats.live_bytes, list);
    list = entry(m, "bytes-copied", stats.bytes_copied, list);
    list = entry(m, "bytes-allocated", stats.bytes_allocated, list);
    list = entry(m, "nanoseconds", stats.nanoseconds, list);
    list = entry(m, "major-collections", stats.collections[GC_GENERATIONS - 1], list);
    uint64_t minor = 0;
    for (int i = 0; i + 1 < GC_GENERATIONS; i++) minor += stats.collections[i];
    return entry(m, "minor-collections", minor, list);
}
