/* fuzz_number.c: any bytes as the text of a number. What is read as a number prints as a text that
 * reads back as the same number, in every radix in which it prints. The first byte chooses the
 * default radix. */
#include "num/num.h"

#include <stdlib.h>

static void no_roots(void *context, Collector *c) { (void)context, (void)c; }
static void no_cont(void *context, Collector *c, Object *o) { (void)context, (void)c, (void)o; }
static void no_request(void *context) { (void)context; }

static Mutator *mutator(void) {
    static Mutator m;
    static bool ready;
    static const GcHooks hooks = {NULL, no_roots, no_cont, no_roots, no_request};
    static const GcOptions options = {.verify = true};
    if (!ready) {
        Heap *heap = gc_heap_new(&options, &hooks);
        if (!heap) abort();
        gc_mutator_init(&m, heap);
        ready = true;
    }
    return &m;
}

static void check_round_trip(Mutator *m, Value v, int radix) {
    char *text = num_format(m, v, radix);
    if (!text) {
        if (radix == 10) abort();
        return;
    }
    if (!num_eqv(num_parse(m, text, strlen(text), radix), v)) abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int radices[] = {2, 8, 10, 16};
    static unsigned runs;
    if (size == 0) return 0;
    Mutator *m = mutator();
    Value v = num_parse(m, (const char *)data + 1, size - 1, radices[data[0] & 3]);
    if (v != V_FALSE) {
        if (!is_number(v)) abort();
        if (!num_eqv(v, v)) abort();
        /* #e1e999999 is a number too, but its text would eat the time. */
        Value length = num_is_exact_integer(v) ? num_integer_length(m, v) : v_fixnum(0);
        for (int i = 0; i < 4 && fixnum(length) < 10000; i++) check_round_trip(m, v, radices[i]);
    }
    if (++runs % 4096 == 0) gc_collect(m->heap, -1);
    return 0;
}
