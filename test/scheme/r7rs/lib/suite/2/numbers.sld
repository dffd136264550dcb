(define-library (suite 2 numbers)
  (export number-two)
  (import (scheme base))
  (begin (define number-two 2)))
