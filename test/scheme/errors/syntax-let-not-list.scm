(import (scheme base))
(define (f x)
  (let (x 1) x))
(f 1)
