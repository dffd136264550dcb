;; spectralnorm: the largest singular value of the infinite matrix 1, 1/2, 1/3, ... by the power method.
;; Result: times 10^9, rounded down to nine decimals.
;; Expected: 1.274219991 for n = 100, the figure published for this classical problem.
(import (scheme base) (scheme write) (scheme inexact) (scheme process-context))

(define (a i j)
  (/ 1.0 (inexact (+ (quotient (* (+ i j) (+ i j 1)) 2) i 1))))

(define (multiply-by! entry v out)
  (let ((n (vector-length v)))
    (do ((i 0 (+ i 1)))
        ((= i n))
      (let loop ((j 0) (s 0.0))
        (if (= j n)
            (vector-set! out i s)
            (loop (+ j 1) (+ s (* (entry i j) (vector-ref v j)))))))))

(define (a-transposed i j) (a j i))

(define (multiply-both! v out scratch)
  (multiply-by! a v scratch)
  (multiply-by! a-transposed scratch out))

(define (dot u v)
  (let loop ((i 0) (s 0.0))
    (if (= i (vector-length u))
        s
        (loop (+ i 1) (+ s (* (vector-ref u i) (vector-ref v i)))))))

(define (norm n)
  (let ((u (make-vector n 1.0)) (v (make-vector n 0.0)) (scratch (make-vector n 0.0)))
    (do ((i 0 (+ i 1)))
        ((= i 10))
      (multiply-both! u v scratch)
      (multiply-both! v u scratch))
    (exact (floor (* 1e9 (sqrt (/ (dot u v) (dot v v))))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r 0 (norm n)))
      ((= i 3) r)))

(let ((got (main 100)) (want 1274219991))
  (cond ((equal? got want) (display "spectralnorm ok") (newline))
        (else (display "spectralnorm: wrong result: ") (write got) (newline) (exit 1))))
