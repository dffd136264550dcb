;; vector-sum: fills a vector, sums it, sums its squares, reverses it in place. Plain loops over vectors.
;; Expected: n(n-1)/2; (n-1)n(2n-1)/6; and the first element after reversal is n-1.
(import (scheme base) (scheme write) (scheme process-context))

(define (fill-up! v)
  (do ((i 0 (+ i 1))) ((= i (vector-length v))) (vector-set! v i i)))

(define (sum v)
  (let loop ((i 0) (s 0))
    (if (= i (vector-length v)) s (loop (+ i 1) (+ s (vector-ref v i))))))

(define (sum-squares v)
  (let loop ((i (- (vector-length v) 1)) (s 0))
    (if (< i 0)
        s
        (let ((x (vector-ref v i)))
          (loop (- i 1) (+ s (* x x)))))))

(define (reverse! v)
  (let loop ((i 0) (j (- (vector-length v) 1)))
    (if (< i j)
        (let ((t (vector-ref v i)))
          (vector-set! v i (vector-ref v j))
          (vector-set! v j t)
          (loop (+ i 1) (- j 1))))))

(define (main n)
  (let ((v (make-vector n 0)))
    (do ((k 0 (+ k 1))
         (r #f (begin
                 (fill-up! v)
                 (let ((s (sum v)) (q (sum-squares v)))
                   (reverse! v)
                   (list s q (= (vector-ref v 0) (- n 1)))))))
        ((= k 50) r))))

(let ((got (main 200000)) (want '(19999900000 2666646666700000 #t)))
  (cond ((equal? got want) (display "vector-sum ok") (newline))
        (else (display "vector-sum: wrong result: ") (write got) (newline) (exit 1))))
