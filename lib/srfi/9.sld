;; SRFI 9: records, which R7RS has.
(define-library (srfi 9)
  (export define-record-type)
  (import (scheme base)))
