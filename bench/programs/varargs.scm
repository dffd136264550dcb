;; varargs: rest arguments, apply with lists built on the way, and multiple values.
;; Result: sums of ten times n, five times n, and of quotients and remainders.
;; Expected: 10n; 5n; 6n, as 17 = 3 * 5 + 2 gives 3 + 2 and one more is added.
(import (scheme base) (scheme write) (scheme process-context))

(define (sum . l)
  (let loop ((l l) (s 0))
    (if (null? l) s (loop (cdr l) (+ s (car l))))))

(define (count first . rest)
  (if (null? rest) 1 (+ 1 (apply count rest))))

(define (divide a b) (values (quotient a b) (remainder a b)))

(define (main n)
  (let loop ((i 0) (a 0) (b 0) (c 0))
    (if (= i n)
        (list a b c)
        (loop (+ i 1)
              (+ a (apply sum 1 2 (list 3 4)))
              (+ b (count i 'b 'c 'd 'e))
              (call-with-values (lambda () (divide 17 5))
                (lambda (q r) (+ c q r 1)))))))

(let ((got (main 400000)) (want '(4000000 2000000 2400000)))
  (cond ((equal? got want) (display "varargs ok") (newline))
        (else (display "varargs: wrong result: ") (write got) (newline) (exit 1))))
