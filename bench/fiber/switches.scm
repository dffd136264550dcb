;; What fibers cost, in CPU time. Usage: build/hone bench/fiber/switches.scm
;; Each figure is the least of five runs, with and without preemption in turns.
(import (scheme base) (scheme write) (hone fiber) (only (hone prim) %process-cpu-ns))

(define (yields n)
  (let loop ((i 0))
    (if (< i n)
        (begin
          (yield-current-task)
          (loop (+ i 1))))))

(define (two n) (lambda () (spawn-fiber (lambda () (yields n))) (yields (quotient n 2))))

(define (ping-pong n)
  (lambda ()
    (let ((a (make-channel)) (b (make-channel)))
      (spawn-fiber (lambda () (let loop () (put-message b (get-message a)) (loop))))
      (let loop ((i 0))
        (if (< i n)
            (begin
              (put-message a i)
              (get-message b)
              (loop (+ i 1))))))))

(define (nothing n) (lambda () (let loop ((i 0)) (if (< i n) (loop (+ i 1))))))

(define (ns-each n thunk hz)
  (let ((before (%process-cpu-ns)))
    (run-fibers thunk 'parallelism 1 'hz hz)
    (/ (- (%process-cpu-ns) before) n 1.0)))

(define (show name n thunk)
  (let loop ((i 0) (on +inf.0) (off +inf.0))
    (if (< i 5)
        (loop (+ i 1) (min on (ns-each n thunk 100)) (min off (ns-each n thunk 0)))
        (begin
          (display name)
          (display ": ")
          (display (/ (round (* 10 on)) 10))
          (display " ns with preemption, ")
          (display (/ (round (* 10 off)) 10))
          (display " ns without")
          (newline)))))

(define n 2000000)
(show "an iteration of the loop alone" n (nothing n))
(show "a yield, no other fiber ready" n (lambda () (yields n)))
(show "a yield with a switch" n (two n))
(show "a message there and back" (quotient n 4) (ping-pong (quotient n 4)))
