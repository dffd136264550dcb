/* internal.h: what the files of native/ share: a unit on its way from core to C.
 *
 * A unit's procedures become graphs of blocks over registers (lower.c); flow.c cuts each graph into
 * functions and says what lies in frame slots where; emit.c writes them. */
#ifndef HONE_NATIVE_INTERNAL_H
#define HONE_NATIVE_INTERNAL_H

#include "codegen/codegen.h"
#include "native/native.h"

#pragma GCC visibility push(hidden)

typedef struct Proc Proc;
typedef struct Block Block;
typedef struct UnitCode UnitCode;

enum { REGISTER_WORDS = 8 }; /* passed in registers by native functions; see NATIVE_PARAMETERS */

/* ---- registers: the values of a procedure, each a C variable in each function that has it ---- */
enum reg_kind { REG_LOCAL, REG_CONSTANT, REG_PROC, REG_CASE };
typedef struct Reg {
    enum reg_kind kind;
    const char *name;
    uint32_t id;
    Value value;   /* CONSTANT */
    int index;     /* PROC, CASE, heap constants: in the unit's table */
    Block *home;   /* where it is first mentioned */
    int bit;       /* its place in sets; -1: no block but its home knows it */
    int slot;      /* in the frame; -1: none */
    uint32_t mark; /* the function that mentions it */
} Reg;

typedef enum OpKind {
    DO_MOVE_REG,    /* to = a */
    DO_CALL_PRIM,   /* to = prim(args) */
    DO_READ_GLOBAL, /* to = global */
    DO_SET,         /* global = a, which must be bound */
    DO_DEFINE,      /* global = a */
    DO_MAKE_BOX,    /* to = a box of a */
    DO_READ_BOX,    /* to = content of box a, which must be defined */
    DO_SET_BOX,     /* content of box a = b */
    DO_READ_FREE,   /* to = free variable INDEX of closure a */
    DO_MAKE_PROC,   /* to = closure of PROC, or case-lambda, over args */
    DO_PATCH_PROC,  /* free variable INDEX of closure a = b */
    DO_READ_FIELD,  /* to = field INDEX of a, a record of type b */
    DO_SET_FIELD,   /* field INDEX of a, a record of type b, = c */
} OpKind;

typedef struct Op {
    OpKind kind;
    Reg *to; /* NULL: none */
    Reg **args;
    int count;
    const Prim *prim;
    Global *global;
    Proc *proc; /* MAKE_PROC; NULL: a case-lambda, number INDEX */
    int64_t index;
    const Site *site;
} Op;

typedef enum EndKind { END_NONE, END_JUMP, END_IF, END_RETURN, END_CALL } EndKind;
typedef enum CalleeKind { CALL_VALUE, CALL_GLOBAL, CALL_KNOWN, CALL_PRIMITIVE } CalleeKind;

/* How a block ends. */
typedef struct End {
    EndKind kind;
    Block *to;        /* JUMP; CALL: the return point, NULL: a tail call */
    Block *yes, *no;  /* IF */
    Block *poll;      /* JUMP: a safe point; where to go on behind it */
    const Prim *prim; /* IF: the test, NULL: args[0] itself; CALL_PRIMITIVE */
    Reg **args;       /* IF, CALL; RETURN: args[0] */
    int count;
    CalleeKind callee;
    Reg *value;         /* CALL_VALUE */
    Global *global;     /* CALL_GLOBAL; CALL_KNOWN: must be bound, NULL: is */
    const char *target; /* CALL_KNOWN: the C function */
    bool foreign;       /* ... of another unit */
    const Site *site;
} End;

typedef uint64_t *Set;

struct Block {
    uint32_t id;
    Proc *proc;
    BASE_VEC(Op) ops;
    End end;
    Reg *result;       /* of a return point: what the call gave */
    bool root;         /* begins a function */
    bool returned_to;  /* a return point, or behind a safe point: entered with the frame's end */
    bool shared;       /* so small that each function that gets here has a copy */
    Block *owner;      /* the root of the function that it is in */
    const char *name;  /* of the function, for roots */
    Set live, clean;   /* at its start; clean: the slot holds the value */
    Set forced;        /* of a root: must be clean, for want of argument registers */
    uint32_t frame;    /* returned_to: words of the frame that was left */
    uint32_t function; /* while a function is written: the number of it that B was found for, */
    int entries;       /* ... how many edges lead here, */
    bool written;      /* ... and whether it stands already */
};

/* ---- procedures ---- */
struct Proc {
    UnitCode *unit;
    uint32_t id;
    const char *name; /* of its C function */
    const Node *lambda;
    const Clause *clause;
    Proc *outer;
    Var *self;      /* the variable that is bound to it */
    Global *global; /* whose value it is for ever */
    bool lifted;    /* no value: all its uses are direct calls, its free variables arguments */
    bool exported;  /* other units may call it */
    BASE_VEC(Var *) refs;    /* variables of procedures outside that its body mentions */
    BASE_VEC(Proc *) made;   /* closures that it makes */
    BASE_VEC(Proc *) called; /* known procedures that it calls */
    BASE_VEC(Var *) free;    /* what a closure holds, or further arguments when lifted */
    int closure_index;       /* of a procedure without free variables, in the unit's table; -1 */
    int code;                /* its code object's number; -1: none, it is lifted */
    /* Its graph. */
    BASE_VEC(Block *) blocks;
    BASE_VEC(Reg *) regs;
    BASE_VEC(Reg *) args; /* parameters, then the closure, or the free variables */
    Block *entry;
    uint32_t bits; /* registers that have a bit */
    uint32_t room; /* words of stack that it may use */
    const Site *site;
};
static inline bool proc_has_closure(const Proc *p) { return !p->lifted && p->free.len > 0; }

