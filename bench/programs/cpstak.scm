;; cpstak: Takeuchi's function in continuation-passing style. Closure creation and tail calls.
;; Expected: tak(18, 12, 6) = 7.
(import (scheme base) (scheme write) (scheme process-context))

(define (cpstak x y z k)
  (if (not (< y x))
      (k z)
      (cpstak (- x 1) y z
              (lambda (a)
                (cpstak (- y 1) z x
                        (lambda (b)
                          (cpstak (- z 1) x y
                                  (lambda (c) (cpstak a b c k)))))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (cpstak 18 12 6 (lambda (v) v))))
      ((= i n) r)))

(let ((got (main 80)) (want 7))
  (cond ((equal? got want) (display "cpstak ok") (newline))
        (else (display "cpstak: wrong result: ") (write got) (newline) (exit 1))))
