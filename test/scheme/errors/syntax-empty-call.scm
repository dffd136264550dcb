(import (scheme base))
(define (f x)
  (+ 1 ()))
(f 1)
