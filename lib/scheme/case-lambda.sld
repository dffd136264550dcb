;; (scheme case-lambda), as R7RS-small has it.
(define-library (scheme case-lambda)
  (export case-lambda)
  (import (hone syntax)))
