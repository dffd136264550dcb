(import (scheme base) (scheme write) (srfi 18))
(define t (thread-start! (make-thread (lambda () (car 'in-thread)) 'worker)))
(thread-join! t)
