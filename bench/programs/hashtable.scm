;; hashtable: a chained table written in the program: a vector of association lists that doubles.
;; Result: entries, sum of the values, entries after each even key is deleted, wrong look-ups.
;; Expected: n, n(n-1)/2, n/2, none.
(import (scheme base) (scheme write) (scheme process-context))

(define-record-type <table>
  (make-table buckets count)
  table?
  (buckets table-buckets set-table-buckets!)
  (count table-count set-table-count!))

(define (slot buckets key)
  (modulo (* key 40503) (vector-length buckets)))

(define (grow! t)
  (let* ((old (table-buckets t))
         (new (make-vector (+ 1 (* 2 (vector-length old))) '())))
    (do ((i 0 (+ i 1)))
        ((= i (vector-length old)))
      (for-each (lambda (entry)
                  (let ((at (slot new (car entry))))
                    (vector-set! new at (cons entry (vector-ref new at)))))
                (vector-ref old i)))
    (set-table-buckets! t new)))

(define (table-set! t key value)
  (let* ((buckets (table-buckets t))
         (at (slot buckets key))
         (entry (assv key (vector-ref buckets at))))
    (if entry
        (set-cdr! entry value)
        (begin
          (vector-set! buckets at (cons (cons key value) (vector-ref buckets at)))
          (set-table-count! t (+ 1 (table-count t)))
          (if (> (table-count t) (vector-length buckets)) (grow! t))))))

(define (table-ref t key default)
  (let* ((buckets (table-buckets t))
         (entry (assv key (vector-ref buckets (slot buckets key)))))
    (if entry (cdr entry) default)))

(define (table-delete! t key)
  (let* ((buckets (table-buckets t)) (at (slot buckets key)))
    (let loop ((l (vector-ref buckets at)) (kept '()))
      (cond ((null? l) #f)
            ((eqv? (car (car l)) key)
             (vector-set! buckets at (append kept (cdr l)))
             (set-table-count! t (- (table-count t) 1)))
            (else (loop (cdr l) (cons (car l) kept)))))))

(define (table-sum t)
  (let loop ((i 0) (sum 0))
    (if (= i (vector-length (table-buckets t)))
        sum
        (loop (+ i 1)
              (let chain ((l (vector-ref (table-buckets t) i)) (sum sum))
                (if (null? l) sum (chain (cdr l) (+ sum (cdr (car l))))))))))

(define (wrong-lookups t n)
  (let loop ((i 0) (wrong 0))
    (if (= i n)
        wrong
        (loop (+ i 1)
              (if (eqv? (table-ref t i #f) (and (odd? i) i)) wrong (+ wrong 1))))))

(define (main n)
  (let ((t (make-table (make-vector 7 '()) 0)))
    (do ((i 0 (+ i 1))) ((= i n)) (table-set! t i 0))
    (do ((i 0 (+ i 1))) ((= i n)) (table-set! t i i))
    (let ((count (table-count t)) (sum (table-sum t)))
      (do ((i 0 (+ i 2))) ((>= i n)) (table-delete! t i))
      (list count sum (table-count t) (wrong-lookups t n)))))

(let ((got (main 300000)) (want '(300000 44999850000 150000 0)))
  (cond ((equal? got want) (display "hashtable ok") (newline))
        (else (display "hashtable: wrong result: ") (write got) (newline) (exit 1))))
