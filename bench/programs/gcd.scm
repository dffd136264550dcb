;; gcd: how many of the pairs (i, j), 1 <= i, j <= n, have no common divisor, by Euclid's algorithm.
;; Expected: 2 (phi(1) + ... + phi(1000)) - 1 = 2 * 304192 - 1.
(import (scheme base) (scheme write) (scheme process-context))

(define (common-divisor a b)
  (if (= b 0) a (common-divisor b (remainder a b))))

(define (coprime-pairs n)
  (let rows ((i 1) (count 0))
    (if (> i n)
        count
        (let columns ((j 1) (count count))
          (if (> j n)
              (rows (+ i 1) count)
              (columns (+ j 1) (if (= 1 (common-divisor i j)) (+ count 1) count)))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (coprime-pairs n)))
      ((= i 3) r)))

(let ((got (main 1000)) (want 608383))
  (cond ((equal? got want) (display "gcd ok") (newline))
        (else (display "gcd: wrong result: ") (write got) (newline) (exit 1))))
