/* emit.c: the C functions of a procedure.
 *
 * A block that one place leads to stands there; others have a label. What a function reads from
 * slots it reads at its start, what a call needs saved is stored just before it. */
#include "native/internal.h"

typedef struct Inline {
    const char *name, *text;
    int arity;
    enum inline_kind { INLINE_NONE, INLINE_TEST, INLINE_PURE, INLINE_MAYBE } kind;
} Inline;

static const Inline inlines[] = {
#define TEST(name, arity, ...)  {name, #__VA_ARGS__, arity, INLINE_TEST},
#define PURE(name, arity, ...)  {name, #__VA_ARGS__, arity, INLINE_PURE},
#define MAYBE(name, arity, ...) {name, #__VA_ARGS__, arity, INLINE_MAYBE},
#include "native/inline.def"
#undef TEST
#undef PURE
#undef MAYBE
};

static const char *const prim_c_names[] = {
#define PRIM(cname, name, min, max, flags, doc) #cname,
#include "rt/prims.def"
#undef PRIM
};

static const Inline *inline_of(const Prim *p, int count) {
    static const Inline *table[PRIM_COUNT];
    static bool filled;
    if (!filled)
        for (size_t i = 0; i < BASE_COUNT(inlines); i++) {
            const Prim *row = rt_prim_find(inlines[i].name);
            if (row) table[row - rt_prims] = &inlines[i];
        }
    filled = true;
    const Inline *found = table[p - rt_prims];
    return found && found->arity == count ? found : NULL;
}

/* ---- the function being written ---- */

typedef struct Writer {
    Proc *p;
    UnitCode *u;
    uint32_t function; /* its number, for marks */
    base_buf body;
    BASE_VEC(Reg *) locals; /* mentioned in it, in that order */
    Set clean;              /* where the writer stands */
    uint32_t words;         /* of a set */
    const Site *line;       /* the last #line */
    base_map *cuts;
    BASE_VEC(Block *) later; /* labelled blocks still to be written */
} Writer;

static void line_of(Writer *w, const Site *site) {
    if (!site || !site->pos.file || !site->pos.line) return;
    if (w->line && w->line->pos.file == site->pos.file && w->line->pos.line == site->pos.line)
        return;
    w->line = site;
    base_buf_printf(&w->body, "#line %u \"", site->pos.line);
    native_c_string(&w->body, site->pos.file->path, strlen(site->pos.file->path));
    base_buf_puts(&w->body, "\"\n");
}

static const Site *cut(Writer *w, const Site *site) {
    if (!site) return w->p->site;
    return codegen_cut_chain(w->cuts, site, w->p->lambda->as.lambda.info);
}

static void immediate(base_buf *out, Value v) {
    static const struct {
        Value v;
        const char *name;
    } names[] = {{V_FALSE, "V_FALSE"},        {V_TRUE, "V_TRUE"}, {V_NIL, "V_NIL"},
                 {V_UNSPEC, "V_UNSPEC"},      {V_EOF, "V_EOF"},   {V_DEFAULT, "V_DEFAULT"},
                 {V_UNDEFINED, "V_UNDEFINED"}};
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (names[i].v == v) {
            base_buf_puts(out, names[i].name);
            return;
        }
    if (is_fixnum(v))
        base_buf_printf(out, "FIX(%lld)", (long long)fixnum(v));
    else
        base_buf_printf(out, "%lluu", (unsigned long long)v);
}

/* R as an expression. */
static const char *expr(Writer *w, Reg *r) {
    base_arena *a = w->u->arena;
    switch (r->kind) {
    case REG_CONSTANT: {
        if (r->index >= 0) return base_arena_printf(a, "k[%d]", r->index);
        base_buf text = {0};
        immediate(&text, r->value);
        const char *s = base_arena_strdup(a, base_buf_str(&text));
        base_buf_free(&text);
        return s;
    }
    case REG_PROC:
    case REG_CASE: return base_arena_printf(a, "p[%d]", r->index);
    case REG_LOCAL: break;
    }
    if (r->mark != w->function) {
        r->mark = w->function;
        BASE_PUSH(&w->locals, r);
    }
    return base_arena_printf(a, "%s_%u", r->name[0] ? r->name : "v", r->id);
}

static void wrote(Writer *w, const Reg *r) {
    if (reg_is_wide(r)) set_drop(w->clean, r->bit);
}

