;; SRFI 8: receive binds the values of an expression to formals.
(define-library (srfi 8)
  (export receive)
  (import (scheme base))
  (begin
    (define-syntax receive
      (syntax-rules ()
        ((_ formals expression body ...)
         (call-with-values (lambda () expression) (lambda formals body ...)))))))
