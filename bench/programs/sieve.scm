;; sieve: the sieve of Eratosthenes over a vector of booleans.
;; Expected: there are 78498 primes below 10^6.
(import (scheme base) (scheme write) (scheme process-context))

(define (count-primes n)
  (let ((prime? (make-vector n #t)))
    (let loop ((i 2) (count 0))
      (cond ((= i n) count)
            ((vector-ref prime? i)
             (do ((k (* i i) (+ k i)))
                 ((>= k n))
               (vector-set! prime? k #f))
             (loop (+ i 1) (+ count 1)))
            (else (loop (+ i 1) count))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (count-primes n)))
      ((= i 8) r)))

(let ((got (main 1000000)) (want 78498))
  (cond ((equal? got want) (display "sieve ok") (newline))
        (else (display "sieve: wrong result: ") (write got) (newline) (exit 1))))
