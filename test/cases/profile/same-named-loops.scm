;; Three loops of one name in three procedures, and a nameless procedure.
;; A right profile: three different rows for the three loops (or each counted to the procedure
;; that holds it), the nameless one told by its place; `dear` and its loop above 80 %; one row
;; for each procedure however many of its lines were hit.
(import (scheme base) (scheme write))
(define (cheap n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i)))
(define (dear n)
  (let loop ((i 0) (a 0))
    (if (< i (* 12 n))
        (loop (+ i 1)
              (+ a (quotient i 3)))
        a)))
(define (twice f n) (let* ((v (f n)) (w (f n))) (+ v w)))
(write (list (twice cheap 500000)
             (twice dear 500000)
             (twice (lambda (n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i))) 500000)))
(newline)
