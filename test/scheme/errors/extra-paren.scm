(import (scheme base))
(define x 1))
(define y 2)
