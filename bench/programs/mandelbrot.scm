;; mandelbrot: how many points of an n by n grid over [-2, 0.5] x [-1.25, 1.25] stay bounded for 100 steps.
;; Flonums in a tight loop that carries them as arguments.
;; Expected: agreement of Guile and Chez; all operations are exactly rounded, so every system must agree.
(import (scheme base) (scheme write) (scheme process-context))

(define limit 100)

(define (bounded? cr ci)
  (let loop ((i 0) (zr 0.0) (zi 0.0))
    (if (= i limit)
        #t
        (let ((zr2 (* zr zr)) (zi2 (* zi zi)))
          (if (> (+ zr2 zi2) 4.0)
              #f
              (loop (+ i 1)
                    (+ (- zr2 zi2) cr)
                    (+ (* 2.0 zr zi) ci)))))))

(define (main n)
  (let ((step (/ 2.5 (inexact n))))
    (let rows ((y 0) (count 0))
      (if (= y n)
          count
          (let ((ci (- (* step (inexact y)) 1.25)))
            (let columns ((x 0) (count count))
              (if (= x n)
                  (rows (+ y 1) count)
                  (columns (+ x 1)
                           (if (bounded? (- (* step (inexact x)) 2.0) ci)
                               (+ count 1)
                               count)))))))))

(let ((got (main 160)) (want 6377))
  (cond ((equal? got want) (display "mandelbrot ok") (newline))
        (else (display "mandelbrot: wrong result: ") (write got) (newline) (exit 1))))
