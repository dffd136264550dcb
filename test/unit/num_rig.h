/* num_rig.h: a heap without roots for tests of numbers, and short ways to write numbers down and
 * look at them. The collector verifies the heap, so an object that was cut to size badly is seen.
 */
#ifndef TEST_NUM_RIG_H
#define TEST_NUM_RIG_H

#include "check.h"
#include "num/num.h"

#include <gmp.h>
#include <unistd.h>

static Mutator *m; /* of this thread; made by rig_start */

static void rig_no_roots(void *context, Collector *c) { (void)context, (void)c; }
static void rig_no_cont(void *context, Collector *c, Object *o) { (void)context, (void)c, (void)o; }
static void rig_no_request(void *context) { (void)context; }

__attribute__((unused)) static void rig_start(void) {
    static Mutator mutator;
    static const GcHooks hooks = {NULL, rig_no_roots, rig_no_cont, rig_no_roots, rig_no_request};
    const GcOptions options = {.verify = true};
    Heap *heap = gc_heap_new(&options, &hooks);
    if (!heap) abort();
    gc_mutator_init(&mutator, heap);
    m = &mutator;
    alarm(120);
}

/* Forgets all numbers made so far. */
__attribute__((unused)) static void rig_forget(void) { gc_collect(m->heap, -1); }

/* The number of that text. */
__attribute__((unused)) static Value N(const char *text) {
    Value v = num_parse(m, text, strlen(text), 10);
    if (v == V_FALSE) {
        fprintf(stderr, "not a number: %s\n", text);
        abort();
    }
    return v;
}
#define F(n) v_fixnum(n)

/* The text of V, or "!CODE" for a failure, "#t", "#f". One of eight buffers, used in turn. */
__attribute__((unused)) static const char *text_of(Value v) {
    static char *text[8];
    static unsigned next;
    char **slot = &text[next++ % 8];
    free(*slot);
    static const char *const codes[] = {
#define ERROR(code, kind, message) [ERR_##code] = "!" #code,
#include "value/errors.def"
#undef ERROR
    };
    if (v == V_FAIL)
        *slot = strdup(codes[m->fail.code]);
    else if (v == V_TRUE || v == V_FALSE)
        *slot = strdup(v == V_TRUE ? "#t" : "#f");
    else
        *slot = num_format(m, v, 10);
    return *slot;
}
#define CHECK_NUM(v, text) check_str(text_of(v), (text), __FILE__, __LINE__, #v)

/* ---- random numbers, the same in every run ---- */

static uint64_t rig_state = 0x243f6a8885a308d3u;
__attribute__((unused)) static uint64_t random_word(void) { /* xorshift64* */
    rig_state ^= rig_state >> 12;
    rig_state ^= rig_state << 25;
    rig_state ^= rig_state >> 27;
    return rig_state * 0x2545f4914f6cdd1du;
}
__attribute__((unused)) static double random_double(void) { /* any bits but infinities and NaN */
    for (;;) {
        uint64_t bits = random_word();
        double d;
        memcpy(&d, &bits, sizeof d);
        if (isfinite(d)) return d;
    }
}
/* An integer of up to BITS bits and any sign, often with long runs of ones and zeros. */
__attribute__((unused)) static void random_integer(mpz_t z, unsigned bits) {
    static gmp_randstate_t state;
    static bool ready;
    if (!ready) gmp_randinit_default(state);
    ready = true;
    bits = (unsigned)(random_word() % bits) + 1;
    if (random_word() & 1)
        mpz_rrandomb(z, state, bits);
    else
        mpz_urandomb(z, state, bits);
    if (random_word() & 1) mpz_neg(z, z);
}

/* ---- GMP's numbers beside ours, by way of text ---- */

__attribute__((unused)) static Value from_mpz(const mpz_t z) {
    char *text = mpz_get_str(NULL, 10, z);
    Value v = N(text);
    free(text);
    return v;
}
__attribute__((unused)) static bool same_mpz(Value v, const mpz_t z) {
    char *text = mpz_get_str(NULL, 10, z);
    bool same = v != V_FAIL && !strcmp(text_of(v), text);
    if (!same) fprintf(stderr, "    have %.300s\n    want %.300s\n", text_of(v), text);
    free(text);
    return same &&
           is_fixnum(v) == (mpz_cmp_si(z, FIXNUM_MAX) <= 0 && mpz_cmp_si(z, FIXNUM_MIN) >= 0);
}
__attribute__((unused)) static Value from_mpq(const mpq_t q) {
    char *text = mpq_get_str(NULL, 10, q);
    Value v = N(text);
    free(text);
    return v;
}
__attribute__((unused)) static bool same_mpq(Value v, const mpq_t q) {
    char *text = mpq_get_str(NULL, 10, q);
    bool same = v != V_FAIL && !strcmp(text_of(v), text);
    if (!same) fprintf(stderr, "    have %.300s\n    want %.300s\n", text_of(v), text);
    free(text);
    return same;
}

#endif
