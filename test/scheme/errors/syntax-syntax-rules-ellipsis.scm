(import (scheme base))
(define (f x)
  (let-syntax ((m (syntax-rules () ((_ a ...) (a))))) (m 1)))
(f 1)
