/* Core as text: printing, reading back, the checker, copies, sizes and counts. */
#include "check.h"

#include "core/core.h"
#include "rt/rt.h"

static base_arena arena;
static CoreContext c;

static Node *parse(const char *text) {
    char error[200] = "";
    Node *n = core_parse(&c, text, error, sizeof error);
    CHECK_STR(error, "");
    return n;
}

/* What core_print writes of N, without its last new line. In the arena. */
static const char *print(const Node *n) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    core_print(out, n);
    fclose(out);
    const char *copy = base_arena_strndup(&arena, text, size - 1);
    free(text);
    return copy;
}

static void test_round_trip(void) {
    static const char *const texts[] = {
        "(quote 1)",
        "(quote (a \"b\\n\" #\\( 1.5 #(x) . |y z|))",
        "(constant unspecific)",
        "(global car)",
        "(global (hone prim) car)",
        "(lambda f (x.1 y.2) (call x.1 y.2))",
        "(lambda f (x.1 . y.2) (set! x.1 y.2))",
        "(lambda |a b| x.1 x.1)",
        "(case-lambda f (() (quote 1)) (x.1 x.1))",
        "(case-lambda f)",
        "(let ((x.1 (quote 1)) (y.2 (quote 2))) (if x.1 y.2 (begin x.1 y.2)))",
        "(letrec ((f.1 (lambda f (n.2) (call f.1 n.2)))) f.1)",
        "(define-global (global g) (quote 1))",
        "(set-global! (global (my lib) g) (prim cons (quote 1) (quote 2)))",
        "(loop k.1 ((i.2 (quote 0))) (if i.2 (next k.1 (prim cdr i.2)) (quote done)))",
        "(lambda f (|x y.1|) |x y.1|)",
        "(lambda f (1+.1) 1+.1)",
    };
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        Node *n = parse(texts[i]);
        REQUIRE(n);
        CHECK_STR(print(n), texts[i]);
        const char *fault = core_check(&c, n);
        CHECK_STR(fault ? fault : "sound", "sound");
        Node *copy = core_copy(&c, n, NULL);
        fault = core_check(&c, copy);
        CHECK_STR(fault ? fault : "sound", "sound");
        CHECK_EQ(core_size(n, 1000), core_size(copy, 1000));
    }
}

/* What does not fit on a line is broken, and still reads back. */
static void test_layout(void) {
    base_buf text = {0};
    base_buf_puts(&text, "(lambda f (x.1) (begin");
    for (int i = 0; i < 12; i++) base_buf_puts(&text, " (call x.1 (quote argument))");
    base_buf_puts(&text, "))");
    Node *n = parse(base_buf_str(&text));
    REQUIRE(n);
    const char *printed = print(n);
    CHECK_HAS(printed, "\n    (call x.1 (quote argument))\n");
    for (const char *line = printed; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != 0))
        CHECK(strcspn(line, "\n") <= 100);
    CHECK_STR(print(parse(printed)), printed);
    base_buf_free(&text);
}

static void test_bad_text(void) {
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "no form"},
        {"(if 1", "ends inside"},
        {"x.1", "no variable x.1"},
        {"(frob 1)", "unknown form frob"},
        {"(prim no-such)", "no primitive"},
        {"(if (quote 1) (quote 2))", "a part is missing"},
        {"(lambda f (x) (quote 1))", "expected a variable such as x.3"},
        {"(let ((x.1 x.1)) x.1)", "no variable x.1"},
    };
    for (size_t i = 0; i < BASE_COUNT(bad); i++) {
        char error[200] = "";
        CHECK(core_parse(&c, bad[i].text, error, sizeof error) == NULL);
        CHECK_HAS(error, bad[i].message);
    }
}

