;; (scheme cxr), as R7RS-small has it.
(define-library (scheme cxr)
  (export
   caaaar caaadr caaar caadar caaddr caadr cadaar cadadr cadar caddar cadddr caddr cdaaar
   cdaadr cdaar cdadar cdaddr cdadr cddaar cddadr cddar cdddar cddddr cdddr)
  (import (hone prim)))
