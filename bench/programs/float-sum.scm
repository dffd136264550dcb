;; float-sum: two series in flonums: Leibniz for pi, and the sum of 1/k^2, smallest terms first.
;; Result: each times 10^7, rounded.
;; Expected: pi = 3.14159265 less 1/n = 10^-6 to the first order, so 31415917; pi^2/6 - 10^-6 = 1.64493307.
(import (scheme base) (scheme write) (scheme process-context))

(define (leibniz n)
  (let loop ((k (- n 1)) (sum 0.0))
    (if (< k 0)
        (* 4.0 sum)
        (let ((term (/ 1.0 (inexact (+ k k 1)))))
          (loop (- k 1) (if (even? k) (+ sum term) (- sum term)))))))

(define (basel n)
  (let loop ((k (inexact n)) (sum 0.0))
    (if (= k 0.0)
        sum
        (loop (- k 1.0) (+ sum (/ 1.0 (* k k)))))))

(define (scaled x) (exact (round (* 1e7 x))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r #f (list (scaled (leibniz n)) (scaled (basel n)))))
      ((= i 2) r)))

(let ((got (main 1000000)) (want '(31415917 16449331)))
  (cond ((equal? got want) (display "float-sum ok") (newline))
        (else (display "float-sum: wrong result: ") (write got) (newline) (exit 1))))
