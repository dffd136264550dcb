(import (scheme base))
(define (positive n) (if (> n 0) n (error "not positive:" n)))
(define p (make-parameter 1 positive))
(parameterize ((p -4)) (p))
