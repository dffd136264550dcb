;; As many threads as the argument says, of equal work; the main thread waits.
(import (scheme base) (scheme write) (scheme process-context) (srfi 1) (srfi 18))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define-syntax define-worker
  (syntax-rules () ((_ name) (define (name) (let ((v (burn 70000000))) (+ v 1))))))
(define-worker w0)
(define-worker w1)
(define-worker w2)
(define-worker w3)
(define n (string->number (cadr (command-line))))
(define threads (map (lambda (w) (thread-start! (make-thread w))) (take (list w0 w1 w2 w3) n)))
(write (map thread-join! threads))
(newline)
