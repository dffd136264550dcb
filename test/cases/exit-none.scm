;; exit without an argument is success.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (exit))
  (lambda () (display "out") (newline)))
(display "never") (newline)
