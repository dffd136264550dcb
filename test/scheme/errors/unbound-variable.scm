(import (scheme base))
(define (use)
  (+ 1 no-such-variable))
(+ 1 (use))
