;; closures: counters with state of their own, composed procedures, and folds that take a procedure.
;; Result: a counter's last value; a composition applied n times; a fold.
;; Expected: n; 3n (add 1 then add 2); n(n+1)/2.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-counter)
  (let ((count 0))
    (lambda () (set! count (+ count 1)) count)))

(define (compose f g) (lambda (x) (f (g x))))
(define (adder n) (lambda (x) (+ x n)))

(define (fold-up f start low high)
  (let loop ((i low) (acc start))
    (if (> i high) acc (loop (+ i 1) (f i acc)))))

(define (repeat f n x)
  (if (= n 0) x (repeat f (- n 1) (f x))))

(define (main n)
  (let ((tick (make-counter)))
    (list (fold-up (lambda (i acc) (tick)) 0 1 n)
          (repeat (compose (adder 1) (adder 2)) n 0)
          (fold-up (lambda (i acc) ((adder i) acc)) 0 1 n))))

(let ((got (main 2000000)) (want '(2000000 6000000 2000001000000)))
  (cond ((equal? got want) (display "closures ok") (newline))
        (else (display "closures: wrong result: ") (write got) (newline) (exit 1))))
