(import (scheme base))
(define (apply-all fs x)
  (map (lambda (f) (f x)) fs))
(apply-all (list - (lambda (x) (* 2 (cdr x)))) 5)
