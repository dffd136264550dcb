;; Two lines of one procedure, each a loop of its own, with work as 1 : 3. What they cost depends on the processor's mood: the
;; program itself tells what percentage of the time of both went to the first, by the clock.
(import (scheme base) (scheme write) (scheme time))
(define (work n)
  (let again ((k 0) (sum 0) (first 0) (second 0))
    (if (= k n)
        (exact (round (/ (* 100 first) (+ first second))))
        (let* ((x (current-jiffy))
               (a (let loop ((i 0) (s 0)) (if (= i 10000) s (loop (+ i 1) (+ s (remainder i 7))))))
               (y (current-jiffy))
               (b (let loop ((i 0) (s 0)) (if (= i 30000) s (loop (+ i 1) (+ s (remainder i 7))))))
               (z (current-jiffy)))
          (again (+ k 1) (+ sum a b) (+ first (- y x)) (+ second (- z y)))))))
(write (work 1000))
