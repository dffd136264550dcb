(library (scheme lazy)
  (export delay force)
  (import (chezscheme)))
