(import (scheme base))
(define v (vector 1 2 3))
(define (look i) (+ 0 (vector-ref v i)))
(+ 1 (look 10))
