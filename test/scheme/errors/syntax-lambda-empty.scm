(import (scheme base))
(define (f x)
  (lambda))
(f 1)
