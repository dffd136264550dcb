;; (scheme write), as R7RS-small has it.
(define-library (scheme write)
  (export display write write-shared write-simple)
  (import (hone prim)))
