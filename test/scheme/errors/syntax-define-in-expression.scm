(import (scheme base))
(define (f x)
  (+ 1 (define y 2)))
(f 1)
