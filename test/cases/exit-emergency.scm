;; emergency-exit runs no thunk, yet what was written is not lost.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (emergency-exit 7))
  (lambda () (display "out") (newline)))
(display "never") (newline)
