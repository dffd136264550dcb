(define-library (faulty other-name)
  (export entry)
  (import (scheme base))
  (begin (define (entry) 1)))
