;; primes: the sieve on lists: take the first number, drop its multiples from the rest, go on.
;; Expected: there are 1229 primes below 10000.
(import (scheme base) (scheme write) (scheme process-context))

(define (interval low high)
  (let loop ((i high) (l '()))
    (if (< i low) l (loop (- i 1) (cons i l)))))

(define (drop-multiples n l)
  (cond ((null? l) '())
        ((= 0 (remainder (car l) n)) (drop-multiples n (cdr l)))
        (else (cons (car l) (drop-multiples n (cdr l))))))

(define (sift l)
  (if (null? l)
      '()
      (cons (car l) (sift (drop-multiples (car l) (cdr l))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r '() (sift (interval 2 n))))
      ((= i 6) (length r))))

(let ((got (main 10000)) (want 1229))
  (cond ((equal? got want) (display "primes ok") (newline))
        (else (display "primes: wrong result: ") (write got) (newline) (exit 1))))