/* Stores what of LIVE is not in its slot. */
static void save(Writer *w, Set live) {
    for (size_t i = 0; i < w->p->regs.len; i++) {
        Reg *r = w->p->regs.at[i];
        if (!reg_is_wide(r) || r->slot < 0 || !set_has(live, r->bit)) continue;
        if (set_has(w->clean, r->bit)) continue;
        base_buf_printf(&w->body, "r[%d] = %s;\n", r->slot, expr(w, r));
        set_add(w->clean, r->bit);
    }
}

/* ---- descriptors ---- */

static int desc_for(Writer *w, const Site *site, Set saved, uint32_t size, const char *resume) {
    uint32_t words = size / 64 + 1;
    uint64_t *live = base_calloc(words, sizeof *live);
    for (size_t i = 0; saved && i < w->p->regs.len; i++) {
        const Reg *r = w->p->regs.at[i];
        if (reg_is_wide(r) && r->slot >= 0 && set_has(saved, r->bit))
            live[r->slot / 64] |= (uint64_t)1 << (r->slot % 64);
    }
    int d = native_desc(w->u, cut(w, site), size, w->p->room, live, words, resume);
    free(live);
    return d;
}

static int fail_desc(Writer *w, const Site *site) { return desc_for(w, site, NULL, 1, NULL); }

/* ---- operations ---- */

static void args_text(Writer *w, base_buf *out, Reg **args, int count) {
    for (int i = 0; i < count; i++) base_buf_printf(out, "%s%s", i ? ", " : "", expr(w, args[i]));
}

