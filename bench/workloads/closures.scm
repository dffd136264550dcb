;; Closures made, composed, kept in a vector and called from there, so that no compiler can see which it calls.
(import (scheme base) (scheme write) (scheme process-context))

(define (adder n) (lambda (x) (+ x n)))
(define (compose f g) (lambda (x) (f (g x))))

(define (main n)
  (let ((kept (vector (adder 1) (adder 2) (adder 3) (adder 4))))
    (let loop ((i 0) (s 0))
      (if (= i n)
          s
          (let ((slot (remainder i 4)))
            (vector-set! kept slot (compose (adder i) (adder (- slot i))))
            (loop (+ i 1) ((compose (vector-ref kept slot) (vector-ref kept slot)) s)))))))

;; Each turn adds twice its slot: 2 * (0 + 1 + 2 + 3) in four turns.
(if (= (main 10000000) (* 3 10000000))
    (begin (display "closures ok") (newline))
    (exit 1))
