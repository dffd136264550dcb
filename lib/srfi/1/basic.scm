;; Errors, constructors, predicates and selectors.

(define (too-short who lis k)
  (error (string-append who ": list too short") lis k))

;; Several lists at once: #t when one of LISTS has run out.
(define (any-end? lists)
  (let loop ((ls lists))
    (and (pair? ls)
         (or (not (pair? (car ls))) (loop (cdr ls))))))

(define (cars lists)
  (if (pair? lists) (cons (caar lists) (cars (cdr lists))) '()))

(define (cdrs lists)
  (if (pair? lists) (cons (cdar lists) (cdrs (cdr lists))) '()))

;; The cars of LISTS with LAST after them, the argument list of an n-ary fold step.
(define (cars+ lists last)
  (if (pair? lists) (cons (caar lists) (cars+ (cdr lists) last)) (list last)))

;; Constructors

(define (xcons d a) (cons a d))

;; From the last element to the first, which the text allows and which needs no reversal.
(define (list-tabulate n init)
  (check-natural "list-tabulate" n)
  (let loop ((i (- n 1)) (acc '()))
    (if (< i 0)
        acc
        (loop (- i 1) (cons (init i) acc)))))

(define (circular-list first . rest)
  (let ((head (cons first rest)))
    (set-cdr! (last-pair head) head)
    head))

;; Predicates

;; Calls (proper), (dotted) or (circular) in tail position: the hare takes two steps to the
;; tortoise's one, and meets it only on a circle.
(define (classify x proper dotted circular)
  (let loop ((hare x) (tortoise x))
    (if (pair? hare)
        (let ((hare (cdr hare)))
          (if (pair? hare)
              (let ((hare (cdr hare)) (tortoise (cdr tortoise)))
                (if (eq? hare tortoise)
                    (circular)
                    (loop hare tortoise)))
              (if (null? hare) (proper) (dotted))))
        (if (null? hare) (proper) (dotted)))))

(define (yes) #t)
(define (no) #f)
(define (circular-list? x) (and (pair? x) (classify x no no yes)))
(define (dotted-list? x) (classify x no yes no))
(define (not-pair? x) (not (pair? x)))

(define (null-list? x)
  (cond ((pair? x) #f)
        ((null? x) #t)
        (else (check-end "null-list?" x x))))

(define (list=2 elt= a b)
  (let loop ((x a) (y b))
    (cond ((pair? x)
           (if (pair? y)
               (and (elt= (car x) (car y)) (loop (cdr x) (cdr y)))
               (begin (check-end "list=" y b) #f)))
          ((pair? y) (check-end "list=" x a) #f)
          (else (check-end "list=" x a) (check-end "list=" y b) #t))))

(define list=
  (case-lambda
    ((elt=) #t)
    ((elt= a) #t)
    ((elt= a b) (list=2 elt= a b))
    ((elt= a b . rest)
     (let loop ((a a) (b b) (rest rest))
       (and (list=2 elt= a b)
            (or (null? rest) (loop b (car rest) (cdr rest))))))))

;; Selectors

(define (first x) (car x))
(define (second x) (cadr x))
(define (third x) (caddr x))
(define (fourth x) (cadddr x))
(define (fifth x) (car (cddddr x)))
(define (sixth x) (cadr (cddddr x)))
(define (seventh x) (caddr (cddddr x)))
(define (eighth x) (cadddr (cddddr x)))
(define (ninth x) (car (cddddr (cddddr x))))
(define (tenth x) (cadr (cddddr (cddddr x))))

(define (car+cdr pair) (values (car pair) (cdr pair)))

(define (take lis k)
  (check-natural "take" k)
  (let loop ((l lis) (i k) (acc '()))
    (cond ((= i 0) (reverse acc))
          ((pair? l) (loop (cdr l) (- i 1) (cons (car l) acc)))
          (else (too-short "take" lis k)))))

(define (drop lis k)
  (check-natural "drop" k)
  (drop-for "drop" lis k))

(define (drop-for who lis k)
  (let loop ((l lis) (i k))
    (cond ((= i 0) l)
          ((pair? l) (loop (cdr l) (- i 1)))
          (else (too-short who lis k)))))

;; LEAD runs K pairs before the result, so that one pass finds the place.
(define (take-right lis k)
  (check-natural "take-right" k)
  (let loop ((l lis) (lead (drop-for "take-right" lis k)))
    (if (pair? lead)
        (loop (cdr l) (cdr lead))
        l)))

(define (drop-right lis k)
  (check-natural "drop-right" k)
  (let loop ((l lis) (lead (drop-for "drop-right" lis k)) (acc '()))
    (if (pair? lead)
        (loop (cdr l) (cdr lead) (cons (car l) acc))
        (reverse acc))))

(define (split-at lis k)
  (check-natural "split-at" k)
  (let loop ((l lis) (i k) (acc '()))
    (cond ((= i 0) (values (reverse acc) l))
          ((pair? l) (loop (cdr l) (- i 1) (cons (car l) acc)))
          (else (too-short "split-at" lis k)))))

(define (last lis)
  (if (not (pair? lis)) (error "last: not a pair" lis))
  (car (last-pair lis)))

;; Length, append, reverse

(define (length+ lis)
  (let loop ((hare lis) (tortoise lis) (n 0))
    (if (pair? hare)
        (let ((hare (cdr hare)))
          (if (pair? hare)
              (let ((hare (cdr hare)) (tortoise (cdr tortoise)))
                (if (eq? hare tortoise)
                    #f
                    (loop hare tortoise (+ n 2))))
              (begin (check-end "length+" hare lis) (+ n 1))))
        (begin (check-end "length+" hare lis) n))))

;; Joins LISTS by JOIN, a binary append, from the right: each list is copied at most once.
(define (join-all join lists)
  (let ((rev (reverse lists)))
    (if (null? rev)
        '()
        (let loop ((rev (cdr rev)) (acc (car rev)))
          (if (pair? rev)
              (loop (cdr rev) (join (car rev) acc))
              acc)))))

(define (concatenate lists) (join-all append lists))
(define (concatenate! lists) (join-all append! lists))

(define (append-reverse rev-head tail)
  (let loop ((l rev-head) (acc tail))
    (if (pair? l)
        (loop (cdr l) (cons (car l) acc))
        (begin (check-end "append-reverse" l rev-head) acc))))

(define zip
  (case-lambda
    ((a) (map-in-order list a))
    ((a b) (map-in-order list a b))
    ((a . rest) (apply map-in-order list a rest))))

(define (unzip1 lists) (map-in-order car lists))

(define (unzip2 lists)
  (values (map-in-order car lists) (map-in-order cadr lists)))

(define (unzip3 lists)
  (values (map-in-order car lists) (map-in-order cadr lists) (map-in-order caddr lists)))

(define (unzip4 lists)
  (values (map-in-order car lists) (map-in-order cadr lists) (map-in-order caddr lists)
          (map-in-order cadddr lists)))

(define (unzip5 lists)
  (values (map-in-order car lists) (map-in-order cadr lists) (map-in-order caddr lists)
          (map-in-order cadddr lists) (map-in-order fifth lists)))
