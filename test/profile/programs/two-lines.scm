;; One loop without calls or inner loops: only the loop's head is a safe point. Two of its lines have 5 and 15 equal divisions;
;; processors predict the longer one worse, so it costs at least three times as much.
(import (scheme base) (scheme write))
(define (work n x p)
  (let loop ((i 0) (a 0) (b 0))
    (if (= i n)
        (- b a a a)
        (loop (+ i 1)
              (+ (+ (+ (+ (+ x (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p))
              (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ (+ x (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p)) (quotient x p))))))
(write (work 2000000 100000000000007 3))
(newline)
