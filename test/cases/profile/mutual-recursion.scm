;; Recursion, direct and mutual, with the work at the bottom.
;; A right profile: no total exceeds 100 %; total(direct) = total(left) to a few points, and
;; total(ping) and total(pong) each equal total(right); left and right are about half each;
;; nearly all self time is in burn or its loop.  A name that is twice in a stack counts once.
(import (scheme base) (scheme write))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (direct n) (if (= n 0) (burn 5000) (+ 1 (direct (- n 1)))))
(define (ping n) (if (= n 0) (burn 5000) (+ 1 (pong (- n 1)))))
(define (pong n) (if (= n 0) (burn 5000) (+ 1 (ping (- n 1)))))
(define (left k sum) (if (= k 0) sum (let ((v (direct 25))) (left (- k 1) (+ sum v)))))
(define (right k sum) (if (= k 0) sum (let ((v (ping 25))) (right (- k 1) (+ sum v)))))
(define a (left 2500 0))
(define b (right 2500 0))
(write (list a b))
(newline)
