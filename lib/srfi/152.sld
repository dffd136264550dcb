;; SRFI 152: strings. Where a predicate on characters is asked for, a character will do too, and
;; stands for itself, as in SRFI 13.
(define-library (srfi 152)
  (export
   ;; Predicates and constructors
   string? string-null? string-every string-any
   make-string string string-tabulate string-unfold string-unfold-right
   ;; Conversion and selection
   string->vector string->list vector->string list->string reverse-list->string
   string-length string-ref substring string-copy
   string-take string-take-right string-drop string-drop-right
   string-pad string-pad-right string-trim string-trim-right string-trim-both
   string-replace
   ;; Comparison
   string=? string-ci=? string<? string-ci<? string>? string-ci>?
   string<=? string-ci<=? string>=? string-ci>=?
   string-prefix-length string-suffix-length string-prefix? string-suffix?
   ;; Searching
   string-index string-index-right string-skip string-skip-right
   string-contains string-contains-right
   string-take-while string-take-while-right string-drop-while string-drop-while-right
   string-break string-span
   ;; Concatenation and iteration
   string-append string-concatenate string-concatenate-reverse string-join
   string-fold string-fold-right string-map string-for-each string-count
   string-filter string-remove
   string-replicate string-segment string-split
   ;; Input, output and mutation
   read-string write-string string-set! string-fill! string-copy!)
  (import (scheme base)
          (scheme case-lambda)
          (scheme char)
          (only (hone prim) %string-search %string-concatenate)
          (srfi checks))
  (include "152/select.scm" "152/search.scm" "152/build.scm"))
