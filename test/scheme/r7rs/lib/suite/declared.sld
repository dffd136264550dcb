(define-library (suite declared)
  (include-library-declarations "parts/declarations.inc.scm")
  (begin
    (define (declared-add1 x) (+ x 1))
    (define inner 'inner-name)))
