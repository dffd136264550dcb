;; SRFI 1: lists.
;;
;; What R7RS or the run time has with the same meaning is re-exported as it is. The "linear
;; update" procedures, which may but need not reuse their argument's pairs, are the pure ones
;; under another name wherever reuse means a store for each element: in a generational collector
;; a new pair costs less than a barrier.
(define-library (srfi 1)
  (export
   ;; Constructors
   cons list xcons cons* make-list list-tabulate list-copy circular-list iota
   ;; Predicates
   pair? null? (rename list? proper-list?) circular-list? dotted-list? not-pair? null-list? list=
   ;; Selectors
   car cdr caar cadr cdar cddr
   caaar caadr cadar caddr cdaar cdadr cddar cdddr
   caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr
   cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar cddddr
   list-ref first second third fourth fifth sixth seventh eighth ninth tenth
   car+cdr take drop take-right drop-right (rename take take!) (rename drop-right drop-right!)
   split-at (rename split-at split-at!) last last-pair
   ;; Length, append, reverse
   length length+ append concatenate reverse append! concatenate! reverse!
   append-reverse (rename append-reverse append-reverse!) zip unzip1 unzip2 unzip3 unzip4 unzip5
   count
   ;; Folds and maps
   map for-each fold unfold pair-fold reduce fold-right unfold-right pair-fold-right reduce-right
   append-map append-map! (rename map-in-order map!) pair-for-each filter-map map-in-order
   ;; Filters
   filter partition remove
   (rename filter filter!) (rename partition partition!) (rename remove remove!)
   ;; Searching
   member memq memv find find-tail any every list-index
   take-while drop-while (rename take-while take-while!)
   span break (rename span span!) (rename break break!)
   ;; Deleting
   delete delete-duplicates (rename delete delete!)
   (rename delete-duplicates delete-duplicates!)
   ;; Association lists
   assoc assq assv alist-cons alist-copy alist-delete (rename alist-delete alist-delete!)
   ;; Lists as sets
   lset<= lset= lset-adjoin
   lset-union (rename lset-union lset-union!)
   lset-intersection (rename lset-intersection lset-intersection!)
   lset-difference (rename lset-difference lset-difference!)
   lset-xor (rename lset-xor lset-xor!)
   lset-diff+intersection (rename lset-diff+intersection lset-diff+intersection!)
   ;; Side effects
   set-car! set-cdr!)
  (import (scheme base)
          (scheme case-lambda)
          (scheme cxr)
          (only (hone prim) append! reverse! last-pair cons* iota
                %make-table %table-contains? %table-set!)
          (srfi checks))
  (include "1/basic.scm" "1/fold.scm" "1/search.scm" "1/sets.scm"))
