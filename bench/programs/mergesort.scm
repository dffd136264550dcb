;; mergesort: a merge sort of lists, not destructive, given its order as a procedure.
;; Expected: ascending, as long as before, with the same sum; then descending likewise.
(import (scheme base) (scheme write) (scheme process-context))

(define (random-list n)
  (let loop ((i 0) (x 54321) (l '()))
    (if (= i n)
        l
        (loop (+ i 1) (modulo (+ (* x 1103) 12347) 1000003) (cons x l)))))

(define (merge a b less?)
  (cond ((null? a) b)
        ((null? b) a)
        ((less? (car b) (car a)) (cons (car b) (merge a (cdr b) less?)))
        (else (cons (car a) (merge (cdr a) b less?)))))

;; Sorts the first N elements of L.
(define (sort-prefix l n less?)
  (if (= n 1)
      (list (car l))
      (let ((half (quotient n 2)))
        (merge (sort-prefix l half less?)
               (sort-prefix (list-tail l half) (- n half) less?)
               less?))))

(define (sort-list l less?)
  (if (null? l) '() (sort-prefix l (length l) less?)))

(define (ordered? l less?)
  (or (null? l)
      (null? (cdr l))
      (and (not (less? (cadr l) (car l)))
           (ordered? (cdr l) less?))))

(define (sum l)
  (let loop ((l l) (s 0))
    (if (null? l) s (loop (cdr l) (+ s (car l))))))

(define (main n)
  (let* ((l (random-list n)) (up (sort-list l <)) (down (sort-list up >)))
    (if (and (ordered? up <) (ordered? down >)
             (= (length up) n) (= (length down) n)
             (= (sum l) (sum up) (sum down)))
        'sorted
        'wrong)))

(let ((got (main 120000)) (want 'sorted))
  (cond ((equal? got want) (display "mergesort ok") (newline))
        (else (display "mergesort: wrong result: ") (write got) (newline) (exit 1))))
