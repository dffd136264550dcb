;; SRFI 13: strings, without what needs the character sets of SRFI 14 and without the parts of
;; the Knuth-Morris-Pratt search. Where a name is R7RS's too (string-map, string-for-each,
;; string-upcase and their like) the procedure is R7RS's, so that both libraries can be imported;
;; and most others are SRFI 152's.
(define-library (srfi 13)
  (export
   string? string-null? string-every string-any
   make-string string string-tabulate
   string->list list->string reverse-list->string string-join
   string-length string-ref string-copy substring/shared string-copy!
   string-take string-take-right string-drop string-drop-right
   string-pad string-pad-right string-trim string-trim-right string-trim-both
   string-set! string-fill!
   string-compare string-compare-ci
   string= string<> string< string> string<= string>=
   string-ci= string-ci<> string-ci< string-ci> string-ci<= string-ci>=
   string-hash (rename string-ci-hash string-hash-ci)
   string-prefix-length string-suffix-length string-prefix-length-ci string-suffix-length-ci
   string-prefix? string-suffix? string-prefix-ci? string-suffix-ci?
   string-index string-index-right string-skip string-skip-right string-count
   string-contains string-contains-ci
   string-titlecase string-titlecase! string-upcase string-upcase! string-downcase
   string-downcase!
   string-reverse string-reverse!
   string-append string-concatenate (rename string-concatenate string-concatenate/shared)
   (rename string-append string-append/shared)
   string-concatenate-reverse
   (rename string-concatenate-reverse string-concatenate-reverse/shared)
   string-map string-map! string-fold string-fold-right string-unfold string-unfold-right
   string-for-each string-for-each-index
   xsubstring string-xcopy! string-replace string-tokenize
   string-filter (rename string-remove string-delete))
  (import (scheme base)
          (scheme case-lambda)
          (scheme char)
          (only (hone prim) string-hash)
          (only (srfi 69 tables) string-ci-hash)
          (srfi 152)
          (srfi checks))
  (include "13/strings.scm"))
