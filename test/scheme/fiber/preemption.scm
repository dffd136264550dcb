;;; Fibers: preemption, interrupts, time-outs.
(import (scheme base) (scheme write) (scheme time) (srfi 18) (hone fiber) (check))
(check-begin "fibers: preemption")

(define (forever) (let loop () (loop)))
(define (times n thunk) (if (> n 0) (begin (thunk) (times (- n 1) thunk))))

(section "a loop that calls nothing")
(check (run-fibers (lambda () (spawn-fiber forever) (sleep 0.02) 'alive) 'parallelism 1) => 'alive)
(check (run-fibers (lambda () (times 5 (lambda () (spawn-fiber forever))) (sleep 0.02) 'alive) 'parallelism 2) => 'alive)
;; Two such loops share a carrier.
(define (counts n)
  (run-fibers
   (lambda ()
     (let ((v (make-vector n 0)) (stop #f))
       (let spawn ((i 0))
         (if (< i n)
             (begin
               (spawn-fiber (lambda () (let loop () (vector-set! v i (+ 1 (vector-ref v i))) (if (not stop) (loop)))))
               (spawn (+ i 1)))))
       (sleep 0.3)
       (set! stop #t)
       (vector->list v)))
   'parallelism 1 'hz 1000))
(check-true (let ((c (counts 3))) (> (apply min c) 0)))
;; Without preemption a fiber runs until it waits.
(check (run-fibers
        (lambda ()
          (let ((order '()))
            (spawn-fiber (lambda () (set! order (cons 'second order))))
            (let ((end (+ (current-jiffy) 50000000))) (let loop () (if (< (current-jiffy) end) (loop))))
            (set! order (cons 'first order))
            (yield-current-task)
            (reverse order)))
        'parallelism 1 'hz 0)
       => '(first second))
;; A preempted fiber goes on where it was: in loops, at entries, around primitives that run long.
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(check (run-fibers
        (lambda ()
          (let ((c (make-channel)))
            (times 4 (lambda () (spawn-fiber (lambda () (put-message c (fib 20))))))
            (spawn-fiber (lambda () (put-message c (let loop ((i 0) (n 0)) (if (< i 2000) (loop (+ i 1) (+ n (length (list-copy (make-list 50 i))))) n)))))
            (let loop ((i 0) (sum 0)) (if (= i 5) sum (loop (+ i 1) (+ sum (get-message c)))))))
        'parallelism 2 'hz 4000)
       => (+ (* 4 6765) 100000))

(section "interrupts")
(check (call-interruptible (lambda () 'done)) => 'done)
(check-values (call-interruptible (lambda () (values 1 2))) => 1 2)
(check (interrupt! (run-fibers (lambda () (current-fiber)))) => #f)
;; In a loop that calls nothing, in a wait, in a sleep.
(define (interrupted thunk)
  (run-fibers
   (lambda ()
     (let ((c (make-channel)))
       (let ((f (spawn-fiber (lambda () (put-message c (call-interruptible thunk (lambda (o) (list 'interrupted o))))))))
         (sleep 0.02)
         (let ((told (interrupt! f 'why)))
           (list told (get-message c))))))
   'parallelism 1))
(check (interrupted forever) => '(#t (interrupted why)))
(check (interrupted (lambda () (get-message (make-channel)))) => '(#t (interrupted why)))
(check (interrupted (lambda () (sleep 100))) => '(#t (interrupted why)))
(check (interrupted (lambda () (wait (make-condition)))) => '(#t (interrupted why)))
(check (interrupted (lambda () (perform-operation (choice-operation (get-operation (make-channel)) (sleep-operation 100))))) => '(#t (interrupted why)))
;; It escapes through dynamic-wind, and from the inner of two.
(check (let ((log '()))
         (let ((r (interrupted (lambda () (dynamic-wind (lambda () (set! log (cons 'in log))) forever (lambda () (set! log (cons 'out log))))))))
           (list r (reverse log))))
       => '((#t (interrupted why)) (in out)))
(check (interrupted (lambda () (list 'outer (call-interruptible forever (lambda (o) (list 'inner o)))))) => '(#t (outer (inner why))))
;; An interrupted wait takes no message with it.
(check (run-fibers
        (lambda ()
          (let* ((c (make-channel)) (f (spawn-fiber (lambda () (call-interruptible (lambda () (get-message c)))))))
            (yield-current-task)
            (interrupt! f)
            (spawn-fiber (lambda () (put-message c 'kept)))
            (sleep 0.01)
            (get-message c)))
        'parallelism 1 'hz 0)
       => 'kept)
;; One that comes before the wait ends the wait; one that comes too late ends nothing.
(check (run-fibers (lambda () (call-interruptible (lambda () (interrupt! (current-fiber) 'why) (sleep 100)) (lambda (o) o)))) => 'why)
(check (run-fibers (lambda () (list (call-interruptible (lambda () (interrupt! (current-fiber)) 'done)) (begin (sleep 0.01) 'went-on))))
       => '(done went-on))

(section "time-outs")
(check (call-with-timeout 10 (lambda () 'in-time)) => 'in-time)
(check (call-with-timeout 0.02 forever) => #f)
(check (call-with-timeout 0.02 forever (lambda () 'late)) => 'late)
(check (call-with-timeout 0.02 (lambda () (get-message (make-channel))) (lambda () 'late)) => 'late)
(check (run-fibers (lambda () (call-with-timeout 0.02 forever (lambda () 'late))) 'parallelism 1) => 'late)
(check (run-fibers (lambda () (call-with-timeout 0.02 (lambda () (get-message (make-channel))) (lambda () 'late)))) => 'late)
(check (run-fibers (lambda () (call-with-timeout 0.02 (lambda () (sleep 50)) (lambda () 'late)))) => 'late)
(check (call-with-timeout 0.02 (lambda () (call-with-timeout 50 forever (lambda () 'inner))) (lambda () 'outer)) => 'outer)
(check (call-with-timeout 50 (lambda () (list (call-with-timeout 0.02 forever (lambda () 'inner)) 'went-on)) (lambda () 'outer)) => '(inner went-on))
;; A quantum shorter than the check's interval does not starve it.
(check (run-fibers
        (lambda ()
          (times 3 (lambda () (spawn-fiber forever)))
          (call-with-timeout 0.05 forever (lambda () 'late)))
        'parallelism 1 'hz 1000)
       => 'late)
;; After thunks take the time that they need.
(define (slow-end body)
  (let ((ended #f))
    (let ((v (call-with-timeout 0.02 (lambda () (dynamic-wind (lambda () #f) body (lambda () (sleep 0.05) (set! ended #t)))) (lambda () 'late))))
      (list v ended))))
(check (slow-end forever) => '(late #t))
(check (run-fibers (lambda () (slow-end (lambda () (sleep 50))))) => '(late #t))
(check (run-fibers (lambda () (slow-end (lambda () (call-interruptible (lambda () (sleep 50))))))) => '(late #t))
;; A moment that no machine sees.
(check (call-with-timeout 0.02 (lambda () (perform-operation (timer-operation (expt 10 30)))) (lambda () 'late)) => 'late)
;; Around the whole run.
(check (call-with-timeout 0.05 (lambda () (run-fibers (lambda () (get-message (make-channel))))) (lambda () 'late)) => 'late)

(section "carriers")
;; A fiber that blocks its carrier is not waited for by the others.
(check (run-fibers
        (lambda ()
          (let ((c (make-channel)) (t (thread-start! (make-thread (lambda () (thread-sleep! 0.3))))))
            (spawn-fiber (lambda () (thread-join! t) (put-message c 'joined)))
            (spawn-fiber (lambda () (put-message c 'other)))
            (let* ((a (get-message c)) (b (get-message c))) (list a b))))
        'parallelism 2)
       => '(other joined))
;; The work of one spreads over several: all of them are seen.
(check-true
 (run-fibers
  (lambda ()
    (let ((c (make-channel)))
      (times 8 (lambda () (spawn-fiber (lambda () (let loop ((i 0)) (if (< i 1500000) (loop (+ i 1)))) (put-message c (current-thread))))))
      (let loop ((i 0) (seen '()))
        (if (= i 8)
            (> (length seen) 1)
            (let ((t (get-message c))) (loop (+ i 1) (if (memq t seen) seen (cons t seen))))))))
  'parallelism 2))

(check-finish)
