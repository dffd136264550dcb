;; The runner, its groups, its results, and the specifiers that choose tests.

(define-record-type <test-runner>
  (make-runner pass fail xpass xfail skip groups run-list skip-list fail-list name results aux
               on-test-begin on-test-end on-group-begin on-group-end on-bad-count
               on-bad-end-name on-final)
  test-runner?
  (pass test-runner-pass-count set-pass!)
  (fail test-runner-fail-count set-fail!)
  (xpass test-runner-xpass-count set-xpass!)
  (xfail test-runner-xfail-count set-xfail!)
  (skip test-runner-skip-count set-skip!)
  (groups groups set-groups!)             ; innermost first
  (run-list run-list set-run-list!)       ; specifiers of test-apply, or #t: every test
  (skip-list skip-list set-skip-list!)
  (fail-list fail-list set-fail-list!)
  (name test-runner-test-name set-test-name!)
  (results test-result-alist set-results!)
  (aux test-runner-aux-value test-runner-aux-value!)
  (on-test-begin test-runner-on-test-begin test-runner-on-test-begin!)
  (on-test-end test-runner-on-test-end test-runner-on-test-end!)
  (on-group-begin test-runner-on-group-begin test-runner-on-group-begin!)
  (on-group-end test-runner-on-group-end test-runner-on-group-end!)
  (on-bad-count test-runner-on-bad-count test-runner-on-bad-count!)
  (on-bad-end-name test-runner-on-bad-end-name test-runner-on-bad-end-name!)
  (on-final test-runner-on-final test-runner-on-final!))

;; An entered group: its name, how many tests it said it has (or #f) and has had, the specifier
;; lists to go back to, and whether its test-begin installed the runner.
(define-record-type <group>
  (make-group name expected actual skip-list fail-list owner?)
  group?
  (name group-name)
  (expected group-expected)
  (actual group-actual set-group-actual!)
  (skip-list group-skip-list)
  (fail-list group-fail-list)
  (owner? group-owner?))

(define (ignore . arguments) #f)

(define (test-runner-null)
  (make-runner 0 0 0 0 0 '() #t '() '() "" '() #f
               ignore ignore ignore ignore ignore ignore ignore))

(define (test-runner-reset runner)
  (set-pass! runner 0)
  (set-fail! runner 0)
  (set-xpass! runner 0)
  (set-xfail! runner 0)
  (set-skip! runner 0)
  (set-groups! runner '())
  (set-run-list! runner #t)
  (set-skip-list! runner '())
  (set-fail-list! runner '())
  (set-test-name! runner "")
  (set-results! runner '()))

(define (test-runner-group-stack runner) (map group-name (groups runner)))
(define (test-runner-group-path runner) (reverse (test-runner-group-stack runner)))

;; The current runner and the factory of new ones

(define current-runner #f)

(define test-runner-current
  (case-lambda
    (() current-runner)
    ((runner) (set! current-runner runner))))

(define (test-runner-get)
  (or current-runner (error "test-runner-get: no current test runner")))

(define current-factory (lambda () (test-runner-simple)))

(define test-runner-factory
  (case-lambda
    (() current-factory)
    ((factory) (set! current-factory factory))))

(define (test-runner-create) (current-factory))

(define (call-with-runner runner thunk)
  (let ((saved #f))
    (dynamic-wind
     (lambda () (set! saved current-runner) (set! current-runner runner))
     thunk
     (lambda () (set! current-runner saved)))))

;; Results

(define test-result-ref
  (case-lambda
    ((runner property) (test-result-ref runner property #f))
    ((runner property default)
     (let ((entry (assq property (test-result-alist runner))))
       (if entry (cdr entry) default)))))

;; Lists handed out earlier stay as they were.
(define (test-result-remove runner property)
  (set-results! runner
                (let loop ((l (test-result-alist runner)))
                  (cond ((null? l) '())
                        ((eq? (caar l) property) (cdr l))
                        (else (cons (car l) (loop (cdr l))))))))

(define (test-result-set! runner property value)
  (test-result-remove runner property)
  (set-results! runner (cons (cons property value) (test-result-alist runner))))

(define (test-result-clear runner) (set-results! runner '()))

(define test-result-kind
  (case-lambda
    (() (test-result-kind (test-runner-get)))
    ((runner) (test-result-ref runner 'result-kind))))

(define test-passed?
  (case-lambda
    (() (test-passed? (test-runner-get)))
    ((runner) (and (memq (test-result-kind runner) '(pass xpass)) #t))))

;; Specifiers

(define (test-match-name name)
  (lambda (runner) (equal? name (test-runner-test-name runner))))

(define test-match-nth
  (case-lambda
    ((n) (test-match-nth n 1))
    ((n count)
     (let ((calls 0))
       (lambda (runner)
         (set! calls (+ calls 1))
         (<= n calls (+ n count -1)))))))

(define (->specifier x)
  (cond ((procedure? x) x)
        ((string? x) (test-match-name x))
        ((exact-integer? x) (test-match-nth 1 x))
        (else (error "not a test specifier" x))))

;; Every specifier is called, in order, whatever the others say: some count their calls.
(define (any-matches? specifiers runner)
  (let loop ((l specifiers) (result #f))
    (if (pair? l)
        (let ((match? ((car l) runner)))
          (loop (cdr l) (or match? result)))
        result)))

(define (test-match-any . specifiers)
  (let ((specifiers (map ->specifier specifiers)))
    (lambda (runner) (and (any-matches? specifiers runner) #t))))

(define (test-match-all . specifiers)
  (let ((specifiers (map ->specifier specifiers)))
    (lambda (runner)
      (let loop ((l specifiers) (result #t))
        (if (pair? l)
            (let ((match? ((car l) runner)))
              (loop (cdr l) (and match? result)))
            result)))))

(define (test-skip specifier . more)
  (let ((runner (test-runner-get)))
    (set-skip-list! runner (cons (apply test-match-all specifier more) (skip-list runner)))))

(define (test-expect-fail specifier . more)
  (let ((runner (test-runner-get)))
    (set-fail-list! runner (cons (apply test-match-all specifier more) (fail-list runner)))))

(define (split-last l)
  (let loop ((l l) (acc '()))
    (if (null? (cdr l))
        (values (reverse acc) (car l))
        (loop (cdr l) (cons (car l) acc)))))

(define (apply-in runner arguments)
  (let-values (((specifiers thunk) (split-last arguments)))
    (let ((saved (run-list runner)))
      (dynamic-wind
       (lambda ()
         (if (pair? specifiers) (set-run-list! runner (map ->specifier specifiers))))
       thunk
       (lambda () (set-run-list! runner saved))))))

(define (test-apply first . rest)
  (cond ((test-runner? first)
         (call-with-runner first (lambda () (apply-in first rest))))
        (current-runner (apply-in current-runner (cons first rest)))
        (else
         (let ((runner (test-runner-create)))
           (call-with-runner runner (lambda () (apply-in runner (cons first rest))))))))
