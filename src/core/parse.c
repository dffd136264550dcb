/* parse.c: reads what core_print wrote, so that a pass can be tested with text in and text out.
 *
 * Variables are scoped by their printed name, which is unique in printed core. Sites are those of
 * the text itself. A global is made at its first mention in the process and found by its library
 * and name from then on. */
#include "core/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "os/os.h"
#include "read/read.h"
#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write.h"

typedef struct Parser {
    CoreContext *c;
    base_map vars; /* symbol -> Var */
    const ProcInfo *proc;
    char *error;
    size_t error_size;
    jmp_buf failed;
} Parser;

static Node *parse(Parser *p, const Stx *s);

_Noreturn static void fail(Parser *p, const Stx *s, const char *format, ...) {
    char text[200];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    snprintf(p->error, p->error_size, "%u:%u: %s", s->pos.line, s->pos.column, text);
    longjmp(p->failed, 1);
}

/* ---- lists ---- */

static bool is_symbol_stx(const Stx *s) { return s->kind == STX_ATOM && is_symbol(s->as.atom); }

static const char *symbol_text(Parser *p, const Stx *s) {
    if (!is_symbol_stx(s)) fail(p, s, "expected a name");
    return rt_symbol_name(s->as.atom);
}

static const Stx *part(Parser *p, const Stx **rest) {
    if ((*rest)->kind != STX_PAIR) fail(p, *rest, "a part is missing");
    const Stx *first = (*rest)->as.pair.car;
    *rest = (*rest)->as.pair.cdr;
    return first;
}

static int list_length(const Stx *s) {
    int n = 0;
    for (; s->kind == STX_PAIR; s = s->as.pair.cdr) n++;
    return n;
}

static Node **parse_all(Parser *p, const Stx *rest, int *count) {
    *count = list_length(rest);
    Node **items = core_alloc(p->c, (size_t)*count * sizeof *items);
    for (int i = 0; i < *count; i++) items[i] = parse(p, part(p, &rest));
    return items;
}

/* ---- variables and globals ---- */

static Var *bind(Parser *p, const Stx *s) {
    const char *text = symbol_text(p, s);
    const char *dot = strrchr(text, '.');
    if (!dot || dot[1] < '0' || dot[1] > '9') fail(p, s, "expected a variable such as x.3");
    char *name = core_alloc(p->c, (size_t)(dot - text) + 1);
    memcpy(name, text, (size_t)(dot - text));
    Var *v = core_var(p->c, name);
    v->id = (uint32_t)strtoul(dot + 1, NULL, 10);
    if (p->c->next_var < v->id) p->c->next_var = v->id;
    *base_map_at(&p->vars, s->as.atom, NULL) = (uint64_t)v;
    return v;
}

static Var *use(Parser *p, const Stx *s) {
    const char *text = symbol_text(p, s);
    uint64_t *slot = base_map_find(&p->vars, s->as.atom);
    if (!slot) fail(p, s, "no variable %s is bound here", text);
    return (Var *)*slot;
}

static Global *global_named(const char *library, const char *name) {
    static os_mutex lock = OS_MUTEX_INIT;
    static base_strmap globals;
    char key[512];
    int length = snprintf(key, sizeof key, "%s %s", library, name);
    os_mutex_lock(&lock);
    void **slot = base_strmap_at(&globals, key, (size_t)length, NULL);
    if (!*slot) {
        Global *g = rt_global_new(name, library);
        if (!strcmp(library, "(hone prim)")) g->prim = rt_prim_find(name);
        *slot = g;
    }
    Global *g = *slot;
    os_mutex_unlock(&lock);
    return g;
}

/* (global name) or (global (lib rary) name) */
static Global *parse_global(Parser *p, const Stx *s) {
    const Stx *rest = s;
    if (s->kind != STX_PAIR || strcmp(symbol_text(p, part(p, &rest)), "global"))
        fail(p, s, "expected (global name)");
    base_buf library = {0};
    const Stx *first = part(p, &rest);
    if (first->kind == STX_PAIR) {
        rt_write(p->c->m, &library, read_to_value(p->c->m, first, false), RT_WRITE, 0);
        first = part(p, &rest);
    }
    const char *name = symbol_text(p, first);
    Global *g = global_named(base_buf_str(&library), name);
    base_buf_free(&library);
    return g;
}

/* ---- forms ---- */

