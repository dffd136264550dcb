;; Two threads of equal work, one started before the other, the main thread asleep.
;; A right profile: early and late 50 % each within 2 points; main has next to no CPU time.
(import (scheme base) (scheme write) (srfi 18))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (early) (let ((v (burn 10000000))) (+ v 1)))
(define (late) (let ((v (burn 10000000))) (+ v 2)))
(define a (thread-start! (make-thread early)))
(define b (thread-start! (make-thread late)))
(thread-sleep! 0.1)
(write (list (thread-join! a) (thread-join! b)))
(newline)
