;; higher-order: map, filter, fold and compose pipelines over lists, with closures made on the way.
;; Result: how many of 0 ... n-1 that are multiples of three but zero; their sum by two folds; the greatest.
;; Expected: 33333 numbers 3 ... 99999, whose sum is 3 * 33333 * 33334 / 2 = 1666683333.
(import (scheme base) (scheme write) (scheme process-context))

(define (numbers n)
  (let loop ((i (- n 1)) (l '()))
    (if (< i 0) l (loop (- i 1) (cons i l)))))

(define (keep ok? l)
  (let loop ((l l) (r '()))
    (cond ((null? l) (reverse r))
          ((ok? (car l)) (loop (cdr l) (cons (car l) r)))
          (else (loop (cdr l) r)))))

(define (fold-left* f acc l)
  (if (null? l) acc (fold-left* f (f acc (car l)) (cdr l))))

(define (fold-right* f acc l)
  (if (null? l) acc (f (car l) (fold-right* f acc (cdr l)))))

(define (multiple-of k) (lambda (x) (= 0 (remainder x k))))

(define (main n)
  (let ((all (numbers n)))
    (do ((i 0 (+ i 1))
         (r #f (let ((l (keep (lambda (x) (> x 0)) (keep (multiple-of 3) (map (lambda (x) x) all)))))
                 (list (length l)
                       (fold-left* + 0 l)
                       (fold-right* + 0 l)
                       (fold-left* max 0 l)))))
        ((= i 15) r))))

(let ((got (main 100000)) (want '(33333 1666683333 1666683333 99999)))
  (cond ((equal? got want) (display "higher-order ok") (newline))
        (else (display "higher-order: wrong result: ") (write got) (newline) (exit 1))))
