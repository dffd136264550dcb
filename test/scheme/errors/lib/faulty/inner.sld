(define-library (faulty inner)
  (export inner-entry)
  (import (scheme base))
  (begin
    (define (inner-entry l)
      (+ 1
         (vector-length l)))))
