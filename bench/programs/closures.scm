;; closures: counters with state of their own; closures composed, kept in a vector and called from there.
;; Result: the counters' sum after n calls; n composed additions, each of the slot twice.
;; Expected: n calls over eight counters, so 8 * n/8; 2 * (0 + ... + 7) in eight turns, so 7n.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-counter)
  (let ((count 0))
    (lambda (step) (set! count (+ count step)) count)))

(define (adder n) (lambda (x) (+ x n)))
(define (compose f g) (lambda (x) (f (g x))))

(define (fill n make)
  (let ((v (make-vector n)))
    (do ((i 0 (+ i 1)))
        ((= i n) v)
      (vector-set! v i (make i)))))

(define (tick-all counters n)
  (do ((i 0 (+ i 1)))
      ((= i n))
    ((vector-ref counters (remainder i 8)) 1)))

(define (sum-counters counters)
  (let loop ((i 0) (sum 0))
    (if (= i 8)
        sum
        (loop (+ i 1) (+ sum ((vector-ref counters i) 0))))))

(define (compose-all adders n)
  (let loop ((i 0) (sum 0))
    (if (= i n)
        sum
        (let ((slot (remainder i 8)))
          (vector-set! adders slot (compose (adder i) (adder (- slot i))))
          (loop (+ i 1)
                ((compose (vector-ref adders slot) (vector-ref adders slot)) sum))))))

(define (main n)
  (let ((counters (fill 8 (lambda (i) (make-counter)))))
    (tick-all counters n)
    (list (sum-counters counters)
          (compose-all (fill 8 adder) n))))

(let ((got (main 1600000)) (want '(1600000 11200000)))
  (cond ((equal? got want) (display "closures ok") (newline))
        (else (display "closures: wrong result: ") (write got) (newline) (exit 1))))