/* The text of an inline row with its arguments in place. */
static void inline_text(Writer *w, base_buf *out, const Inline *row, Reg **args) {
    for (const char *s = row->text; *s; s++) {
        bool letter = *s >= 'A' && *s <= 'C';
        bool alone = letter && (s == row->text || !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", s[-1])) &&
                     !(s[1] >= 'A' && s[1] <= 'Z') && s[1] != '_';
        if (alone)
            base_buf_puts(out, expr(w, args[*s - 'A']));
        else if (*s == 'm' && s[1] == ',')
            base_buf_puts(out, "&t->m");
        else
            base_buf_putc(out, *s);
    }
}

/* Appends the call of PRIM; gives what is known of its value. */
static enum inline_kind prim_text(Writer *w, base_buf *out, const Prim *prim, Reg **args,
                                  int count) {
    const Inline *row = inline_of(prim, count);
    if (row) {
        if (row->kind == INLINE_TEST) base_buf_puts(out, "v_bool(");
        inline_text(w, out, row, args);
        if (row->kind == INLINE_TEST) base_buf_puts(out, ")");
        return row->kind;
    }
    const char *name = prim_c_names[prim - rt_prims];
    if (prim->flags & PRIM_LONG)
        base_buf_printf(out, "LONG_PRIMITIVE(PRIM_%s, %s, %d", name, name, count);
    else
        base_buf_printf(out, "PRIMITIVE(%s, %d", name, count);
    if (count) base_buf_puts(out, ", ");
    args_text(w, out, args, count);
    base_buf_puts(out, ")");
    return prim->flags & PRIM_PREDICATE ? INLINE_PURE : INLINE_MAYBE;
}

static void check(Writer *w, const char *value, const Site *site) {
    base_buf_printf(&w->body, "if (unlikely(%s == V_FAIL)) FAIL(&d[%d]);\n", value,
                    fail_desc(w, site));
}

static void write_prim(Writer *w, const Op *op) {
    base_buf text = {0};
    enum inline_kind kind = prim_text(w, &text, op->prim, op->args, op->count);
    const char *to = expr(w, op->to);
    base_buf_printf(&w->body, "%s = %s;\n", to, base_buf_str(&text));
    base_buf_free(&text);
    if (kind == INLINE_MAYBE) check(w, to, op->site);
}

static const char *global(Writer *w, Global *g) {
    const char *name = native_global_name(w->u, g);
    if (native_is_primitive_global(g)) return base_arena_printf(w->u->arena, "(*%s)", name);
    return name;
}

static void check_bound(Writer *w, Global *g, const char *value, const Site *site) {
    const char *name = global(w, g);
    base_buf_printf(&w->body, "if (unlikely(%s == V_UNBOUND)) FAIL_UNBOUND(&d[%d], &%s);\n", value,
                    fail_desc(w, site), name);
}

static void write_global(Writer *w, const Op *op) {
    const char *name = global(w, op->global);
    base_buf *out = &w->body;
    if (op->kind == DO_READ_GLOBAL) {
        const char *to = expr(w, op->to);
        base_buf_printf(out, "%s = %s.value;\n", to, name);
        if (!native_is_primitive_global(op->global)) check_bound(w, op->global, to, op->site);
        return;
    }
    if (op->kind == DO_SET)
        check_bound(w, op->global, base_arena_printf(w->u->arena, "%s.value", name), op->site);
    base_buf_printf(out, "rt_global_set(&%s, %s);\n", name, expr(w, op->args[0]));
}

static void write_box(Writer *w, const Op *op) {
    base_buf *out = &w->body;
    const char *a = expr(w, op->args[0]);
    if (op->kind == DO_MAKE_BOX) {
        base_buf_printf(out, "%s = make_box(t, %s);\n", expr(w, op->to), a);
    } else if (op->kind == DO_READ_BOX) {
        const char *to = expr(w, op->to);
        base_buf_printf(out, "%s = object_slots(%s)[0];\n", to, a);
        base_buf_printf(out, "if (unlikely(%s == V_UNDEFINED)) FAIL_UNDEFINED(&d[%d]);\n", to,
                        fail_desc(w, op->site));
    } else {
        base_buf_printf(out, "gc_write(&t->m, &object_slots(%s)[0], %s);\n", a,
                        expr(w, op->args[1]));
    }
}

static void write_closure(Writer *w, const Op *op) {
    base_buf *out = &w->body;
    if (op->kind == DO_READ_FREE) {
        const char *to = expr(w, op->to);
        base_buf_printf(out, "%s = object_slots(%s)[%d];\n", to, expr(w, op->args[0]),
                        (int)op->index + 1);
    } else if (op->kind == DO_PATCH_PROC) {
        const char *closure = expr(w, op->args[0]);
        base_buf_printf(out, "gc_write(&t->m, &object_slots(%s)[%d], %s);\n", closure,
                        (int)op->index + 1, expr(w, op->args[1]));
    } else {
        base_buf args = {0};
        args_text(w, &args, op->args, op->count);
        const char *code = op->proc ? base_arena_printf(w->u->arena, "&c[%d]", op->proc->code)
                                    : base_arena_printf(w->u->arena, "&cases[%d]", (int)op->index);
        base_buf_printf(out, "%s = MAKE_PROC(%s, %d, %s);\n", expr(w, op->to), code, op->count,
                        base_buf_str(&args));
        base_buf_free(&args);
    }
}

static void write_field(Writer *w, const Op *op) {
    base_buf *out = &w->body;
    const char *x = expr(w, op->args[0]), *rtd = expr(w, op->args[1]);
    if (op->kind == DO_READ_FIELD) {
        const char *to = expr(w, op->to);
        base_buf_printf(out, "%s = read_field(t, %s, %s, %d);\n", to, x, rtd, (int)op->index);
        check(w, to, op->site);
    } else {
        check(w,
              base_arena_printf(w->u->arena, "set_field(t, %s, %s, %d, %s)", x, rtd, (int)op->index,
                                expr(w, op->args[2])),
              op->site);
    }
}

static void write_op(Writer *w, const Op *op) {
    line_of(w, op->site);
    switch (op->kind) {
    case DO_MOVE_REG: {
        const char *from = expr(w, op->args[0]);
        base_buf_printf(&w->body, "%s = %s;\n", expr(w, op->to), from);
        break;
    }
    case DO_CALL_PRIM: write_prim(w, op); break;
    case DO_READ_GLOBAL:
    case DO_SET:
    case DO_DEFINE: write_global(w, op); break;
    case DO_MAKE_BOX:
    case DO_READ_BOX:
    case DO_SET_BOX: write_box(w, op); break;
    case DO_READ_FREE:
    case DO_MAKE_PROC:
    case DO_PATCH_PROC: write_closure(w, op); break;
    case DO_READ_FIELD:
    case DO_SET_FIELD: write_field(w, op); break;
    }
    if (op->to) wrote(w, op->to);
}

/* ---- control ---- */

/* Tail-calls the C function NAME, the frame at FRAME ("r" or "r + 3"), with these words. */
static void tail(Writer *w, const char *name, const char *frame, const char *const *words,
                 int count) {
    base_buf *out = &w->body;
    int in_registers = BASE_MIN(count, REGISTER_WORDS);
    for (int i = REGISTER_WORDS; i < count; i++)
        base_buf_printf(out, "(%s)[%d] = %s;\n", frame, i, words[i]);
    base_buf_printf(out, "NATIVE_TAIL %s(ARGS%d(%s", name, in_registers, frame);
    for (int i = 0; i < in_registers; i++) base_buf_printf(out, ", %s", words[i]);
    base_buf_puts(out, "));\n");
}

/* The registers that a root which is no return point gets as arguments, in order. */
static int root_args(Proc *p, const Block *b, Reg **out) {
    int count = 0;
    for (size_t i = 0; i < p->regs.len; i++) {
        Reg *r = p->regs.at[i];
        if (!reg_is_wide(r) || !set_has(b->live, r->bit) || set_has(b->clean, r->bit)) continue;
        out[count++] = r;
    }
    return count;
}

static void write_block(Writer *w, Block *b);

static void go(Writer *w, Block *to) {
    if (to->forced) save(w, to->forced);
    if (to->root && to->function != w->function) {
        Reg *args[REGISTER_WORDS];
        const char *words[REGISTER_WORDS];
        int count = root_args(w->p, to, args);
        for (int i = 0; i < count; i++) words[i] = expr(w, args[i]);
        tail(w, to->name, "r", words, count);
        return;
    }
    if (to->entries > 1 || to->written || to->root) {
        base_buf_printf(&w->body, "goto b%u;\n", to->id);
        if (!to->written) BASE_PUSH(&w->later, to);
        return;
    }
    write_block(w, to);
}

/* The other way of a branch begins where this one did. */
static Set keep_clean(Writer *w) {
    Set copy = base_alloc(w->words * sizeof *copy);
    return memcpy(copy, w->clean, w->words * sizeof *copy);
}
static void bring_back(Writer *w, Set kept) {
    memcpy(w->clean, kept, w->words * sizeof *kept);
    free(kept);
}

static void write_jump(Writer *w, const Block *b) {
    const End *e = &b->end;
    if (e->poll) {
        Set kept = keep_clean(w);
        line_of(w, e->site);
        base_buf_puts(&w->body, "if (TRIPPED(0)) {\n");
        save(w, e->poll->live);
        uint32_t size = e->poll->frame;
        base_buf_printf(&w->body, "r[%u] = (Word)&d[%d];\nPOLL(%u, %u);\n}\n", size - 1,
                        desc_for(w, e->site, e->poll->live, size, e->poll->name), size, w->p->room);
        bring_back(w, kept);
    }
    go(w, e->to);
}

static void write_if(Writer *w, const Block *b) {
    const End *e = &b->end;
    base_buf test = {0};
    line_of(w, e->site);
    if (!e->prim) {
        base_buf_printf(&test, "%s != V_FALSE", expr(w, e->args[0]));
    } else {
        const Inline *row = inline_of(e->prim, e->count);
        if (row && row->kind == INLINE_TEST) {
            inline_text(w, &test, row, e->args);
        } else {
            Reg *value = native_reg(w->p, "test");
            const char *name = expr(w, value);
            base_buf call = {0};
            enum inline_kind kind = prim_text(w, &call, e->prim, e->args, e->count);
            base_buf_printf(&w->body, "%s = %s;\n", name, base_buf_str(&call));
            base_buf_free(&call);
            if (kind == INLINE_MAYBE) check(w, name, e->site);
            base_buf_printf(&test, "%s != V_FALSE", name);
        }
    }
    base_buf_printf(&w->body, "if (%s) {\n", base_buf_str(&test));
    base_buf_free(&test);
    Set kept = keep_clean(w);
    go(w, e->yes);
    base_buf_puts(&w->body, "}\n");
    bring_back(w, kept);
    go(w, e->no);
}

static void write_return(Writer *w, const Block *b) {
    base_buf_printf(&w->body, "RETURN(%s);\n", expr(w, b->end.args[0]));
}

static void write_call(Writer *w, const Block *b) {
    const End *e = &b->end;
    UnitCode *u = w->u;
    base_buf *out = &w->body;
    line_of(w, e->site);
    const char *frame = "r";
    const char **words = BASE_NEW_ARRAY(u->arena, const char *, (size_t)e->count + 1);
    if (e->global && e->callee == CALL_KNOWN)
        check_bound(w, e->global, base_arena_printf(u->arena, "%s.value", global(w, e->global)),
                    e->site);
    for (int i = 0; i < e->count; i++) words[i] = expr(w, e->args[i]);
    const char *callee = NULL;
    if (e->callee == CALL_VALUE) callee = expr(w, e->value);
    if (e->callee == CALL_GLOBAL || e->callee == CALL_PRIMITIVE) {
        callee = base_arena_printf(u->arena, "%s.value", global(w, e->global));
        if (!native_is_primitive_global(e->global)) check_bound(w, e->global, callee, e->site);
    }
    if (e->to) {
        save(w, e->to->live);
        uint32_t size = e->to->frame;
        base_buf_printf(out, "r[%u] = (Word)&d[%d];\n", size - 1,
                        desc_for(w, e->site, e->to->live, size, e->to->name));
        frame = base_arena_printf(u->arena, "r + %u", size);
    }
    if (e->callee == CALL_KNOWN) {
        if (e->foreign) native_declare(u, e->target);
        tail(w, e->target, frame, words, e->count);
        return;
    }
    /* All that is read stands in C variables, so the frame may be overwritten. */
    base_buf_printf(out, "{ Word *sp = %s; sp[0] = %s;", frame, callee);
    for (int i = 0; i < e->count; i++) base_buf_printf(out, " sp[%d] = %s;", i + 1, words[i]);
    base_buf_printf(out, " ENTER(sp, %d); }\n", e->count);
}

static void write_block(Writer *w, Block *b) {
    b->written = true;
    if (b->entries > 1 || b->root) base_buf_printf(&w->body, "b%u: ;\n", b->id);
    for (size_t i = 0; i < b->ops.len; i++) write_op(w, &b->ops.at[i]);
    switch (b->end.kind) {
    case END_JUMP: write_jump(w, b); break;
    case END_IF: write_if(w, b); break;
    case END_RETURN: write_return(w, b); break;
    case END_CALL: write_call(w, b); break;
    case END_NONE: base_buf_puts(&w->body, "__builtin_unreachable();\n"); break;
    }
}

/* ---- functions ---- */

typedef struct Count {
    Writer *w;
    BASE_VEC(Block *) found;
} Count;

static void count_entry(void *context, Block *b, Block *next, int kind) {
    (void)b;
    Count *c = context;
    if (kind || (next->root && next->function != c->w->function)) return;
    if (next->function == c->w->function) {
        next->entries++;
        return;
    }
    next->function = c->w->function;
    next->entries = 1;
    next->written = false;
    BASE_PUSH(&c->found, next);
}

static void prototype(UnitCode *u, const char *name, bool exported) {
    base_buf_printf(&u->prototypes, "%sFUNCTION(%s);\n", exported ? "" : "static ", name);
}

/* The function that begins at B. */
static void write_function(Proc *p, Block *b, base_map *cuts) {
    UnitCode *u = p->unit;
    Writer writer = {.p = p, .u = u, .function = ++u->next_function, .cuts = cuts}, *w = &writer;
    w->words = (p->bits + 63) / 64 + 1;
    w->clean = base_calloc(w->words, sizeof *w->clean);
    memcpy(w->clean, b->clean, w->words * sizeof *w->clean);
    Count c = {.w = w};
    b->function = w->function;
    b->entries = 1;
    b->written = false;
    BASE_PUSH(&c.found, b);
    for (size_t i = 0; i < c.found.len; i++) native_each_next(c.found.at[i], count_entry, &c);
    write_block(w, b);
    while (w->later.len) {
        Block *next = BASE_POP(&w->later);
        if (next->written) continue;
        /* Where several ways meet, only what is clean on all is. */
        memcpy(w->clean, next->clean, w->words * sizeof *w->clean);
        w->line = NULL;
        write_block(w, next);
    }
    base_buf *out = &u->functions;
    bool exported = b == p->entry && p->exported;
    prototype(u, b->name, exported);
    line_of(&(Writer){.p = p}, NULL);
    base_buf_printf(out, "\n%sFUNCTION(%s) {\n", exported ? "" : "static ", b->name);
    if (b->returned_to) base_buf_printf(out, "r -= %u;\n", b->frame);
    Reg *args[REGISTER_WORDS];
    int count = b->returned_to || b == p->entry ? 0 : root_args(p, b, args);
    for (size_t i = 0; i < w->locals.len; i++) {
        Reg *r = w->locals.at[i];
        base_buf_printf(out, "Value %s", expr(w, r));
        int place = -1;
        for (int k = 0; k < count; k++)
            if (args[k] == r) place = k;
        if (b == p->entry)
            for (size_t k = 0; k < p->args.len; k++)
                if (p->args.at[k] == r) place = (int)k;
        if (place >= REGISTER_WORDS)
            base_buf_printf(out, " = r[%d]", place);
        else if (place >= 0)
            base_buf_printf(out, " = a%d", place);
        else if (r == b->result)
            base_buf_puts(out, " = a0");
        else if (reg_is_wide(r) && set_has(b->live, r->bit) && set_has(b->clean, r->bit))
            base_buf_printf(out, " = r[%d]", r->slot);
        base_buf_puts(out, ";\n");
    }
    if (b == p->entry) {
        base_buf_printf(out, "if (TRIPPED(%u) && !just_polled(t, r, %u)) {\n",
                        p->room > 48 ? p->room : 0, p->room);
        for (size_t k = 0; k < p->args.len && k < REGISTER_WORDS; k++)
            base_buf_printf(out, "r[%zu] = a%zu;\n", k, k);
        uint32_t size = (uint32_t)p->args.len + 1;
        uint32_t words = size / 64 + 1;
        uint64_t *live = base_calloc(words, sizeof *live);
        for (size_t k = 0; k < p->args.len; k++) live[k / 64] |= (uint64_t)1 << (k % 64);
        const char *again = base_arena_printf(u->arena, "%s_polled", p->name);
        int d = native_desc(u, p->site, size, p->room, live, words, again);
        free(live);
        base_buf_printf(out, "r[%u] = (Word)&d[%d];\nPOLL(%u, %u);\n}\n", size - 1, d, size,
                        p->room);
    }
    base_buf_puts(out, base_buf_str(&w->body));
    base_buf_puts(out, "}\n");
    base_buf_free(&w->body);
    BASE_VEC_FREE(&w->locals);
    BASE_VEC_FREE(&w->later);
    BASE_VEC_FREE(&c.found);
    free(w->clean);
}

/* Goes on behind the safe point at P's entry: its arguments lie in the frame. */
static void write_polled(Proc *p) {
    UnitCode *u = p->unit;
    base_buf *out = &u->functions;
    prototype(u, base_arena_printf(u->arena, "%s_polled", p->name), false);
    int count = (int)p->args.len;
    base_buf_printf(out, "\nstatic FUNCTION(%s_polled) {\nr -= %d;\nt->native_polled = r;\n",
                    p->name, count + 1);
    int in_registers = BASE_MIN(count, REGISTER_WORDS);
    base_buf_printf(out, "NATIVE_TAIL %s(ARGS%d(r", p->name, in_registers);
    for (int i = 0; i < in_registers; i++) base_buf_printf(out, ", r[%d]", i);
    base_buf_puts(out, "));\n}\n");
}

/* Enters P as a procedure that is called by value: closure and arguments lie in the frame. */
static void write_entry(Proc *p) {
    UnitCode *u = p->unit;
    base_buf *out = &u->functions;
    prototype(u, base_arena_printf(u->arena, "%s_entry", p->name), false);
    int params = p->clause->nparams, count = (int)p->args.len;
    base_buf_printf(out, "\nstatic FUNCTION(%s_entry) {\n", p->name);
    bool closure = count > params;
    const char **words = BASE_NEW_ARRAY(u->arena, const char *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        base_buf_printf(out, "Value v%d = r[%d];\n", i, closure && i == count - 1 ? 0 : i + 1);
        words[i] = base_arena_printf(u->arena, "v%d", i);
    }
    Writer w = {.p = p, .u = u};
    tail(&w, p->name, "r", words, count);
    base_buf_puts(out, base_buf_str(&w.body));
    base_buf_puts(out, "}\n");
    base_buf_free(&w.body);
}

void native_emit(Proc *p) {
    UnitCode *u = p->unit;
    base_map cuts = {0};
    uint32_t returns = 0, joins = 0;
    for (size_t i = 0; i < p->blocks.len; i++) {
        Block *b = p->blocks.at[i];
        if (!b->root) continue;
        b->name = b == p->entry    ? p->name
                  : b->returned_to ? base_arena_printf(u->arena, "%s_k%u", p->name, ++returns)
                                   : base_arena_printf(u->arena, "%s_j%u", p->name, ++joins);
    }
    for (size_t i = 0; i < p->blocks.len; i++)
        if (p->blocks.at[i]->root) write_function(p, p->blocks.at[i], &cuts);
    write_polled(p);
    if (p->code >= 0) write_entry(p);
    base_map_free(&cuts);
}
