;; Lists, strings and vectors with procedures.
;;
;; Results are gathered in a list and made at the end, never written into: a continuation
;; captured in the procedure may return more than once, and each return has a result of its own.

(define (check-end list who)
  (if (not (null? list))
      (%raise-condition 'type (string-append who ": not a proper list") (cons list '()))))

;; ---- lists ----

(define (map1 procedure list)
  (let loop ((rest list) (results '()))
    (if (pair? rest)
        (loop (cdr rest) (cons (procedure (car rest)) results))
        (begin (check-end rest "map") (reverse results)))))

;; The cars of LISTS, or #f if one of them has ended.
(define (cars lists)
  (let loop ((lists lists) (cars '()))
    (cond ((null? lists) (reverse cars))
          ((pair? (car lists)) (loop (cdr lists) (cons (car (car lists)) cars)))
          (else #f))))

(define map
  (case-lambda
    ((procedure list) (map1 procedure list))
    ((procedure list1 list2)
     (let loop ((a list1) (b list2) (results '()))
       (if (and (pair? a) (pair? b))
           (loop (cdr a) (cdr b) (cons (procedure (car a) (car b)) results))
           (reverse results))))
    ((procedure . lists)
     (let loop ((lists lists) (results '()))
       (let ((items (cars lists)))
         (if items
             (loop (map1 cdr lists) (cons (apply procedure items) results))
             (reverse results)))))))

(define for-each
  (case-lambda
    ((procedure list)
     (let loop ((rest list))
       (if (pair? rest)
           (begin (procedure (car rest)) (loop (cdr rest)))
           (check-end rest "for-each"))))
    ((procedure list1 list2)
     (let loop ((a list1) (b list2))
       (if (and (pair? a) (pair? b))
           (begin (procedure (car a) (car b)) (loop (cdr a) (cdr b))))))
    ((procedure . lists)
     (let loop ((lists lists))
       (let ((items (cars lists)))
         (if items
             (begin (apply procedure items) (loop (map1 cdr lists)))))))))

(define (append-map procedure list)
  (apply append (map1 procedure list)))

(define (filter keep? list)
  (let loop ((rest list) (kept '()))
    (cond ((pair? rest) (loop (cdr rest) (if (keep? (car rest)) (cons (car rest) kept) kept)))
          (else (check-end rest "filter") (reverse kept)))))

(define (fold-left combine initial list)
  (let loop ((rest list) (result initial))
    (if (pair? rest)
        (loop (cdr rest) (combine result (car rest)))
        (begin (check-end rest "fold-left") result))))

(define (fold-right combine initial list)
  (let loop ((rest (reverse list)) (result initial))
    (if (pair? rest)
        (loop (cdr rest) (combine (car rest) result))
        result)))

(define (reduce combine initial list)
  (if (pair? list)
      (fold-left (lambda (result item) (combine item result)) (car list) (cdr list))
      initial))

(define (delete item list)
  (filter (lambda (other) (not (equal? item other))) list))

(define member
  (case-lambda
    ((item list) (%member item list))
    ((item list same?)
     (let loop ((rest list))
       (cond ((pair? rest) (if (same? item (car rest)) rest (loop (cdr rest))))
             (else (check-end rest "member") #f))))))

(define assoc
  (case-lambda
    ((key alist) (%assoc key alist))
    ((key alist same?)
     (let loop ((rest alist))
       (cond ((pair? rest) (if (same? key (car (car rest))) (car rest) (loop (cdr rest))))
             (else (check-end rest "assoc") #f))))))

;; ---- sorting: stable, by merging ----

;; Merges two sorted lists of fresh pairs.
(define (merge! a b less?)
  (let ((head (cons #f '())))
    (let loop ((last head) (a a) (b b))
      (cond ((null? a) (set-cdr! last b))
            ((null? b) (set-cdr! last a))
            ((less? (car b) (car a)) (set-cdr! last b) (loop b a (cdr b)))
            (else (set-cdr! last a) (loop a (cdr a) b))))
    (cdr head)))

;; The first N > 0 elements of LIST, sorted, in fresh pairs.
(define (sort-first list n less?)
  (cond ((= n 1) (cons (car list) '()))
        ((= n 2)
         (let ((a (car list)) (b (cadr list)))
           (if (less? b a) (cons b (cons a '())) (cons a (cons b '())))))
        (else
         (let ((half (quotient n 2)))
           (merge! (sort-first list half less?)
                   (sort-first (list-tail list half) (- n half) less?)
                   less?)))))

(define (list-sort less? list)
  (if (procedure? list)
      (list-sort list less?)
      (let ((n (length list)))
        (if (= n 0) '() (sort-first list n less?)))))

(define (sort sequence less?)
  (cond ((procedure? sequence) (sort less? sequence))
        ((vector? sequence) (list->vector (list-sort less? (vector->list sequence))))
        (else (list-sort less? sequence))))

;; ---- strings and vectors ----

(define (shortest length-of first others)
  (let loop ((n (length-of first)) (others others))
    (if (null? others)
        n
        (loop (min n (length-of (car others))) (cdr others)))))

;; Calls PROCEDURE with the elements of all SEQUENCES at each index; the results, last first.
(define (gather length-of ref procedure first others)
  (let ((n (shortest length-of first others)))
    (if (null? others)
        (let loop ((i 0) (results '()))
          (if (< i n)
              (loop (+ i 1) (cons (procedure (ref first i)) results))
              results))
        (let loop ((i 0) (results '()))
          (if (< i n)
              (loop (+ i 1)
                    (cons (apply procedure (ref first i)
                                 (map1 (lambda (other) (ref other i)) others))
                          results))
              results)))))

;; The same for effect.
(define (visit length-of ref procedure first others)
  (let ((n (shortest length-of first others)))
    (if (null? others)
        (let loop ((i 0))
          (if (< i n)
              (begin (procedure (ref first i)) (loop (+ i 1)))))
        (let loop ((i 0))
          (if (< i n)
              (begin
                (apply procedure (ref first i) (map1 (lambda (other) (ref other i)) others))
                (loop (+ i 1))))))))

(define (string-map procedure string . strings)
  (list->string (reverse (gather string-length string-ref procedure string strings))))

(define (string-for-each procedure string . strings)
  (visit string-length string-ref procedure string strings))

(define (vector-map procedure vector . vectors)
  (list->vector (reverse (gather vector-length vector-ref procedure vector vectors))))

(define (vector-for-each procedure vector . vectors)
  (visit vector-length vector-ref procedure vector vectors))
