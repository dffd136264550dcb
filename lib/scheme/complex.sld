;; (scheme complex), as R7RS-small has it.
(define-library (scheme complex)
  (export angle imag-part magnitude make-polar make-rectangular real-part)
  (import (hone prim)))
