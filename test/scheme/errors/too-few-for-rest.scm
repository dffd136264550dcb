(import (scheme base))
(define (at-least-two a b . rest) (list a b rest))
(+ 1 (at-least-two 1))
