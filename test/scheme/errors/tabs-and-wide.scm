(import (scheme base))
(define λ→日 (lambda (x)
	(vector-ref x 'é)))
(+ 1 (λ→日 (vector 1)))
