/* The expander's forms: text in, core out; and what it says of forms that are wrong. The first line
 * of a faulty text is line 2. */
#include "expand_rig.h"

#define P(name) "(global (hone prim) " name ")"
#define B(name) "(global (hone base) " name ")"

static void test_primitive(void) {
    EXPANDS("1", "(quote 1)");
    EXPANDS("\"s\"", "(quote \"s\")");
    EXPANDS("#(a 1)", "(quote #(a 1))");
    EXPANDS("'(a . b)", "(quote (a . b))");
    EXPANDS("(car x)", "(call " P("car") " (global x))");
    EXPANDS("(lambda (a . b) b)", "(lambda lambda (a.1 . b.2) b.2)");
    EXPANDS("(lambda a a)", "(lambda lambda a.1 a.1)");
    EXPANDS("(if 1 2)", "(if (quote 1) (quote 2) (constant unspecific))");
    EXPANDS("(begin 1 2)", "(quote 1)(quote 2)");
    EXPANDS("(lambda () 1 2)", "(lambda lambda () (begin (quote 1) (quote 2)))");
    EXPANDS("(define x 1)(set! x 2)",
            "(define-global (global x) (quote 1))(set-global! (global x) (quote 2))");
    EXPANDS("(lambda (x) (set! x 1))", "(lambda lambda (x.1) (set! x.1 (quote 1)))");
    EXPANDS("(define (f x) x)", "(define-global (global f) (lambda f (x.1) x.1))");
    EXPANDS("(define f (lambda (x) x))", "(define-global (global f) (lambda f (x.1) x.1))");
    EXPANDS("(named-lambda (g x) x)", "(lambda g (x.1) x.1)");
    EXPANDS("(case-lambda (() 1) ((a) a) ((a . r) r))",
            "(case-lambda lambda (() (quote 1)) ((a.1) a.1) ((a.2 . r.3) r.3))");
    EXPANDS("(define c (let ((n 0)) (lambda () n)))",
            "(define-global (global c) (let ((n.1 (quote 0))) (lambda c () n.1)))");
}

static void test_lets(void) {
    EXPANDS("(let ((x 1) (y 2)) x)", "(let ((x.1 (quote 1)) (y.2 (quote 2))) x.1)");
    EXPANDS("(let () 1)", "(quote 1)");
    EXPANDS("(let* ((x 1) (x x)) x)", "(let ((x.1 (quote 1))) (let ((x.2 x.1)) x.2))");
    EXPANDS("(letrec ((f (lambda () f))) f)", "(letrec ((f.1 (lambda f () f.1))) f.1)");
    EXPANDS("(let lp ((i 0)) (lp i))",
            "(letrec ((lp.1 (lambda lp (i.2) (call lp.1 i.2)))) (call lp.1 (quote 0)))");
    EXPANDS("(let ((lp 5)) (let lp ((x lp)) x))",
            "(let ((lp.1 (quote 5))) (letrec ((lp.2 (lambda lp (x.3) x.3))) (call lp.2 lp.1)))");
    EXPANDS("(do ((i 0 (cons i i)) (j 1)) (i j) i)",
            "(letrec ((do.1 (lambda do (i.2 j.3) (if i.2 j.3 (begin i.2 (call do.1 (call " P(
                "cons") " i.2 i.2) j.3)))))) (call do.1 (quote 0) (quote 1)))");
    EXPANDS("(let-values (((a b) x) ((c) y)) a)",
            "(let ((values.1 (global x)) (values.2 (global y))) (let ((a.3 (prim %values-ref "
            "values.1 (quote 0) (quote 2))) (b.4 (prim %values-ref values.1 (quote 1) (quote 2))) "
            "(c.5 (prim %values-ref values.2 (quote 0) (quote 1)))) a.3))");
    EXPANDS("(receive (a . r) x r)",
            "(let ((values.1 (prim %values-list (global x) (quote 1)))) (let ((a.2 (prim car "
            "values.1)) (r.3 (prim cdr values.1))) r.3))");
}

