/* The hostile build's tools: a faulty program must be caught. Each fault is committed in a child
 * process, which must die. */
#include "gc_rig.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* The signal that FAULTY died of, or minus its exit code. What it wrote to stderr (its end) is in
 * `said`. */
static char said[4000];
static int death_of(void (*faulty)(Rig *), GcOptions options) {
    int pipe_ends[2];
    if (pipe(pipe_ends)) exit(1);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], 2);
        signal(SIGSEGV, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        faulty(rig_new(options));
        _exit(0);
    }
    close(pipe_ends[1]);
    size_t len = 0;
    for (ssize_t n; (n = read(pipe_ends[0], said + len, sizeof said - 1 - len)) > 0;)
        len += (size_t)n;
    said[len] = 0;
    close(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static const GcOptions hostile = {.stress = true, .poison = true, .verify = true};
static const GcOptions checked = {.poison = true, .verify = true};

static volatile Value sink;

/* A value held across a safe point without a root, then used. */
static void stale_nursery(Rig *r) {
    Value v = gc_cons(&r->m, v_fixnum(1), V_NIL);
    rig_poll(r);
    sink = car(v);
}

static void stale_old(Rig *r) {
    r->root[0] = gc_cons(&r->m, v_fixnum(1), V_NIL);
    gc_collect(r->heap, 1);
    Value v = r->root[0];
    gc_collect(r->heap, 1);
    sink = car(v);
}

static void stale_large(Rig *r) {
    Value v = rig_vector(r, 10000, V_NIL);
    gc_collect(r->heap, 1);
    sink = object_slots(v)[5];
}

/* ... or stored, by which it gets into the heap. */
static void stale_stored(Rig *r) {
    r->root[0] = gc_cons(&r->m, V_NIL, V_NIL);
    gc_collect(r->heap, 1);
    Value stale = r->root[0];
    gc_collect(r->heap, 1);
    gc_write(&r->m, &pair_of(r->root[0])->car, stale);
    gc_verify(r->heap);
}

static void no_barrier(Rig *r) {
    r->root[0] = gc_cons(&r->m, V_NIL, V_NIL);
    gc_collect(r->heap, 1);
    pair_of(r->root[0])->car = gc_cons(&r->m, V_NIL, V_NIL);
    gc_verify(r->heap);
}

static void unset_slot(Rig *r) {
    r->root[0] = v_object(gc_object(&r->m, T_VECTOR, 3));
    gc_collect(r->heap, 0);
}

static void wrong_tag(Rig *r) {
    Value v = rig_vector(r, 3, V_NIL);
    r->root[0] = gc_cons(&r->m, V_NIL, v);
    gc_collect(r->heap, 1);
    r->root[1] = cdr(r->root[0]) - TAG_OBJECT + TAG_PAIR;
    gc_verify(r->heap);
}

static void no_immediate(Rig *r) {
    r->root[0] = gc_cons(&r->m, V_NIL, 0x7716);
    gc_collect(r->heap, 1);
}

static void correct(Rig *r) {
    for (int i = 0; i < 50; i++) {
        r->root[0] = gc_cons(&r->m, v_fixnum(i), r->root[0]);
        rig_poll(r);
    }
    _exit(car(r->root[0]) == v_fixnum(49) ? 3 : 4);
}

static bool is_fault(int death) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return death == SIGSEGV || death < 0; /* the sanitizer reports and exits */
#else
    return death == SIGSEGV;
#endif
}

static void test_stale_pointers_fault(void) {
    CHECK_EQ(death_of(correct, hostile), -3);
    CHECK(is_fault(death_of(stale_nursery, hostile)));
    CHECK(is_fault(death_of(stale_old, hostile)));
    CHECK(is_fault(death_of(stale_large, hostile)));
}

static void test_verifier_finds(void) {
    CHECK_EQ(death_of(stale_stored, checked), SIGABRT);
    CHECK_HAS(said, "pointer to no object's start");
    CHECK_EQ(death_of(no_barrier, checked), SIGABRT);
    CHECK_HAS(said, "unmarked card");
    CHECK_EQ(death_of(wrong_tag, checked), SIGABRT);
    CHECK_HAS(said, "pointer to no object's start");
    CHECK_EQ(death_of(no_immediate, checked), SIGABRT);
    CHECK_HAS(said, "no known immediate");
    CHECK_EQ(death_of(unset_slot, checked), SIGABRT);
    CHECK_HAS(said, "no value");
}

CHECK_MAIN(test_stale_pointers_fault, test_verifier_finds)
