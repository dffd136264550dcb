/* What the files of expand/ share. See the essay in env.c on identifiers and scopes. */
#ifndef HONE_EXPAND_INTERNAL_H
#define HONE_EXPAND_INTERNAL_H

#include <setjmp.h>

#include "expand/expand.h"
#include "os/os.h"

typedef struct Scope Scope;
typedef struct Macro Macro;
typedef struct Library Library;
typedef struct Body Body;
typedef struct Form Form;

enum {
    MAX_DEPTH = 5000, /* nesting of code: passes over core recurse, a few hundred bytes a level */
    MAX_STACK =
        3 << 20, /* bytes of C stack that expanding may take, of the 8 MiB that threads have */
    MAX_CHAIN = 100000,      /* macro uses that expand to macro uses, in one place */
    DEFAULT_MEMORY = 1 << 30 /* bytes that one expansion may take */
};

/* ---- forms ---- */
typedef enum FormId {
#define FORM(id, name, syntax, least, most, scan, expand) FORM_##id,
#include "expand/forms.def"
#undef FORM
    FORM_COUNT
} FormId;

/* P[0..N-1] are the parts of FORM, its keyword first; their number has been checked. */
typedef Node *FormExpand(Expander *x, Stx *form, Stx **p, int n, Scope *scope);
typedef void FormScan(Expander *x, Body *body, Stx *form, Stx **p, int n);
struct Form {
    FormId id;
    const char *name, *syntax;
    int least, most;
    FormScan *scan;
    FormExpand *expand;
};
extern const Form expand_forms[FORM_COUNT];

FormExpand expand_form_quote, expand_form_quasiquote, expand_form_lambda, expand_form_named_lambda,
    expand_form_case_lambda, expand_form_if, expand_form_set, expand_form_let, expand_form_let_star,
    expand_form_letrec, expand_form_do, expand_form_cond, expand_form_case, expand_form_and,
    expand_form_or, expand_form_when, expand_form_begin, expand_form_let_values,
    expand_form_let_star_values, expand_form_receive, expand_form_parameterize, expand_form_guard,
    expand_form_delay, expand_form_assert, expand_form_let_syntax, expand_form_syntax_error,
    expand_form_cond_expand, expand_form_include;
FormScan expand_scan_begin, expand_scan_syntax_error, expand_scan_cond_expand, expand_scan_include,
    expand_scan_define, expand_scan_define_values, expand_scan_define_syntax,
    expand_scan_define_record_type, expand_scan_import, expand_scan_define_library;

/* ---- what an identifier denotes ---- */
typedef enum DenotKind { DENOT_VAR, DENOT_GLOBAL, DENOT_MACRO, DENOT_FORM } DenotKind;

/* A record type's fields with those it inherits, known to constructors and subtypes. */
typedef struct RecordInfo {
    int count;
    Value *fields; /* symbols */
} RecordInfo;

/* Its address is the identity of a binding: an import shares it with the exporting library. */
typedef struct Denot {
    DenotKind kind;
    bool defined; /* GLOBAL: not only referred to */
    union {
        Var *var;
        Global *global;
        Macro *macro;
        const Form *form;
    } as;
    const RecordInfo *record; /* of a record type's name */
} Denot;

typedef struct Binding {
    uint64_t key;
    struct Binding *shadowed; /* of the same key, further out */
    struct Binding *next;     /* in the same scope */
    uint32_t depth;
    Denot denot;
} Binding;

struct Scope {
    Scope *outer;
    Env *top;
    uint32_t depth; /* 0: the top level */
    Binding *bindings;
};

struct Env {
    Scope root;
    base_map table; /* key -> Denot with the ENV bits below */
    /* Libraries imported whole whose names come into the table when they are first asked for:
     * Hone's own libraries import hundreds of names for the few that each needs. */
    Library **pending;
    int pending_count, pending_capacity;
    const char *library; /* "" for programs */
    bool interactive;    /* of the REPL or eval: any name may be defined again */
    bool passing;        /* of a program: it ends with the call, and with it its macros */
};
enum {
    ENV_IMPORTED = 1,
    ENV_EXPLICIT = 2 /* by a name that the import set spells */,
    ENV_BITS = 3
};

