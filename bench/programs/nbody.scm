;; nbody: the Sun and four giant planets, symplectic steps of 0.01 day units. Flonum arithmetic in vectors.
;; Result: the energy after n steps, times 10^9, rounded.
;; Expected: agreement of Guile and Chez (the energy before the first step is -0.169075164).
(import (scheme base) (scheme write) (scheme inexact) (scheme process-context))

(define pi 3.141592653589793)
(define solar-mass (* 4.0 pi pi))
(define days 365.24)

;; x y z vx vy vz mass
(define (body x y z vx vy vz mass)
  (vector x y z (* vx days) (* vy days) (* vz days) (* mass solar-mass)))

(define (make-system)
  (vector
   (body 0.0 0.0 0.0 0.0 0.0 0.0 1.0)
   (body 4.84143144246472090 -1.16032004402742839 -0.103622044471123109
         0.00166007664274403694 0.00769901118419740425 -0.0000690460016972063023
         0.000954791938424326609)
   (body 8.34336671824457987 4.12479856412430479 -0.403523417114321381
         -0.00276742510726411049 0.00499852801234917238 0.0000230417297573763929
         0.000285885980666130812)
   (body 12.8943695621391310 -15.1111514016986312 -0.223307578892655734
         0.00296460137564761618 0.00237847173959480950 -0.0000296589568540237556
         0.0000436624404335156298)
   (body 15.3796971148509165 -25.9193146099879641 0.179258772950371181
         0.00268067772490389322 0.00162824170038242295 -0.0000951592254519715870
         0.0000515138902046611451)))

(define (offset-momentum! system)
  (let ((sun (vector-ref system 0)))
    (do ((axis 3 (+ axis 1)))
        ((= axis 6))
      (let loop ((i 0) (p 0.0))
        (if (< i (vector-length system))
            (let ((b (vector-ref system i)))
              (loop (+ i 1) (+ p (* (vector-ref b axis) (vector-ref b 6)))))
            (vector-set! sun axis (- (/ p solar-mass))))))))

(define (kick! b axis amount)
  (vector-set! b axis (+ (vector-ref b axis) amount)))

(define (advance! system dt)
  (let ((n (vector-length system)))
    (do ((i 0 (+ i 1)))
        ((= i n))
      (let ((a (vector-ref system i)))
        (do ((j (+ i 1) (+ j 1)))
            ((= j n))
          (let* ((b (vector-ref system j))
                 (dx (- (vector-ref a 0) (vector-ref b 0)))
                 (dy (- (vector-ref a 1) (vector-ref b 1)))
                 (dz (- (vector-ref a 2) (vector-ref b 2)))
                 (d2 (+ (* dx dx) (* dy dy) (* dz dz)))
                 (mag (/ dt (* d2 (sqrt d2))))
                 (ma (* mag (vector-ref a 6)))
                 (mb (* mag (vector-ref b 6))))
            (kick! a 3 (- (* dx mb)))
            (kick! a 4 (- (* dy mb)))
            (kick! a 5 (- (* dz mb)))
            (kick! b 3 (* dx ma))
            (kick! b 4 (* dy ma))
            (kick! b 5 (* dz ma))))))
    (do ((i 0 (+ i 1)))
        ((= i n))
      (let ((a (vector-ref system i)))
        (kick! a 0 (* dt (vector-ref a 3)))
        (kick! a 1 (* dt (vector-ref a 4)))
        (kick! a 2 (* dt (vector-ref a 5)))))))

(define (square-sum a i b j)
  (let ((x (- (vector-ref a i) (if b (vector-ref b j) 0.0)))
        (y (- (vector-ref a (+ i 1)) (if b (vector-ref b (+ j 1)) 0.0)))
        (z (- (vector-ref a (+ i 2)) (if b (vector-ref b (+ j 2)) 0.0))))
    (+ (* x x) (* y y) (* z z))))

(define (energy system)
  (let ((n (vector-length system)))
    (let outer ((i 0) (e 0.0))
      (if (= i n)
          e
          (let ((a (vector-ref system i)))
            (let inner ((j (+ i 1))
                        (e (+ e (* 0.5 (vector-ref a 6) (square-sum a 3 #f 0)))))
              (if (= j n)
                  (outer (+ i 1) e)
                  (let ((b (vector-ref system j)))
                    (inner (+ j 1)
                           (- e (/ (* (vector-ref a 6) (vector-ref b 6))
                                   (sqrt (square-sum a 0 b 0)))))))))))))

(define (main n)
  (let ((system (make-system)))
    (offset-momentum! system)
    (do ((i 0 (+ i 1)))
        ((= i n))
      (advance! system 0.01))
    (exact (round (* 1e9 (energy system))))))

(let ((got (main 20000)) (want -169089263))
  (cond ((equal? got want) (display "nbody ok") (newline))
        (else (display "nbody: wrong result: ") (write got) (newline) (exit 1))))
