(import (scheme base))
(define (twice x) (* 2 x))
(define (main) (+ 1 (twice 1 2 3)))
(+ 1 (main))