static void test_branches(void) {
    EXPANDS("(cond (1 2) (else 3))", "(if (quote 1) (quote 2) (quote 3))");
    EXPANDS("(cond (1))", "(let ((t.1 (quote 1))) (if t.1 t.1 (constant unspecific)))");
    EXPANDS("(cond (1 => car) (else 2))",
            "(let ((t.1 (quote 1))) (if t.1 (call " P("car") " t.1) (quote 2)))");
    EXPANDS("(let ((else #f)) (cond (else 1)))",
            "(let ((else.1 (quote #f))) (if else.1 (quote 1) (constant unspecific)))");
    EXPANDS("(let ((=> 1)) (cond (1 => 2)))",
            "(let ((=>.1 (quote 1))) (if (quote 1) (begin =>.1 (quote 2)) (constant unspecific)))");
    EXPANDS("(case x ((a 1) 2) ((1.5 \"s\") => car) (else 3))",
            "(let ((key.1 (global x))) (if (if (prim eq? key.1 (quote a)) (quote #t) (prim eq? "
            "key.1 (quote 1))) (quote 2) (if (if (prim eq? key.1 (quote 1.5)) (quote #t) (prim "
            "eqv? key.1 (quote \"s\"))) (call " P("car") " key.1) (quote 3))))");
    EXPANDS("(and)(and 1)(and 1 2)", "(quote #t)(quote 1)(if (quote 1) (quote 2) (quote #f))");
    EXPANDS("(or)(or 1)(or 1 2)",
            "(quote #f)(quote 1)(let ((t.1 (quote 1))) (if t.1 t.1 (quote 2)))");
    EXPANDS("(if (or 1 2) 3 4)", "(if (if (quote 1) (quote #t) (quote 2)) (quote 3) (quote 4))");
    EXPANDS("(when 1 2)(unless 1 2)", "(if (quote 1) (quote 2) (constant unspecific))(if (quote 1) "
                                      "(constant unspecific) (quote 2))");
}

static void test_quasiquote(void) {
    EXPANDS("`(1 2 #(3))", "(quote (1 2 #(3)))");
    EXPANDS("`,x", "(global x)");
    EXPANDS("`(1 ,x)", "(prim list (quote 1) (global x))");
    EXPANDS("`(1 ,@x)", "(prim cons (quote 1) (global x))");
    EXPANDS("`(,@x 1)", "(prim append (global x) (prim list (quote 1)))");
    EXPANDS("`(1 . ,x)", "(prim cons (quote 1) (global x))");
    EXPANDS("`(1 unquote-splicing (list 2))", "(quote (1 unquote-splicing (list 2)))");
    EXPANDS("`#(1 ,x)", "(prim list->vector (prim list (quote 1) (global x)))");
    EXPANDS("`(a `(b ,(c ,x)))",
            "(prim list (quote a) (prim cons (quote quasiquote) (prim list (prim list (quote b) "
            "(prim cons (quote unquote) (prim list (prim list (quote c) (global x))))))))");
}

static void test_control(void) {
    EXPANDS("(parameterize ((p 1)) 2)",
            "(call " B("%parameterize") " (prim list (global p)) (prim list (quote 1)) (lambda "
                                        "parameterize () (quote 2)))");
    EXPANDS("(guard (e (1 2)) 3)",
            "(call " B(
                "%guard") " (lambda guard () (quote 3)) (lambda guard-clauses (e.1 reraise.2) (if "
                          "(quote 1) (quote 2) (call reraise.2))))");
    EXPANDS("(delay 1)", "(call " B("%make-lazy-promise") " (lambda delay () (call " B(
                             "%make-forced-promise") " (quote 1))))");
    EXPANDS("(delay-force x)", "(call " B("%make-lazy-promise") " (lambda delay () (global x)))");
    /* A helper is the library's, whatever the program calls by that name. */
    EXPANDS("(let ((%guard 1) (error 2)) (assert x))",
            "(let ((%guard.1 (quote 1)) (error.2 (quote 2))) (if (global x) (constant unspecific) "
            "(call " B("error") " (quote \"assertion failed\") (quote x))))");
    EXPANDS("(cond-expand (no-such 1) ((and r7rs (not no-such)) 2) (else 3))", "(quote 2)");
    EXPANDS("(cond-expand ((library (hone base)) 1) (else 2))", "(quote 1)");
    EXPANDS("(cond-expand ((library (no such)) 1) (else 2))", "(quote 2)");
}

