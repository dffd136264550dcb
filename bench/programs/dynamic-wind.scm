;; dynamic-wind: enters and leaves nested winds, each second time by an escape.
;; Result: times entered, times left, escapes.
;; Expected: 2n, 2n, n/2.
(import (scheme base) (scheme write) (scheme process-context))

(define entered 0)
(define left 0)
(define (enter!) (set! entered (+ entered 1)))
(define (leave!) (set! left (+ left 1)))

(define (visit i)
  (call-with-current-continuation
   (lambda (escape)
     (dynamic-wind
      enter!
      (lambda ()
        (dynamic-wind
         enter!
         (lambda () (if (odd? i) (escape 1) 0))
         leave!))
      leave!))))

(define (main n)
  (let loop ((i 0) (escapes 0))
    (if (= i n)
        (list entered left escapes)
        (loop (+ i 1) (+ escapes (visit i))))))

(let ((got (main 100000)) (want '(200000 200000 50000)))
  (cond ((equal? got want) (display "dynamic-wind ok") (newline))
        (else (display "dynamic-wind: wrong result: ") (write got) (newline) (exit 1))))
