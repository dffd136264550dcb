;; ack: Ackermann's function. Deep non-tail recursion and tail calls in one procedure.
;; Expected: A(3, n) = 2^(n+3) - 3.
(import (scheme base) (scheme write) (scheme process-context))

(define (ack m n)
  (cond ((= m 0) (+ n 1))
        ((= n 0) (ack (- m 1) 1))
        (else (ack (- m 1) (ack m (- n 1))))))

(define (main n) (ack 3 n))

(let ((got (main 10)) (want 8189))
  (cond ((equal? got want) (display "ack ok") (newline))
        (else (display "ack: wrong result: ") (write got) (newline) (exit 1))))
