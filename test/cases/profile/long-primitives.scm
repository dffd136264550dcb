;; Most of the time is inside primitives, and one library procedure, that run long.
;; A right profile: string-append under `build-text`, * under `big-product` and list-sort (with
;; what it calls) under `sort-all` hold nearly all the time of their callers; skid is small.
(import (scheme base) (scheme write) (srfi 132))
(define chunk (make-string 200000 #\a))
(define (build-text k)
  (let loop ((i 0) (len 0))
    (if (= i k)
        len
        (let ((s (string-append chunk chunk chunk chunk chunk chunk chunk chunk)))
          (loop (+ i 1) (+ len (string-length s)))))))
(define (big-product k)
  (let ((n (- (expt 3 200000) 1)))
    (let loop ((i 0) (odd 0))
      (if (= i k)
          odd
          (let ((p (* n n)))
            (loop (+ i 1) (if (odd? p) (+ odd 1) odd)))))))
(define (scrambled n)
  (let loop ((i 0) (x 1) (acc '()))
    (if (= i n) acc (loop (+ i 1) (modulo (+ (* x 7919) 104729) 1000003) (cons x acc)))))
(define (sort-all k)
  (let ((items (scrambled 50000)))
    (let loop ((i 0) (sum 0))
      (if (= i k) sum (loop (+ i 1) (+ sum (car (list-sort < items))))))))
(write (list (build-text 100) (big-product 40) (> (sort-all 5) -1)))
(newline)
