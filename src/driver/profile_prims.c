/* profile_prims.c: what (hone profile) and (hone vm) are made of. */
#include <math.h>
#include <stdlib.h>
#include "driver/profile.h"
#include "driver/serve.h"
#include "fiber/fiber.h"
#include "num/num.h"
#include "rt/string.h"
#include "vm/stats.h"

static Value misuse(Mutator *m, const char *who, const char *text) {
    return mutator_fail_text(m, ERR_MISUSE, who, V_DEFAULT, "%s", text);
}

static Value checked(Mutator *m, const char *who, int status) {
    return status ? misuse(m, who, hone_prof_status_text(status)) : V_UNSPEC;
}

PRIM_FN(prim_sample_start) {
    (void)n;
    hone_prof_options o = {0};
    if (is_true(a[0])) {
        double ms = is_number(a[0]) && num_is_real(a[0]) ? num_to_double(a[0]) : -1;
        if (!(ms > 0 && ms <= 10000)) return mutator_fail(m, ERR_RANGE, "sample!", 1, a[0]);
        o.interval_ns = (uint64_t)llround(ms * 1e6);
    }
    if (is_true(a[1])) {
        if (!is_fixnum(a[1]) || fixnum(a[1]) < 1 || fixnum(a[1]) > 65536)
            return mutator_fail(m, ERR_RANGE, "sample!", 2, a[1]);
        o.depth = (unsigned)fixnum(a[1]);
    }
    if (is_true(a[2]) &&
        !(is_symbol(a[2]) && hone_prof_source_named(rt_symbol_name(a[2]), &o.source)))
        return mutator_fail(m, ERR_RANGE, "sample!", 3, a[2]);
    hone_prof_error error;
    o.error = &error;
    int status = driver_sample_start(&o);
    enum error_code code = status == HONE_PROF_UNSUPPORTED ? ERR_UNSUPPORTED : ERR_MISUSE;
    return status ? mutator_fail_text(m, code, "sample!", V_DEFAULT, "%s", error.text) : V_UNSPEC;
}

PRIM_FN(prim_sample_sources) {
    PRIM_UNUSED;
    Value list = V_NIL;
    for (int i = HONE_PROF_SOURCE_COUNT; i-- > 0;)
        list = gc_cons(m, rt_intern_c(m, hone_prof_source_word((hone_prof_source)i)), list);
    return list;
}

PRIM_FN(prim_sample_stop) {
    PRIM_UNUSED;
    return checked(m, "stop-sampling!", driver_sample_stop());
}

PRIM_FN(prim_sample_reset) {
    PRIM_UNUSED;
    return checked(m, "reset-samples!", driver_sample_reset());
}

PRIM_FN(prim_sample_running) {
    PRIM_UNUSED;
    return v_bool(driver_sample_running());
}

/* ---- labels ---- */

PRIM_FN(prim_profile_labels) {
    (void)n;
    for (int i = 1; i < 3; i++)
        if (!is_string(a[i]))
            return mutator_fail(m, ERR_WRONG_TYPE, "with-profile-labels", i, a[i]);
    char *key = rt_string_utf8(a[1], NULL), *value = rt_string_utf8(a[2], NULL);
    bool reserved = !*key || !strcmp(key, "thread");
    uint32_t set =
        reserved ? 0 : hone_prof_labels(driver_prof(), (uint32_t)fixnum(a[0]), key, value);
    free(key);
    free(value);
    return reserved ? mutator_fail_text(m, ERR_MISUSE, "with-profile-labels", a[1],
                                        "a label needs a key, which is not \"thread\"")
                    : v_fixnum(set);
}

PRIM_FN(prim_current_labels) {
    PRIM_UNUSED;
    return v_fixnum(rt_thread(m)->labels);
}

