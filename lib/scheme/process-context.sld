;; (scheme process-context), as R7RS-small has it.
(define-library (scheme process-context)
  (export
   command-line emergency-exit exit get-environment-variable get-environment-variables)
  (import (hone prim) (hone base)))
