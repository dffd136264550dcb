/* fuzz_read.c: the reader and the expander on any bytes (libFuzzer).
 *
 * The first byte chooses: even reads all datums, converts each to a value and writes it; odd
 * expands the rest as a program against the native forms and checks the core that comes out. Memory
 * and nesting are bounded by the expander itself. */
#include "expand/expand.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write.h"

#include <stdio.h>
#include <stdlib.h>

static Mutator *m;

static const SourceFile *builtin(const char *name) {
    static const char text[] =
        "(define-library (hone base) (import (hone syntax) (hone prim))"
        " (export %guard %parameterize %make-lazy-promise %make-forced-promise error)"
        " (begin (define %guard 0) (define %parameterize 0) (define %make-lazy-promise 0)"
        " (define %make-forced-promise 0) (define error 0)))";
    static const SourceFile file = {"base", text, sizeof text - 1};
    return strcmp(name, "hone/base.sld") ? NULL : &file;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    static const GcOptions options = {0};
    if (!rt_start(&options)) exit(70);
    m = &rt_thread_attach()->m;
    return 0;
}

static void fuzz_reader(const SourceFile *file) {
    base_arena arena = {0};
    Reader *r = read_open(m, &arena, file);
    ReadError e;
    Stx *s;
    while ((s = read_datum(r, &e))) {
        base_buf out = {0};
        rt_write(m, &out, read_to_value(m, s, true), RT_WRITE, 10000);
        base_buf_free(&out);
    }
    if (e.message[0] && e.pos.line == 0) abort(); /* an error has a place */
    read_close(r);
    base_arena_free(&arena);
}

static Expander *new_expander(void) {
    static Global *globals[PRIM_COUNT];
    Expander *x = expand_new(NULL, 0, builtin);
    expand_set_memory(x, 32 << 20);
    for (int i = 0; i < PRIM_COUNT; i++) {
        if (!globals[i]) globals[i] = rt_global_new(rt_prims[i].name, "(hone prim)");
        expand_define_builtin(x, "(hone prim)", rt_prims[i].name, globals[i]);
    }
    return x;
}

static void fuzz_expander(const SourceFile *file) {
    static Expander *x;
    if (!x) x = new_expander();
    Program p;
    ExpandError e;
    if (!expand_program(x, m, file, &p, &e)) {
        if (!e.message[0]) abort();
        return;
    }
    for (int u = 0; u < p.count; u++)
        for (int i = 0; i < p.units[u].count; i++) {
            core_count_uses(p.units[u].forms[i]);
            const char *fault = core_check(&p.core, p.units[u].forms[i]);
            if (fault) {
                fprintf(stderr, "unsound core: %s\n", fault);
                abort();
            }
        }
    expand_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char import[] = "(import (hone syntax) (hone prim))";
    if (!size) return 0;
    bool expand = data[0] & 1;
    base_buf text = {0};
    if (expand) base_buf_puts(&text, import);
    base_buf_add(&text, data + 1, size - 1);
    SourceFile file = {"fuzz", base_buf_str(&text), text.len};
    if (expand)
        fuzz_expander(&file);
    else
        fuzz_reader(&file);
    base_buf_free(&text);
    if (gc_wants_collection(rt_heap())) gc_collect(rt_heap(), -1);
    return 0;
}
