(define-library (cycle b)
  (export b-entry)
  (import (scheme base) (cycle c))
  (begin (define (b-entry) (c-entry))))
