;; SRFI 16: case-lambda, which R7RS has.
(define-library (srfi 16)
  (export case-lambda)
  (import (scheme case-lambda)))
