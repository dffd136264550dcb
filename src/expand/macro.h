/* macro.h: compiled syntax-rules. Private to macro.c and match.c. */
#ifndef HONE_EXPAND_MACRO_H
#define HONE_EXPAND_MACRO_H

#include "expand/internal.h"

/* A literal of a pattern or template. What may move or die at a collection is kept by the
 * expander's vector if the macro outlives the call. */
typedef struct Literal {
    Value value;
    int64_t kept; /* index in that vector, or -1 */
} Literal;

typedef enum PatternKind {
    PATTERN_ANY,
    PATTERN_VAR,
    PATTERN_LITERAL, /* an identifier of the literals list */
    PATTERN_NIL,
    PATTERN_PAIR,
    PATTERN_ELLIPSIS, /* item ... tail */
    PATTERN_VECTOR,   /* the items as a list pattern */
    PATTERN_DATUM,
} PatternKind;

typedef struct Pattern Pattern;
struct Pattern {
    PatternKind kind;
    union {
        int var;
        Stx *literal;
        struct {
            Pattern *car, *cdr;
        } pair;
        struct {
            Pattern *item, *tail;
            int after;       /* pairs that the tail needs */
            int first, last; /* the item's variables are first..last-1 */
        } ellipsis;
        Pattern *vector;
        Literal datum;
    } as;
};

typedef enum TemplateKind {
    TEMPLATE_VAR,
    TEMPLATE_INSERT, /* an identifier that becomes an alias */
    TEMPLATE_DATUM,
    TEMPLATE_NIL,
    TEMPLATE_PAIR,
    TEMPLATE_ELLIPSIS, /* item ... tail */
    TEMPLATE_VECTOR,   /* the items as a list template */
} TemplateKind;

/* The variables that one ellipsis steps through. */
typedef struct Level {
    int count;
    int *vars;
} Level;

typedef struct Template Template;
struct Template {
    TemplateKind kind;
    union {
        int index; /* VAR, INSERT */
        Literal datum;
        struct {
            Template *car, *cdr;
        } pair;
        struct {
            Template *item, *tail;
            int depth; /* ellipses behind the item */
            Level *levels;
        } ellipsis;
        Template *vector;
    } as;
};

typedef struct Rule {
    Pattern *pattern; /* of the use without its keyword */
    Template *template;
    int var_count, insert_count;
    Stx **inserts; /* the identifiers of TEMPLATE_INSERT */
} Rule;

struct Macro {
    const char *name;
    Scope *scope; /* of its definition */
    int count;
    Rule *rules;
};

#endif
