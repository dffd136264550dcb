(define-library (cycle c)
  (export c-entry)
  (import (scheme base) (cycle a))
  (begin (define (c-entry) (a-entry))))
