;; Groups and the test forms.

(define test-begin
  (case-lambda
    ((name) (test-begin name #f))
    ((name count)
     (let ((owner? (not current-runner)))
       (if owner? (set! current-runner (test-runner-create)))
       (let ((runner current-runner))
         (set-test-name! runner name)
         ((test-runner-on-group-begin runner) runner name count)
         (set-groups! runner
                      (cons (make-group name count 0 (skip-list runner) (fail-list runner) owner?)
                            (groups runner))))))))

;; One more test, or one more group, in the innermost group.
(define (count-one! runner)
  (let ((stack (groups runner)))
    (if (pair? stack)
        (set-group-actual! (car stack) (+ (group-actual (car stack)) 1)))))

(define (end-group runner name)
  (if (null? (groups runner)) (error "test-end: no group has begun" name))
  (let* ((group (car (groups runner)))
         (expected (group-expected group))
         (actual (group-actual group)))
    (if (and name (not (equal? name (group-name group))))
        ((test-runner-on-bad-end-name runner) runner (group-name group) name))
    (if (and expected (not (= expected actual)))
        ((test-runner-on-bad-count runner) runner actual expected))
    ((test-runner-on-group-end runner) runner)
    (set-groups! runner (cdr (groups runner)))
    (set-skip-list! runner (group-skip-list group))
    (set-fail-list! runner (group-fail-list group))
    (count-one! runner)
    (if (null? (groups runner)) ((test-runner-on-final runner) runner))
    (if (group-owner? group) (set! current-runner #f))))

(define test-end
  (case-lambda
    (() (end-group (test-runner-get) #f))
    ((name) (end-group (test-runner-get) name))))

;; Is the group NAME, about to begin, to be left out? It is then counted as one skipped test.
(define (skip-group? name)
  (let ((runner current-runner))
    (and runner
         (begin
           (test-result-clear runner)
           (set-test-name! runner name)
           (any-matches? (skip-list runner) runner))
         (begin
           (test-result-set! runner 'result-kind 'skip)
           (set-skip! runner (+ (test-runner-skip-count runner) 1))
           (count-one! runner)
           #t))))

(define-syntax test-group
  (syntax-rules ()
    ((_ suite-name form ...)
     (run-group suite-name (lambda () form ... #t)))))

(define (run-group name thunk)
  (if (not (skip-group? name))
      (dynamic-wind
       (lambda () (test-begin name))
       thunk
       (lambda () (test-end name)))))

(define-syntax test-group-with-cleanup
  (syntax-rules ()
    ((_ suite-name form ... cleanup)
     (run-group suite-name
                (lambda ()
                  (dynamic-wind
                   (lambda () #f)
                   (lambda () form ... #t)
                   (lambda () cleanup)))))))

(define-syntax test-with-runner
  (syntax-rules ()
    ((_ runner form ...)
     (call-with-runner runner (lambda () form ... #t)))))

;; Sets what is known of the test before it runs, and tells whether it is to run.
(define (begin-test runner name form)
  (test-result-clear runner)
  (set-test-name! runner name)
  (test-result-set! runner 'source-form form)
  (let* ((chosen? (or (eq? (run-list runner) #t) (any-matches? (run-list runner) runner)))
         (skipped? (or (any-matches? (skip-list runner) runner) (not chosen?)))
         (xfail? (and (not skipped?) (any-matches? (fail-list runner) runner))))
    (cond (skipped? (test-result-set! runner 'result-kind 'skip))
          (xfail? (test-result-set! runner 'result-kind 'xfail)))
    ((test-runner-on-test-begin runner) runner)
    (not skipped?)))

(define (end-test runner kind)
  (test-result-set! runner 'result-kind kind)
  (case kind
    ((pass) (set-pass! runner (+ (test-runner-pass-count runner) 1)))
    ((fail) (set-fail! runner (+ (test-runner-fail-count runner) 1)))
    ((xpass) (set-xpass! runner (+ (test-runner-xpass-count runner) 1)))
    ((xfail) (set-xfail! runner (+ (test-runner-xfail-count runner) 1)))
    (else (set-skip! runner (+ (test-runner-skip-count runner) 1))))
  (count-one! runner)
  ((test-runner-on-test-end runner) runner))

;; Runs one test: (check RUNNER) is true when it passes; an exception in it is a failure.
(define (run-test name form check)
  (let ((runner (test-runner-get)))
    (if (begin-test runner name form)
        (let ((xfail? (eq? (test-result-kind runner) 'xfail))
              (ok? (guard (e (#t (test-result-set! runner 'actual-error e) #f))
                     (check runner))))
          (end-test runner (if ok?
                               (if xfail? 'xpass 'pass)
                               (if xfail? 'xfail 'fail))))
        (end-test runner 'skip))))

(define (run-assert name form actual)
  (run-test name form
            (lambda (runner)
              (let ((value (actual)))
                (test-result-set! runner 'actual-value value)
                value))))

(define (run-compare same? name form expected actual)
  (run-test name form
            (lambda (runner)
              (let ((wanted (expected)))
                (test-result-set! runner 'expected-value wanted)
                (let ((value (actual)))
                  (test-result-set! runner 'actual-value value)
                  (same? wanted value))))))

(define (run-approximate name form expected actual tolerance)
  (run-test name form
            (lambda (runner)
              (let ((wanted (expected)))
                (test-result-set! runner 'expected-value wanted)
                (let ((value (actual)) (tolerance (tolerance)))
                  (test-result-set! runner 'actual-value value)
                  (<= (- wanted tolerance) value (+ wanted tolerance)))))))

;; TYPE is #t for any exception, or a predicate on what was raised.
(define (run-error name form type actual)
  (run-test name form
            (lambda (runner)
              (let ((type (type)))
                (test-result-set! runner 'expected-error type)
                (guard (e (#t (test-result-set! runner 'actual-error e)
                              (if (procedure? type) (type e) type)))
                  (test-result-set! runner 'actual-value (actual))
                  #f)))))

(define-syntax test-assert
  (syntax-rules ()
    ((_ name expression) (run-assert name 'expression (lambda () expression)))
    ((_ expression) (run-assert "" 'expression (lambda () expression)))))

(define-syntax define-comparison
  (syntax-rules ()
    ((_ keyword same?)
     (define-syntax keyword
       (syntax-rules ()
         ((_ name expected expression)
          (run-compare same? name 'expression (lambda () expected) (lambda () expression)))
         ((_ expected expression)
          (run-compare same? "" 'expression (lambda () expected) (lambda () expression))))))))

(define-comparison test-eq eq?)
(define-comparison test-eqv eqv?)
(define-comparison test-equal equal?)

(define-syntax test-approximate
  (syntax-rules ()
    ((_ name expected expression tolerance)
     (run-approximate name 'expression (lambda () expected) (lambda () expression)
                      (lambda () tolerance)))
    ((_ expected expression tolerance) (test-approximate "" expected expression tolerance))))

(define-syntax test-error
  (syntax-rules ()
    ((_ name type expression)
     (run-error name 'expression (lambda () type) (lambda () expression)))
    ((_ type expression) (test-error "" type expression))
    ((_ expression) (test-error "" #t expression))))

;; The value of the one datum STRING holds, with nothing after it.
(define (test-read-eval-string string)
  (let* ((port (open-input-string string))
         (form (read port)))
    (if (eof-object? form) (error "test-read-eval-string: no datum" string))
    (if (not (eof-object? (read-char port)))
        (error "test-read-eval-string: text after the datum" string))
    (eval form (environment '(scheme base) '(scheme char) '(scheme cxr) '(scheme inexact)
                            '(scheme lazy) '(scheme write)))))
