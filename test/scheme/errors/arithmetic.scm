(import (scheme base))
(define (total items)
  (if (null? items)
      0
      (+ (car items) (total (cdr items)))))
(total '(1 2 "three" 4))
