(define-library (my uses-counter)
  (export use-counter! body-runs)
  (import (scheme base) (my counter))
  (begin (define (use-counter!) (next!))))
