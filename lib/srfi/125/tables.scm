;; Constructors. Arguments after the comparator, or after the equality and hash function, are
;; hints (a capacity, weakness) that these tables do not take.

(define (table-for comparator arguments)
  (cond ((comparator? comparator)
         (make-table (comparator-equality-predicate comparator)
                     (and (comparator-hashable? comparator)
                          (comparator-hash-function comparator))))
        ((not (procedure? comparator))
         (error "make-hash-table: neither a comparator nor an equality predicate" comparator))
        ((and (pair? arguments) (procedure? (car arguments)))
         (make-table comparator (car arguments)))
        ((hash-known? comparator) (make-table comparator #f))
        (else (error "make-hash-table: no hash function for the equality predicate"
                     comparator))))

(define (make-hash-table comparator . arguments) (table-for comparator arguments))

(define (enter! who table arguments)
  (let loop ((l arguments))
    (if (pair? l)
        (begin
          (if (null? (cdr l)) (error (string-append who ": key without a value") (car l)))
          (table-set! table (car l) (cadr l))
          (loop (cddr l))))))

(define (hash-table comparator . arguments)
  (let ((table (table-for comparator '())))
    (enter! "hash-table" table arguments)
    table))

(define (hash-table-unfold stop? mapper successor seed comparator . arguments)
  (let ((table (table-for comparator arguments)))
    (let loop ((seed seed))
      (if (stop? seed)
          table
          (let-values (((key value) (mapper seed)))
            (table-set! table key value)
            (loop (successor seed)))))))

;; The first association of a key wins, so the list is entered from its end.
(define (alist->hash-table alist comparator . arguments)
  (let ((table (table-for comparator arguments)))
    (for-each (lambda (entry) (table-set! table (car entry) (cdr entry))) (reverse alist))
    table))

;; What no table holds.
(define missing (list 'missing))
(define (missing? x) (eq? x missing))

(define (no-such-key who key)
  (error (string-append who ": no such key") key))

(define (hash-table-empty? table) (= 0 (table-count table)))
(define (hash-table-mutable? table) (table-count table) #t)

(define (hash-table=? comparator a b)
  (and (= (table-count a) (table-count b))
       (let loop ((l (table->alist a)))
         (or (null? l)
             (let ((value (table-ref b (car (car l)) missing)))
               (and (not (missing? value))
                    (=? comparator (cdr (car l)) value)
                    (loop (cdr l))))))))

(define hash-table-ref
  (case-lambda
    ((table key)
     (let ((value (table-ref table key missing)))
       (if (missing? value) (no-such-key "hash-table-ref" key) value)))
    ((table key failure)
     (let ((value (table-ref table key missing)))
       (cond ((not (missing? value)) value)
             (failure (failure))
             (else (no-such-key "hash-table-ref" key)))))
    ((table key failure success)
     (let ((value (table-ref table key missing)))
       (cond ((not (missing? value)) (success value))
             (failure (failure))
             (else (no-such-key "hash-table-ref" key)))))))

;; Mutators

(define hash-table-set!
  (case-lambda
    ((table key value) (table-set! table key value))
    ((table . arguments) (enter! "hash-table-set!" table arguments))))

;; How many of KEYS were there.
(define (hash-table-delete! table . keys)
  (let loop ((l keys) (n 0))
    (cond ((null? l) n)
          ((table-contains? table (car l))
           (table-delete! table (car l))
           (loop (cdr l) (+ n 1)))
          (else (loop (cdr l) n)))))

(define (hash-table-intern! table key failure)
  (let ((value (table-ref table key missing)))
    (if (missing? value)
        (let ((value (failure)))
          (table-set! table key value)
          value)
        value)))

(define hash-table-update!
  (case-lambda
    ((table key updater) (table-set! table key (updater (hash-table-ref table key))))
    ((table key updater failure)
     (table-set! table key (updater (hash-table-ref table key failure))))
    ((table key updater failure success)
     (table-set! table key (updater (hash-table-ref table key failure success))))))

(define (hash-table-update!/default table key updater default)
  (table-set! table key (updater (table-ref table key default))))

(define (hash-table-pop! table)
  (let ((keys (table-keys table)))
    (if (null? keys) (error "hash-table-pop!: empty table" table))
    (let* ((key (car keys)) (value (table-ref table key #f)))
      (table-delete! table key)
      (values key value))))

;; The whole table. Each goes over a list made beforehand.

(define (hash-table-entries table)
  (let ((alist (table->alist table)))
    (values (map car alist) (map cdr alist))))

(define (hash-table-find proc table failure)
  (let loop ((l (table->alist table)))
    (if (pair? l)
        (or (proc (car (car l)) (cdr (car l))) (loop (cdr l)))
        (failure))))

(define (hash-table-count pred table)
  (hash-table-fold (lambda (key value n) (if (pred key value) (+ n 1) n)) 0 table))

(define (hash-table-map proc comparator table)
  (let ((result (table-for comparator '())))
    (hash-table-for-each (lambda (key value) (table-set! result key (proc value))) table)
    result))

(define (hash-table-for-each proc table)
  (for-each (lambda (entry) (proc (car entry) (cdr entry))) (table->alist table)))

(define (hash-table-walk table proc) (hash-table-for-each proc table))

(define (hash-table-map! proc table)
  (hash-table-for-each (lambda (key value) (table-set! table key (proc key value))) table))

(define (hash-table-map->list proc table)
  (map (lambda (entry) (proc (car entry) (cdr entry))) (table->alist table)))

;; Also in the order of SRFI 69, the table first.
(define (hash-table-fold proc seed table)
  (if (hash-table? proc)
      (hash-table-fold seed table proc)
      (let loop ((l (table->alist table)) (acc seed))
        (if (pair? l)
            (loop (cdr l) (proc (car (car l)) (cdr (car l)) acc))
            acc))))

(define (hash-table-prune! proc table)
  (hash-table-for-each (lambda (key value) (if (proc key value) (table-delete! table key)))
                       table))

;; Copies

(define hash-table-copy
  (case-lambda
    ((table) (table-copy table))
    ((table mutable?) (table-copy table))))

(define (hash-table-empty-copy table)
  (make-table (hash-table-equivalence table) (hash-table-hasher table)))

;; Tables as sets of keys; the first is changed and returned.

(define (hash-table-union! a b)
  (hash-table-for-each
   (lambda (key value) (if (not (table-contains? a key)) (table-set! a key value)))
   b)
  a)

(define (hash-table-intersection! a b)
  (hash-table-prune! (lambda (key value) (not (table-contains? b key))) a)
  a)

(define (hash-table-difference! a b)
  (hash-table-prune! (lambda (key value) (table-contains? b key)) a)
  a)

(define (hash-table-xor! a b)
  (hash-table-for-each
   (lambda (key value)
     (if (table-contains? a key)
         (table-delete! a key)
         (table-set! a key value)))
   b)
  a)
