;; Doubly recursive Fibonacci numbers: calls and returns.
(import (scheme base) (scheme write) (scheme process-context))

(define (fib n)
  (if (< n 2)
      n
      (+ (fib (- n 1)) (fib (- n 2)))))

(if (= (fib 37) 24157817)
    (begin (display "fib ok") (newline))
    (exit 1))
