(define (included-square x) (* x x))
