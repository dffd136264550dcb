(define included-a 'a)
(define (included-double x) (* 2 x))
