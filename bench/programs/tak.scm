;; tak: Takeuchi's function, n times. Three-argument calls nested in a call.
;; Expected: tak(18, 12, 6) = 7, the value published with the function.
(import (scheme base) (scheme write) (scheme process-context))

(define (tak x y z)
  (if (not (< y x))
      z
      (tak (tak (- x 1) y z)
           (tak (- y 1) z x)
           (tak (- z 1) x y))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (tak 18 12 6)))
      ((= i n) r)))

(let ((got (main 300)) (want 7))
  (cond ((equal? got want) (display "tak ok") (newline))
        (else (display "tak: wrong result: ") (write got) (newline) (exit 1))))
