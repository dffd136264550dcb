;; (scheme repl), as R7RS-small has it.
(define-library (scheme repl)
  (export interaction-environment)
  (import (hone base)))
