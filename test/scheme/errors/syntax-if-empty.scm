(import (scheme base))
(define (f x)
  (if))
(f 1)
