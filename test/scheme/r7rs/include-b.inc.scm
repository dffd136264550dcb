(define included-b 'b)
