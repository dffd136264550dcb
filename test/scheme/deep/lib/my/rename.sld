(define-library (my rename)
  (export rename)
  (import (scheme base))
  (begin (define (rename x) `(renamed ,x))))
