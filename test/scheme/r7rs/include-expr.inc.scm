(set! included-a 'changed) (+ 3 4)
