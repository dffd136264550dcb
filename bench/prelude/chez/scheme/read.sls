(library (scheme read)
  (export read)
  (import (chezscheme)))
