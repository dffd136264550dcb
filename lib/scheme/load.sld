;; (scheme load), as R7RS-small has it.
(define-library (scheme load)
  (export load)
  (import (hone base)))
