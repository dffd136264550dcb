(import (scheme base))
(define (f x)
  (let ((y 1))
    (+ x y)
