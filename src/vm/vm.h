/* vm.h: the door of the virtual machine: code objects, the interpreter, its statistics, its
 * disassembler.
 *
 * A register machine on frames of rt/frame.h: r[0] is the closure that runs, r[1].. its parameters,
 * then its other registers; r[-1] is the return descriptor. Handlers tail-call each other through a
 * dispatch table (insns.def, ops.inc); a mode (statistics, line counts) is another table. Code
 * objects never move and are never freed, so their addresses, and those of their frame descriptors,
 * are identities for profiles. */
#ifndef HONE_VM_VM_H
#define HONE_VM_VM_H

#include "base/base.h"
#include "rt/rt.h"
#include "vm/format.h"

typedef uint64_t Insn;

enum vm_op {
#define INSN(name, format, doc) OP_##name,
#include "vm/insns.def"
#undef INSN
    OP_COUNT
};

typedef struct FormatInfo {
    uint8_t words;        /* a CLOSURE has its captures more */
    const char *operands; /* see format.h */
} FormatInfo;
extern const FormatInfo vm_formats[];
typedef struct InsnInfo {
    const char *name;
    enum vm_format format;
    const char *doc;
} InsnInfo;
extern const InsnInfo vm_insns[OP_COUNT];
unsigned vm_insn_words(const Insn *pc); /* of the instruction at PC, all its words */

static inline Insn insn(enum vm_op op, unsigned a, unsigned b, unsigned c) {
    return (Insn)op | (Insn)(uint16_t)a << 16 | (Insn)(uint16_t)b << 32 | (Insn)(uint16_t)c << 48;
}
static inline Insn insn_wide(enum vm_op op, unsigned a, int32_t bc) {
    return (Insn)op | (Insn)(uint16_t)a << 16 | (Insn)(uint32_t)bc << 32;
}
static inline enum vm_op insn_op(Insn i) { return (enum vm_op)(i & 0xffff); }
static inline unsigned insn_a(Insn i) { return (uint16_t)(i >> 16); }
static inline unsigned insn_b(Insn i) { return (uint16_t)(i >> 32); }
static inline unsigned insn_c(Insn i) { return (uint16_t)(i >> 48); }
static inline int32_t insn_bc(Insn i) { return (int32_t)(i >> 32); }

/* What a procedure object runs. */
enum code_kind {
    CODE_INTERPRETED,
    CODE_CASE, /* case-lambda: clauses[] are tried in order */
    CODE_PRIMITIVE,
    CODE_APPLY,
    CODE_CALLCC,       /* (%call/cc f): f gets a procedure of CODE_CONTINUATION */
    CODE_CONTINUATION, /* closure slot 1: the CONT */
    CODE_PARAMETER,    /* closure slots 1..3: value, converter, name */
    CODE_BACKTRACE,    /* (%backtrace): a bytevector of the Site pointers of its callers; odd
                         where the caller has left by a tail call */
    CODE_FIBER,        /* switches strands: a row of fiber_controls */
};

typedef struct PosEntry {
    uint32_t pc;      /* word offset of an instruction */
    const Site *site; /* holds from there on */
} PosEntry;

typedef struct Code {
    const Insn *insns;
    int32_t exact_args; /* number of arguments it takes if that is fixed and it is interpreted; else
                           -1 */
    uint32_t frame_words; /* registers and room for a descriptor */
    enum code_kind kind;
    int32_t required;
    bool rest;
    uint32_t registers; /* r[0..registers-1] */
    uint32_t length;    /* words of insns */
    const ProcInfo *info;
    const Site *site;                   /* of its entry */
    const Prim *prim;                   /* CODE_PRIMITIVE */
    const struct FiberControl *control; /* CODE_FIBER */
    struct Code **clauses;              /* CODE_CASE: whose closures are its free variables */
    int clause_count;
    Value *constants; /* roots */
    uint32_t constant_count;
    int constants_generation; /* youngest of them, as of the last collection that looked */
    PosEntry *positions;      /* by pc */
    uint32_t position_count;
    FrameDesc **descs; /* of its calls, for the liveness pass */
    uint32_t desc_count;
    struct base_map *points; /* pc -> FrameDesc * made on demand (polls, failures) */
    FrameDesc *entry;        /* frame of a poll at entry */
    uint64_t *counts;        /* executions by position entry, while counting */
    NativeFn native;   /* enters it from native code, arguments in R[1].. and room checked; for
                          exact_args >= 0 */
    struct Code *next; /* all code objects, newest first */
} Code;

/* Registers a finished code object (constants become roots). Takes the VM's lock. */
void vm_register_code(Code *code);
/* Calls f on every code object. */
void vm_each_code(void (*f)(Code *code, void *context), void *context);
/* A closure of CODE without free variables. */
Value vm_procedure(Mutator *m, Code *code);
static inline Code *proc_code(Value proc) { return (Code *)object_slots(proc)[0]; }
const char *vm_proc_name(Value proc); /* for printing; static or for ever */