PRIM_FN(prim_set_labels) {
    (void)n;
    if (!is_fixnum(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "with-profile-labels", 1, a[0]);
    rt_thread(m)->labels = (uint32_t)fixnum(a[0]);
    return V_UNSPEC;
}

/* The report of D, which it frees, with as many rows as ROWS says, a fixnum or #f. */
static Value report_of(Mutator *m, hone_prof_data *d, Value rows) {
    hone_prof_report o = {.top = is_fixnum(rows) ? (unsigned)fixnum(rows) : 0};
    hone_prof_bytes text = hone_prof_report_text(d, &o);
    Value v = rt_string_new(m, text.at, text.len);
    free(text.at);
    hone_prof_data_free(d);
    return v;
}

PRIM_FN(prim_sample_report) {
    (void)n;
    return report_of(m, driver_snapshot(), a[0]);
}

/* ---- tables as Scheme data ---- */

static Value vector_of(Mutator *m, int count, const Value *items) {
    Object *o = gc_object(m, T_VECTOR, (uint64_t)count);
    memcpy(o->slot, items, (size_t)count * sizeof *items);
    return v_object(o);
}

static Value string_or_false(Mutator *m, const char *s) {
    return s && s[0] ? rt_string_from_c(m, s) : V_FALSE;
}
static Value milliseconds(Mutator *m, uint64_t ns) { return num_from_double(m, (double)ns / 1e6); }

PRIM_FN(prim_sample_counts) {
    PRIM_UNUSED;
    hone_prof_data *d = driver_snapshot();
    size_t count;
    hone_prof_proc *rows = hone_prof_procs(d, &count);
    Value list = V_NIL;
    for (size_t i = count; i-- > 0;) {
        const hone_prof_func *f = hone_prof_data_func(d, rows[i].func);
        Value row[] = {rt_string_from_c(m, f->label),
                       string_or_false(m, f->file),
                       v_fixnum(f->line),
                       milliseconds(m, rows[i].self),
                       milliseconds(m, rows[i].total),
                       v_fixnum((int64_t)rows[i].self_samples)};
        list = gc_cons(m, vector_of(m, 6, row), list);
    }
    free(rows);
    hone_prof_data_free(d);
    return list;
}

/* The lines table of D; SELF: its value as milliseconds, else as a count. */
static Value lines_of(Mutator *m, hone_prof_data *d, bool ms) {
    size_t count;
    hone_prof_line_row *rows = hone_prof_lines(d, &count);
    Value list = V_NIL;
    for (size_t i = count; i-- > 0;) {
        const hone_prof_func *f = hone_prof_data_func(d, rows[i].func);
        if (!rows[i].self) continue;
        Value row[] = {rt_string_from_c(m, f->label), string_or_false(m, f->file),
                       v_fixnum(rows[i].line),
                       ms ? milliseconds(m, rows[i].self) : num_from_uint64(m, rows[i].self),
                       v_fixnum((int64_t)rows[i].self_samples)};
        list = gc_cons(m, vector_of(m, ms ? 5 : 4, row), list);
    }
    free(rows);
    hone_prof_data_free(d);
    return list;
}

PRIM_FN(prim_sample_lines) {
    PRIM_UNUSED;
    return lines_of(m, driver_snapshot(), true);
}

PRIM_FN(prim_line_counts) {
    PRIM_UNUSED;
    return lines_of(m, driver_line_counts(), false);
}

PRIM_FN(prim_samples) {
    PRIM_UNUSED;
    hone_prof_data *d = driver_snapshot();
    const hone_prof_info *info = hone_prof_data_info(d);
    Value list = V_NIL;
    for (uint32_t i = hone_prof_data_samples(d); i-- > 0;) {
        hone_prof_sample s;
        hone_prof_data_sample(d, i, &s);
        Value frames = V_NIL;
        for (uint32_t k = s.depth; k-- > 0;) {
            uint32_t lines;
            const hone_prof_line *line = hone_prof_data_location(d, s.locations[k], &lines);
            for (uint32_t l = lines; l-- > 0;) {
                const hone_prof_func *f = hone_prof_data_func(d, line[l].func);
                Value frame[] = {rt_string_from_c(m, f->label), string_or_false(m, f->file),
                                 v_fixnum(line[l].line)};
                frames = gc_cons(m, vector_of(m, 3, frame), frames);
            }
        }
        frames = gc_cons(m, rt_string_from_c(m, s.thread), frames);
        frames = gc_cons(m, milliseconds(m, s.values[info->main_value]), frames);
        frames =
            gc_cons(m, v_fixnum(info->sample_value < 0 ? 0 : (int64_t)s.values[info->sample_value]),
                    frames);
        list = gc_cons(m, frames, list);
    }
    hone_prof_data_free(d);
    return list;
}

/* Writes D, which it frees, to the file NAME; FORMAT NULL: by its extension. */
static Value write_to(Mutator *m, const char *who, hone_prof_data *d, Value name,
                      const hone_prof_format *format) {
    char *path = rt_string_utf8(name, NULL);
    hone_prof_error error;
    int status = hone_prof_save(d, path, format, NULL, &error);
    hone_prof_data_free(d);
    free(path);
    return status ? mutator_fail_text(m, ERR_FILE, who, name, "%s", error.text) : V_UNSPEC;
}

PRIM_FN(prim_sample_write) {
    (void)n;
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "write-profile", 1, a[0]);
    const hone_prof_format *format = NULL;
    if (is_symbol(a[1])) {
        format = hone_prof_format_by_name(rt_symbol_name(a[1]));
        if (!format) return mutator_fail(m, ERR_RANGE, "write-profile", 2, a[1]);
    }
    hone_prof_data *d = driver_snapshot(); /* waits: A may be another place then */
    return write_to(m, "write-profile", d, a[0], format);
}

