(define-library (suite late)
  (export late-value)
  (import (scheme base))
  (begin (define late-value 'late)))
