/* Writing values.
 *
 * Both the search for what needs a label and the printing walk with stacks of their own: data
 * nested a million deep cost heap, no C stack.
 *
 * `write` labels only what lies on a cycle: the target of an edge that leads back into the path
 * from the root. Every cycle has such an edge, so printing ends. First a walk with a budget looks
 * whether the data end at all when they are taken as a tree: most do, and then no table of objects
 * is needed. */
#include "rt/write.h"
#include "rt/record.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write_atom.h"

enum { TREE_STEPS = 100000, CONDITION_FIELDS = 3 };

typedef struct Frame {
    Value v;
    uint64_t next; /* the part to come */
} Frame;

typedef struct Writer {
    Mutator *m;
    base_buf *out;
    bool display;
    base_map labels; /* object -> 0: needs a label; n + 1: has label n. Empty: nothing needs one */
    uint64_t label_count;
    BASE_VEC(Frame) stack;
} Writer;

/* ---- parts ---- */

/* The parts of V: a pair's two, a vector's elements, a record's printed fields. *PARTS is where
 * they lie. */
static uint64_t parts_of(Value v, Value **parts) {
    if (is_pair(v)) {
        *parts = &pair_of(v)->car;
        return 2;
    }
    if (!is_object(v)) return 0;
    *parts = object_slots(v);
    switch (header_type(object_of(v)->header)) {
    case T_VECTOR:
    case T_VALUES: return object_size(v);
    case T_RECORD:
        ++*parts;
        if (rt_is_rtd(v)) return 0;
        if (rt_record_type(v) == rt_condition_type()) return CONDITION_FIELDS;
        return object_size(v) - 1;
    default: return 0;
    }
}

static bool has_parts(Value v) {
    Value *parts;
    return parts_of(v, &parts) > 0;
}

/* ---- what needs a label ---- */

/* Whether the walk over V as a tree ends within the budget. */
static bool is_small_tree(Writer *w, Value root) {
    int64_t steps = TREE_STEPS;
    BASE_PUSH(&w->stack, (Frame){root, 0});
    while (w->stack.len && steps > 0) {
        Value v = BASE_POP(&w->stack).v, *parts;
        for (uint64_t count; (count = parts_of(v, &parts)) > 0 && steps > 0; v = parts[count - 1]) {
            steps -= (int64_t)count;
            for (uint64_t i = 0; i + 1 < count; i++)
                if (has_parts(parts[i])) BASE_PUSH(&w->stack, (Frame){parts[i], 0});
        }
    }
    w->stack.len = 0;
    return steps > 0;
}

enum { ON_PATH = 1, DONE };

/* Notes in w->labels all objects that need a label: those met again while they are on the path, or,
 * if SHARED, met again at all. */
static void find_labels(Writer *w, Value root, bool shared) {
    base_map seen = {0};
    if (has_parts(root)) {
        BASE_PUSH(&w->stack, (Frame){root, 0});
        *base_map_at(&seen, root, NULL) = ON_PATH;
    }
    while (w->stack.len) {
        Frame *f = &w->stack.at[w->stack.len - 1];
        Value *parts;
        if (f->next == parts_of(f->v, &parts)) {
            *base_map_at(&seen, f->v, NULL) = DONE;
            w->stack.len--;
            continue;
        }
        Value part = parts[f->next++];
        if (!has_parts(part)) continue;
        bool added;
        uint64_t *state = base_map_at(&seen, part, &added);
        if (!added) {
            if (shared || *state == ON_PATH) *base_map_at(&w->labels, part, NULL) = 0;
            continue;
        }
        *state = ON_PATH;
        BASE_PUSH(&w->stack, (Frame){part, 0});
    }
    base_map_free(&seen);
}

/* ---- printing ---- */

static bool is_labelled(const Writer *w, Value v) {
    return w->labels.len && base_map_find(&w->labels, v);
}

/* Writes V's label if it has one; true if that was all, V having been written before. */
static bool write_label(Writer *w, Value v) {
    uint64_t *label = w->labels.len ? base_map_find(&w->labels, v) : NULL;
    if (!label) return false;
    if (*label) {
        base_buf_printf(w->out, "#%llu#", (unsigned long long)*label - 1);
        return true;
    }
    *label = ++w->label_count;
    base_buf_printf(w->out, "#%llu=", (unsigned long long)*label - 1);
    return false;
}

