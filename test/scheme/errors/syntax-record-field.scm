(import (scheme base))
(define (f x)
  (let () (define-record-type r (mk z) r? (a ra)) 1))
(f 1)
