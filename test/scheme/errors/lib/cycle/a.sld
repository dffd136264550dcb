(define-library (cycle a)
  (export a-entry)
  (import (scheme base) (cycle b))
  (begin (define (a-entry) (b-entry))))
