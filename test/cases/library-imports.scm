;; Import sets nested in each other, includes beside the library's file, exports renamed, a
;; base name left out and defined anew, a library whose export is called rename.
(import (except (scheme base) vector) (scheme write)
        (prefix (rename (only (geo box) make-box area border) (make-box box)) g:)
        (only (geo rename) rename))
(define (vector . xs) (cons 'my-vector xs))
(write (vector (g:area (g:box 2 3)) (g:border (g:box 2 3)) (rename 'x)))
(newline)
