(import (scheme base))
(define (area width height) (* width height))
(define (main) (+ 1 (area 5)))
(+ 1 (main))
