;; The hash tables under SRFI 69 and SRFI 125: one type, two representations.
;;
;; A table whose equivalence is eq?, eqv?, equal? or string=? (or one that comes to the same)
;; wraps a table of the run time in CORE. For any other equivalence CORE is #f, and BUCKETS is a
;; vector of chains, association lists, doubled when there is an entry for each bucket.
(define-library (srfi 69 tables)
  (export make-table hash-table? hash-table-equivalence hash-table-hasher
          table-ref table-set! table-delete! table-contains? table-count table-clear! table-copy
          table->alist table-keys table-values hash-known? number-hash string-ci-hash)
  (import (scheme base)
          (scheme case-lambda)
          (scheme char)
          (scheme complex)
          (only (hone prim) %make-table %table-ref %table-set! %table-delete! %table-contains?
                %table-count %table-clear! %table-copy %table->alist %table-keys %table-values
                hash string-hash))
  (begin
    (define-record-type <hash-table>
      (wrap core equivalence hasher buckets count)
      hash-table?
      (core hash-table-core)
      (equivalence hash-table-equivalence)
      (hasher hash-table-hasher)
      (buckets hash-table-buckets set-buckets!)
      (count hash-table-count set-count!))

    ;; For keys of their own type char=? and its like agree with the run time's equivalences.
    (define (kind-of equivalence)
      (cond ((eq? equivalence equal?) 'equal)
            ((eq? equivalence eqv?) 'eqv)
            ((eq? equivalence eq?) 'eq)
            ((eq? equivalence string=?) 'string)
            ((eq? equivalence symbol=?) 'eq)
            ((eq? equivalence boolean=?) 'eq)
            ((eq? equivalence char=?) 'eqv)
            (else #f)))

    ;; A hash that numbers share which are =.
    (define (number-hash x)
      (cond ((exact? x) (hash x))
            ((not (real? x))
             (if (= 0 (imag-part x))
                 (number-hash (real-part x))
                 (+ (number-hash (real-part x)) (number-hash (imag-part x)))))
            ((and (= x x) (not (= x (* x 0.5)))) (hash (exact x)))
            ((= x 0) (hash 0))
            (else (hash x))))

    ;; Like string-hash, with or without a bound.
    (define string-ci-hash
      (case-lambda
        ((s) (string-hash (string-foldcase s)))
        ((s bound) (string-hash (string-foldcase s) bound))))

    (define (default-hasher equivalence)
      (cond ((eq? equivalence string-ci=?) string-ci-hash)
            ((eq? equivalence string=?) string-hash)
            ((eq? equivalence =) number-hash)
            (else hash)))

    ;; Has EQUIVALENCE a hash function that is known here to fit?
    (define (hash-known? equivalence)
      (or (kind-of equivalence)
          (eq? equivalence string-ci=?)
          (eq? equivalence =)))

    (define first-size 17)

    ;; HASHER is a procedure or #f for the usual one.
    (define (make-table equivalence hasher)
      (if (not (procedure? equivalence))
          (error "make-hash-table: not an equivalence predicate" equivalence))
      (if (and hasher (not (procedure? hasher)))
          (error "make-hash-table: not a hash function" hasher))
      (let ((kind (kind-of equivalence))
            (hasher (or hasher (default-hasher equivalence))))
        (if kind
            (wrap (%make-table kind) equivalence hasher #f 0)
            (wrap #f equivalence hasher (make-vector first-size '()) 0))))

    ;; Chains

    (define (bucket-index table buckets key)
      (modulo ((hash-table-hasher table) key) (vector-length buckets)))

    ;; The entry of KEY in its chain, or #f.
    (define (find-entry table key)
      (let* ((same? (hash-table-equivalence table))
             (buckets (hash-table-buckets table)))
        (let loop ((chain (vector-ref buckets (bucket-index table buckets key))))
          (cond ((null? chain) #f)
                ((same? (car (car chain)) key) (car chain))
                (else (loop (cdr chain)))))))

    (define (add-entry! table buckets entry)
      (let ((i (bucket-index table buckets (car entry))))
        (vector-set! buckets i (cons entry (vector-ref buckets i)))))

    (define (for-each-entry proc buckets)
      (vector-for-each (lambda (chain) (for-each proc chain)) buckets))

    (define (grow! table)
      (let* ((old (hash-table-buckets table))
             (new (make-vector (+ 1 (* 2 (vector-length old))) '())))
        (for-each-entry (lambda (entry) (add-entry! table new entry)) old)
        (set-buckets! table new)))

    (define (chain-set! table key value)
      (let ((entry (find-entry table key)))
        (if entry
            (set-cdr! entry value)
            (let ((count (+ (hash-table-count table) 1)))
              (add-entry! table (hash-table-buckets table) (cons key value))
              (set-count! table count)
              (if (> count (vector-length (hash-table-buckets table))) (grow! table))))))

    (define (without entry chain)
      (if (eq? (car chain) entry)
          (cdr chain)
          (cons (car chain) (without entry (cdr chain)))))

    (define (chain-delete! table key)
      (let ((entry (find-entry table key)))
        (if entry
            (let* ((buckets (hash-table-buckets table))
                   (i (bucket-index table buckets key)))
              (vector-set! buckets i (without entry (vector-ref buckets i)))
              (set-count! table (- (hash-table-count table) 1))))))

    (define (chain-fold proc seed table)
      (let ((acc seed))
        (for-each-entry (lambda (entry) (set! acc (proc entry acc))) (hash-table-buckets table))
        acc))

    (define (copy-entry entry) (cons (car entry) (cdr entry)))
    (define (copy-chain chain) (map copy-entry chain))

    ;; Either representation

    (define (table-ref table key default)
      (let ((core (hash-table-core table)))
        (if core
            (%table-ref core key default)
            (let ((entry (find-entry table key)))
              (if entry (cdr entry) default)))))

    (define (table-set! table key value)
      (let ((core (hash-table-core table)))
        (if core
            (%table-set! core key value)
            (chain-set! table key value))))

    (define (table-delete! table key)
      (let ((core (hash-table-core table)))
        (if core
            (%table-delete! core key)
            (chain-delete! table key))))

    (define (table-contains? table key)
      (let ((core (hash-table-core table)))
        (if core
            (%table-contains? core key)
            (if (find-entry table key) #t #f))))

    (define (table-count table)
      (let ((core (hash-table-core table)))
        (if core (%table-count core) (hash-table-count table))))

    (define (table-clear! table)
      (let ((core (hash-table-core table)))
        (if core
            (%table-clear! core)
            (begin (set-buckets! table (make-vector first-size '()))
                   (set-count! table 0)))))

    (define (table-copy table)
      (let ((core (hash-table-core table)))
        (wrap (and core (%table-copy core))
              (hash-table-equivalence table)
              (hash-table-hasher table)
              (and (not core) (vector-map copy-chain (hash-table-buckets table)))
              (hash-table-count table))))

    (define (table->alist table)
      (let ((core (hash-table-core table)))
        (if core
            (%table->alist core)
            (chain-fold (lambda (entry acc) (cons (copy-entry entry) acc)) '() table))))

    (define (table-keys table)
      (let ((core (hash-table-core table)))
        (if core
            (%table-keys core)
            (chain-fold (lambda (entry acc) (cons (car entry) acc)) '() table))))

    (define (table-values table)
      (let ((core (hash-table-core table)))
        (if core
            (%table-values core)
            (chain-fold (lambda (entry acc) (cons (cdr entry) acc)) '() table))))))
