(import (scheme base))
(define (f x)
  (case))
(f 1)
