/* print.c: core as text.
 *
 * Two steps, each linear. The tree becomes one flat line; then the line is laid out: a form that
 * fits on what is left of its line stays whole, a longer one keeps its head and the atoms behind
 * it, and puts every other part on a line of its own, two columns in. */
#include "core/internal.h"

#include <stdlib.h>

#include "rt/rt.h"
#include "rt/string.h"
#include "rt/write.h"

enum { LINE_WIDTH = 100 };

static const char *const heads[N_COUNT] = {
#define NODE(kind, field, head) [N_##kind] = head,
#include "core/nodes.def"
#undef NODE
};

/* Whether the printed form always begins with the table's head. */
static bool has_plain_head(NodeKind kind) {
    return kind != N_CONST && kind != N_LOCAL && kind != N_GLOBAL && kind != N_SET_GLOBAL &&
           kind != N_LAMBDA;
}

/* ---- the flat text ---- */

typedef struct Printer {
    base_buf text;
    Mutator *m;
} Printer;

static void flat(Printer *p, const Node *n);

static void put_symbol(Printer *p, const char *name) {
    rt_write_symbol(p->m, &p->text, rt_intern_c(p->m, name));
}

static void put_var(Printer *p, const Var *v) {
    char name[512];
    snprintf(name, sizeof name, "%.480s.%u", v->name, v->id);
    put_symbol(p, name);
}

static void put_global(Printer *p, const Global *g) {
    base_buf_puts(&p->text, "(global ");
    if (g->library[0]) base_buf_printf(&p->text, "%s ", g->library);
    put_symbol(p, g->name);
    base_buf_putc(&p->text, ')');
}

static void put_items(Printer *p, Node **items, int count) {
    for (int i = 0; i < count; i++) {
        base_buf_putc(&p->text, ' ');
        flat(p, items[i]);
    }
}

static void put_constant(Printer *p, Value v) {
    for (size_t i = 0; i < BASE_COUNT(core_constants); i++)
        if (core_constants[i].v == v) {
            base_buf_printf(&p->text, "(constant %s", core_constants[i].name);
            return;
        }
    base_buf_puts(&p->text, "(quote ");
    rt_write(p->m, &p->text, v, RT_WRITE, 0);
}

/* ((x.3 e) ...) */
static void put_bindings(Printer *p, Var **vars, Node **inits, int count) {
    base_buf_putc(&p->text, '(');
    for (int i = 0; i < count; i++) {
        base_buf_puts(&p->text, i ? " (" : "(");
        put_var(p, vars[i]);
        put_items(p, &inits[i], 1);
        base_buf_putc(&p->text, ')');
    }
    base_buf_puts(&p->text, ") ");
}

static void put_formals(Printer *p, const Clause *c) {
    if (c->rest && c->nparams == 1) {
        put_var(p, c->params[0]);
        return;
    }
    base_buf_putc(&p->text, '(');
    for (int i = 0; i < c->nparams; i++) {
        bool rest = c->rest && i == c->nparams - 1;
        if (i) base_buf_puts(&p->text, rest ? " . " : " ");
        put_var(p, c->params[i]);
    }
    base_buf_putc(&p->text, ')');
}

/* Prints all but the body of a lambda of one clause, and returns that body; prints others whole but
 * for their last parenthesis. */
static const Node *put_lambda(Printer *p, const Node *n) {
    bool single = n->as.lambda.count == 1;
    base_buf_puts(&p->text, single ? "(lambda " : "(case-lambda ");
    put_symbol(p, n->as.lambda.info ? n->as.lambda.info->name : "lambda");
    for (int i = 0; i < n->as.lambda.count; i++) {
        const Clause *c = &n->as.lambda.clauses[i];
        base_buf_puts(&p->text, single ? " " : " (");
        put_formals(p, c);
        base_buf_putc(&p->text, ' ');
        if (single) return c->body;
        flat(p, c->body);
        base_buf_putc(&p->text, ')');
    }
    return NULL;
}

/* Prints N but for its last child, which is returned, and as many parentheses as must follow it,
 * counted in *CLOSE. */
