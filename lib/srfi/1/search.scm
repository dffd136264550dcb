;; Filtering, searching, deleting, association lists.

(define (filter pred lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (loop (cdr l) (if (pred x) (cons x acc) acc)))
        (begin (check-end "filter" l lis) (reverse acc)))))

(define (remove pred lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (loop (cdr l) (if (pred x) acc (cons x acc))))
        (begin (check-end "remove" l lis) (reverse acc)))))

(define (partition pred lis)
  (let loop ((l lis) (in '()) (out '()))
    (if (pair? l)
        (let ((x (car l)))
          (if (pred x)
              (loop (cdr l) (cons x in) out)
              (loop (cdr l) in (cons x out))))
        (begin (check-end "partition" l lis)
               (values (reverse in) (reverse out))))))

(define (find pred lis)
  (let loop ((l lis))
    (if (pair? l)
        (let ((x (car l)))
          (if (pred x) x (loop (cdr l))))
        (begin (check-end "find" l lis) #f))))

(define (find-tail pred lis)
  (let loop ((l lis))
    (if (pair? l)
        (if (pred (car l)) l (loop (cdr l)))
        (begin (check-end "find-tail" l lis) #f))))

(define (take-while pred lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (if (pred x)
              (loop (cdr l) (cons x acc))
              (reverse acc)))
        (begin (check-end "take-while" l lis) (reverse acc)))))

(define (drop-while pred lis)
  (let loop ((l lis))
    (if (pair? l)
        (if (pred (car l)) (loop (cdr l)) l)
        (begin (check-end "drop-while" l lis) '()))))

(define (span pred lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (if (pred x)
              (loop (cdr l) (cons x acc))
              (values (reverse acc) l)))
        (begin (check-end "span" l lis) (values (reverse acc) '())))))

(define (break pred lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (if (pred x)
              (values (reverse acc) l)
              (loop (cdr l) (cons x acc))))
        (begin (check-end "break" l lis) (values (reverse acc) '())))))

;; In any and every the call for the last element is a tail call, so each loop looks one pair
;; ahead.
(define any
  (case-lambda
    ((pred lis)
     (if (pair? lis)
         (let loop ((x (car lis)) (l (cdr lis)))
           (cond ((pair? l) (or (pred x) (loop (car l) (cdr l))))
                 ((null? l) (pred x))
                 (else (or (pred x) (check-end "any" l lis)))))
         (begin (check-end "any" lis lis) #f)))
    ((pred l1 l2)
     (and (pair? l1) (pair? l2)
          (let loop ((x (car l1)) (y (car l2)) (a (cdr l1)) (b (cdr l2)))
            (if (and (pair? a) (pair? b))
                (or (pred x y) (loop (car a) (car b) (cdr a) (cdr b)))
                (pred x y)))))
    ((pred l1 . rest)
     (let ((lists (cons l1 rest)))
       (and (not (any-end? lists))
            (let loop ((xs (cars lists)) (ls (cdrs lists)))
              (if (any-end? ls)
                  (apply pred xs)
                  (or (apply pred xs) (loop (cars ls) (cdrs ls))))))))))

(define every
  (case-lambda
    ((pred lis)
     (if (pair? lis)
         (let loop ((x (car lis)) (l (cdr lis)))
           (cond ((pair? l) (and (pred x) (loop (car l) (cdr l))))
                 ((null? l) (pred x))
                 (else (and (pred x) (check-end "every" l lis)))))
         (begin (check-end "every" lis lis) #t)))
    ((pred l1 l2)
     (if (and (pair? l1) (pair? l2))
         (let loop ((x (car l1)) (y (car l2)) (a (cdr l1)) (b (cdr l2)))
           (if (and (pair? a) (pair? b))
               (and (pred x y) (loop (car a) (car b) (cdr a) (cdr b)))
               (pred x y)))
         #t))
    ((pred l1 . rest)
     (let ((lists (cons l1 rest)))
       (or (any-end? lists)
           (let loop ((xs (cars lists)) (ls (cdrs lists)))
             (if (any-end? ls)
                 (apply pred xs)
                 (and (apply pred xs) (loop (cars ls) (cdrs ls))))))))))

(define list-index
  (case-lambda
    ((pred lis)
     (let loop ((l lis) (i 0))
       (if (pair? l)
           (if (pred (car l)) i (loop (cdr l) (+ i 1)))
           (begin (check-end "list-index" l lis) #f))))
    ((pred l1 l2)
     (let loop ((a l1) (b l2) (i 0))
       (and (pair? a) (pair? b)
            (if (pred (car a) (car b)) i (loop (cdr a) (cdr b) (+ i 1))))))
    ((pred l1 . rest)
     (let loop ((ls (cons l1 rest)) (i 0))
       (and (not (any-end? ls))
            (if (apply pred (cars ls)) i (loop (cdrs ls) (+ i 1))))))))

;; Deleting

(define delete
  (case-lambda
    ((x lis)
     (let loop ((l lis) (acc '()))
       (if (pair? l)
           (let ((y (car l)))
             (loop (cdr l) (if (equal? x y) acc (cons y acc))))
           (begin (check-end "delete" l lis) (reverse acc)))))
    ((x lis =)
     (let loop ((l lis) (acc '()))
       (if (pair? l)
           (let ((y (car l)))
             (loop (cdr l) (if (= x y) acc (cons y acc))))
           (begin (check-end "delete" l lis) (reverse acc)))))))

;; The kind of table that tells elements apart as = does, or #f.
(define (table-kind =)
  (cond ((eq? = equal?) 'equal)
        ((eq? = eq?) 'eq)
        ((eq? = eqv?) 'eqv)
        (else #f)))

;; Below this many elements comparing beats hashing.
(define table-threshold 24)

(define (longer-than? lis n)
  (and (pair? lis)
       (or (eqv? n 0) (longer-than? (cdr lis) (- n 1)))))

(define (delete-duplicates/table kind lis)
  (let ((seen (%make-table kind)))
    (let loop ((l lis) (acc '()))
      (if (pair? l)
          (let ((x (car l)))
            (if (%table-contains? seen x)
                (loop (cdr l) acc)
                (begin (%table-set! seen x #t)
                       (loop (cdr l) (cons x acc)))))
          (begin (check-end "delete-duplicates" l lis) (reverse acc))))))

;; ACC holds the survivors, latest first; each new element is compared with them, they first.
(define (delete-duplicates/compare = lis)
  (let loop ((l lis) (acc '()))
    (if (pair? l)
        (let ((x (car l)))
          (let seen? ((kept acc))
            (cond ((null? kept) (loop (cdr l) (cons x acc)))
                  ((= (car kept) x) (loop (cdr l) acc))
                  (else (seen? (cdr kept))))))
        (begin (check-end "delete-duplicates" l lis) (reverse acc)))))

(define delete-duplicates
  (case-lambda
    ((lis) (delete-duplicates lis equal?))
    ((lis =)
     (let ((kind (and (longer-than? lis table-threshold) (table-kind =))))
       (if kind
           (delete-duplicates/table kind lis)
           (delete-duplicates/compare = lis))))))

;; Association lists

(define (alist-cons key datum alist) (cons (cons key datum) alist))

(define (alist-copy alist)
  (map-in-order (lambda (entry) (cons (car entry) (cdr entry))) alist))

(define alist-delete
  (case-lambda
    ((key alist) (alist-delete key alist equal?))
    ((key alist =)
     (let loop ((l alist) (acc '()))
       (if (pair? l)
           (let ((entry (car l)))
             (loop (cdr l) (if (= key (car entry)) acc (cons entry acc))))
           (begin (check-end "alist-delete" l alist) (reverse acc)))))))
