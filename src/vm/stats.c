/* stats.c: the recorders of the statistics and counting modes, and switching modes. */
#include "vm/stats.h"
#include "vm/tails.h"

static hone_prof_vmstats *statistics;
/* enum vm_mode, and the set of enum vm_watch above it. Atomic: threads that start look at it once.
 */
static unsigned state;
enum { MODE_BITS = 0xff, WATCH_SHIFT = 8 };
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

static unsigned get_state(void) { return __atomic_load_n(&state, __ATOMIC_SEQ_CST); }

static void set_tables(Thread *t, unsigned now) {
    unsigned mode = now & MODE_BITS;
    const void *const *handlers = vm_handlers[now >> WATCH_SHIFT];
    __atomic_store_n(&t->handler_table, handlers, __ATOMIC_SEQ_CST);
    __atomic_store_n(&t->dispatch, mode == VM_PLAIN ? handlers : vm_tables[mode], __ATOMIC_SEQ_CST);
}

static void switch_thread(Thread *t, void *context) {
    (void)context;
    set_tables(t, get_state());
    rt_request(t, REQUEST_MODE);
}

/* Bits are set under the lock, so that of two that switch at once none is lost. */
static void switch_to(unsigned mask, unsigned bits) {
    os_mutex_lock(&lock);
    __atomic_store_n(&state, (get_state() & ~mask) | bits, __ATOMIC_SEQ_CST);
    os_mutex_unlock(&lock);
    rt_each_thread(switch_thread, NULL);
}

void vm_set_mode(enum vm_mode m) { switch_to(MODE_BITS, m); }

enum vm_mode vm_get_mode(void) { return (enum vm_mode)(get_state() & MODE_BITS); }

void vm_set_watch(enum vm_watch bit, bool on) {
    switch_to((unsigned)bit << WATCH_SHIFT, on ? (unsigned)bit << WATCH_SHIFT : 0);
}

bool vm_is_watched(enum vm_watch bit) { return (get_state() >> WATCH_SHIFT & bit) != 0; }

/* Another thread may switch the mode meanwhile, and its store may be the earlier one. */
void vm_thread_start(Thread *t) {
    unsigned now;
    do {
        now = get_state();
        set_tables(t, now);
    } while (now != get_state());
}

void vm_thread_end(Thread *t) {
    end(t);
    vm_tails_end(t);
}

/* What T counted is added to what ended threads did, so that switching again and again takes no
 * memory. */
void vm_mode_changed(Thread *t) {
    if (__atomic_load_n(&t->dispatch, __ATOMIC_RELAXED) != vm_tables[VM_STATISTICS]) end(t);
    if (!vm_is_watched(VM_WATCH_TAILS)) vm_tails_end(t);
}
