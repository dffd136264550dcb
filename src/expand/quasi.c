/* quasi.c: quasiquote. What has no part to compute is one constant; a list is made of runs of
 * elements and spliced lists:
 *
 *   `(a ,b ,@c . d)  =>  (append (list 'a b) c 'd)
 *
 * so that a long list makes no deep nest of conses. */
#include "expand/internal.h"

#include "rt/string.h"

enum { SHORT_RUN = 4 }; /* up to here (cons a (cons b rest)) instead of append */

/* A template's code: a constant, kept as syntax until it is needed, or a node. */
typedef struct Code {
    Stx *constant; /* NULL: node */
    Node *node;
} Code;

static Code quasi(Expander *x, Stx *form, Stx *s, int depth, Scope *scope);

static Node *code_node(Expander *x, Code c) {
    if (c.node) return c.node;
    return expand_const_node(x, site_of(x, c.constant->pos), read_to_value(x->m, c.constant, true));
}

/* Is S (KEYWORD datum)? */
static bool is_form(Expander *x, Stx *s, FormId keyword, Scope *scope) {
    if (!stx_is_pair(x, s) || !stx_is_identifier(s->as.pair.car)) return false;
    if (!stx_is_pair(x, s->as.pair.cdr)) return false;
    if (stx_kind(x, s->as.pair.cdr->as.pair.cdr) != STX_NIL) return false;
    if (keyword == FORM_QUASIQUOTE) return expand_form_of(x, s->as.pair.car, scope) == keyword;
    return expand_is_auxiliary(x, s->as.pair.car, scope, keyword);
}

static Stx *operand(Stx *s) { return s->as.pair.cdr->as.pair.car; }

/* (keyword datum) at another depth: the keyword in front of the code of (datum), in which a splice
 * may stand. */
static Code nested(Expander *x, Stx *form, Stx *s, int depth, Scope *scope) {
    Code inner = quasi(x, form, s->as.pair.cdr, depth, scope);
    if (inner.constant) return (Code){.constant = s};
    const Site *site = site_of(x, s->pos);
    Node *keyword = expand_const_node(x, site, expand_stx_symbol(s->as.pair.car));
    return (Code){.node = expand_prim_node(x, site, "cons", 2, keyword, inner.node)};
}

/* The pieces of a list: elements and splices, in order, and what follows them. */
typedef struct Piece {
    Stx *s;
    Code code;
    bool splice;
} Piece;

typedef BASE_VEC(Piece) Pieces;

static Piece piece(Expander *x, Stx *form, Stx *s, int depth, Scope *scope) {
    if (is_form(x, s, FORM_UNQUOTE_SPLICING, scope)) {
        if (depth == 1) {
            Node *list = expand_expr(x, operand(s), scope);
            return (Piece){.s = s, .code.node = list, .splice = true};
        }
        return (Piece){.s = s, .code = nested(x, form, s, depth - 1, scope)};
    }
    return (Piece){.s = s, .code = quasi(x, form, s, depth, scope)};
}

/* The run of elements PIECES[FROM..TO-1] in front of REST (NULL: the empty list). */
static Node *run_before(Expander *x, const Site *site, const Piece *pieces, int from, int to,
                        Node *rest) {
    if (rest && to - from <= SHORT_RUN) {
        for (int i = to - 1; i >= from; i--)
            rest = expand_prim_node(x, site_of(x, pieces[i].s->pos), "cons", 2,
                                    code_node(x, pieces[i].code), rest);
        return rest;
    }
    Node **args = NODES(x, to - from);
    for (int i = from; i < to; i++) args[i - from] = code_node(x, pieces[i].code);
    Node *list = core_prim(x->core, site, rt_prim_find("list"), to - from, args);
    return rest ? expand_prim_node(x, site, "append", 2, list, rest) : list;
}

/* Joins pieces and the tail (NULL: the empty list). Evaluates left to right: each append takes its
 * left part first. */
