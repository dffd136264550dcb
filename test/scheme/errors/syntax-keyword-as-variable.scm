(import (scheme base))
(define (f x)
  (+ 1 if))
(f 1)
