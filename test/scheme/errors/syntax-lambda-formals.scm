(import (scheme base))
(define (f x)
  (lambda (a 5) a))
(f 1)
