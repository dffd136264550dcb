;; SRFI 98: environment variables, which R7RS has.
(define-library (srfi 98)
  (export get-environment-variable get-environment-variables)
  (import (scheme process-context)))
