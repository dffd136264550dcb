/* syntax-rules: patterns, templates, hygiene. Expected results follow R7RS 4.3.2; a macro whose
 * template is a quotation shows what it matched as a constant. */
#include "expand_rig.h"

#define P(name)       "(global (hone prim) " name ")"
#define M(rules, use) "(define-syntax m (syntax-rules " rules "))" use
#define Q(datum)      "(quote " datum ")"

static void test_patterns(void) {
    EXPANDS(M("() ((_ (a b ...) ...) '((a b ...) ...))", "(m (1 10 20) (2) (3 30))"),
            Q("((1 10 20) (2) (3 30))"));
    EXPANDS(M("() ((_ (a b ...) ...) '(b ... ...))", "(m (1 10 20) (2) (3 30))"), Q("(10 20 30)"));
    EXPANDS(M("() ((_ ((a ...) ...) ...) '(a ... ... ...))", "(m ((1 2) (3)) () ((4) ()))"),
            Q("(1 2 3 4)"));
    EXPANDS(M("() ((_ (x ... . r)) '(r (x ...)))", "(m (1 2 . 3))(m (1 2))(m ())(m 5)"),
            Q("(3 (1 2))") Q("(() (1 2))") Q("(() ())") Q("(5 ())"));
    EXPANDS(M("() ((_ x ... y z) '(y z (x ...)))", "(m 1 2)(m 1 2 3 4)"),
            Q("(1 2 ())") Q("(3 4 (1 2))"));
    EXPANDS(M("() ((_ a ... b . c) '((a ...) b c))", "(m 1 2 3 . 4)(m 1)"),
            Q("((1 2) 3 4)") Q("(() 1 ())"));
    EXPANDS(M("() ((_ #(a (b c ...) ...)) '(a (b ...) (c ... ...)))", "(m #(1 (2 3 4) (5)))"),
            Q("(1 (2 5) (3 4))"));
    EXPANDS(M("() ((_ #(a b ... c)) '(a (b ...) c)) ((_ x) 'no)", "(m #(1 2 3 4))(m #(1))(m 1)"),
            Q("(1 (2 3) 4)") Q("no") Q("no"));
    EXPANDS(M("() ((_ _ x _) 'x)", "(m 1 2 3)"), Q("2"));
    EXPANDS(M("() ((_ 1) 'int) ((_ \"s\") 'str) ((_ #\\c) 'char) ((_ 1.5) 'flo) ((_ ()) 'nil) "
              "((_ #u8(1)) 'bytes) ((_ x) 'other)",
              "(m 1)(m \"s\")(m #\\c)(m 1.5)(m ())(m #u8(1))(m 2)"),
            Q("int") Q("str") Q("char") Q("flo") Q("nil") Q("bytes") Q("other"));
    EXPANDS(M("() ((_ (a b) ...) '((a ...) (b ...)))", "(m)(m (1 2) (3 4))"),
            Q("(() ())") Q("((1 3) (2 4))"));
}

static void test_ellipsis(void) {
    EXPANDS(M("() ((_ a) '(a (... ...) (... (b ...))))", "(m 1)"), Q("(1 ... (b ...))"));
    EXPANDS(M("::: () ((_ (a :::) b :::) '((b a) ::: ...))", "(m (1 2) 3 4)"),
            Q("((3 1) (4 2) ...)"));
    EXPANDS(M("(...) ((_ ...) 'literal) ((_ x) 'other)", "(m ...)(m 3)"), Q("literal") Q("other"));
    EXPANDS(M("(_) ((m _) 'under) ((m x) 'other)", "(m _)(m 3)"), Q("under") Q("other"));
    EXPANDS("(define-syntax def (syntax-rules () ((_ n) (define-syntax n (syntax-rules () ((_ e "
            "(... ...)) '(e (... ...) end)))))))(def m1)(m1 1 2)",
            Q("(1 2 end)"));
    EXPANDS(M("() ((_ k (v ...) ...) '((k v ...) ...))", "(m a (1 2) (3))"), Q("((a 1 2) (a 3))"));
    EXPANDS(M("() ((_ a ...) '#(x a ... y))", "(m 1 2)"), Q("#(x 1 2 y)"));
}

