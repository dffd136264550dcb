;; bignum: factorials and powers: products, exact quotients, gcd and digit sums of numbers of 8500 bits.
;; Result: digit sum of n!, zeros at its end, and n! / ((n/2)!)^2 less the binomial by additions.
;; Expected: for 1000 the digit sum is 10539 (well known); zeros are 200 + 40 + 8 + 1; the last is 0.
(import (scheme base) (scheme write) (scheme process-context))

(define (factorial n)
  (let loop ((i 2) (p 1))
    (if (> i n) p (loop (+ i 1) (* p i)))))

(define (digit-sum n)
  (let loop ((n n) (s 0))
    (if (= n 0) s (loop (quotient n 10) (+ s (remainder n 10))))))

(define (ending-zeros n)
  (let loop ((n n) (z 0))
    (if (= 0 (remainder n 10)) (loop (quotient n 10) (+ z 1)) z)))

;; The middle binomial coefficient by Pascal's rule, one row at a time in a vector.
(define (middle-binomial n)
  (let ((row (make-vector (+ n 1) 0)))
    (vector-set! row 0 1)
    (do ((i 1 (+ i 1)))
        ((> i n) (vector-ref row (quotient n 2)))
      (do ((k i (- k 1)))
          ((= k 0))
        (vector-set! row k (+ (vector-ref row k) (vector-ref row (- k 1))))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r #f (let ((f (factorial n)) (h (factorial (quotient n 2))))
               (list (digit-sum f)
                     (ending-zeros f)
                     (- (quotient f (* h h)) (middle-binomial n))))))
      ((= i 3) r)))

(let ((got (main 1000)) (want '(10539 249 0)))
  (cond ((equal? got want) (display "bignum ok") (newline))
        (else (display "bignum: wrong result: ") (write got) (newline) (exit 1))))
