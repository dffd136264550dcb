;; #f is failure.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (exit #f))
  (lambda () (display "out") (newline)))
(display "never") (newline)
