;; Ends by exit inside dynamic-wind after half a second's work.
;; A right profile: whole, with `work` near 100 %; the exit code stays 7.
(import (scheme base) (scheme write) (scheme process-context))
(define (work n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(dynamic-wind
  (lambda () 0)
  (lambda () (let ((v (work 5000000))) (write v) (newline) (exit 7)))
  (lambda () (write 'after) (newline)))