static void test_bodies(void) {
    EXPANDS("(lambda () (define a 1) (define (f) a) (f))",
            "(lambda lambda () (letrec ((a.1 (quote 1)) (f.2 (lambda f () a.1))) (call f.2)))");
    EXPANDS("(lambda (x) (begin (define x 1)) x)",
            "(lambda lambda (x.1) (letrec ((x.2 (quote 1))) x.2))");
    EXPANDS("(lambda () (define-values (a . b) x) b)",
            "(lambda lambda () (letrec ((values.1 (prim %values-list (global x) (quote 1))) (a.2 "
            "(prim car values.1)) (b.3 (prim cdr values.1))) b.3))");
    EXPANDS("(lambda () (define (f) (m)) (define-syntax m (syntax-rules () ((_) 'later))) (f))",
            "(lambda lambda () (letrec ((f.1 (lambda f () (quote later)))) (call f.1)))");
    EXPANDS("(lambda () (define a 1) (car a) (define b 2) b)",
            "(lambda lambda () (letrec ((a.1 (quote 1)) (ignored.2 (call " P(
                "car") " a.1)) (b.3 (quote 2))) b.3))");
    EXPANDS("(define-values (a b) x)",
            "(let ((values.1 (global x))) (begin (define-global (global a) (prim %values-ref "
            "values.1 (quote 0) (quote 2))) (define-global (global b) (prim %values-ref values.1 "
            "(quote 1) (quote 2))) (constant unspecific)))");
    /* A definition shadows what a whole library brought in, everywhere in the program. */
    EXPANDS("(list 1)(define (list . x) x)",
            "(call (global list) (quote 1))(define-global (global list) (lambda list x.1 x.1))");
}

static void test_records(void) {
    EXPANDS(
        "(define-record-type p (mk y) p? (x px set-px!) (y py))",
        "(define-global (global p) (prim %make-rtd (quote p) (quote #(x y)) (quote #f)))"
        "(define-global (global mk) (lambda mk (y.1) (prim %record (global p) (quote #f) y.1)))"
        "(define-global (global p?) (lambda p? (object.2) (prim %record-is? object.2 (global p))))"
        "(define-global (global px) (lambda px (record.3) (prim %record-ref record.3 (global p) "
        "(quote 0) (quote px))))"
        "(define-global (global set-px!) (lambda set-px! (record.4 value.5) (prim %record-set! "
        "record.4 (global p) (quote 0) value.5 (quote set-px!))))"
        "(define-global (global py) (lambda py (record.6) (prim %record-ref record.6 (global p) "
        "(quote 1) (quote py))))");
    EXPANDS(
        "(define-record-type p #f #f (x))(define-record-type (q p) (mk x z) #f (z qz))",
        "(define-global (global p) (prim %make-rtd (quote p) (quote #(x)) (quote #f)))"
        "(define-global (global q) (prim %make-rtd (quote q) (quote #(z)) (global p)))"
        "(define-global (global mk) (lambda mk (x.1 z.2) (prim %record (global q) x.1 z.2)))"
        "(define-global (global qz) (lambda qz (record.3) (prim %record-ref record.3 (global q) "
        "(quote 1) (quote qz))))");
}

