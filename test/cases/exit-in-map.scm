;; exit from inside map.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (map (lambda (x) (if (= x 2) (exit 9) x)) '(1 2 3)))
  (lambda () (display "out") (newline)))
(display "never") (newline)
