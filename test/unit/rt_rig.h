/* rt_rig.h: a run time without an interpreter, for tests of the primitives: they are called by
 * their Scheme names. */
#ifndef TEST_RT_RIG_H
#define TEST_RT_RIG_H

#include "base/base.h"
#include "check.h"
#include "rt/port.h"
#include "rt/prim.h"
#include "rt/record.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "rt/system.h"
#include "rt/write.h"

static Thread *rig_thread;
static Mutator *rig; /* of the test's own thread */

__attribute__((unused)) static void rig_start(void) {
    static const GcOptions options = {.poison = true};
    if (!rt_start(&options)) exit(70);
    rig_thread = rt_thread_attach();
    rig = &rig_thread->m;
    rt_record_start(rig);
    rt_condition_start(rig);
    rt_ports_start(rig);
}

static Value call(const char *name, int n, const Value *args) {
    const Prim *p = rt_prim_find(name);
    if (!p || n < p->min_args || (p->max_args >= 0 && n > p->max_args)) {
        fprintf(stderr, "no primitive %s of %d arguments\n", name, n);
        check_failed++;
        return V_FAIL;
    }
    rig->fail.code = ERR_NONE;
    Value v = p->fn(rig, args, n);
    if ((v == V_FAIL) != (rig->fail.code != ERR_NONE)) {
        fprintf(stderr, "%s: the failure is not noted\n", name);
        check_failed++;
    }
    return v;
}
#define CALL(name, ...)                                                                            \
    call(name, (int)(sizeof((Value[]){__VA_ARGS__}) / sizeof(Value)), (Value[]){__VA_ARGS__})
#define CALL0(name) call(name, 0, NULL)

/* The failure's code after a call that must fail. */
#define FAILS(code_, position_, ...)                                                               \
    do {                                                                                           \
        CHECK((__VA_ARGS__) == V_FAIL);                                                            \
        CHECK_EQ(rig->fail.code, code_);                                                           \
        CHECK_EQ(rig->fail.position, position_);                                                   \
    } while (0)

#define S(text) rt_string_from_c(rig, text)
#define Y(text) rt_intern_c(rig, text)
#define N(n)    v_fixnum(n)
#define C(c)    v_char(c)
#define L(...)  CALL("list", __VA_ARGS__)

/* The written form; valid until the next call. */
__attribute__((unused)) static const char *text_of(Value v, enum rt_write_mode mode, size_t limit) {
    static base_buf out;
    base_buf_clear(&out);
    rt_write(rig, &out, v, mode, limit);
    return base_buf_str(&out);
}
#define W(v) text_of((v), RT_WRITE, 0)
#define D(v) text_of((v), RT_DISPLAY, 0)

/* Collects everything; values held in C variables are lost, but for *KEEP. */
static void rig_visit(void *context, Collector *c) { gc_visit(c, context); }
__attribute__((unused)) static void rig_collect(Value *keep) {
    static Value slot;
    static bool added;
    if (!added) rt_add_roots(rig_visit, &slot);
    added = true;
    slot = *keep;
    rt_collect(rig_thread, rig_thread->sp, GC_GENERATIONS - 1);
    *keep = slot;
}

#endif
