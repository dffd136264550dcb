/* code.c: code objects: their registry, procedures of C, sites and frame descriptors on demand. */
#include "vm/vm.h"

#include <stdlib.h>
#include "fiber/fiber.h"
#include "rt/port.h"
#include "rt/string.h"
#include "rt/write.h"
#include "vm/native.h"
#include "vm/slow.h"

const FormatInfo vm_formats[] = {
#define FORMAT(name, words, operands) [FMT_##name] = {words, operands},
    VM_FORMATS(FORMAT)
#undef FORMAT
};

const InsnInfo vm_insns[OP_COUNT] = {
#define INSN(name, format, doc) [OP_##name] = {#name, FMT_##format, doc},
#include "vm/insns.def"
#undef INSN
};

unsigned vm_insn_words(const Insn *pc) {
    const FormatInfo *f = &vm_formats[vm_insns[insn_op(*pc)].format];
    return f->words + (insn_op(*pc) == OP_CLOSURE ? insn_b(*pc) : 0);
}

static os_mutex lock = OS_MUTEX_INIT;
static Code *codes;

static void scan_constants(void *context, Collector *c) {
    (void)context;
    int collected = collector_generation(c);
    for (Code *code = codes; code; code = code->next) {
        if (code->constants_generation > collected) continue;
        int youngest = GC_GENERATIONS;
        for (uint32_t i = 0; i < code->constant_count; i++) {
            gc_visit(c, &code->constants[i]);
            int g = gc_generation_of(rt_heap(), code->constants[i]);
            if (g < youngest) youngest = g;
        }
        code->constants_generation = youngest;
    }
}

void vm_register_code(Code *code) {
    static bool scanning;
    os_mutex_lock(&lock);
    if (!scanning) rt_add_roots(scan_constants, NULL);
    scanning = true;
    code->next = codes;
    __atomic_store_n(&codes, code, __ATOMIC_RELEASE);
    os_mutex_unlock(&lock);
}

void vm_each_code(void (*f)(Code *code, void *context), void *context) {
    for (Code *c = codes; c; c = c->next) f(c, context);
}

const Code *vm_newest_code(void) { return __atomic_load_n(&codes, __ATOMIC_ACQUIRE); }

Value vm_procedure(Mutator *m, Code *code) {
    Object *o = gc_object(m, T_PROC, 1);
    o->slot[0] = (Word)code;
    return v_object(o);
}

const char *vm_proc_name(Value proc) {
    const Code *code = proc_code(proc);
    if (code->prim) return code->prim->name;
    if (code->info && code->info->name[0]) return code->info->name;
    return code->kind == CODE_CONTINUATION ? "continuation"
           : code->kind == CODE_PARAMETER  ? "parameter"
                                           : "";
}

