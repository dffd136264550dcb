;; (scheme inexact), as R7RS-small has it.
(define-library (scheme inexact)
  (export acos asin atan cos exp finite? infinite? log nan? sin sqrt tan)
  (import (hone prim)))
