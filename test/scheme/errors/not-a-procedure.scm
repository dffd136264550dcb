(import (scheme base))
(define thing '(1 2))
(define (call-it) (+ 1 (thing 3)))
(+ 1 (call-it))