const Site *vm_site_at(const Code *code, const Insn *pc) {
    uint32_t offset = (uint32_t)(pc - code->insns), low = 0, high = code->position_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (code->positions[middle].pc <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? code->positions[low - 1].site : code->site;
}

const FrameDesc *vm_desc_at(Code *code, const Insn *pc) {
    os_mutex_lock(&lock);
    if (!code->points) code->points = base_calloc(1, sizeof *code->points);
    bool added;
    uint64_t *place = base_map_at(code->points, (uint64_t)pc, &added);
    if (added) {
        FrameDesc *d = rt_forever_alloc(sizeof *d);
        *d = (FrameDesc){.kind = FRAME_CODE,
                         .size = code->registers + 1,
                         .room = code->frame_words,
                         .pc = pc,
                         .code = code,
                         .site = vm_site_at(code, pc)};
        *place = (uint64_t)d;
    }
    const FrameDesc *d = (const FrameDesc *)*place;
    os_mutex_unlock(&lock);
    return d;
}

/* ---- procedures that C offers ---- */

static const struct Control {
    const char *name;
    enum code_kind kind;
    int required;
    bool rest;
} controls[] = {
    {"apply", CODE_APPLY, 1, true},
    {"%call/cc", CODE_CALLCC, 1, false},
    {"%backtrace", CODE_BACKTRACE, 0, false},
};

static void offer(Mutator *m, Code *code, const char *name,
                  void (*define)(void *, const char *, Global *), void *context) {
    ProcInfo *info = rt_forever_alloc(sizeof *info);
    info->name = name;
    Site *site = rt_forever_alloc(sizeof *site);
    site->proc = info;
    code->exact_args = -1;
    code->info = info;
    code->site = site;
    Global *g = rt_global_new(name, "(hone prim)");
    g->prim = code->prim;
    if (code->prim && code->prim->fn == prim_flush_output_port) vm_set_flush(g);
    g->exported = true;
    rt_global_set(g, vm_procedure(m, code));
    define(context, name, g);
}

extern void vm_compute_live(const FrameDesc *d);

static Code parameter_code = {.kind = CODE_PARAMETER, .exact_args = -1};

/* (%make-parameter value converter): a procedure that gives its value in the dynamic state, or
 * VALUE. */
PRIM_FN(prim_make_parameter) {
    (void)n;
    Object *o = gc_object(m, T_PROC, 3);
    o->slot[0] = (Word)&parameter_code;
    o->slot[1] = a[0];
    o->slot[2] = a[1];
    return v_object(o);
}

static bool is_parameter(Value v) { return is_proc(v) && proc_code(v)->kind == CODE_PARAMETER; }

PRIM_FN(prim_is_parameter) {
    (void)m, (void)n;
    return v_bool(is_parameter(a[0]));
}

PRIM_FN(prim_parameter_converter) {
    (void)n;
    if (!is_parameter(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "parameterize", 1, a[0]);
    return object_slots(a[0])[2];
}

/* The parameters that hold the current ports; roots. */
static Value port_parameters[3] = {V_FALSE, V_FALSE, V_FALSE};

static void scan_port_parameters(void *context, Collector *c) {
    (void)context;
    for (int i = 0; i < 3; i++) gc_visit(c, &port_parameters[i]);
}

PRIM_FN(prim_set_port_parameters) {
    (void)m, (void)n;
    memcpy(port_parameters, a, sizeof port_parameters);
    return V_UNSPEC;
}

Value rt_current_port(Mutator *m, enum rt_std_port which) {
    Value p = port_parameters[which];
    return is_true(p) ? vm_parameter_value(rt_thread(m), p) : rt_std_port(which);
}

void vm_start(Mutator *m, void (*define)(void *context, const char *name, Global *g),
              void *context) {
    vm_slow_start();
    rt_on_mode = vm_mode_changed;
    rt_on_native_return = vm_native_return;
    rt_procedure_name = vm_proc_name;
    rt_compute_live = vm_compute_live;
    rt_add_roots(scan_port_parameters, NULL);
    for (int i = 0; i < PRIM_COUNT; i++) {
        Code *code = rt_forever_alloc(sizeof *code);
        *code =
            (Code){.kind = CODE_PRIMITIVE, .prim = &rt_prims[i], .required = rt_prims[i].min_args};
        offer(m, code, rt_prims[i].name, define, context);
    }
    for (unsigned i = 0; i < fiber_control_count; i++) {
        const FiberControl *control = &fiber_controls[i];
        Code *code = rt_forever_alloc(sizeof *code);
        *code = (Code){.kind = CODE_FIBER, .control = control, .required = control->arguments};
        offer(m, code, control->name, define, context);
    }
    for (size_t i = 0; i < BASE_COUNT(controls); i++) {
        Code *code = rt_forever_alloc(sizeof *code);
        *code = (Code){
            .kind = controls[i].kind, .required = controls[i].required, .rest = controls[i].rest};
        offer(m, code, controls[i].name, define, context);
    }
}