static const Node *put_node(Printer *p, const Node *n, size_t *close) {
    base_buf *out = &p->text;
    *close += n->kind != N_LOCAL && n->kind != N_GLOBAL;
    if (has_plain_head(n->kind)) base_buf_printf(out, "(%s ", heads[n->kind]);
    switch (n->kind) {
    case N_CONST: put_constant(p, n->as.constant); break;
    case N_LOCAL: put_var(p, n->as.local); break;
    case N_GLOBAL: put_global(p, n->as.global); break;
    case N_SET_LOCAL:
        put_var(p, n->as.set_local.var);
        base_buf_putc(out, ' ');
        return n->as.set_local.value;
    case N_SET_GLOBAL:
        base_buf_puts(out, n->as.set_global.define ? "(define-global " : "(set-global! ");
        put_global(p, n->as.set_global.global);
        base_buf_putc(out, ' ');
        return n->as.set_global.value;
    case N_IF:
        flat(p, n->as.branch.test);
        put_items(p, (Node **)&n->as.branch.then, 1);
        base_buf_putc(out, ' ');
        return n->as.branch.otherwise;
    case N_LET:
    case N_LETREC:
        put_bindings(p, n->as.let.vars, n->as.let.inits, n->as.let.count);
        return n->as.let.body;
    case N_LAMBDA: return put_lambda(p, n);
    case N_CALL:
        flat(p, n->as.call.callee);
        put_items(p, n->as.call.args, n->as.call.count);
        break;
    case N_PRIM:
        put_symbol(p, n->as.prim.prim->name);
        put_items(p, n->as.prim.args, n->as.prim.count);
        break;
    case N_SEQ:
        out->len--;
        put_items(p, n->as.seq.items, n->as.seq.count - 1);
        base_buf_putc(out, ' ');
        return n->as.seq.items[n->as.seq.count - 1];
    case N_LOOP:
        put_var(p, n->as.loop.label);
        base_buf_putc(out, ' ');
        put_bindings(p, n->as.loop.vars, n->as.loop.inits, n->as.loop.count);
        return n->as.loop.body;
    case N_NEXT:
        put_var(p, n->as.next.label);
        put_items(p, n->as.next.args, n->as.next.count);
        break;
    case N_COUNT: break;
    }
    return NULL;
}

static void flat(Printer *p, const Node *n) {
    size_t close = 0;
    while (n) n = put_node(p, n, &close);
    base_buf_fill(&p->text, ')', close);
}

/* ---- laying out ---- */

typedef struct Layout {
    FILE *out;
    const char *text;
    size_t length;
    size_t *end; /* of the form that begins at each parenthesis: the index behind it */
    size_t column;
} Layout;

/* The index behind the atom at I. */
static size_t atom_end(const Layout *l, size_t i) {
    const char *t = l->text;
    for (char quote = 0; i < l->length; i++) {
        if (t[i] == '\\' && quote)
            i++;
        else if (quote)
            quote = t[i] == quote ? 0 : quote;
        else if (t[i] == '"' || t[i] == '|')
            quote = t[i];
        else if (t[i] == '#' && t[i + 1] == '\\')
            i += 2;
        else if (t[i] == '(' || t[i] == ')' || t[i] == ' ')
            break;
    }
    return i;
}

static void find_ends(Layout *l) {
    BASE_VEC(size_t) open = {0};
    for (size_t i = 0; i < l->length;) {
        char c = l->text[i];
        if (c == '(')
            BASE_PUSH(&open, i);
        else if (c == ')') {
            size_t start = BASE_POP(&open);
            l->end[start] = i + 1;
        } else if (c != ' ') {
            i = atom_end(l, i);
            continue;
        }
        i++;
    }
    BASE_VEC_FREE(&open);
}

static void emit(Layout *l, size_t from, size_t to) {
    fwrite(l->text + from, 1, to - from, l->out);
    l->column += to - from;
}

static void new_line(Layout *l, size_t indent) {
    fprintf(l->out, "\n%*s", (int)indent, "");
    l->column = indent;
}

/* Writes the form or atom at I and returns the index behind it. CLOSERS parentheses follow it on
 * its line. */
static size_t lay(Layout *l, size_t i, size_t closers) {
    bool list = l->text[i] == '(';
    size_t end = list ? l->end[i] : atom_end(l, i);
    if (!list || l->column + (end - i) + closers <= LINE_WIDTH) {
        emit(l, i, end);
        return end;
    }
    size_t indent = l->column + (l->text[i + 1] == '(' ? 1 : 2);
    bool head = true;
    emit(l, i, i + 1);
    for (i++; i < end - 1;) {
        if (l->text[i] == ' ') {
            i++;
            head = head && l->text[i] != '(';
            if (head)
                emit(l, i - 1, i);
            else
                new_line(l, indent);
        }
        size_t behind = l->text[i] == '(' ? l->end[i] : atom_end(l, i);
        i = lay(l, i, behind == end - 1 ? closers + 1 : 0);
    }
    emit(l, end - 1, end);
    return end;
}

void core_print(FILE *out, const Node *n) {
    Printer p = {.m = &rt_current()->m};
    flat(&p, n);
    Layout l = {.out = out, .text = base_buf_str(&p.text), .length = p.text.len};
    l.end = base_calloc(l.length + 1, sizeof *l.end);
    find_ends(&l);
    lay(&l, 0, 0);
    putc('\n', out);
    free(l.end);
    base_buf_free(&p.text);
}
