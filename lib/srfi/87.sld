;; SRFI 87: => in case clauses, which R7RS has.
(define-library (srfi 87)
  (export case)
  (import (scheme base)))
