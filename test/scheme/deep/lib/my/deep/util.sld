(define-library (my deep util)
  (export twice)
  (import (scheme base))
  (begin (define (twice x) (+ x x))))
