;; (scheme read), as R7RS-small has it.
(define-library (scheme read)
  (export read)
  (import (hone prim)))
