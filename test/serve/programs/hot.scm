;; Spends three quarters of its time below `hot` and one below `cold`, all of it in `work`, until a
;; file named `enough` is there; beside it a thread sleeps.
(import (scheme base) (scheme write) (scheme file) (srfi 18))
(define (work n acc) (if (= n 0) acc (work (- n 1) (+ acc (modulo n 7)))))
(define (hot) (work 300000 0))
(define (cold) (work 100000 0))
(define (rest) (thread-sleep! 1000) 'rested)
(thread-start! (make-thread rest))
(display "begun\n")
(flush-output-port)
(let loop ((sum 0))
  (if (file-exists? "enough")
      (begin (write (modulo sum 1)) (newline))
      (loop (+ sum (hot) (cold)))))
