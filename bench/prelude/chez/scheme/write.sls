(library (scheme write)
  (export display write)
  (import (chezscheme)))
