(define-library (geo rename)
  (export rename)
  (import (scheme base))
  (begin (define (rename x) (list 'renamed x))))
