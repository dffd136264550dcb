/* program.c: a native program's units when it starts: globals, constants, closures. */
#include <stdio.h>
#include <stdlib.h>
#include "native/native.h"
#include "read/read.h"

void native_program_adopt(const NativeProgram *p) {
    for (uint32_t i = 0; i < p->unit_count; i++)
        rt_global_adopt(p->units[i]->globals, p->units[i]->global_count);
}

/* A table of values as the constants of a code object, which makes them roots. */
static void keep_values(Value *values, uint32_t count) {
    if (!count) return;
    Code *code = rt_forever_alloc(sizeof *code);
    *code = (Code){.exact_args = -1, .constants = values, .constant_count = count};
    vm_register_code(code);
}

static _Noreturn void fail(const NativeUnit *u, const char *what) {
    fprintf(stderr, "hone: %s: constant %s\n", u->name, what);
    exit(70);
}

static void read_constants(Mutator *m, const NativeUnit *u) {
    base_arena arena = {0};
    SourceFile file = {
        .path = u->name, .text = u->constants_text, .length = strlen(u->constants_text)};
    Reader *reader = read_open(m, &arena, &file);
    ReadError error = {0};
    for (uint32_t i = 0; i < u->constant_count; i++) {
        const Stx *datum = read_datum(reader, &error);
        if (!datum) fail(u, error.message);
        u->constants[i] = read_to_value(m, datum, true);
    }
    read_close(reader);
    base_arena_free(&arena);
    keep_values(u->constants, u->constant_count);
}

static void make_closures(Mutator *m, const NativeUnit *u) {
    for (uint32_t i = 0; i < u->closure_count; i++) {
        const NativeClosure *c = &u->closures[i];
        uint32_t count = c->clauses ? (uint32_t)c->code->clause_count : 0;
        Object *o = gc_object(m, T_PROC, count + 1);
        o->slot[0] = (Word)c->code;
        for (uint32_t k = 0; k < count; k++) o->slot[1 + k] = u->closure_values[c->clauses[k]];
        u->closure_values[i] = v_object(o);
    }
    keep_values(u->closure_values, u->closure_count);
}

void native_unit_start(Mutator *m, const NativeUnit *u) {
    for (uint32_t i = 0; i < u->primitive_count; i++)
        *u->primitives[i].place = rt_global_find(u->primitives[i].name, "(hone prim)");
    read_constants(m, u);
    make_closures(m, u);
}
