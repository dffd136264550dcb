;; fib: doubly recursive Fibonacci numbers. Calls, comparisons and fixnum arithmetic.
;; Expected: F(35) by the recurrence done by hand (and by the closed form).
(import (scheme base) (scheme write) (scheme process-context))

(define (fib n)
  (if (< n 2)
      n
      (+ (fib (- n 1)) (fib (- n 2)))))

(define (main n) (fib n))

(let ((got (main 35)) (want 9227465))
  (cond ((equal? got want) (display "fib ok") (newline))
        (else (display "fib: wrong result: ") (write got) (newline) (exit 1))))
