(define-library (my hygiene)
  (export get-secret set-secret! hygienic-choose)
  (import (scheme base))
  (begin
    (define secret 'library)
    (define (helper x) (list 'helped x))
    (define-syntax get-secret (syntax-rules () ((_) secret)))
    (define-syntax set-secret! (syntax-rules () ((_ v) (set! secret v))))
    (define-syntax hygienic-choose (syntax-rules () ((_ c a b) (helper (if c a b)))))))
