;; Closures made, composed and called.
(import (scheme base) (scheme write) (scheme process-context))

(define (adder n) (lambda (x) (+ x n)))
(define (compose f g) (lambda (x) (f (g x))))

(define (main n)
  (let loop ((i 0) (s 0))
    (if (= i n)
        s
        (loop (+ i 1) ((compose (adder 1) (compose (adder i) (adder 2))) s)))))

(if (= (main 3000000) (+ (* 3 3000000) (quotient (* 3000000 2999999) 2)))
    (begin (display "closures ok") (newline))
    (exit 1))
