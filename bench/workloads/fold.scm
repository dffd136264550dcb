;; A fold over lists made on the way: allocation and collection.
(import (scheme base) (scheme write) (scheme process-context))

(define (numbers n)
  (let loop ((i n) (l '()))
    (if (= i 0) l (loop (- i 1) (cons i l)))))

(define (fold f acc l)
  (if (null? l) acc (fold f (f (car l) acc) (cdr l))))

(define (main n)
  (let loop ((k 0) (s 0))
    (if (= k n)
        s
        (loop (+ k 1)
              (+ s (apply + (fold (lambda (x acc) (list (+ x (car acc)) k)) '(0 0) (numbers 1000))))))))

(if (= (main 30000) (+ (* 30000 500500) (quotient (* 30000 29999) 2)))
    (begin (display "fold ok") (newline))
    (exit 1))
