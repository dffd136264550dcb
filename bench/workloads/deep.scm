;; A recursion 3,000 deep, down and up again and again: a sample has that many frames below it.
(import (scheme base) (scheme write) (scheme process-context))

(define (down n)
  (if (= n 0)
      0
      (+ 1 (down (- n 1)))))

(define (main n)
  (let loop ((i 0) (s 0))
    (if (= i n)
        s
        (loop (+ i 1) (+ s (down 3000))))))

(if (= (main 45000) (* 45000 3000))
    (begin (display "deep ok") (newline))
    (exit 1))
