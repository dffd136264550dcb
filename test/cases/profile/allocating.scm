;; Allocates all the time: the collector's share must be told apart.
;; A right profile: `churn` and the collector together near 100 %; the collector's time agrees
;; with its own clock; no crash at the shortest interval.
(import (scheme base) (scheme write))
(define (churn k)
  (let loop ((i 0) (kept '()))
    (if (= i k) (length kept) (loop (+ i 1) (cons (make-vector 100 i) (if (= 0 (remainder i 1000)) '() kept))))))
(write (churn 300001))
(newline)
