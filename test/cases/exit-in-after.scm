;; exit from an after thunk: that thunk is over; the outer ones still run; the later code wins.
(import (scheme base) (scheme write) (scheme process-context))
(dynamic-wind
  (lambda () (display "a "))
  (lambda ()
    (dynamic-wind
      (lambda () (display "b "))
      (lambda () (exit 1))
      (lambda () (display "leave-b ") (exit 2))))
  (lambda () (display "leave-a") (newline)))
(display "never") (newline)