static void test_faults(void) {
    FAILS("(if)", "2:1", "if: expected (if test then [else]), got 0 parts");
    FAILS(" (if 1 2 3 4)", "2:2", "got 4 parts");
    FAILS("(if 1 . 2)", "2:1", "no proper list");
    FAILS("(car\n 1 . 2)", "2:1", "proper list");
    FAILS("(let ((x)) 1)", "2:7", "let: expected a binding");
    FAILS("(let ((x 1) (x 2)) 1)", "2:14", "x is bound twice");
    FAILS("(lambda (a b a) 1)", "2:14", "a is bound twice");
    FAILS("(lambda (1) 1)", "2:10", "expected a variable");
    FAILS("(lambda (x))", "2:1", "lambda: expected");
    FAILS("(lambda (x) (define y 1))", "2:13", "ends with a definition");
    FAILS("(lambda () (define y 1) (define y 2) y)", "2:33", "y is bound twice");
    FAILS("(car (define y 1))", "2:6", "not allowed where an expression");
    FAILS("(cond (else 1) (2 3))", "2:7", "else clause must be the last");
    FAILS("(else 1)", "2:1", "else is used outside");
    FAILS("(car if)", "2:6", "if is a keyword");
    FAILS("(set! if 1)", "2:7", "keyword, not a variable");
    FAILS("(set! car 1)", "2:7", "car is imported");
    FAILS("(set! 1 2)", "2:7", "expected a variable");
    FAILS("()", "2:1", "() is no expression");
    FAILS("(define 1 2)", "2:9", "expected a name to define");
    FAILS("(define x)", "2:1", "define: expected");
    FAILS("(syntax-error \"no good:\" (a 1))", "2:1", "no good: (a 1)");
    FAILS("(define-record-type p (mk z) p? (x px))", "2:27", "z is no field");
    FAILS("(define-record-type (q nope) (mk) q?)", "2:24", "parent must be a record type");
    FAILS("(include \"no-such-file\")", "2:10", "no-such-file");
    FAILS("`,@x", "2:2", "needs a list or vector");
    FAILS("(define-syntax m 5)", "2:18", "expected (syntax-rules");
    FAILS("#0=(car #0#)", "2:1", "refers to itself");
    FAILS("(a b", "2:5", "ends inside a list");
}

/* Sites name the user's lines and the procedures with those around them. */
static void test_sites(void) {
    const char *text = "(import (hone syntax) (hone prim))\n(define (f x)\n  (let loop ((i x))\n"
                       "    (car i)))";
    SourceFile file = {"test", text, strlen(text)};
    Program p;
    REQUIRE(expand_program(rig_expander, rig, &file, &p, &rig_error));
    const Unit *u = &p.units[p.count - 1];
    REQUIRE(u->count == 1);
    Node *f = u->forms[0]->as.set_global.value;
    CHECK_EQ(f->site->pos.line, 2);
    CHECK_STR(f->site->proc->name, "");
    Node *letrec = f->as.lambda.clauses[0].body;
    CHECK_EQ(letrec->site->pos.line, 3);
    CHECK_STR(letrec->site->proc->name, "f");
    Node *call = letrec->as.let.inits[0]->as.lambda.clauses[0].body;
    CHECK_EQ(call->site->pos.line, 4);
    CHECK_EQ(call->site->pos.column, 5);
    CHECK_STR(call->site->proc->name, "loop");
    CHECK_STR(call->site->proc->outer->name, "f");
    expand_free(&p);
}

/* Nesting beyond the limit is an error, not a crash; long chains of clauses and lets are fine. */
static void test_depth(void) {
    static const struct {
        const char *open, *close;
        int count;
        bool ok;
    } cases[] = {{"(car ", ")", 2000, true},           {"(car ", ")", 20000, false},
                 {"(lambda () ", ")", 1500, true},     {"(lambda () ", ")", 20000, false},
                 {"(let ((x 1)) ", ")", 20000, false}, {"`(,", ")", 20000, false},
                 {"(begin ", ")", 20000, false},       {"'(", ")", 20000, true}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        base_buf text = {0};
        for (int k = 0; k < cases[i].count; k++) base_buf_puts(&text, cases[i].open);
        base_buf_puts(&text, "1");
        for (int k = 0; k < cases[i].count; k++) base_buf_puts(&text, cases[i].close);
        char *got = rig_expand(base_buf_str(&text));
        if (cases[i].ok)
            CHECK(got[0] != '!');
        else
            CHECK_HAS(got, "nested too deeply");
        free(got);
        base_buf_free(&text);
    }
}

int main(void) {
    rig_start();
    test_primitive();
    test_lets();
    test_branches();
    test_quasiquote();
    test_control();
    test_bodies();
    test_records();
    test_faults();
    test_sites();
    test_depth();
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed ? 1 : 0;
}
