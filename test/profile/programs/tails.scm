;; Who tail-calls whom is known. A procedure out of a vector is called as it stands.
;;   phase1: call-it calls first, which tail-calls second, which tail-calls last, which burns.
;;   phase2: the same call of the same call-it is of last at once.
;;   machine: a machine of five states that tail-call one another.
(import (scheme base) (scheme write) (srfi 18))
(define (burn n)
  (let loop ((i 0) (x 0))
    (if (= i n) x (loop (+ i 1) (+ x (remainder i 7))))))
(define (last n v) (+ 1 (burn n)))
(define (second n v) (set! hits (+ hits 1)) ((vector-ref v 2) n v))
(define (first n v) (set! hits (+ hits 2)) ((vector-ref v 1) n v))
(define hits 0)
(define procs (vector first second last))
(define (call-it n v k) (+ 1 ((vector-ref v k) n v)))
(define (repeat n f) (if (> n 0) (begin (f) (repeat (- n 1) f))))
(define (phase1) (repeat 3000 (lambda () (call-it 1000 procs 0))))
(define (phase2) (repeat 3000 (lambda () (call-it 1000 procs 2))))
(define states (make-vector 5 #f))
(define-syntax define-state
  (syntax-rules ()
    ((_ k name)
     (begin
       (define (name n seed)
         (if (= n 0)
             seed
             (begin
               (burn 20)
               ((vector-ref states (remainder seed 5)) (- n 1) (remainder (+ (* seed 1103515245) 12345) 2147483648)))))
       (vector-set! states k name)))))
(define-state 0 s0)
(define-state 1 s1)
(define-state 2 s2)
(define-state 3 s3)
(define-state 4 s4)
(define (machine) (+ 1 ((vector-ref states 0) 150000 42)))
;; Recursion over many regions of stack, and continuations, come between.
(define (deep n) (if (= n 0) (call-it 1000 procs 0) (+ 1 (deep (- n 1)))))
(define (escapes)
  (repeat 300 (lambda ()
                (call-with-current-continuation
                 (lambda (k) (call-it 1000 procs 0) (k 1)))
                (call-it 1000 procs 2))))
(define other (thread-start! (make-thread (lambda () (phase1)) 'other)))
(phase1)
(phase2)
(machine)
(deep 30000)
(escapes)
(thread-join! other)
(display "done")
(newline)
