;; SRFI 128: comparators, bundles of a type test, an equality, an ordering and a hash function.
(define-library (srfi 128)
  (export comparator? comparator-ordered? comparator-hashable?
          make-comparator make-pair-comparator make-list-comparator make-vector-comparator
          make-eq-comparator make-eqv-comparator make-equal-comparator
          boolean-hash char-hash char-ci-hash string-hash string-ci-hash symbol-hash number-hash
          hash-bound hash-salt
          make-default-comparator default-hash comparator-register-default!
          comparator-type-test-predicate comparator-equality-predicate
          comparator-ordering-predicate comparator-hash-function
          comparator-test-type comparator-check-type comparator-hash
          =? <? >? <=? >=? comparator-if<=>)
  (import (scheme base)
          (scheme case-lambda)
          (scheme char)
          (scheme complex)
          (scheme time)
          (only (hone prim) bitwise-and hash string-hash)
          (only (srfi 69 tables) number-hash string-ci-hash)
          (srfi checks))
  (include "128/comparators.scm" "128/default.scm"))
