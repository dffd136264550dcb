;; One thread computes, one sleeps, one waits for a lock that is never given up.
;; A right profile of CPU time: only `busy`; `sleeping` and `waiting` have next to nothing.
(import (scheme base) (scheme write) (srfi 18))
(define lock (make-mutex))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (busy) (let ((v (burn 15000000))) (+ v 1)))
(define (sleeping) (thread-sleep! 1) 'slept)
(define (waiting) (if (mutex-lock! lock 0.8) 'locked 'gave-up))
(mutex-lock! lock)
(define threads (map (lambda (f) (thread-start! (make-thread f))) (list busy sleeping waiting)))
(write (map thread-join! threads))
(newline)
