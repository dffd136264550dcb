;; SRFI 64 tested with itself: inner suites run under a runner that only keeps what happened,
;; and the outer suite looks at what it kept.
(import (scheme base) (scheme write) (srfi 64) (suite))

;; The events of THUNK under a runner of its own: (name kind) for tests, others by their first
;; word; then the five counts: pass, fail, xpass, xfail, skip.
(define (events-of thunk)
  (let ((events '()) (runner (test-runner-null)))
    (define (note! . event) (set! events (cons event events)))
    (test-runner-on-test-end! runner
      (lambda (r) (note! (test-runner-test-name r) (test-result-kind r))))
    (test-runner-on-group-begin! runner (lambda (r name count) (note! 'begin name count)))
    (test-runner-on-group-end! runner (lambda (r) (note! 'end (test-runner-group-path r))))
    (test-runner-on-bad-count! runner
      (lambda (r actual expected) (note! 'bad-count actual expected)))
    (test-runner-on-bad-end-name! runner
      (lambda (r begin-name end-name) (note! 'bad-name begin-name end-name)))
    (test-runner-on-final! runner (lambda (r) (note! 'final)))
    (test-with-runner runner (thunk))
    (values (reverse events)
            (list (test-runner-pass-count runner) (test-runner-fail-count runner)
                  (test-runner-xpass-count runner) (test-runner-xfail-count runner)
                  (test-runner-skip-count runner)))))

(define-syntax events
  (syntax-rules ()
    ((_ form ...)
     (let-values (((events counts) (events-of (lambda () form ... #t)))) events))))

(define-syntax counts
  (syntax-rules ()
    ((_ form ...)
     (let-values (((events counts) (events-of (lambda () form ... #t)))) counts))))

(test-begin "srfi-64")

(test-equal '((begin "g" #f) ("a" pass) ("b" fail) ("" pass) ("c" fail) (end ("g")) (final))
  (events (test-begin "g")
          (test-assert "a" 1)
          (test-eqv "b" 1 2)
          (test-equal '(1) (list 1))
          (test-eq "c" 'x (car '()))
          (test-end "g")))

(test-equal '(2 1 0 0 0)
  (counts (test-error #t (car 1))
          (test-error error-object? (raise 'x))
          (test-error "n" symbol? (raise 'x))))
(test-equal '(0 1 0 0 0) (counts (test-error (+ 1 2))))
(test-equal '(2 1 0 0 0)
  (counts (test-approximate 1.0 1.05 0.1)
          (test-approximate "n" 1.0 0.95 0.1)
          (test-approximate 1.0 1.2 0.1)))

;; Skipping by name, by number, and only within the group.
(test-equal '((begin "g" #f) ("a" pass) ("b" skip) (end ("g")) ("b" pass))
  (let ((l (events (test-begin "g") (test-skip "b") (test-assert "a" #t)
                   (test-assert "b" (error "run")) (test-end "g") (test-assert "b" #t))))
    (list (car l) (cadr l) (list-ref l 2) (list-ref l 3) (list-ref l 5))))
(test-equal '(1 0 0 0 2)
  (counts (test-skip 2) (test-assert #f) (test-assert #f) (test-assert #t)))
(test-equal '(("a" pass) ("b" skip) ("c" skip) ("d" pass))
  (events (test-skip (test-match-nth 2 2))
          (test-assert "a" #t) (test-assert "b" #t) (test-assert "c" #t) (test-assert "d" #t)))
(test-equal '(("a" skip) ("b" pass) ("a" pass))
  (events (test-skip (test-match-all "a" (test-match-nth 1)))
          (test-assert "a" #t) (test-assert "b" #t) (test-assert "a" #t)))
(test-equal '(("a" skip) ("b" pass) ("c" skip))
  (events (test-skip (test-match-any "a" "c"))
          (test-assert "a" #t) (test-assert "b" #t) (test-assert "c" #t)))

(test-equal '(("a" xfail) ("b" xpass) ("c" pass))
  (events (test-expect-fail 2) (test-assert "a" #f) (test-assert "b" #t) (test-assert "c" #t)))

;; A group inside counts as one test, and a skipped group as one skipped test.
(test-equal '((begin "g" 3) ("a" pass) (begin "h" #f) ("b" pass) ("c" pass) (end ("g" "h"))
              (end ("g")) (final))
  (events (test-begin "g" 3)
          (test-skip "k")
          (test-assert "a" #t)
          (test-group "h" (test-assert "b" #t) (test-assert "c" #t))
          (test-group "k" (test-assert "d" (error "run")))
          (test-end)))
(test-equal '((begin "g" 2) ("a" pass) (bad-count 1 2) (end ("g")) (final))
  (events (test-begin "g" 2) (test-assert "a" #t) (test-end)))
(test-equal '((begin "g" #f) (bad-name "g" "h") (end ("g")) (final))
  (events (test-begin "g") (test-end "h")))
(test-error (events (test-end)))

;; A group is left, and the cleanup runs, when an exception passes through.
(test-equal '((begin "g" #f) (end ("g")) (final))
  (events (guard (e (#t #f)) (test-group "g" (raise 'x)))))
(test-equal '(cleaned body)
  (let ((trace '()))
    (counts (guard (e (#t #f))
              (test-group-with-cleanup "g"
                (set! trace (cons 'body trace))
                (raise 'x)
                (set! trace (cons 'cleaned trace)))))
    trace))

(test-equal '(("a" pass) ("b" skip) ("c" pass))
  (events (test-apply "a" "c"
            (lambda () (test-assert "a" #t) (test-assert "b" #t) (test-assert "c" #t)))))

;; Results and their properties.
(test-equal '((pass #t 7 7 gone) (fail #f 7 8 gone))
  (let ((kept '()))
    (counts
     (let ((keep! (lambda ()
                    (let ((r (test-runner-get)))
                      (set! kept (cons (list (test-result-kind) (test-passed?)
                                             (test-result-ref r 'expected-value)
                                             (test-result-ref r 'actual-value)
                                             (test-result-ref r 'none 'gone))
                                       kept))))))
       (test-equal 7 (+ 3 4))
       (keep!)
       (test-equal 7 (+ 4 4))
       (keep!)))
    (reverse kept)))
(test-equal '((b . 2) (a . 1))
  (let ((r (test-runner-null)))
    (test-result-set! r 'a 0)
    (test-result-set! r 'c 3)
    (test-result-set! r 'a 1)
    (test-result-set! r 'b 2)
    (test-result-remove r 'c)
    (test-result-alist r)))

(test-assert (test-runner? (test-runner-create)))
(test-assert (not (test-runner? 'x)))
(let ((r (test-runner-null)))
  (test-runner-aux-value! r 'mine)
  (test-eqv 'mine (test-runner-aux-value r)))
(test-eqv 7 (test-read-eval-string "(+ 3 4)"))
(test-error (test-read-eval-string "(+ 3 4"))
(test-error (test-read-eval-string "(+ 3 4) "))

;; The simple runner's summary.
(test-equal "%%%% Starting test s\n# of expected passes      2\n# of skipped tests        1\n"
  (let ((out (open-output-string)))
    (parameterize ((current-output-port out))
      (test-with-runner (test-runner-simple)
        (test-begin "s")
        (test-assert #t)
        (test-skip 1)
        (test-assert #f)
        (test-assert #t)
        (test-end "s")))
    (get-output-string out)))

(suite-end "srfi-64")
