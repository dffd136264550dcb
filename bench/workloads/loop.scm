;; A named let that counts: no calls, no allocation.
(import (scheme base) (scheme write) (scheme process-context))

(define (main n)
  (let loop ((i 0) (s 0))
    (if (= i n)
        s
        (loop (+ i 1) (if (even? i) (+ s 1) s)))))

(if (= (main 100000000) 50000000)
    (begin (display "loop ok") (newline))
    (exit 1))
