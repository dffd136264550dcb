;; The same program twice in one: `plain` and `slowed` do the same work, slowed is given three
;; times as much.  A right profile: self time of slowed (with its loop) is 75 % of the two, within 2 points.
(import (scheme base) (scheme write))
(define (plain n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (slowed n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (main k sum) (if (= k 0) sum (let* ((a (plain 20000)) (b (slowed 60000))) (main (- k 1) (+ sum a b)))))
(write (main 150 0))
(newline)
