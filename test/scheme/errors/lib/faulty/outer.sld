(define-library (faulty outer)
  (export outer-entry)
  (import (scheme base) (faulty inner))
  (begin
    (define (outer-entry n)
      (+ 1 (inner-entry (list n))))))
