;; (scheme time), as R7RS-small has it.
(define-library (scheme time)
  (export current-jiffy current-second jiffies-per-second)
  (import (hone prim)))
