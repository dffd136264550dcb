(define-library (faulty syntax)
  (export entry)
  (import (scheme base))
  (begin
    (define (entry)
      (if))))
