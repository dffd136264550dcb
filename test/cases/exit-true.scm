;; #t is success.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (exit #t))
  (lambda () (display "out") (newline)))
(display "never") (newline)
