;; fft: in-place radix-2 transform and its inverse, over 2^n points, a few times.
;; Result: how many points come back to within 1e-9 of where they began.
;; Expected: all 2^n of them.
(import (scheme base) (scheme write) (scheme inexact) (scheme process-context))

(define pi 3.141592653589793)

(define (swap! v i j)
  (let ((t (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j t)))

(define (bit-reverse! re im)
  (let ((n (vector-length re)))
    (let loop ((i 0) (j 0))
      (if (< i (- n 1))
          (begin
            (if (< i j) (begin (swap! re i j) (swap! im i j)))
            (let carry ((j j) (m (quotient n 2)))
              (if (and (> m 0) (>= j m))
                  (carry (- j m) (quotient m 2))
                  (loop (+ i 1) (+ j m)))))))))

(define (butterfly! re im i j wr wi)
  (let* ((xr (vector-ref re j)) (xi (vector-ref im j))
         (tr (- (* wr xr) (* wi xi)))
         (ti (+ (* wr xi) (* wi xr)))
         (ur (vector-ref re i)) (ui (vector-ref im i)))
    (vector-set! re j (- ur tr))
    (vector-set! im j (- ui ti))
    (vector-set! re i (+ ur tr))
    (vector-set! im i (+ ui ti))))

;; SIGN is -1.0 for the transform, 1.0 for the inverse (not scaled).
(define (transform! re im sign)
  (let ((n (vector-length re)))
    (bit-reverse! re im)
    (let stage ((half 1))
      (if (< half n)
          (let ((angle (/ (* sign pi) (inexact half))) (size (* 2 half)))
            (do ((k 0 (+ k 1)))
                ((= k half))
              (let ((wr (cos (* angle (inexact k)))) (wi (sin (* angle (inexact k)))))
                (do ((i k (+ i size)))
                    ((>= i n))
                  (butterfly! re im i (+ i half) wr wi))))
            (stage size))))))

(define (scale! v factor)
  (do ((i 0 (+ i 1)))
      ((= i (vector-length v)))
    (vector-set! v i (* factor (vector-ref v i)))))

(define (sample i) (inexact (modulo (* i i) 97)))

(define (main n)
  (let* ((size (expt 2 n)) (re (make-vector size 0.0)) (im (make-vector size 0.0)))
    (do ((i 0 (+ i 1))) ((= i size)) (vector-set! re i (sample i)))
    (do ((k 0 (+ k 1)))
        ((= k 16))
      (transform! re im -1.0)
      (transform! re im 1.0)
      (scale! re (/ 1.0 (inexact size)))
      (scale! im (/ 1.0 (inexact size))))
    (let loop ((i 0) (good 0))
      (if (= i size)
          good
          (loop (+ i 1)
                (if (and (< (abs (- (vector-ref re i) (sample i))) 1e-9)
                         (< (abs (vector-ref im i)) 1e-9))
                    (+ good 1)
                    good))))))

(let ((got (main 12)) (want 4096))
  (cond ((equal? got want) (display "fft ok") (newline))
        (else (display "fft: wrong result: ") (write got) (newline) (exit 1))))
