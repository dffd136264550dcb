(import (scheme base))
(define (f x)
  (let ((y 1))
    (vector-ref x #(1 2