/* ---- allocations ---- */

PRIM_FN(prim_alloc_start) {
    (void)n;
    hone_prof_alloc_options o = {0};
    for (int i = 0; i < 2; i++)
        if (is_true(a[i]) && !(is_fixnum(a[i]) && fixnum(a[i]) > 0))
            return mutator_fail(m, ERR_RANGE, "sample-allocations!", i + 1, a[i]);
    if (is_true(a[0])) o.interval = (uint64_t)fixnum(a[0]);
    if (is_true(a[1])) o.depth = (unsigned)BASE_MIN(fixnum(a[1]), (int64_t)UINT32_MAX);
    return checked(m, "sample-allocations!", driver_alloc_start(&o));
}

PRIM_FN(prim_alloc_stop) {
    PRIM_UNUSED;
    return checked(m, "stop-sampling-allocations!", driver_alloc_stop());
}

PRIM_FN(prim_alloc_reset) {
    PRIM_UNUSED;
    return checked(m, "reset-allocations!", hone_prof_alloc_reset(driver_prof()));
}

PRIM_FN(prim_alloc_running) {
    PRIM_UNUSED;
    uint64_t interval;
    return v_bool(hone_prof_alloc_run(driver_prof(), &interval) != 0);
}

typedef struct Count {
    uint64_t objects, bytes, live_objects, live_bytes;
} Count;

/* What each procedure has allocated itself. */
static Count *self_counts(const hone_prof_data *d) {
    Count *counts = base_calloc(hone_prof_data_funcs(d) + 1, sizeof *counts);
    for (uint32_t i = 0; i < hone_prof_data_samples(d); i++) {
        hone_prof_sample s;
        hone_prof_data_sample(d, i, &s);
        uint32_t lines;
        Count *c = &counts[hone_prof_data_location(d, s.locations[0], &lines)->func];
        c->objects += s.values[1];
        c->bytes += s.values[2];
        c->live_objects += s.values[3];
        c->live_bytes += s.values[4];
    }
    return counts;
}

PRIM_FN(prim_alloc_counts) {
    PRIM_UNUSED;
    hone_prof_data *d = driver_alloc_snapshot(false);
    Count *counts = self_counts(d);
    size_t count;
    hone_prof_proc *rows = hone_prof_procs(d, &count);
    Value list = V_NIL;
    for (size_t i = count; i-- > 0;) {
        const hone_prof_func *f = hone_prof_data_func(d, rows[i].func);
        const Count *c = &counts[rows[i].func];
        Value row[] = {rt_string_from_c(m, f->label),
                       string_or_false(m, f->file),
                       v_fixnum(f->line),
                       num_from_uint64(m, c->objects),
                       num_from_uint64(m, c->bytes),
                       num_from_uint64(m, rows[i].total),
                       num_from_uint64(m, c->live_objects),
                       num_from_uint64(m, c->live_bytes),
                       v_fixnum((int64_t)rows[i].self_samples)};
        list = gc_cons(m, vector_of(m, BASE_COUNT(row), row), list);
    }
    free(rows);
    free(counts);
    hone_prof_data_free(d);
    return list;
}

PRIM_FN(prim_alloc_report) {
    (void)n;
    return report_of(m, driver_alloc_snapshot(is_true(a[1])), a[0]);
}

PRIM_FN(prim_alloc_write) {
    (void)n;
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "write-allocations", 1, a[0]);
    return write_to(m, "write-allocations", driver_alloc_snapshot(is_true(a[1])), a[0], NULL);
}

/* ---- tail calls ---- */

PRIM_FN(prim_record_tails) {
    (void)m, (void)n;
    bool was = vm_is_watched(VM_WATCH_TAILS);
    vm_set_watch(VM_WATCH_TAILS, is_true(a[0]));
    return v_bool(was);
}

/* ---- the server ---- */

