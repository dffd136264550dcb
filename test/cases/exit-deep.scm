;; exit from deep recursion.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (let loop ((n 100000)) (if (= n 0) (exit 3) (+ 1 (loop (- n 1))))))
  (lambda () (display "out") (newline)))
(display "never") (newline)
