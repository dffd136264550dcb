;; The program's own arguments come through untouched, options included.
(import (scheme base) (scheme write) (scheme process-context))
(write (cdr (command-line)))
(newline)
