;; The part of SRFI 69 that the programs of bench/ use, on Chez Scheme's own tables.
(library (srfi :69)
  (export make-hash-table hash-table-set! hash-table-ref/default hash-table-delete! hash-table-size hash-table-walk)
  (import (except (chezscheme) make-hash-table))
  (define make-hash-table
    (case-lambda
      (() (make-hashtable equal-hash equal?))
      ((same?)
       (cond ((eq? same? eq?) (make-eq-hashtable))
             ((eq? same? eqv?) (make-eqv-hashtable))
             ((eq? same? string=?) (make-hashtable string-hash string=?))
             (else (make-hashtable equal-hash same?))))))
  (define hash-table-set! hashtable-set!)
  (define hash-table-ref/default hashtable-ref)
  (define hash-table-delete! hashtable-delete!)
  (define hash-table-size hashtable-size)
  (define (hash-table-walk table f)
    (let-values (((keys values) (hashtable-entries table)))
      (vector-for-each f keys values))))
