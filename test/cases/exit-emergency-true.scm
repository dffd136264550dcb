;; emergency-exit without an argument.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (emergency-exit))
  (lambda () (display "out") (newline)))
(display "never") (newline)