/* What is known of a variable; in Var.scratch. */
typedef struct VarInfo {
    Proc *owner; /* binds it */
    Proc *proc;  /* what it is bound to for ever, or NULL */
    Reg *reg;    /* in the owner's graph; the box, when it is assigned */
    uint32_t calls;
} VarInfo;
static inline VarInfo *var_info(const Var *v) { return v->scratch; }

/* A global procedure that may be called directly. In Build.known. */
typedef struct KnownGlobal {
    const char *target;
    int required;
    bool rest;
    Proc *proc; /* in the unit that is being made; NULL: another's */
    bool early; /* defined before any code can run that might call it */
} KnownGlobal;

/* ---- tables of a unit, written in front of its functions ---- */
typedef struct Desc {
    const Site *site;
    uint32_t size, room;
    int live; /* where in the pool of live words; -1: none live */
    const char *resume;
} Desc;

typedef struct Case {
    BASE_VEC(Proc *) clauses;
    const Node *lambda;
    int closure_index; /* all clauses without free variables */
} Case;

struct UnitCode {
    NativeBuild *build;
    CoreContext *core;
    const Unit *source;
    const char *prefix; /* of its names */
    base_arena *arena;
    BASE_VEC(Proc *) procs;
    BASE_VEC(Case *) cases;
    Proc *body;
    base_map regs; /* constants: Value -> Reg */
    BASE_VEC(Value) constants;
    base_map constant_index;
    int closures;               /* made when the unit starts */
    BASE_VEC(Global *) globals; /* that it mentions */
    base_map global_index;
    base_map clauses;             /* Clause -> Proc */
    base_map sites, infos, files; /* address -> number + 1 */
    BASE_VEC(const Site *) site_list;
    BASE_VEC(const ProcInfo *) info_list;
    BASE_VEC(const SourceFile *) file_list;
    BASE_VEC(Desc) descs;
    base_strmap desc_index;
    BASE_VEC(uint64_t) live_pool;
    base_strmap declared; /* C functions of other units */
    base_strmap names;    /* C names taken */
    uint32_t next_reg, next_block, next_function;
    base_buf prototypes, functions;
};

struct NativeBuild {
    base_arena arena;
    base_map known;                 /* Global -> KnownGlobal */
    base_map global_names;          /* Global -> const char *, its C name */
    Global *primitives[PRIM_COUNT]; /* that hold them; NULL: not asked for yet */
};

/* names.c */
/* NAME as part of a C identifier. */
const char *native_mangle(base_arena *a, const char *name);
/* A C name of the unit that is not taken: PREFIX__NAME. */
const char *native_unit_name(UnitCode *u, const char *name);
/* The C variable of a global of a library or program. */
const char *native_global_name(UnitCode *u, Global *g);

/* analyze.c: finds the unit's procedures, who is known, free variables. */
void native_analyze(UnitCode *u);
static inline bool native_is_primitive_global(const Global *g) {
    return strcmp(g->library, "(hone prim)") == 0;
}

/* lower.c: the graph of P. */
void native_lower(Proc *p);
Reg *native_reg(Proc *p, const char *name);

/* flow.c: functions, liveness, slots. */
void native_flow(Proc *p);
static inline bool set_has(Set s, int bit) { return s[bit / 64] >> (bit % 64) & 1; }
static inline void set_add(Set s, int bit) { s[bit / 64] |= (uint64_t)1 << (bit % 64); }
static inline void set_drop(Set s, int bit) { s[bit / 64] &= ~((uint64_t)1 << (bit % 64)); }
/* Calls F on each successor of B; KIND: 0 in the same frame, 1 return point, 2 behind a safe point.
 */
void native_each_next(Block *b, void (*f)(void *context, Block *b, Block *next, int kind),
                      void *context);
/* Whether R is a local that other blocks know. */
static inline bool reg_is_wide(const Reg *r) { return r && r->kind == REG_LOCAL && r->bit >= 0; }
/* Words of the frame that keeps the registers of SAVED: slots and descriptor. */
uint32_t native_frame_words(Proc *p, Set saved);

/* emit.c: the functions of P. tables.c: what stands before them. */
void native_emit(Proc *p);
int native_desc(UnitCode *u, const Site *site, uint32_t size, uint32_t room, const uint64_t *live,
                uint32_t live_words, const char *resume);
/* Declares the function of another unit, once. */
void native_declare(UnitCode *u, const char *target);
int native_site(UnitCode *u, const Site *site);
int native_constant(UnitCode *u, Value v);               /* a heap constant's number */
void native_global(UnitCode *u, Global *g);              /* notes that it is mentioned */
Global *native_primitive(UnitCode *u, const Prim *prim); /* the global that holds it */

#pragma GCC visibility pop

#endif