static void test_checker(void) {
    /* Two parents. */
    Node *n = parse("(if (quote 1) (quote 2) (quote 3))");
    n->as.branch.then = n->as.branch.otherwise;
    CHECK_HAS(core_check(&c, n), "two parents");
    /* A use out of scope. */
    n = parse("(begin (let ((x.1 (quote 1))) x.1) (quote 2))");
    n->as.seq.items[1] = core_local(&c, NULL, n->as.seq.items[0]->as.let.vars[0]);
    CHECK_HAS(core_check(&c, n), "out of its scope: x.1");
    /* A wrong count. */
    n = parse("(lambda f (x.1) x.1)");
    n->as.lambda.clauses[0].params[0]->refs = 2;
    CHECK_HAS(core_check(&c, n), "counts are wrong of x.1");
    CHECK(core_check(&c, parse("(loop k.1 () (let ((x.2 (quote 1))) (next k.1)))")) == NULL);
    CHECK_HAS(core_check(&c, parse("(loop k.1 () (begin (next k.1) (quote 1)))")), "tail position");
    CHECK_HAS(core_check(&c, parse("(loop k.1 () (lambda f () (next k.1)))")), "tail position");
    CHECK_HAS(core_check(&c, parse("(loop k.1 ((x.2 (quote 1))) (next k.1))")),
              "wrong number of arguments");
    /* The outer loop of an inner one in tail position. */
    CHECK(core_check(&c, parse("(loop k.1 () (loop j.2 () (next k.1)))")) == NULL);
    CHECK_HAS(core_check(&c, parse("(loop k.1 () (begin (loop j.2 () (next k.1)) (quote 1)))")),
              "tail position");
}

static void test_uses(void) {
    Node *n = parse("(let ((x.1 (quote 1)) (y.2 (quote 2))) (begin (set! x.1 y.2) x.1 x.1))");
    Var *x = n->as.let.vars[0], *y = n->as.let.vars[1];
    CHECK_EQ(x->refs, 2);
    CHECK_EQ(x->sets, 1);
    CHECK_EQ(y->refs, 1);
    CHECK_EQ(y->sets, 0);
    CHECK(x->bound == n->as.let.inits[0]);
    CHECK_EQ(core_size(n, 1000), 8);
    CHECK_EQ(core_size(n, 3), 3);
}

/* A copy has variables of its own, free ones stay, and sites end in the caller. */
static void test_copy(void) {
    Node *n = parse("(lambda f (x.1) (lambda g (y.2) (prim cons x.1 y.2)))");
    Node *inner = n->as.lambda.clauses[0].body;
    const Site *caller = core_site((SrcPos){NULL, 7, 7}, n->as.lambda.info, NULL);
    Node *copy = core_copy(&c, inner, caller);
    Var *x = n->as.lambda.clauses[0].params[0], *y = inner->as.lambda.clauses[0].params[0];
    Node *cons = copy->as.lambda.clauses[0].body;
    CHECK(cons->as.prim.args[0]->as.local == x);
    CHECK(cons->as.prim.args[1]->as.local == copy->as.lambda.clauses[0].params[0]);
    CHECK(cons->as.prim.args[1]->as.local != y);
    CHECK(cons->site->caller == caller);
    CHECK(cons->site->proc == inner->as.lambda.clauses[0].body->site->proc);
    const Site *outer = core_site((SrcPos){NULL, 9, 9}, n->as.lambda.info, NULL);
    Node *again = core_copy(&c, copy, outer);
    const Site *chain = again->as.lambda.clauses[0].body->site;
    CHECK(chain->caller && chain->caller->pos.line == 7 && chain->caller->caller == outer);
}

int main(void) {
    static const GcOptions options = {0};
    if (!rt_start(&options)) return 70;
    c = (CoreContext){.arena = &arena, .m = &rt_thread_attach()->m};
    test_round_trip();
    test_layout();
    test_bad_text();
    test_checker();
    test_uses();
    test_copy();
    base_arena_free(&arena);
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed ? 1 : 0;
}
