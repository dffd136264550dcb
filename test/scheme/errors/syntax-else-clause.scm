(import (scheme base))
(define (f x)
  (cond (else 1) (#t 2)))
(f 1)
