/* stats.c: the recorders of the statistics and counting modes, and switching modes. */
#include "vm/stats.h"

static hone_prof_vmstats *statistics;
static enum vm_mode mode;
static os_mutex lock = OS_MUTEX_INIT;

hone_prof_vmstats *vm_statistics(void) {
    static const char *const names[] = {
#define INSN(name, format, doc) #name,
#include "vm/insns.def"
#undef INSN
    };
    static const char *const parts[] = {
#define PART(name, text) text,
        VM_PARTS(PART)
#undef PART
    };
    os_mutex_lock(&lock);
    if (!statistics)
        statistics = hone_prof_vmstats_new(names, OP_COUNT, parts, VM_PART_COUNT, os_mono_ns);
    os_mutex_unlock(&lock);
    return statistics;
}

static void end(Thread *t) {
    if (t->stats) hone_prof_vmstats_thread_end(t->stats);
    t->stats = NULL;
}

/* T counts from here on, in counters that are new: also where a reset has dropped those it had. */
static void begin(Thread *t) {
    end(t);
    t->stats = hone_prof_vmstats_thread(vm_statistics());
}

void vm_stats_record(Thread *t, unsigned op) {
    if (unlikely(!t->stats) || unlikely(hone_prof_vm_dropped(t->stats))) begin(t);
    uint64_t now = os_mono_ns();
    hone_prof_vm_step(t->stats, op, now);
    if (op == OP_PRIM) hone_prof_vm_part(t->stats, VM_PART_PRIMITIVE, now);
}

void vm_counts_record(const Insn *pc, const Word *r) {
    if (insn_op(*pc) == OP_HALT) return; /* of no code */
    Code *code = proc_code(r[0]);
    uint64_t *counts = __atomic_load_n(&code->counts, __ATOMIC_ACQUIRE);
    if (unlikely(!counts)) {
        uint64_t *made = rt_forever_alloc(code->length * sizeof *made), *expected = NULL;
        counts = __atomic_compare_exchange_n(&code->counts, &expected, made, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
                     ? made
                     : expected;
    }
    __atomic_fetch_add(&counts[pc - code->insns], 1, __ATOMIC_RELAXED);
}

static void switch_thread(Thread *t, void *context) {
    (void)context;
    __atomic_store_n(&t->dispatch, vm_tables[mode], __ATOMIC_SEQ_CST);
    rt_request(t, REQUEST_MODE);
}

void vm_set_mode(enum vm_mode m) {
    __atomic_store_n(&mode, m, __ATOMIC_SEQ_CST);
    rt_each_thread(switch_thread, NULL);
}

enum vm_mode vm_get_mode(void) { return __atomic_load_n(&mode, __ATOMIC_SEQ_CST); }

/* Another thread may switch the mode meanwhile, and its store may be the earlier one. */
void vm_thread_start(Thread *t) {
    enum vm_mode now;
    do {
        now = vm_get_mode();
        __atomic_store_n(&t->dispatch, vm_tables[now], __ATOMIC_SEQ_CST);
    } while (now != vm_get_mode());
}

void vm_thread_end(Thread *t) { end(t); }

/* What T counted is added to what ended threads did, so that switching again and again takes no
 * memory. */
void vm_mode_changed(Thread *t) {
    if (__atomic_load_n(&t->dispatch, __ATOMIC_RELAXED) != vm_tables[VM_STATISTICS]) end(t);
}
