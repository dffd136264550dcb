(library (scheme process-context)
  (export exit command-line)
  (import (chezscheme)))
