;; exit is no exception: a guard does not see it.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (guard (e (#t (display "caught "))) (exit 5)))
  (lambda () (display "out") (newline)))
(display "never") (newline)
