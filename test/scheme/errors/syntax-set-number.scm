(import (scheme base))
(define (f x)
  (set! 5 1))
(f 1)
