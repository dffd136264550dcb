(define-library (suite macros)
  (export my-unless with-hidden)
  (import (scheme base))
  (begin
    (define (hidden-helper x) (list 'hidden x))
    (define-syntax my-unless
      (syntax-rules () ((_ c body ...) (if (not c) (begin body ...)))))
    (define-syntax with-hidden
      (syntax-rules () ((_ x) (hidden-helper x))))))
