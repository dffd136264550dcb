;; streams: lazy lists by delay and force: the primes by sifting, taken until there are n.
;; Result: the n-th prime, and how many were taken.
;; Expected: the 1200th prime is 9733.
(import (scheme base) (scheme lazy) (scheme write) (scheme process-context))

(define (integers-from n) (cons n (delay (integers-from (+ n 1)))))
(define (rest s) (force (cdr s)))

(define (drop-multiples p s)
  (if (= 0 (remainder (car s) p))
      (drop-multiples p (rest s))
      (cons (car s) (delay (drop-multiples p (rest s))))))

(define (sift s)
  (cons (car s) (delay (sift (drop-multiples (car s) (rest s))))))

(define (main n)
  (let loop ((s (sift (integers-from 2))) (count 1))
    (if (= count n)
        (list (car s) count)
        (loop (rest s) (+ count 1)))))

(let ((got (main 1200)) (want '(9733 1200)))
  (cond ((equal? got want) (display "streams ok") (newline))
        (else (display "streams: wrong result: ") (write got) (newline) (exit 1))))
