(import (scheme base))
(define (f x)
  (let ((x)) x))
(f 1)
