(define-library (geo parts math)
  (export add)
  (import (scheme base))
  (begin (define (add a b) (+ a b))))