/* The meaning of an identifier. DENOT is NULL if it is unbound: then TOP and KEY say where a
 * reference would make a global of the name SYMBOL. */
typedef struct Meaning {
    Denot *denot;
    bool imported;
    Env *top;
    uint64_t key;
    Value symbol;
} Meaning;

/* ---- the expander ---- */
enum library_state { LIBRARY_NEW, LIBRARY_LOADING, LIBRARY_READY };
struct Library {
    const char *name;
    enum library_state state;
    Env *env;         /* NULL: made in C */
    base_map exports; /* symbol -> Denot */
};

struct Expander {
    os_mutex lock;
    base_arena arena; /* for ever */
    const char **paths;
    int path_count;
    const SourceFile *(*builtin)(const char *name);
    void (*read_hook)(const SourceFile *file);
    bool (*resident)(const char *library); /* NULL: none is */
    base_strmap libraries;                 /* name -> Library */
    base_map builtin_files;                /* SourceFile -> its folder, for includes */
    Denot forms[FORM_COUNT];
    Library *base; /* (hone base) */
    Global *kept;  /* a vector of literals in templates that must outlive a call */
    size_t kept_count;
    size_t memory;

    /* Of the call under way. */
    Mutator *m;
    CoreContext *core;
    base_arena tree; /* syntax, scopes, local macros */
    base_map lexical;
    base_map index; /* of one function at a time: fields of a record type, names of an import set */
    base_map macro_vars, macro_inserts; /* macro.c: key -> index + 1 in the rule being compiled */
    const ProcInfo *proc;               /* the procedure whose code is being expanded */
    const Site *site; /* of the innermost call, for variables and constants in it */
    const char *hint; /* a name for the lambda that comes next, or NULL */
    uint32_t next_alias;
    int depth;
    const char *stack;           /* where the C stack was when the call began */
    BASE_VEC(Library *) loading; /* innermost last */
    BASE_VEC(Library *) loaded;  /* in this call */
    BASE_VEC(Unit) units;
    ExpandError *error;
    jmp_buf failed;
};