/* A type's name without the angle brackets that some put around it. */
static void write_type_name(base_buf *out, Value rtd) {
    const char *name = rt_symbol_name(rt_rtd_name(rtd));
    size_t length = rt_symbol_length(rt_rtd_name(rtd));
    bool bracketed = length > 2 && name[0] == '<' && name[length - 1] == '>';
    base_buf_add(out, name + bracketed, length - 2 * bracketed);
}

static void open_record(Writer *w, Value v) {
    base_buf_puts(w->out, rt_is_rtd(v) ? "#<record-type " : "#<");
    write_type_name(w->out, rt_is_rtd(v) ? v : rt_record_type(v));
}

/* Writes the beginning of V and notes on the stack what is to follow. */
static void begin(Writer *w, Value v) {
    bool compound = is_pair(v) || is_vector(v) || is_record(v) || is_type(v, T_VALUES);
    if (!compound) {
        rt_write_atom(w->m, w->out, v, w->display);
        return;
    }
    if (write_label(w, v)) return;
    if (is_pair(v))
        base_buf_putc(w->out, '(');
    else if (is_vector(v))
        base_buf_puts(w->out, "#(");
    else if (is_record(v))
        open_record(w, v);
    else
        base_buf_puts(w->out, "#<values");
    BASE_PUSH(&w->stack, (Frame){v, 0});
}

/* The next part of the list in frame F, whose V is the pair that was last begun; true with *PART,
 * or false at the end. */
static bool next_in_list(Writer *w, Frame *f, Value *part) {
    if (f->next++ == 0) {
        *part = car(f->v);
        return true;
    }
    Value rest = f->v == V_NIL ? V_NIL : cdr(f->v);
    if (rest == V_NIL) {
        base_buf_putc(w->out, ')');
        return false;
    }
    if (is_pair(rest) && !is_labelled(w, rest)) {
        base_buf_putc(w->out, ' ');
        f->v = rest;
        *part = car(rest);
        return true;
    }
    base_buf_puts(w->out, " . ");
    f->v = V_NIL;
    *part = rest;
    return true;
}

static bool next_in_row(Writer *w, Frame *f, Value *part) {
    Value *parts;
    if (f->next == parts_of(f->v, &parts)) {
        base_buf_putc(w->out, is_vector(f->v) ? ')' : '>');
        return false;
    }
    if (f->next > 0 || !is_vector(f->v)) base_buf_putc(w->out, ' ');
    if (is_record(f->v)) {
        Value name = object_slots(rt_rtd_fields(rt_record_type(f->v)))[f->next];
        base_buf_printf(w->out, "%s: ", rt_symbol_name(name));
    }
    *part = parts[f->next++];
    return true;
}

static void print(Writer *w, Value v, size_t limit) {
    size_t start = w->out->len;
    begin(w, v);
    while (w->stack.len) {
        Frame *f = &w->stack.at[w->stack.len - 1];
        Value part;
        bool list = is_pair(f->v) || f->v == V_NIL;
        if (list ? next_in_list(w, f, &part) : next_in_row(w, f, &part))
            begin(w, part);
        else
            w->stack.len--;
        if (limit && w->out->len - start > limit) break;
    }
}

/* Cuts what was written from START on to LIMIT bytes, between two characters. */
static void cut(base_buf *out, size_t start, size_t limit) {
    if (out->len - start <= limit) return;
    size_t end = start + limit;
    while (end > start && (out->at[end] & 0xc0) == 0x80) end--;
    out->len = end;
    base_buf_puts(out, "...");
}

void rt_write(Mutator *m, base_buf *out, Value v, enum rt_write_mode mode, size_t limit) {
    Writer w = {.m = m, .out = out, .display = mode == RT_DISPLAY};
    size_t start = out->len;
    if (has_parts(v)) {
        bool shared = mode == RT_WRITE_SHARED;
        if (shared || !is_small_tree(&w, v)) find_labels(&w, v, shared);
    }
    print(&w, v, limit);
    if (limit) cut(out, start, limit);
    BASE_VEC_FREE(&w.stack);
    base_map_free(&w.labels);
}
