;; after thunks run from the inside out.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (call/cc (lambda (k) (dynamic-wind (lambda () (display "in2 ")) (lambda () (exit 4)) (lambda () (display "out2 "))))))
  (lambda () (display "out") (newline)))
(display "never") (newline)