static const Site *site_at(Parser *p, const Stx *s) { return core_site(s->pos, p->proc, NULL); }

static Node *parse_let(Parser *p, const Stx *s, const Stx *rest, bool recursive) {
    const Stx *bindings = part(p, &rest);
    int count = list_length(bindings);
    Var **vars = core_alloc(p->c, (size_t)count * sizeof *vars);
    Node **inits = core_alloc(p->c, (size_t)count * sizeof *inits);
    for (int pass = 0; pass < 2; pass++) {
        const Stx *b = bindings;
        for (int i = 0; i < count; i++) {
            const Stx *binding = part(p, &b);
            const Stx *name = part(p, &binding);
            /* Inits come first in a let, variables in a letrec. */
            if (pass == recursive)
                inits[i] = parse(p, part(p, &binding));
            else
                vars[i] = bind(p, name);
        }
    }
    for (int i = 0; i < count; i++) vars[i]->bound = inits[i];
    Node *body = parse(p, part(p, &rest));
    return (recursive ? core_letrec : core_let)(p->c, site_at(p, s), count, vars, inits, body);
}

static Clause parse_clause(Parser *p, const Stx *formals, const Stx *body) {
    Clause c = {.nparams = list_length(formals)};
    const Stx *tail = formals;
    while (tail->kind == STX_PAIR) tail = tail->as.pair.cdr;
    c.rest = tail->kind != STX_NIL;
    c.nparams += c.rest;
    c.params = core_alloc(p->c, (size_t)c.nparams * sizeof *c.params);
    for (int i = 0; i < c.nparams - c.rest; i++) c.params[i] = bind(p, part(p, &formals));
    if (c.rest) c.params[c.nparams - 1] = bind(p, tail);
    c.body = parse(p, body);
    return c;
}

static Node *parse_lambda(Parser *p, const Stx *s, const Stx *rest, bool many) {
    const ProcInfo *outer = p->proc;
    const Site *site = site_at(p, s);
    const ProcInfo *info = core_proc(symbol_text(p, part(p, &rest)), s->pos, outer);
    p->proc = info;
    int count = many ? list_length(rest) : 1;
    Clause *clauses = core_alloc(p->c, (size_t)count * sizeof *clauses);
    for (int i = 0; i < count; i++) {
        const Stx *clause = many ? part(p, &rest) : rest;
        const Stx *formals = part(p, &clause);
        clauses[i] = parse_clause(p, formals, part(p, &clause));
    }
    p->proc = outer;
    return core_lambda(p->c, site, info, count, clauses);
}

static Node *parse_loop(Parser *p, const Stx *s, const Stx *rest) {
    const Stx *name = part(p, &rest), *bindings = part(p, &rest);
    int count = list_length(bindings);
    Var **vars = core_alloc(p->c, (size_t)count * sizeof *vars);
    Node **inits = core_alloc(p->c, (size_t)count * sizeof *inits);
    const Stx *b = bindings;
    for (int i = 0; i < count; i++) {
        const Stx *binding = part(p, &b);
        part(p, &binding);
        inits[i] = parse(p, part(p, &binding));
    }
    Var *label = bind(p, name);
    for (int i = 0; i < count; i++, bindings = bindings->as.pair.cdr) {
        const Stx *binding = bindings->as.pair.car;
        vars[i] = bind(p, part(p, &binding));
    }
    const ProcInfo *info = core_proc(label->name, s->pos, p->proc);
    return core_loop(p->c, site_at(p, s), info, label, count, vars, inits,
                     parse(p, part(p, &rest)));
}

static Node *parse_prim(Parser *p, const Stx *s, const Stx *rest) {
    const Stx *name = part(p, &rest);
    const Prim *prim = rt_prim_find(symbol_text(p, name));
    if (!prim) fail(p, name, "no primitive %s", symbol_text(p, name));
    int count;
    Node **args = parse_all(p, rest, &count);
    return core_prim(p->c, site_at(p, s), prim, count, args);
}

/* (constant name) */
static Node *parse_constant(Parser *p, const Stx *s, const Stx *rest) {
    const char *name = symbol_text(p, part(p, &rest));
    for (size_t i = 0; i < BASE_COUNT(core_constants); i++)
        if (!strcmp(name, core_constants[i].name))
            return core_const(p->c, site_at(p, s), core_constants[i].v);
    fail(p, s, "unknown constant %s", name);
}

