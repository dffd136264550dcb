(import (scheme base))
(define-syntax must-be-list
  (syntax-rules ()
    ((_ (a ...)) '(a ...))
    ((_ x) (syntax-error "must-be-list wants a list, not" x))))
(define ok (must-be-list (1 2)))
(define bad
  (must-be-list 7))
