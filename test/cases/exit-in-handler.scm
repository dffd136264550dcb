;; exit from a handler.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "in "))
  (lambda () (with-exception-handler (lambda (e) (exit 6)) (lambda () (raise 1))))
  (lambda () (display "out") (newline)))
(display "never") (newline)