/* An address as text, or a port. */
PRIM_FN(prim_profile_serve) {
    (void)n;
    base_buf address = {0}, error = {0};
    if (is_string(a[0])) {
        char *text = rt_string_utf8(a[0], NULL);
        base_buf_puts(&address, text);
        free(text);
    } else if (is_fixnum(a[0]) && fixnum(a[0]) >= 0 && fixnum(a[0]) <= 65535) {
        base_buf_printf(&address, "%d", (int)fixnum(a[0]));
    } else {
        return mutator_fail(m, ERR_RANGE, "profile-serve", 1, a[0]);
    }
    rt_block_begin(m, RT_WAIT_FOREIGN);
    int port = driver_serve_start(base_buf_str(&address), &error);
    rt_block_end(m);
    Value v = port < 0 ? misuse(m, "profile-serve", base_buf_str(&error)) : v_fixnum(port);
    base_buf_free(&address);
    base_buf_free(&error);
    return v;
}

PRIM_FN(prim_profile_serve_stop) {
    (void)a, (void)n;
    rt_block_begin(m, RT_WAIT_FOREIGN);
    bool stopped = driver_serve_stop();
    rt_block_end(m);
    return stopped ? V_UNSPEC : misuse(m, "stop-profile-serve", "no profiles are being served");
}

/* ---- line counts ---- */

PRIM_FN(prim_count_start) {
    PRIM_UNUSED;
    if (vm_get_mode() != VM_PLAIN)
        return misuse(m, "instrument!", "counts or statistics are being collected already");
    vm_set_mode(VM_COUNTS);
    return V_UNSPEC;
}

PRIM_FN(prim_count_stop) {
    PRIM_UNUSED;
    if (vm_get_mode() != VM_COUNTS)
        return misuse(m, "stop-instrumenting!", "no counts are being collected");
    vm_set_mode(VM_PLAIN);
    return V_UNSPEC;
}

PRIM_FN(prim_count_reset) {
    PRIM_UNUSED;
    driver_reset_counts();
    return V_UNSPEC;
}

/* ---- statistics of instructions ---- */

PRIM_FN(prim_vm_dump_stats) {
    (void)n;
    if (!is_string(a[0])) return mutator_fail(m, ERR_WRONG_TYPE, "%vm-dump-stats", 1, a[0]);
    const char *format = is_symbol(a[1]) ? rt_symbol_name(a[1]) : "";
    if (strcmp(format, "csv") && strcmp(format, "scheme"))
        return mutator_fail(m, ERR_RANGE, "%vm-dump-stats", 2, a[1]);
    char *path = rt_string_utf8(a[0], NULL);
    hone_prof_error error;
    int status = hone_prof_vmstats_save(vm_statistics(), path, format, &error);
    free(path);
    return status ? mutator_fail_text(m, ERR_FILE, "%vm-dump-stats", a[0], "%s", error.text)
                  : V_UNSPEC;
}

PRIM_FN(prim_vm_reset_stats) {
    PRIM_UNUSED;
    hone_prof_vmstats_reset(vm_statistics());
    return V_UNSPEC;
}

PRIM_FN(prim_vm_collect_stats) {
    (void)m, (void)n;
    bool was = vm_get_mode() == VM_STATISTICS;
    if (is_true(a[0]) && vm_get_mode() == VM_COUNTS)
        return misuse(m, "%vm-collect-stats", "line counts are being collected");
    if (was != is_true(a[0])) vm_set_mode(was ? VM_PLAIN : VM_STATISTICS);
    return v_bool(was);
}

PRIM_FN(prim_vm_stats_on) {
    PRIM_UNUSED;
    return v_bool(vm_get_mode() == VM_STATISTICS);
}

PRIM_FN(prim_vm_config) {
    PRIM_UNUSED;
    const struct {
        const char *name;
        Value value;
    } rows[] = {
        {"dispatch", rt_intern_c(m, vm_dispatch_form())},
        {"instructions", v_fixnum(OP_COUNT)},
        {"primitives", v_fixnum(PRIM_COUNT)},
        {"statistics", V_TRUE},
        {"beat-ns", v_fixnum(FIBER_BEAT_NS)},
        {"fixnum-bits", v_fixnum(61)},
    };
    Value list = V_NIL;
    for (size_t i = BASE_COUNT(rows); i-- > 0;)
        list = gc_cons(m, gc_cons(m, rt_intern_c(m, rows[i].name), rows[i].value), list);
    return list;
}
