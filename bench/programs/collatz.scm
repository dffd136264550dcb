;; collatz: the start below n whose sequence (halve if even, else 3x + 1) takes most steps to reach 1.
;; Expected: 156159 with 382 steps for n = 200000 (a known record).
(import (scheme base) (scheme write) (scheme process-context))

(define (steps n)
  (let loop ((n n) (count 0))
    (cond ((= n 1) count)
          ((even? n) (loop (quotient n 2) (+ count 1)))
          (else (loop (+ (* 3 n) 1) (+ count 1))))))

(define (main n)
  (let loop ((i 1) (best 1) (most 0))
    (if (= i n)
        (list best most)
        (let ((s (steps i)))
          (if (> s most)
              (loop (+ i 1) i s)
              (loop (+ i 1) best most))))))

(let ((got (main 200000)) (want '(156159 382)))
  (cond ((equal? got want) (display "collatz ok") (newline))
        (else (display "collatz: wrong result: ") (write got) (newline) (exit 1))))
