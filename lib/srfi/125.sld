;; SRFI 125: hash tables on comparators, and on SRFI 69's pairs of equality and hash function.
;; Tables are always mutable. A comparator's type test is not applied to keys.
(define-library (srfi 125)
  (export make-hash-table hash-table hash-table-unfold alist->hash-table
          hash-table? (rename table-contains? hash-table-contains?)
          (rename table-contains? hash-table-exists?) hash-table-empty? hash-table=?
          hash-table-mutable?
          hash-table-ref (rename table-ref hash-table-ref/default)
          hash-table-set! hash-table-delete! hash-table-intern! hash-table-update!
          hash-table-update!/default hash-table-pop! (rename table-clear! hash-table-clear!)
          (rename table-count hash-table-size) (rename table-keys hash-table-keys)
          (rename table-values hash-table-values) hash-table-entries hash-table-find
          hash-table-count
          hash-table-map hash-table-for-each hash-table-walk hash-table-map!
          hash-table-map->list hash-table-fold hash-table-prune!
          hash-table-copy hash-table-empty-copy (rename table->alist hash-table->alist)
          hash-table-union! (rename hash-table-union! hash-table-merge!)
          hash-table-intersection! hash-table-difference! hash-table-xor!
          hash string-hash string-ci-hash (rename hash hash-by-identity)
          (rename hash-table-equivalence hash-table-equivalence-function)
          (rename hash-table-hasher hash-table-hash-function))
  (import (scheme base)
          (scheme case-lambda)
          (only (hone prim) hash string-hash)
          (srfi 69 tables)
          (only (srfi 128) comparator? comparator-equality-predicate comparator-hash-function
                comparator-hashable? =?))
  (include "125/tables.scm"))
