(define-library (my shapes)
  (include-library-declarations "deep/declarations.inc.scm")
  (import (scheme base))
  (include "deep/body.inc.scm"))
