(import (scheme base))
(define (f x)
  (set! x))
(f 1)
