;; SRFI 69: basic hash tables, and hash functions, which take a bound or none. The hash of
;; identity is hash, since an address does not last; tables by eq? have the run time's help and
;; need neither.
(define-library (srfi 69)
  (export make-hash-table hash-table? alist->hash-table
          (rename hash-table-equivalence hash-table-equivalence-function)
          (rename hash-table-hasher hash-table-hash-function)
          hash-table-ref (rename table-ref hash-table-ref/default)
          (rename table-set! hash-table-set!) (rename table-delete! hash-table-delete!)
          (rename table-contains? hash-table-exists?)
          hash-table-update! hash-table-update!/default
          (rename table-count hash-table-size) (rename table-keys hash-table-keys)
          (rename table-values hash-table-values) hash-table-walk hash-table-fold
          (rename table->alist hash-table->alist) (rename table-copy hash-table-copy)
          hash-table-merge!
          hash string-hash string-ci-hash (rename hash hash-by-identity))
  (import (scheme base)
          (scheme case-lambda)
          (only (hone prim) hash string-hash)
          (srfi 69 tables))
  (begin
    (define make-hash-table
      (case-lambda
        (() (make-table equal? #f))
        ((equivalence) (make-table equivalence #f))
        ((equivalence hasher . extensions) (make-table equivalence hasher))))

    ;; The first association of a key wins, so the list is entered from its end.
    (define (alist->hash-table alist . arguments)
      (let ((table (apply make-hash-table arguments)))
        (for-each (lambda (entry) (table-set! table (car entry) (cdr entry))) (reverse alist))
        table))

    ;; What no table holds.
    (define missing (list 'missing))

    (define (no-such-key who key)
      (error (string-append who ": no such key") key))

    (define hash-table-ref
      (case-lambda
        ((table key)
         (let ((value (table-ref table key missing)))
           (if (eq? value missing) (no-such-key "hash-table-ref" key) value)))
        ((table key thunk)
         (let ((value (table-ref table key missing)))
           (cond ((not (eq? value missing)) value)
                 (thunk (thunk))
                 (else (no-such-key "hash-table-ref" key)))))))

    (define hash-table-update!
      (case-lambda
        ((table key f)
         (let ((value (table-ref table key missing)))
           (if (eq? value missing) (no-such-key "hash-table-update!" key))
           (table-set! table key (f value))))
        ((table key f thunk)
         (let ((value (table-ref table key missing)))
           (table-set! table key (f (if (eq? value missing) (thunk) value)))))))

    (define (hash-table-update!/default table key f default)
      (table-set! table key (f (table-ref table key default))))

    ;; Both go over a list made beforehand, so that the table may change under way.
    (define (hash-table-walk table proc)
      (for-each (lambda (entry) (proc (car entry) (cdr entry))) (table->alist table)))

    (define (hash-table-fold table f seed)
      (let loop ((entries (table->alist table)) (acc seed))
        (if (pair? entries)
            (loop (cdr entries) (f (car (car entries)) (cdr (car entries)) acc))
            acc)))

    (define (hash-table-merge! table other)
      (for-each (lambda (entry) (table-set! table (car entry) (cdr entry)))
                (table->alist other))
      table)))
