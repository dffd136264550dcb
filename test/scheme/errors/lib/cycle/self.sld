(define-library (cycle self)
  (export self-entry)
  (import (scheme base) (cycle self))
  (begin (define (self-entry) 1)))
