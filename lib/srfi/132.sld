;; SRFI 132: sorting. The ordering comes first: (list-sort < lis).
(define-library (srfi 132)
  (export
   list-sorted? vector-sorted?
   list-sort list-stable-sort list-sort! (rename list-sort! list-stable-sort!)
   vector-sort vector-stable-sort vector-sort! vector-stable-sort!
   list-merge list-merge! vector-merge vector-merge!
   list-delete-neighbor-dups list-delete-neighbor-dups!
   vector-delete-neighbor-dups vector-delete-neighbor-dups!
   vector-find-median vector-find-median! vector-select! vector-separate!)
  (import (scheme base) (scheme case-lambda) (srfi checks))
  (include "132/lists.scm" "132/vectors.scm"))
