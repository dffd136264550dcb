(import (scheme base))
(define (f x)
  (+ 1 . 2))
(f 1)
