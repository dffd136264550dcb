(set! parts (cons 'included parts))
