/* core.h: the door of the core language: the small tree language between the expander and the code
 * generators.
 *
 * Nodes live in an arena and are freed with it; constants in them are Values, which is sound
 * because C never collects: an arena never outlives the C call that made it, except for procedures
 * kept for inlining, which hold no heap constant but symbols. Passes may rebuild or change
 * nodes in place. The evaluation order of a call's operator and operands is left to right. Nothing
 * is shared: a node has one parent (checked by core_check). */
#ifndef HONE_CORE_CORE_H
#define HONE_CORE_CORE_H

#include <stdio.h>
#include "base/base.h"
#include "rt/global.h"
#include "rt/prim.h"
#include "rt/site.h"

typedef enum NodeKind {
#define NODE(kind, field, head) N_##kind,
#include "core/nodes.def"
#undef NODE
    N_COUNT
} NodeKind;

typedef struct Node Node;

typedef struct Var {
    const char *name; /* as written in the source */
    uint32_t id;      /* unique within a compilation */
    /* Filled by core_count_uses; a pass that changes uses calls it again or keeps them right. */
    uint32_t refs, sets;
    Node *bound;   /* the init of the let or letrec that binds it, else NULL */
    void *scratch; /* the running pass's own */
} Var;

typedef struct Clause {
    Var **params; /* required, then the rest parameter when REST */
    int nparams;  /* with the rest parameter */
    bool rest;
    Node *body;
} Clause;

struct Node {
    NodeKind kind;
    const Site *site;
    union {
        Value constant;
        Var *local;
        Global *global;
        struct {
            Var *var;
            Node *value;
        } set_local;
        struct {
            Global *global;
            Node *value;
            bool define;
        } set_global;
        struct {
            Node *test, *then, *otherwise;
        } branch;
        struct {
            Var **vars;
            Node **inits;
            int count;
            Node *body;
        } let;
        struct {
            const ProcInfo *info;
            Clause *clauses;
            int count;
        } lambda;
        struct {
            Node *callee;
            Node **args;
            int count;
        } call;
        struct {
            const Prim *prim;
            Node **args;
            int count;
        } prim;
        struct {
            Node **items;
            int count;
        } seq;
        struct {
            Var *label;
            Var **vars;
            Node **inits;
            int count;
            Node *body;
            const ProcInfo *info;
        } loop;
        struct {
            Var *label;
            Node **args;
            int count;
        } next;
    } as;
};

/* What a compilation works in. */
typedef struct CoreContext {
    struct base_arena *arena; /* for nodes */
    Mutator *m;
    uint32_t next_var;
} CoreContext;

/* ---- constructors: never fail ---- */
Node *core_const(CoreContext *c, const Site *site, Value v);
Node *core_local(CoreContext *c, const Site *site, Var *v);
Node *core_global(CoreContext *c, const Site *site, Global *g);
Node *core_set_local(CoreContext *c, const Site *site, Var *v, Node *value);
Node *core_set_global(CoreContext *c, const Site *site, Global *g, Node *value, bool define);
Node *core_if(CoreContext *c, const Site *site, Node *test, Node *then, Node *otherwise);
Node *core_let(CoreContext *c, const Site *site, int count, Var **vars, Node **inits, Node *body);
Node *core_letrec(CoreContext *c, const Site *site, int count, Var **vars, Node **inits,
                  Node *body);
Node *core_lambda(CoreContext *c, const Site *site, const ProcInfo *info, int count,
                  Clause *clauses);
Node *core_call(CoreContext *c, const Site *site, Node *callee, int count, Node **args);
Node *core_prim(CoreContext *c, const Site *site, const Prim *prim, int count, Node **args);
Node *core_seq(CoreContext *c, const Site *site, int count, Node **items); /* one item: that item */
Node *core_loop(CoreContext *c, const Site *site, const ProcInfo *info, Var *label, int count,
                Var **vars, Node **inits, Node *body);
Node *core_next(CoreContext *c, const Site *site, Var *label, int count, Node **args);
Var *core_var(CoreContext *c, const char *name);
void *core_alloc(CoreContext *c, size_t bytes);

/* Sites and procedures, from the arena that is never freed. */
const Site *core_site(SrcPos pos, const ProcInfo *proc, const Site *caller);
const ProcInfo *core_proc(const char *name, SrcPos pos, const ProcInfo *outer);

/* ---- walking ---- */
/* Calls f(context, &child) on each child of N, in evaluation order. f may replace the child. */
void core_each_child(Node *n, void (*f)(void *context, Node **child), void *context);
/* A deep copy with fresh variables; each site of the copy is the old one with CALLER appended to
 * the end of its chain of inlinings (CALLER NULL: sites are kept). */
Node *core_copy(CoreContext *c, Node *n, const Site *caller);
/* Number of nodes, counting stops at LIMIT. */
int core_size(const Node *n, int limit);
/* Sets refs, sets and bound of every variable bound in N. */
void core_count_uses(Node *n);

/* ---- text ---- */
void core_print(FILE *out, const Node *n); /* indented, one form a line where it is long */
/* Reads what core_print printed (pass tests are text in, text out). NULL and a message in ERROR on
 * bad text. Globals and primitives are found by name. */
Node *core_parse(CoreContext *c, const char *text, char *error, size_t error_size);
/* Checks scope, single parents, tail position of NEXT, counts. NULL: sound; else a static or arena
 * message. */
const char *core_check(CoreContext *c, Node *n);

#endif
