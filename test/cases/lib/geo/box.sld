(define-library (geo box)
  (include-library-declarations "parts/exports.inc.scm")
  (import (scheme base))
  (include "parts/box.inc.scm"))
