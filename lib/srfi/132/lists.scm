;; Merge sort on lists, stable. A fresh copy of the list is cut into halves by count and merged
;; in place: no allocation after the copy, and a pair is written only where the merged list
;; passes from one half to the other.

;; Merges two lists that are not empty; an element of B goes before one of A only if it is less.
(define (merge! less? a b)
  (if (less? (car b) (car a))
      (begin (merge-after-b! less? b a (cdr b)) b)
      (begin (merge-after-a! less? a (cdr a) b) a)))

;; LAST, from the list that A continues, is the last pair merged so far; B is not empty.
(define (merge-after-a! less? last a b)
  (let from-a ((last last) (a a) (b b))
    (cond ((null? a) (set-cdr! last b))
          ((less? (car b) (car a))
           (set-cdr! last b)
           (let from-b ((last b) (b (cdr b)))
             (cond ((null? b) (set-cdr! last a))
                   ((less? (car b) (car a)) (from-b b (cdr b)))
                   (else (set-cdr! last a) (from-a a (cdr a) b)))))
          (else (from-a a (cdr a) b)))))

;; LAST, from the list that B continues, is the last pair merged so far; A is not empty.
(define (merge-after-b! less? last a b)
  (let from-b ((last last) (b b))
    (cond ((null? b) (set-cdr! last a))
          ((less? (car b) (car a)) (from-b b (cdr b)))
          (else (set-cdr! last a) (merge-after-a! less? a (cdr a) b)))))

;; Sorts the first N pairs of L, N > 0, and returns them as a list of their own.
(define (sort-prefix! less? l n)
  (cond ((= n 1) (set-cdr! l '()) l)
        ((= n 2)
         (let ((m (cdr l)))
           (if (less? (car m) (car l))
               (begin (set-cdr! l '()) (set-cdr! m l) m)
               (begin (set-cdr! m '()) l))))
        (else
         (let* ((half (quotient n 2))
                (second (list-tail l half))
                (a (sort-prefix! less? l half))
                (b (sort-prefix! less? second (- n half))))
           (merge! less? a b)))))

(define (sorted? less? lis)
  (or (null? lis)
      (let loop ((x (car lis)) (l (cdr lis)))
        (or (null? l)
            (let ((y (car l)))
              (and (not (less? y x)) (loop y (cdr l))))))))

;; The value of an expression that is in tail position but is to be no tail call: the procedure that
;; holds it stays in profiles, and in the backtrace when LESS? fails.
(define-syntax not-tail
  (syntax-rules ()
    ((_ expression)
     (let ((cell (list #f)))
       (set-car! cell expression)
       (car cell)))))

;; Sorts FRESH, whose pairs nobody else holds.
(define (sort-fresh! less? fresh)
  (if (sorted? less? fresh)
      fresh
      (sort-prefix! less? fresh (length fresh))))

(define (list-sorted? less? lis)
  (check-procedure "list-sorted?" less?)
  (check-list "list-sorted?" lis)
  (sorted? less? lis))

(define (list-stable-sort less? lis)
  (check-procedure "list-stable-sort" less?)
  (check-list "list-stable-sort" lis)
  (not-tail (sort-copy less? lis)))

(define (list-sort less? lis)
  (check-procedure "list-sort" less?)
  (check-list "list-sort" lis)
  (not-tail (sort-copy less? lis)))

(define (sort-copy less? lis)
  (if (sorted? less? lis)
      lis
      (sort-prefix! less? (list-copy lis) (length lis))))

(define (list-sort! less? lis)
  (check-procedure "list-sort!" less?)
  (check-list "list-sort!" lis)
  (not-tail (sort-fresh! less? lis)))

(define (list-merge! less? a b)
  (check-procedure "list-merge!" less?)
  (cond ((null? a) b)
        ((null? b) a)
        (else (merge! less? a b))))

(define (list-merge less? a b)
  (check-procedure "list-merge" less?)
  (let loop ((a a) (b b) (acc '()))
    (cond ((null? a) (append-reverse acc b))
          ((null? b) (append-reverse acc a))
          ((less? (car b) (car a)) (loop a (cdr b) (cons (car b) acc)))
          (else (loop (cdr a) b (cons (car a) acc))))))

(define (append-reverse rev-head tail)
  (if (pair? rev-head)
      (append-reverse (cdr rev-head) (cons (car rev-head) tail))
      tail))

(define (list-delete-neighbor-dups = lis)
  (check-procedure "list-delete-neighbor-dups" =)
  (check-list "list-delete-neighbor-dups" lis)
  (if (null? lis)
      '()
      (let loop ((x (car lis)) (l (cdr lis)) (acc '()))
        (cond ((null? l) (reverse (cons x acc)))
              ((= x (car l)) (loop x (cdr l) acc))
              (else (loop (car l) (cdr l) (cons x acc)))))))

(define (list-delete-neighbor-dups! = lis)
  (check-procedure "list-delete-neighbor-dups!" =)
  (check-list "list-delete-neighbor-dups!" lis)
  (if (pair? lis)
      (let loop ((kept lis) (l (cdr lis)))
        (cond ((null? l) (set-cdr! kept '()))
              ((= (car kept) (car l)) (loop kept (cdr l)))
              (else (if (not (eq? (cdr kept) l)) (set-cdr! kept l))
                    (loop l (cdr l))))))
  lis)
