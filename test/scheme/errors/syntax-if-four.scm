(import (scheme base))
(define (f x)
  (if 1 2 3 4))
(f 1)