static Node *join(Expander *x, const Site *site, const Piece *pieces, int count, Node *tail) {
    int end = count;
    while (end > 0) {
        int begin = end;
        while (begin > 0 && !pieces[begin - 1].splice) begin--;
        if (begin < end) {
            tail = run_before(x, site, pieces, begin, end, tail);
            end = begin;
            continue;
        }
        Node *list = pieces[end - 1].code.node;
        tail = tail ? expand_prim_node(x, site, "append", 2, list, tail) : list;
        end--;
    }
    return tail ? tail : expand_const_node(x, site, V_NIL);
}

static Code quasi_list(Expander *x, Stx *form, Stx *s, int depth, Scope *scope) {
    Stx *rest = s;
    int count = 0;
    bool dynamic = false;
    for (Stx *t = s; stx_is_pair(x, t); t = t->as.pair.cdr) count++;
    Piece *pieces = EX_NEW(x, Piece, count);
    count = 0;
    /* A dotted unquote is (... unquote e): it ends the elements. */
    while (stx_is_pair(x, rest) &&
           !(count && (is_form(x, rest, FORM_UNQUOTE, scope) ||
                       (depth > 1 && is_form(x, rest, FORM_UNQUOTE_SPLICING, scope)) ||
                       is_form(x, rest, FORM_QUASIQUOTE, scope)))) {
        pieces[count] = piece(x, form, rest->as.pair.car, depth, scope);
        dynamic = dynamic || pieces[count].splice || pieces[count].code.node;
        count++;
        rest = rest->as.pair.cdr;
    }
    Code tail = quasi(x, form, rest, depth, scope);
    if (!dynamic && tail.constant) return (Code){.constant = s};
    Node *end = tail.constant && tail.constant->kind == STX_NIL ? NULL : code_node(x, tail);
    const Site *site = site_of(x, s->pos);
    int splices = 0;
    for (int i = 0; i < count; i++) splices += pieces[i].splice;
    expand_enter(x, s->pos, splices);
    expand_leave(x, splices);
    return (Code){.node = join(x, site, pieces, count, end)};
}

static Code quasi_vector(Expander *x, Stx *form, Stx *s, int depth, Scope *scope) {
    int count = s->as.vector.count;
    Piece *pieces = EX_NEW(x, Piece, count);
    bool dynamic = false;
    for (int i = 0; i < count; i++) {
        pieces[i] = piece(x, form, s->as.vector.items[i], depth, scope);
        dynamic = dynamic || pieces[i].splice || pieces[i].code.node;
    }
    if (!dynamic) return (Code){.constant = s};
    const Site *site = site_of(x, s->pos);
    Node *list = join(x, site, pieces, count, NULL);
    return (Code){.node = expand_prim_node(x, site, "list->vector", 1, list)};
}

static Code quasi(Expander *x, Stx *form, Stx *s, int depth, Scope *scope) {
    StxKind kind = stx_kind(x, s);
    if (kind != STX_PAIR && kind != STX_VECTOR) return (Code){.constant = s};
    if (s->shared) return (Code){.constant = s};
    expand_enter(x, s->pos, 1);
    Code c;
    if (kind == STX_VECTOR)
        c = quasi_vector(x, form, s, depth, scope);
    else if (is_form(x, s, FORM_UNQUOTE, scope))
        c = depth == 1 ? (Code){.node = expand_expr(x, operand(s), scope)}
                       : nested(x, form, s, depth - 1, scope);
    else if (is_form(x, s, FORM_QUASIQUOTE, scope))
        c = nested(x, form, s, depth + 1, scope);
    else if (depth == 1 && is_form(x, s, FORM_UNQUOTE_SPLICING, scope))
        expand_form_fail(x, form, s, "unquote-splicing needs a list or vector around it");
    else
        c = quasi_list(x, form, s, depth, scope);
    expand_leave(x, 1);
    return c;
}

Node *expand_form_quasiquote(Expander *x, Stx *form, Stx **p, int n, Scope *scope) {
    (void)n;
    x->hint = NULL;
    return code_node(x, quasi(x, form, p[1], 1, scope));
}
