;; zero is success.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (exit 0))
  (lambda () (display "out") (newline)))
(display "never") (newline)
