;; raytrace: spheres over a floor, one light, shadows and mirrors, n by n pixels, grey.
;; Vectors are records, the scene is a list.
;; Result: the sum of the grey values.
;; Expected: agreement of Guile and Chez; only + - * / and sqrt are used, which are exactly rounded.
(import (scheme base) (scheme write) (scheme inexact) (scheme process-context))

(define-record-type <point> (point x y z) point? (x px) (y py) (z pz))
(define-record-type <sphere>
  (sphere center radius brightness mirror)
  sphere?
  (center sphere-center)
  (radius sphere-radius)
  (brightness sphere-brightness)
  (mirror sphere-mirror))

(define (add a b) (point (+ (px a) (px b)) (+ (py a) (py b)) (+ (pz a) (pz b))))
(define (sub a b) (point (- (px a) (px b)) (- (py a) (py b)) (- (pz a) (pz b))))
(define (scale a k) (point (* k (px a)) (* k (py a)) (* k (pz a))))
(define (dot a b) (+ (* (px a) (px b)) (* (py a) (py b)) (* (pz a) (pz b))))
(define (unit a) (scale a (/ 1.0 (sqrt (dot a a)))))

(define scene
  (list (sphere (point 0.0 -0.2 4.0) 0.8 0.9 0.3)
        (sphere (point 1.2 -0.5 3.4) 0.5 0.7 0.1)
        (sphere (point -1.1 -0.4 3.2) 0.6 0.6 0.5)
        (sphere (point 0.3 1.1 5.0) 0.7 0.8 0.2)
        (sphere (point 0.0 -101.0 4.0) 100.0 0.5 0.0)))
(define light (unit (point -0.6 1.0 -0.7)))

;; The distance at which the ray from O along the unit vector D first meets S, or #f.
(define (hit s o d)
  (let* ((oc (sub o (sphere-center s)))
         (b (dot oc d))
         (c (- (dot oc oc) (* (sphere-radius s) (sphere-radius s))))
         (disc (- (* b b) c)))
    (and (> disc 0.0)
         (let* ((root (sqrt disc)) (near (- (- b) root)) (far (- root b)))
           (cond ((> near 1e-4) near)
                 ((> far 1e-4) far)
                 (else #f))))))

(define (nearest o d)
  (let loop ((l scene) (best #f) (t 1e30))
    (if (null? l)
        (values best t)
        (let ((h (hit (car l) o d)))
          (if (and h (< h t))
              (loop (cdr l) (car l) h)
              (loop (cdr l) best t))))))

(define (shadowed? p)
  (let loop ((l scene))
    (and (pair? l)
         (or (and (hit (car l) p light) #t) (loop (cdr l))))))

(define (trace o d depth)
  (call-with-values (lambda () (nearest o d))
    (lambda (s t)
      (if (not s)
          (* 0.3 (+ 1.0 (py d)))
          (let* ((p (add o (scale d t)))
                 (n (unit (sub p (sphere-center s))))
                 (facing (dot n light))
                 (lit (if (and (> facing 0.0) (not (shadowed? p))) facing 0.0))
                 (own (* (sphere-brightness s) (+ 0.1 (* 0.9 lit))))
                 (m (sphere-mirror s)))
            (if (and (> m 0.0) (> depth 0))
                (+ (* (- 1.0 m) own)
                   (* m (trace p (sub d (scale n (* 2.0 (dot n d)))) (- depth 1))))
                own))))))

(define (grey v)
  (exact (floor (* 255.0 (max 0.0 (min 1.0 v))))))

(define (main n)
  (let ((eye (point 0.0 0.0 0.0)) (half (/ (inexact n) 2.0)))
    (let rows ((y 0) (sum 0))
      (if (= y n)
          sum
          (let columns ((x 0) (sum sum))
            (if (= x n)
                (rows (+ y 1) sum)
                (columns (+ x 1)
                         (+ sum
                            (grey (trace eye
                                         (unit (point (/ (- (inexact x) half) half)
                                                      (/ (- half (inexact y)) half)
                                                      1.5))
                                         3))))))))))

(let ((got (main 150)) (want 2147553))
  (cond ((equal? got want) (display "raytrace ok") (newline))
        (else (display "raytrace: wrong result: ") (write got) (newline) (exit 1))))
