;; A recursion as deep as the argument says, with the work at the bottom.
(import (scheme base) (scheme write) (scheme process-context))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (descend n) (if (= n 0) (burn 70000000) (+ 1 (descend (- n 1)))))
(define (root n) (let ((v (descend n))) (+ v 1)))
(write (root (string->number (cadr (command-line)))))
(newline)
