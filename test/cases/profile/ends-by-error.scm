;; Ends by an error that nothing catches, after half a second's work.
;; A right profile: whole, with `work` near 100 %; the message is printed and the exit code is 1.
(import (scheme base) (scheme write))
(define (work n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (main) (let ((v (work 5000000))) (write v) (newline) (+ 1 (car v))))
(main)