/* ---- failures (expand.c) ---- */
_Noreturn void expand_fail(Expander *x, SrcPos pos, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void expand_fail_code(Expander *x, enum error_code code, SrcPos pos, const char *format,
                                ...) __attribute__((format(printf, 4, 5)));
/* S as text, at most 60 bytes or so, in the call's arena. */
const char *expand_text(Expander *x, const Stx *s);
/* Stops expansions that take too much memory. */
void expand_check_memory(Expander *x, SrcPos pos);
/* Accounts for COUNT levels of nesting; expand_leave takes them back. */
void expand_enter(Expander *x, SrcPos pos, int count);
static inline void expand_leave(Expander *x, int count) { x->depth -= count; }

/* ---- syntax (env.c) ---- */
static inline StxKind stx_kind(Expander *x, Stx *s) {
    if (unlikely(s->foreign)) read_unfold(&x->tree, s);
    return s->kind;
}
static inline bool stx_is_pair(Expander *x, Stx *s) { return stx_kind(x, s) == STX_PAIR; }
static inline bool stx_is_identifier(const Stx *s) {
    return s->kind == STX_ALIAS || (s->kind == STX_ATOM && is_symbol(s->as.atom));
}
Value expand_stx_symbol(const Stx *id); /* the symbol behind aliases */
static inline uint64_t stx_key(const Stx *id) {
    return id->kind == STX_ALIAS ? (uint64_t)id->as.alias.id << 3 | 1 : id->as.atom;
}
const char *expand_stx_name(const Stx *id);
Stx *expand_stx_new(Expander *x, StxKind kind, SrcPos pos);
Stx *expand_stx_pair(Expander *x, SrcPos pos, Stx *car, Stx *cdr);
/* The items of a proper list, in the call's arena; -1: it is none. */
int expand_stx_items(Expander *x, Stx *list, Stx ***items);
Stx *expand_stx_vector_list(Expander *x, const Stx *v); /* the items of a vector as a list */
/* A growing array in the call's arena, so that a failure leaves nothing behind. Zero-initialised it
 * is empty. */
#define EX_PUSH(x, v, ...)                                                                         \
    ((v)->len < (v)->cap                                                                           \
         ? (void)0                                                                                 \
         : (void)((v)->at = expand_grow((x), (v)->at, (v)->len, &(v)->cap, sizeof *(v)->at)),      \
     (v)->at[(v)->len++] = (__VA_ARGS__), (void)0)
void *expand_grow(Expander *x, void *at, size_t len, size_t *cap, size_t item_size);
#define EX_NEW(x, type, n) BASE_NEW_ARRAY(&(x)->tree, type, (size_t)(n))
#define NODES(x, n)        ((Node **)core_alloc((x)->core, (size_t)(n) * sizeof(Node *)))
#define VARS(x, n)         ((Var **)core_alloc((x)->core, (size_t)(n) * sizeof(Var *)))

/* ---- scopes and environments (env.c) ---- */
Scope *expand_scope_enter(Expander *x, Scope *outer);
void expand_scope_leave(Expander *x, Scope *scope);
/* Binds ID in SCOPE. Fails if the same identifier is bound there already. */
Denot *expand_scope_bind(Expander *x, Scope *scope, Stx *id, DenotKind kind);
Var *expand_scope_bind_var(Expander *x, Scope *scope, Stx *id);
Meaning expand_resolve(Expander *x, const Stx *id, Scope *scope);
/* The keyword's form if S is an identifier that means one, else FORM_COUNT. */
FormId expand_form_of(Expander *x, Stx *s, Scope *scope);
bool expand_is_auxiliary(Expander *x, Stx *s, Scope *scope, FormId id);
Env *expand_env_new(Expander *x, const char *library, bool interactive);
Denot *expand_env_define(Expander *x, Env *env, Stx *id);
Denot *expand_env_define_macro(Expander *x, Env *env, Stx *id);
Denot *expand_env_refer(Expander *x,
                        const Meaning *meaning); /* makes a global for an unbound name */
/* The table's entry of KEY, an import that is still pending included; NULL: none. */
uint64_t *expand_env_find(Expander *x, Env *env, uint64_t key);
void expand_env_import_later(Expander *x, Env *env, Library *l);
void expand_env_import(Expander *x, Env *env, Value symbol, Denot *denot, unsigned bits,
                       SrcPos pos);
Denot *expand_denot_new(Expander *x, DenotKind kind);

/* ---- expressions (expr.c) ---- */
Node *expand_expr(Expander *x, Stx *s, Scope *scope);
/* S without the macro uses at its head. *FORM is its keyword's form, or NULL if it has none. */
Stx *expand_head(Expander *x, Stx *s, Scope *scope, const Form **form);
/* The same as expand_expr where only truth counts: `or` needs no variable. */
Node *expand_test(Expander *x, Stx *s, Scope *scope);
Node *expand_named(Expander *x, Stx *s, Scope *scope, const char *name);
/* Expressions in sequence; FORM names the form if there are none. */
Node *expand_sequence(Expander *x, Stx *form, Stx **items, int count, Scope *scope);
/* The parts of a form whose keyword means F, with their number checked. */
int expand_form_parts(Expander *x, const Form *f, Stx *form, Stx ***parts);
_Noreturn void expand_form_fail(Expander *x, const Stx *form, const Stx *at, const char *what);
Node *expand_lambda(Expander *x, SrcPos pos, const char *name, Stx *formals, Stx **body, int count,
                    Stx *form, Scope *scope);
/* A procedure of no parameters around one expression or body. */
Node *expand_make_thunk(Expander *x, SrcPos pos, const ProcInfo *info, Node *body);
static inline const Site *site_of(Expander *x, SrcPos pos) { return core_site(pos, x->proc, NULL); }
Node *expand_unspecific(Expander *x, SrcPos pos);
Node *expand_prim_node(Expander *x, const Site *site, const char *name, int count, ...);
Node *expand_call_node(Expander *x, const Site *site, Node *callee, int count, ...);
Node *expand_const_node(Expander *x, const Site *site, Value v);
Node *expand_helper(Expander *x, const Site *site,
                    const char *name); /* a variable of (hone base) */

/* cond.c, for guard: OTHERWISE is what to do when no clause matches. */
Node *expand_clauses(Expander *x, Stx *form, Stx **clauses, int count, Scope *scope,
                     Node *otherwise);

/* ---- bodies (body.c) ---- */
typedef enum ItemKind {
    ITEM_EXPRESSION, /* stx */
    ITEM_DEFINE,     /* target = stx */
    ITEM_LAMBDA,     /* target = a lambda: stx is the form, formals and parts its pieces */
    ITEM_NODE,       /* target = node */
    ITEM_VALUES,     /* targets = stx */
} ItemKind;

typedef struct Item {
    ItemKind kind;
    bool rest; /* VALUES: the last target takes a list */
    int count; /* LAMBDA: of the body's forms; VALUES: of targets */
    Stx *form, *stx;
    Denot *target;
    const char *name;
    union {
        Node *node;      /* NODE */
        Stx **parts;     /* LAMBDA: the body */
        Denot **targets; /* VALUES */
    } as;
} Item;

struct Body {
    Scope *scope;
    Item *items;
    int count, capacity;
    bool defines;
};
/* A place for a definition of ID in that body: a global at top level, else a variable. */
Denot *expand_body_define(Expander *x, Body *body, Stx *id);
Denot *expand_body_define_macro(Expander *x, Body *body, Stx *id);
void expand_body_add(Expander *x, Body *body, Item item);
void expand_scan_form(Expander *x, Body *body, Stx *s);
Node *expand_body(Expander *x, Stx *form, Stx **forms, int count, Scope *scope);
/* The forms of a program, library or REPL entry, as a unit. */
void expand_toplevel(Expander *x, Env *env, Stx **forms, int count, Unit *unit);

/* ---- values.c ---- */
/* Splits FORMALS: the identifiers, the rest one last. */
int expand_formals_items(Expander *x, Stx *form, Stx *formals, Stx ***ids, bool *rest);
/* What TEMP is bound to, and what the I-th variable is then. */
Node *expand_values_temp(Expander *x, const Site *site, Node *value, int count, bool rest);
Node *expand_values_part(Expander *x, const Site *site, Var *temp, int i, int count, bool rest);

/* ---- macros (macro.c, match.c) ---- */
/* Makes INTO mean the transformer S: a macro, or what another keyword means. NAME is for messages.
 */
void expand_macro_bind(Expander *x, Denot *into, Stx *s, Scope *scope, const char *name);
Stx *expand_macro_use(Expander *x, const Macro *macro, Stx *use, Scope *scope);

/* ---- libraries (library.c, import.c) ---- */
Library *expand_library_load(Expander *x, Stx *name);
Library *expand_library_named(Expander *x, const char *name); /* made if it is not there */
/* LATER: a whole library's names may wait until they are asked for; clashes are then found as late.
 */
void expand_library_import(Expander *x, Env *env, Stx *import_set, bool later);
void expand_library_define(Expander *x, Stx *form, Stx **p, int n);
bool expand_library_exists(Expander *x, Stx *name);
const char *expand_library_name(Expander *x, Stx *name);
/* The forms of the first clause whose requirement holds, or 0. */
int expand_cond_expand_forms(Expander *x, Stx *form, Stx **p, int n, Stx ***forms);
/* ---- files (source.c) ---- */
/* The datums of FILE. */
int expand_source_datums(Expander *x, const SourceFile *file, bool fold_case, Stx ***datums);
/* The datums of the files named by P[1..N-1], relative to where each name is written. */
int expand_source_include(Expander *x, Stx **p, int n, bool fold_case, Stx ***datums);
/* The file of the library NAME ("srfi/1"), or NULL; WHY gets the places searched. */
const SourceFile *expand_source_library(Expander *x, SrcPos pos, const char *name,
                                        const char **why);
bool expand_source_library_exists(Expander *x, const char *name);

#endif
