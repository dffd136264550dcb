;;; A list of ten million, and what walks over it.
(import (scheme base) (check))
(check-begin "deep/big-list")

(define N 10000000)
(define big (let loop ((i (- N 1)) (acc '())) (if (< i 0) acc (loop (- i 1) (cons i acc)))))

(section "a list of ten million")
(check (length big) => 10000000)
(check (list-ref big 9999999) => 9999999)
(check (let loop ((l big) (sum 0)) (if (null? l) sum (loop (cdr l) (+ sum (car l))))) => 49999995000000)
(check (car (reverse big)) => 9999999)
(check (list? big) => #t)
(check (memv 9999999 big) => '(9999999))
(check (length (map (lambda (x) (+ x 1)) big)) => 10000000)
(check (let ((sum 0)) (for-each (lambda (x) (set! sum (+ sum x))) big) sum) => 49999995000000)
(check (vector-length (list->vector big)) => 10000000)
(check (length (append big '(end))) => 10000001)
(check (let ((copy (list-copy big))) (and (not (eq? copy big)) (equal? copy big))) => #t)

(check-finish)
