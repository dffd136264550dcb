;; ctak: Takeuchi's function in which every call captures its continuation and returns through it.
;; Expected: tak(18, 12, 6) = 7.
(import (scheme base) (scheme write) (scheme process-context))

(define (ctak x y z)
  (call-with-current-continuation (lambda (k) (ctak-in k x y z))))

(define (ctak-in k x y z)
  (if (not (< y x))
      (k z)
      (ctak-in k
               (call-with-current-continuation (lambda (k) (ctak-in k (- x 1) y z)))
               (call-with-current-continuation (lambda (k) (ctak-in k (- y 1) z x)))
               (call-with-current-continuation (lambda (k) (ctak-in k (- z 1) x y))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (ctak 18 12 6)))
      ((= i n) r)))

(let ((got (main 1)) (want 7))
  (cond ((equal? got want) (display "ctak ok") (newline))
        (else (display "ctak: wrong result: ") (write got) (newline) (exit 1))))
