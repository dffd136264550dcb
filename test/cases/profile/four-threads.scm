;; Four threads that do the same work.
;; A right profile: w0, w1, w2 and w3 are all there, each 25 % within 2 points of their sum;
;; the CPU time reported is within 15 % of the process's (four times one worker's).
(import (scheme base) (scheme write) (srfi 18))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define-syntax define-worker
  (syntax-rules () ((_ name) (define (name) (let ((v (burn 6000000))) (+ v 1))))))
(define-worker w0)
(define-worker w1)
(define-worker w2)
(define-worker w3)
(define threads (map (lambda (w) (thread-start! (make-thread w))) (list w0 w1 w2 w3)))
(write (map thread-join! threads))
(newline)
