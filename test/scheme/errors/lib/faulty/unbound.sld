(define-library (faulty unbound)
  (export entry)
  (import (only (scheme base) define +))
  (begin
    (define (entry) (+ 1 (car 2)))))
