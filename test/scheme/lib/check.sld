;;; The assertions of the language suite.
;;;
;;; (sized n) is n, or n divided by CHECK_SCALE from the environment, at least 1: for tests whose
;;; work would take hours where every safe point collects.
;;;
;;; A test file begins with (check-begin NAME), makes assertions, and ends with
;;; (check-finish), which prints "NAME: P passed, F failed" as its last line and
;;; exits with 1 if anything failed.  An assertion that raises counts as failed and
;;; the file goes on, so that one fault hides no other.
(define-library (check)
  (export sized check check-values check-true check-false check-error check-raises
          check-approx section check-begin check-finish)
  (import (scheme base) (scheme write) (scheme process-context))
  (begin

    (define name "check")
    (define current-section "")
    (define passed 0)
    (define failed 0)

    (define scale
      (let ((text (get-environment-variable "CHECK_SCALE")))
        (or (and text (string->number text)) 1)))

    (define (sized n)
      (max 1 (quotient n scale)))

    (define (check-begin title)
      (set! name title))

    (define (section title)
      (set! current-section title))

    (define (pass!)
      (set! passed (+ passed 1)))

    (define (show-line label datum)
      (display label)
      (write datum)
      (newline))

    (define (fail! form expected-label expected)
      (set! failed (+ failed 1))
      (display "FAIL ")
      (display current-section)
      (newline)
      (show-line "  expression: " form)
      (show-line expected-label expected))

    (define (show-raised obj)
      (if (error-object? obj)
          (show-line "  raised:     "
                     (cons (error-object-message obj) (error-object-irritants obj)))
          (show-line "  raised:     " obj)))

    (define (nan-number? x)
      (and (number? x) (not (= x x))))

    ;; equal?, but a NaN is the same as a NaN, inside pairs and vectors as well.
    ;; equal? goes first, so that cyclic data that agree never reach the walk.
    (define (same? a b)
      (or (equal? a b)
          (and (nan-number? a) (nan-number? b))
          (and (pair? a) (pair? b) (list? a) (list? b)
               (same? (car a) (car b))
               (same? (cdr a) (cdr b)))
          (and (vector? a) (vector? b)
               (same? (vector->list a) (vector->list b)))))

    (define (compare form expected got)
      (cond
        ((same? expected got) (pass!))
        (else
         (fail! form "  expected:   " expected)
         (show-line "  got:        " got))))

    ;; Runs the thunk; gives its value to USE, or says that it raised.
    (define (run form expected-label expected thunk use)
      (let ((outcome (guard (e (#t (cons 'raised e)))
                       (cons 'value (thunk)))))
        (cond
          ((eq? (car outcome) 'value) (use (cdr outcome)))
          (else
           (fail! form expected-label expected)
           (show-raised (cdr outcome))))))

    (define (run-check form expected thunk)
      (run form "  expected:   " expected thunk
           (lambda (got) (compare form expected got))))

    (define (run-approx form expected thunk)
      (run form "  expected:   about " expected thunk
           (lambda (got)
             (cond
               ((and (real? got)
                     (<= (abs (- got expected)) (* 1e-12 (max 1 (abs expected)))))
                (pass!))
               (else
                (fail! form "  expected:   about " expected)
                (show-line "  got:        " got))))))

    (define (run-raises form what accept? thunk)
      (let ((outcome (guard (e (#t (cons 'raised e)))
                       (cons 'value (thunk)))))
        (cond
          ((eq? (car outcome) 'value)
           (fail! form "  expected:   " what)
           (show-line "  got:        " (cdr outcome)))
          ((accept? (cdr outcome)) (pass!))
          (else
           (fail! form "  expected:   " what)
           (show-raised (cdr outcome))))))

    (define-syntax check
      (syntax-rules (=>)
        ((_ expr => expected)
         (run-check 'expr expected (lambda () expr)))))

    (define-syntax check-values
      (syntax-rules (=>)
        ((_ expr => expected ...)
         (run-check 'expr (list expected ...)
                    (lambda () (call-with-values (lambda () expr) list))))))

    (define-syntax check-true
      (syntax-rules ()
        ((_ expr) (run-check 'expr #t (lambda () (if expr #t #f))))))

    (define-syntax check-false
      (syntax-rules ()
        ((_ expr) (run-check 'expr #f (lambda () expr)))))

    (define-syntax check-error
      (syntax-rules ()
        ((_ expr)
         (run-raises 'expr 'an-error (lambda (obj) #t) (lambda () expr)))))

    (define-syntax check-raises
      (syntax-rules ()
        ((_ accept? expr)
         (run-raises 'expr 'accept? accept? (lambda () expr)))))

    (define-syntax check-approx
      (syntax-rules ()
        ((_ expr expected)
         (run-approx 'expr expected (lambda () expr)))))

    (define (check-finish)
      (display name)
      (display ": ")
      (display passed)
      (display " passed, ")
      (display failed)
      (display " failed")
      (newline)
      (exit (if (= failed 0) 0 1)))))
