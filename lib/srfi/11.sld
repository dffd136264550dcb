;; SRFI 11: let-values, which R7RS has.
(define-library (srfi 11)
  (export let-values let*-values)
  (import (scheme base)))
