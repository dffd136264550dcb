;; Eight threads at once, each with a loop of its own.
(import (scheme base) (scheme write) (scheme process-context) (srfi 18))

(define (burn n)
  (let loop ((i 0) (a 0))
    (if (= i n)
        a
        (loop (+ i 1) (+ a (remainder i 7))))))

(define n 20000000)
(define threads
  (map (lambda (k) (thread-start! (make-thread (lambda () (burn n)))))
       '(1 2 3 4 5 6 7 8)))

;; Of seven numbers in a row the remainders sum up to 21.
(define expected (+ (* 21 (quotient n 7)) (let ((r (remainder n 7))) (quotient (* r (- r 1)) 2))))
(if (equal? (map thread-join! threads) (map (lambda (t) expected) threads))
    (begin (display "threads ok") (newline))
    (exit 1))
