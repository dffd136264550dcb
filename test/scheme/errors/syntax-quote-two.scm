(import (scheme base))
(define (f x)
  (quote 1 2))
(f 1)
