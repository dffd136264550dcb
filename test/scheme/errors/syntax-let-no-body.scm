(import (scheme base))
(define (f x)
  (let ((x 1))))
(f 1)
