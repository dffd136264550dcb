;; SRFI 0: conditional expansion, which R7RS has.
(define-library (srfi 0)
  (export cond-expand)
  (import (scheme base)))