static Node *parse_quote(Parser *p, const Stx *s, const Stx *rest) {
    return core_const(p->c, site_at(p, s), read_to_value(p->c->m, part(p, &rest), true));
}

static Node *parse_set(Parser *p, const Stx *s, const Stx *rest) {
    Var *v = use(p, part(p, &rest));
    return core_set_local(p->c, site_at(p, s), v, parse(p, part(p, &rest)));
}

static Node *parse_set_global(Parser *p, const Stx *s, const Stx *rest, bool define) {
    Global *g = parse_global(p, part(p, &rest));
    return core_set_global(p->c, site_at(p, s), g, parse(p, part(p, &rest)), define);
}

static Node *parse_form(Parser *p, const Stx *s, NodeKind kind, const Stx *rest) {
    int count;
    switch (kind) {
    case N_CONST: return parse_quote(p, s, rest);
    case N_GLOBAL: return core_global(p->c, site_at(p, s), parse_global(p, s));
    case N_SET_LOCAL: return parse_set(p, s, rest);
    case N_SET_GLOBAL: return parse_set_global(p, s, rest, false);
    case N_IF: {
        Node *parts[3];
        for (int i = 0; i < 3; i++) parts[i] = parse(p, part(p, &rest));
        return core_if(p->c, site_at(p, s), parts[0], parts[1], parts[2]);
    }
    case N_LET:
    case N_LETREC: return parse_let(p, s, rest, kind == N_LETREC);
    case N_LAMBDA: return parse_lambda(p, s, rest, false);
    case N_CALL: {
        Node *callee = parse(p, part(p, &rest));
        Node **args = parse_all(p, rest, &count);
        return core_call(p->c, site_at(p, s), callee, count, args);
    }
    case N_PRIM: return parse_prim(p, s, rest);
    case N_SEQ: {
        Node **items = parse_all(p, rest, &count);
        if (count < 2) fail(p, s, "begin needs two parts at least");
        return core_seq(p->c, site_at(p, s), count, items);
    }
    case N_LOOP: return parse_loop(p, s, rest);
    case N_NEXT: {
        Var *label = use(p, part(p, &rest));
        Node **args = parse_all(p, rest, &count);
        return core_next(p->c, site_at(p, s), label, count, args);
    }
    default: fail(p, s, "unknown form");
    }
}

static Node *parse(Parser *p, const Stx *s) {
    static const char *const heads[N_COUNT] = {
#define NODE(kind, field, head) [N_##kind] = head,
#include "core/nodes.def"
#undef NODE
    };
    if (is_symbol_stx(s)) return core_local(p->c, site_at(p, s), use(p, s));
    if (s->kind != STX_PAIR) fail(p, s, "expected a form");
    const Stx *rest = s;
    const char *head = symbol_text(p, part(p, &rest));
    if (!strcmp(head, "define-global")) return parse_set_global(p, s, rest, true);
    if (!strcmp(head, "case-lambda")) return parse_lambda(p, s, rest, true);
    if (!strcmp(head, "constant")) return parse_constant(p, s, rest);
    for (int kind = 0; kind < N_COUNT; kind++)
        if (heads[kind][0] && !strcmp(head, heads[kind])) return parse_form(p, s, kind, rest);
    fail(p, s, "unknown form %s", head);
}

static Node *parse_text(Parser *p, Reader *r) {
    ReadError error;
    Stx *s = read_datum(r, &error);
    if (!s) {
        snprintf(p->error, p->error_size, "%u:%u: %s", error.pos.line, error.pos.column,
                 error.message[0] ? error.message : "no form");
        return NULL;
    }
    if (setjmp(p->failed)) return NULL;
    Node *n = parse(p, s);
    core_count_uses(n);
    return n;
}

Node *core_parse(CoreContext *c, const char *text, char *error, size_t error_size) {
    SourceFile *file = rt_forever_alloc(sizeof *file);
    *file = (SourceFile){"<core>", text, strlen(text)};
    Reader *r = read_open(c->m, c->arena, file);
    Parser p = {.c = c, .error = error, .error_size = error_size};
    p.proc = core_proc("", (SrcPos){file, 1, 1}, NULL);
    Node *n = parse_text(&p, r);
    file->text = NULL;
    read_close(r);
    base_map_free(&p.vars);
    return n;
}
