;; SRFI 23: error, which R7RS has.
(define-library (srfi 23)
  (export error)
  (import (scheme base)))
