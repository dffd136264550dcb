;; hashtable-srfi69: the same work as hashtable, on the tables of SRFI 69, and keys that are strings.
;; needs: srfi-69
;; Expected: n, n(n-1)/2, n/2, none.
(import (scheme base) (scheme write) (scheme process-context) (srfi 69))

(define (table-sum t)
  (let ((sum 0))
    (hash-table-walk t (lambda (key value) (set! sum (+ sum value))))
    sum))

(define (wrong-lookups t n)
  (let loop ((i 0) (wrong 0))
    (if (= i n)
        wrong
        (loop (+ i 1)
              (if (eqv? (hash-table-ref/default t i #f) (and (odd? i) i)) wrong (+ wrong 1))))))

;; Counts the N numbers by their last two digits, as strings.
(define (count-endings n)
  (let ((t (make-hash-table string=?)))
    (do ((i 0 (+ i 1)))
        ((= i n))
      (let ((key (number->string (modulo i 100))))
        (hash-table-set! t key (+ 1 (hash-table-ref/default t key 0)))))
    t))

(define (main n)
  (let ((t (make-hash-table eqv?)))
    (do ((i 0 (+ i 1))) ((= i n)) (hash-table-set! t i 0))
    (do ((i 0 (+ i 1))) ((= i n)) (hash-table-set! t i i))
    (let ((count (hash-table-size t)) (sum (table-sum t)))
      (do ((i 0 (+ i 2))) ((>= i n)) (hash-table-delete! t i))
      (list count sum (hash-table-size t)
            (+ (wrong-lookups t n)
               (if (= n (table-sum (count-endings n))) 0 1))))))

(let ((got (main 100000)) (want '(100000 4999950000 50000 0)))
  (cond ((equal? got want) (display "hashtable-srfi69 ok") (newline))
        (else (display "hashtable-srfi69: wrong result: ") (write got) (newline) (exit 1))))
