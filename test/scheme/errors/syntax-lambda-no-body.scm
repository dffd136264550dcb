(import (scheme base))
(define (f x)
  (lambda (x)))
(f 1)
