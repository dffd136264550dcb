(define-library (suite counter)
  (import (scheme base))
  (export counter-next! counter-instances)
  (begin
    (define n 0)
    (define instances 0)
    (set! instances (+ instances 1))
    (define (counter-instances) instances)
    (define (counter-next!) (set! n (+ n 1)) n)))
