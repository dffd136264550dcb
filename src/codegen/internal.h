/* internal.h: what the files of codegen/ share: the function being generated. */
#ifndef HONE_CODEGEN_INTERNAL_H
#define HONE_CODEGEN_INTERNAL_H

#include "codegen/codegen.h"

/* What the files of this room share and no other room sees. */
#pragma GCC visibility push(hidden)

typedef struct Fn Fn;

/* Where a variable lives in the function that binds it. */
typedef struct Home {
    Fn *fn;
    unsigned reg;
    bool boxed;
} Home;

typedef struct Label {
    uint32_t at; /* word offset; NOWHERE until placed */
    BASE_VEC(uint32_t) uses;
} Label;
enum { NOWHERE = UINT32_MAX };

/* A loop being generated, found by its label variable. */
typedef struct LoopState {
    struct LoopState *outer;
    Var *label;
    Var **vars;
    int count;
    Label head;
} LoopState;

/* Where an expression's value goes. */
typedef enum Context { TO_REGISTER, TO_NOWHERE, TO_RETURN } Context;
typedef struct Dest {
    Context context;
    unsigned reg;
    Label *after; /* unless TO_RETURN: where control goes on; NULL: behind the code */
} Dest;

struct Fn {
    Fn *outer;
    CoreContext *core;
    Var *self; /* the variable that names this very closure: register 0 */
    BASE_VEC(Insn) code;
    BASE_VEC(PosEntry) positions;
    BASE_VEC(Value) constants;
    BASE_VEC(FrameDesc *) descs;
    BASE_VEC(Var *) captures;
    LoopState *loops;
    const Site *site;   /* of what is emitted next */
    unsigned top;       /* first free register */
    unsigned most;      /* registers needed so far */
    bool long_branches; /* the body is so large that 16-bit jumps do not reach */
    bool too_far;       /* a 16-bit jump did not reach: generate anew with long_branches */
};

/* ---- emit.c: words, labels, registers ---- */
uint32_t emit(Fn *fn, Insn word);
void emit_site(Fn *fn, const Site *site);
void emit_move(Fn *fn, unsigned to, unsigned from);
void emit_value(Fn *fn, unsigned reg, Value v);
void emit_jump(Fn *fn, Label *to);
/* A branch instruction of a J format: op, register, extra immediate word when HAS_WORD. */
void emit_branch(Fn *fn, enum vm_op op, unsigned a, Label *to);
void emit_branch_word(Fn *fn, unsigned a, Value w, Label *to);
void emit_branch2(Fn *fn, enum vm_op op, unsigned a, unsigned b, Label *to);
void emit_loop(Fn *fn, Label *head);
void emit_desc(Fn *fn, unsigned a, uint32_t words_to_next);
void label_place(Fn *fn, Label *l);
void label_free(Label *l);
unsigned reg_new(Fn *fn);
uint32_t constant_index(Fn *fn, Value v);
Code *finish(Fn *fn, const ProcInfo *info, const Site *site, int required, bool rest);

/* ---- prims.c: integrated primitives ---- */
/* Generates N (a PRIM); false: it has no instruction. */
bool gen_integrated(Fn *fn, Node *n, Dest d);
/* A test that jumps to OTHERWISE when it is false; false: no fused form. */
bool gen_fused_test(Fn *fn, Node *test, Label *otherwise);

/* ---- gen.c ---- */
void gen(Fn *fn, Node *n, Dest d);
unsigned
gen_operand(Fn *fn, Node *n); /* the register that holds N's value: a variable's own or a new one */
void gen_result(Fn *fn, Dest d, unsigned reg); /* the value stands in REG: hand it on */

#pragma GCC visibility pop

#endif
