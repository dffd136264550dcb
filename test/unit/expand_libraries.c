/* Libraries, imports, the REPL's and eval's environments. */
#include "expand_rig.h"

#define LIB(name, body) "(define-library " name " (import (hone syntax) (hone prim)) " body ")"

static const RigFile files[] = {
    {"a.sld",
     LIB("(a)", "(export x f (rename hidden shown)) (begin (define x 1) (define (f) hidden)"
                " (define hidden 2))")},
    {"two/3.sld", LIB("(two 3)", "(export x y) (begin (define x 10)) (include \"3/more.scm\")")},
    {"two/3/more.scm", "(define y 20)"},
    {"again.sld", "(define-library (again) (import (rename (a) (x a-x))) (export a-x shown))"},
    {"macro.sld", LIB("(macro)", "(export get count!) (begin (define n 5) (define (peek) n)"
                                 " (define-syntax get (syntax-rules () ((_) (peek))))"
                                 " (define-syntax count! (syntax-rules () ((_) (set! n 1)))))")},
    {"cycle/1.sld", LIB("(cycle 1)", "(import (cycle 2))")},
    {"cycle/2.sld", LIB("(cycle 2)", "(import (cycle 1))")},
    {"none.sld", LIB("(none)", "(export nothing)")},
    {"wrong.sld", LIB("(other)", "")},
    {"bad.sld", LIB("(bad)", "(begin\n (if))")},
    {"declared.sld", "(define-library (declared) (include-library-declarations \"decl.scm\"))"},
    {"decl.scm", "(import (hone syntax)) (export d) (begin (define d 4))"},
    {"folded.sld", LIB("(folded)", "(export abc) (include-ci \"upper.scm\")")},
    {"upper.scm", "(DEFINE ABC 'XYZ)"},
    {"chosen.sld",
     "(define-library (chosen) (cond-expand (no-such (import (no such))) (else (import"
     " (hone syntax)) (export c) (begin (define c 1)))))"},
    {NULL, NULL}};

/* TEXT, in a fresh expander, expands to CORE, or fails so. */
#define GIVES(text, core)                                                                          \
    do {                                                                                           \
        rig_new(files);                                                                            \
        char *got = rig_expand_plain(text);                                                        \
        CHECK_STR(got, core);                                                                      \
        free(got);                                                                                 \
    } while (0)
#define SAYS(text, part)                                                                           \
    do {                                                                                           \
        rig_new(files);                                                                            \
        char *got = rig_expand_plain(text);                                                        \
        CHECK(got[0] == '!');                                                                      \
        CHECK_HAS(got, part);                                                                      \
        free(got);                                                                                 \
    } while (0)

static void test_imports(void) {
    GIVES("(import (a)) x", "(global (a) x)");
    GIVES("(import (a)) shown", "(global (a) hidden)");
    GIVES("(import (only (a) x)) (f x)", "(call (global f) (global (a) x))");
    GIVES("(import (prefix (a) p:)) (p:f x)", "(call (global (a) f) (global x))");
    GIVES("(import (rename (a) (x z))) (x z)", "(call (global x) (global (a) x))");
    GIVES("(import (except (a) x)) (f x)", "(call (global (a) f) (global x))");
    GIVES("(import (prefix (only (rename (a) (x z)) z) p-)) p-z", "(global (a) x)");
    GIVES("(import (a) (only (two 3) y)) (f y)", "(call (global (a) f) (global (two 3) y))");
    GIVES("(import (again)) (a-x shown)", "(call (global (a) x) (global (a) hidden))");
    GIVES("(import (a) (again)) shown", "(global (a) hidden)");
    GIVES("(import (declared)) d", "(global (declared) d)");
    GIVES("(import (folded)) abc", "(global (folded) abc)");
    GIVES("(import (chosen)) c", "(global (chosen) c)");
    GIVES("(import (a)) (import (two 3))", "!1:22 x is imported twice with different bindings "
                                           "((a) and (two 3))");
    GIVES("(define-library (mine) (export q) (import (hone syntax)) (begin (define q 1)))"
          "(import (mine)) q",
          "(global (mine) q)");
}

/* What a macro of a library refers to is that library's, exported or not. */
static void test_library_macros(void) {
    GIVES("(import (macro)) (get)", "(call (global (macro) peek))");
    GIVES("(import (macro) (hone syntax)) (define (peek) 0) (get)",
          "(define-global (global peek) (lambda peek () (quote 0)))(call (global (macro) peek))");
    GIVES("(import (macro)) (count!)", "(set-global! (global (macro) n) (quote 1))");
}

static void test_faults(void) {
    SAYS("(import (no such thing))", "library (no such thing) not found; searched: the libraries");
    SAYS("(import (only (a) nope))", "1:19 (a) does not export nope");
    SAYS("(import (rename (a) (nope y)))", "does not export nope");
    SAYS("(import (cycle 1))", "(cycle 1) imports (cycle 2) imports (cycle 1)");
    SAYS("(import (none))", "exports nothing, which it neither");
    SAYS("(import (wrong))", "does not define the library (wrong)");
    SAYS("(import (bad))", "2:2 if: expected");
    SAYS("(import 5)", "expected a library name");
    SAYS("(import (a) (hone syntax)) (set! x 1)", "x is imported");
    SAYS("(import (only (a) x) (hone syntax)) (define x 1)", "x is imported by name");
    SAYS("(import (hone syntax)) (lambda () (import (a)) 1)", "only allowed at top level");
    CHECK_EQ(rig_error.code, ERR_SYNTAX);
}