/* The site that the instruction at PC stands at. */
const Site *vm_site_at(const Code *code, const Insn *pc);
/* The descriptor of a frame of CODE stopped at the instruction at PC (its operands are live). Made
 * at first need. */
const FrameDesc *vm_desc_at(Code *code, const Insn *pc);

/* Starts the VM: sets the liveness hook and makes the procedures that C offers: one for each
 * primitive and the control procedures. DEFINE is called with each one's name and Global. */
void vm_start(Mutator *m, void (*define)(void *context, const char *name, Global *g),
              void *context);
/* The Scheme procedures that the VM calls: (raise-hook condition) when C code fails. A global of
 * (hone base). */
void vm_set_raise_hook(Global *g);

/* Enters the interpreted procedure R[0] from native code: Code.native of all that is interpreted.
 */
NATIVE_CALL Value vm_native_interpret(NATIVE_PARAMETERS);

/* Runs PROC with N arguments on T, whose stack is empty, until it returns. Never nested. V_FAIL: T
 * was told to end (REQUEST_DIE). */
Value vm_run(Thread *t, Value proc, int n, const Value *args);

/* ---- modes ---- */
enum vm_mode { VM_PLAIN, VM_STATISTICS, VM_COUNTS, VM_MODES };
extern const void *const *const vm_tables[VM_MODES];
/* What is watched beside a mode: bits. Each has its own handlers for the few instructions that it
 * concerns, so that it costs nothing while off. */
enum vm_watch {
    VM_WATCH_TAILS = 1,       /* tail calls are remembered: vm/tails.h */
    VM_WATCH_ALLOCATIONS = 2, /* allocation samples taken in primitives are told at once */
    VM_WATCHES = 4            /* number of sets */
};
/* Rows: bit, instruction, handler. */
#define VM_WATCHED(ROW)                                                                            \
    ROW(TAILS, CALL, watched_call)                                                                 \
    ROW(TAILS, CALLG, watched_call)                                                                \
    ROW(TAILS, TAIL, watched_tail)                                                                 \
    ROW(TAILS, TAILG, watched_tail)                                                                \
    ROW(ALLOCATIONS, PRIM, watched_primitive)
/* For each set the table of the handlers that do the work: the plain table where it is empty. */
extern const void *const *const vm_handlers[VM_WATCHES];
/* rt_walk, and behind each frame the places of the tail calls that handed it on (TAIL), the last
 * one first, as far as they are remembered and known for certain to be of that frame; each
 * procedure once and at most VM_TAILS_SHOWN. On T itself or while the world is held. */
enum { VM_TAILS_SHOWN = 8 };
void vm_walk(Thread *t, const Word *sp, bool (*f)(const FrameDesc *d, bool tail, void *context),
             void *context);
/* Switches every thread, now and later ones. */
void vm_set_watch(enum vm_watch bit, bool on);
bool vm_is_watched(enum vm_watch bit);
/* Switches every thread, now and later ones. */
void vm_set_mode(enum vm_mode mode);
enum vm_mode vm_get_mode(void);
/* "tail-call" or "goto": the dispatch form of this build. */
const char *vm_dispatch_form(void);
/* A thread begins and ends; its dispatch table and counters. */
void vm_thread_start(Thread *t);
void vm_thread_end(Thread *t);
/* T's dispatch table was changed: called by T at the safe point where it notices (rt_on_mode). */
void vm_mode_changed(Thread *t);

/* ---- for a sampler that works by signals (strike.c) ---- */
typedef struct VmStrike {
    const Insn *pc; /* the instruction; NULL: not known */
    const Word *r;  /* its frame's registers, about; not to be read before the stack is checked */
    bool in_c;      /* called from that instruction */
    const void *native; /* where the machine is, if that is in C and in no known primitive */
} VmStrike;
/* In a signal handler on T, with the machine's context. */
VmStrike vm_strike(const Thread *t, const void *context);
/* The code object that holds the instruction at PC, which may be any number; NULL: none. */
Code *vm_code_at(const Insn *pc);
/* The primitive that the instruction at PC calls or stands for; NULL: none. Async-signal-safe. */
const Prim *vm_prim_at(const Insn *pc);
const Code *vm_newest_code(void); /* its `next` are older ones */
/* The machine code of all instructions, and whether they hand pc and r on in known registers. */
extern const char *const vm_handlers_begin, *const vm_handlers_end;
extern const bool vm_handlers_by_register;

void vm_disassemble(Mutator *m, base_buf *out, const Code *code);

#endif
