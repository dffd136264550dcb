;; A continuation is a part of one thread's stack: another thread that enters it gets an error, and both go on.
(import (scheme base) (scheme write) (srfi 18))
(define k #f)
(thread-join! (thread-start! (make-thread (lambda () (call/cc (lambda (c) (set! k c))) 1))))
(write (guard (e (#t (error-object-message e))) (k 5))) (newline)
