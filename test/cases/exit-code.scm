;; exit runs the after thunks and gives its code.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (exit 7))
  (lambda () (display "out") (newline)))
(display "never") (newline)
