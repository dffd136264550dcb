;;; Futures: in threads and in fibers.
(import (scheme base) (scheme write) (hone future) (hone fiber) (check))
(check-begin "fibers: futures")

(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (sum-of-fibs)
  (let ((futures (map (lambda (n) (future (fib n))) '(10 12 14 16))))
    (apply + (map touch futures))))

(section "threads")
(check (sum-of-fibs) => (+ 55 144 377 987))
(check (future? (future 1)) => #t)
(check (future? 1) => #f)
(check-values (touch (make-future (lambda () (values 1 2)))) => 1 2)
(check (let ((f (future 5))) (+ (touch f) (touch f))) => 10)
(check (guard (e (#t (list 'raised e))) (touch (future (raise 'x)))) => '(raised x))

(section "fibers")
(check (run-fibers sum-of-fibs) => (+ 55 144 377 987))
(check (run-fibers (lambda () (guard (e (#t (list 'raised e))) (touch (future (raise 'x)))))) => '(raised x))
(check (run-fibers (lambda () (touch (future (touch (future 'inner)))))) => 'inner)

(check-finish)
