;; (scheme lazy), as R7RS-small has it.
(define-library (scheme lazy)
  (export delay delay-force force make-promise promise?)
  (import (hone syntax) (hone base)))