/* A library is expanded once and its unit comes once, before those that import it. */
static void test_units(void) {
    rig_new(files);
    const char *text = "(import (again) (a) (macro)) x";
    SourceFile file = {"test", text, strlen(text)};
    Program p;
    REQUIRE(expand_program(rig_expander, rig, &file, &p, &rig_error));
    static const char *const names[] = {"(hone base)", "(a)", "(macro)", "test"};
    CHECK_EQ(p.count, 4);
    for (int i = 0; i < p.count && i < 4; i++) CHECK_STR(p.units[i].name, names[i]);
    expand_free(&p);
    REQUIRE(expand_program(rig_expander, rig, &file, &p, &rig_error));
    CHECK_EQ(p.count, 1);
    expand_free(&p);
    Global *f = expand_find_global(rig_expander, "(a)", "f");
    REQUIRE(f != NULL);
    CHECK(f->exported && !f->assigned);
    CHECK(expand_find_global(rig_expander, "(a)", "no") == NULL);
    CHECK(expand_find_global(rig_expander, "(no)", "f") == NULL);
}

/* Libraries of a call that failed come again: their units never ran. */
static void test_failed_call(void) {
    rig_new(files);
    char *got = rig_expand_plain("(import (a) (hone syntax)) (if)");
    CHECK_HAS(got, "if: expected");
    free(got);
    SourceFile file = {"test", "(import (a)) x", 14};
    Program p;
    REQUIRE(expand_program(rig_expander, rig, &file, &p, &rig_error));
    CHECK_EQ(p.count, 3);
    expand_free(&p);
}

/* Expands each form in ENV; the core of the last. */
static char *forms(Env *env, const char *text) {
    base_arena arena = {0};
    SourceFile file = {"<repl>", text, strlen(text)};
    Reader *r = read_open(rig, &arena, &file);
    ReadError e;
    Stx *s;
    char *result = NULL;
    while ((s = read_datum(r, &e))) {
        Program p;
        free(result);
        if (expand_form(rig_expander, rig, env, s, &p, &rig_error)) {
            result = rig_text(&p);
            expand_free(&p);
        } else if (asprintf(&result, "!%s", rig_error.message) < 0)
            exit(70);
    }
    read_close(r);
    base_arena_free(&arena);
    return result;
}

static void check_forms(Env *env, const char *text, const char *core) {
    char *got = forms(env, text);
    CHECK_STR(got, core);
    free(got);
}

static void test_interaction(void) {
    rig_new(files);
    Program p;
    Env *env = expand_interaction_env(rig_expander, rig, &p, &rig_error);
    REQUIRE(env != NULL);
    expand_free(&p);
    check_forms(env, "(import (hone syntax) (hone prim)) (define x 1) (define x 2) x",
                "(global x)");
    check_forms(env, "(define-syntax twice (syntax-rules () ((_ e) (begin e e)))) (twice x)",
                "(global x)(global x)");
    check_forms(env, "(define (car y) y) (car 1)", "(call (global car) (quote 1))");
    check_forms(env, "(import (a)) x", "(global (a) x)");
    check_forms(env, "(define x 3) x", "(global x)");
    check_forms(env, "(if)", "!if: expected (if test then [else]), got 0 parts");
    check_forms(env, "(begin (define-syntax k (syntax-rules () ((_) 7))) (k))", "(quote 7)");
    check_forms(env, "(define twice 1) (twice)", "(call (global twice))");
}

/* eval of a value: what is quoted stays the very object. */
static void test_eval(void) {
    rig_new(files);
    Program p;
    Value set = gc_cons(
        rig,
        gc_cons(rig, rt_intern_c(rig, "hone"), gc_cons(rig, rt_intern_c(rig, "syntax"), V_NIL)),
        V_NIL);
    Env *env = expand_environment(rig_expander, rig, set, &p, &rig_error);
    REQUIRE(env != NULL);
    expand_free(&p);
    Value cycle = gc_cons(rig, v_fixnum(1), V_NIL);
    pair_of(cycle)->cdr = cycle;
    Value form = gc_cons(rig, rt_intern_c(rig, "quote"), gc_cons(rig, cycle, V_NIL));
    base_arena arena = {0};
    Stx *s = read_from_value(rig, &arena, form, (SrcPos){0});
    REQUIRE(expand_form(rig_expander, rig, env, s, &p, &rig_error));
    Node *n = p.units[p.count - 1].forms[0];
    CHECK(n->kind == N_CONST && n->as.constant == cycle);
    expand_free(&p);
    /* A cycle as code ends in a message. */
    s = read_from_value(rig, &arena, cycle, (SrcPos){0});
    expand_set_memory(rig_expander, 64 << 20);
    CHECK(!expand_form(rig_expander, rig, env, s, &p, &rig_error));
    CHECK_HAS(rig_error.message, "takes more than");
    base_arena_free(&arena);
}

int main(void) {
    rig_start();
    test_imports();
    test_library_macros();
    test_faults();
    test_units();
    test_failed_call();
    test_interaction();
    test_eval();
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed ? 1 : 0;
}