static void test_hygiene(void) {
    EXPANDS(M("() ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))", "(lambda (tmp x) (m tmp x))"),
            "(lambda lambda (tmp.1 x.2) (let ((tmp.3 tmp.1)) (begin (set! tmp.1 x.2) (set! x.2 "
            "tmp.3))))");
    EXPANDS(M("() ((_ a) (if a car 2))", "(lambda (if car) (m if))"),
            "(lambda lambda (if.1 car.2) (if if.1 " P("car") " (quote 2)))");
    EXPANDS("(lambda (x) (let-syntax ((m (syntax-rules () ((_) x)))) (let ((x 1)) (m))))",
            "(lambda lambda (x.1) (let ((x.2 (quote 1))) x.1))");
    EXPANDS("(lambda (f) (let-syntax ((f (syntax-rules () ((_ x) (f x))))) (f 1)))",
            "(lambda lambda (f.1) (call f.1 (quote 1)))");
    EXPANDS("(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? "
            "(syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (ev? 1 2 3))",
            "(quote #f)");
    /* A name that a macro defines is the macro's own, one for each use. */
    EXPANDS(M("() ((_ get v) (begin (define hidden v) (define (get) hidden)))",
              "(lambda () (m a 1) (m b 2) (a))"),
            "(lambda lambda () (letrec ((hidden.1 (quote 1)) (a.2 (lambda a () hidden.1)) "
            "(hidden.3 (quote 2)) (b.4 (lambda b () hidden.3))) (call a.2)))");
    EXPANDS(M("() ((_ x) 'x)", "(let ((x 5)) (m x))(m (a . b))"),
            "(let ((x.1 (quote 5))) (quote x))" Q("(a . b)"));
    EXPANDS("(define-syntax mine (syntax-rules () ((_ x ...) (if x ...))))(define-syntax also "
            "mine)(also 1 2 3)",
            "(if (quote 1) (quote 2) (quote 3))");
    EXPANDS("(define-syntax my-if if)(my-if 1 2 3)", "(if (quote 1) (quote 2) (quote 3))");
}

static void test_literals(void) {
    EXPANDS(M("(else) ((_ else) 'yes) ((_ x) 'no)", "(m else)(let ((else 1)) (m else))"),
            Q("yes") "(let ((else.1 (quote 1))) (quote no))");
    EXPANDS(M("(to) ((_ a to b) '(a b)) ((_ a b c) 'plain)", "(m 1 to 2)(let ((to 0)) (m 1 to 2))"),
            Q("(1 2)") "(let ((to.1 (quote 0))) (quote plain))");
    /* A literal that a template carries to another macro still matches. */
    EXPANDS("(define-syntax inner (syntax-rules (=>) ((_ => x) 'arrow) ((_ y x) 'plain)))"
            "(define-syntax outer (syntax-rules () ((_ x) (inner => x))))(outer 1)",
            Q("arrow"));
}

static void test_faults(void) {
    FAILS(M("() ((_ a) a)", "\n(m)"), "3:1", "m: no rule of the macro matches (m)");
    FAILS(M("() ((_ a ...) a)", ""), "2:46", "a needs an ellipsis");
    FAILS(M("() ((_ a) (a ...))", ""), "2:42", "no pattern variable repeats");
    FAILS(M("() ((_ a a) 1)", ""), "2:41", "a twice");
    FAILS(M("() ((_ a ... b ...) 1)", ""), "2:47", "one ellipsis at most");
    FAILS(M("() (a)", ""), "2:35", "expected a rule");
    FAILS(M("(1) ((_) 1)", ""), "2:33", "a literal must be");
    FAILS(M("() ((_ (a ...) (b ...)) '((a b) ...))", "\n(m (1 2) (3))"), "3:1",
          "different lengths");
    FAILS(M("() ((_ x) (if))", "\n\n (m\n 1)"), "4:2", "if: expected");
    FAILS(M("() ((_ x) (car x))", "\n(m\n (if))"), "4:2", "if: expected");
    FAILS(M("() ((_) (m))", "(m)"), "2:46", "does not end");
}

/* Literals of a macro outlive the call that defined it, whatever the collector does in between. */
static void test_lasting(void) {
    Program p;
    Env *env = expand_environment(rig_expander, rig,
                                  gc_cons(rig,
                                          gc_cons(rig, rt_intern_c(rig, "hone"),
                                                  gc_cons(rig, rt_intern_c(rig, "syntax"), V_NIL)),
                                          V_NIL),
                                  &p, &rig_error);
    REQUIRE(env != NULL);
    expand_free(&p);
    static const char *const forms[] = {
        "(define-syntax m (syntax-rules () ((_ \"key\") '(\"text\" 123456789012345678901 x)) "
        "((_ x) 'other)))",
        "(m \"key\")"};
    for (int i = 0; i < 2; i++) {
        base_arena arena = {0};
        SourceFile file = {"test", forms[i], strlen(forms[i])};
        Reader *r = read_open(rig, &arena, &file);
        ReadError e;
        Stx *s = read_datum(r, &e);
        REQUIRE(expand_form(rig_expander, rig, env, s, &p, &rig_error));
        if (i == 1) {
            char *text = rig_text(&p);
            CHECK_STR(text, "(quote (\"text\" 123456789012345678901 x))");
            free(text);
        }
        expand_free(&p);
        read_close(r);
        base_arena_free(&arena);
        gc_collect(rt_heap(), GC_GENERATIONS - 1);
    }
}

/* Memory is bounded. */
static void test_memory(void) {
    expand_set_memory(rig_expander, 64 << 20);
    FAILS(M("() ((_ x ...) (m x ... x ...))", "\n(m 1)"), "3:1", "takes more than 64 MiB");
    expand_set_memory(rig_expander, 1 << 30);
    EXPANDS("1", "(quote 1)");
}

int main(void) {
    rig_start();
    test_patterns();
    test_ellipsis();
    test_hygiene();
    test_literals();
    test_faults();
    test_lasting();
    test_memory();
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed ? 1 : 0;
}
