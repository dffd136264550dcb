;; SRFI 39: parameters, which R7RS has.
(define-library (srfi 39)
  (export make-parameter parameterize)
  (import (scheme base)))
