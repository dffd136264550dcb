;; (scheme eval), as R7RS-small has it.
(define-library (scheme eval)
  (export environment eval)
  (import (hone base)))
