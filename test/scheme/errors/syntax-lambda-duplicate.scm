(import (scheme base))
(define (f x)
  (lambda (a b a) a))
(f 1)
