(define-library (faulty export)
  (export entry never-defined)
  (import (scheme base))
  (begin
    (define (entry) 1)))
