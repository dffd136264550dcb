(library (scheme case-lambda)
  (export case-lambda)
  (import (chezscheme)))
