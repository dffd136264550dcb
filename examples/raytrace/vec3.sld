;; Vectors of three flonums: points, directions and colours.
(define-library (vec3)
  (export vec3 vec3? vec3-x vec3-y vec3-z
          vec3+ vec3- vec3* vec3-scale vec3-dot vec3-cross vec3-length vec3-unit vec3-mix vec3-along)
  (import (scheme base) (scheme inexact))
  (begin

    (define-record-type <vec3>
      (vec3 x y z)
      vec3?
      (x vec3-x)
      (y vec3-y)
      (z vec3-z))

    (define (vec3+ a b)
      (vec3 (+ (vec3-x a) (vec3-x b)) (+ (vec3-y a) (vec3-y b)) (+ (vec3-z a) (vec3-z b))))

    (define (vec3- a b)
      (vec3 (- (vec3-x a) (vec3-x b)) (- (vec3-y a) (vec3-y b)) (- (vec3-z a) (vec3-z b))))

    ;; Component by component: light falling on a coloured surface.
    (define (vec3* a b)
      (vec3 (* (vec3-x a) (vec3-x b)) (* (vec3-y a) (vec3-y b)) (* (vec3-z a) (vec3-z b))))

    (define (vec3-scale a k)
      (vec3 (* k (vec3-x a)) (* k (vec3-y a)) (* k (vec3-z a))))

    (define (vec3-dot a b)
      (+ (* (vec3-x a) (vec3-x b)) (* (vec3-y a) (vec3-y b)) (* (vec3-z a) (vec3-z b))))

    (define (vec3-cross a b)
      (vec3 (- (* (vec3-y a) (vec3-z b)) (* (vec3-z a) (vec3-y b)))
            (- (* (vec3-z a) (vec3-x b)) (* (vec3-x a) (vec3-z b)))
            (- (* (vec3-x a) (vec3-y b)) (* (vec3-y a) (vec3-x b)))))

    (define (vec3-length a) (sqrt (vec3-dot a a)))
    (define (vec3-unit a) (vec3-scale a (/ 1.0 (vec3-length a))))

    ;; From A where K is 0 to B where it is 1.
    (define (vec3-mix a b k)
      (vec3+ (vec3-scale a (- 1.0 k)) (vec3-scale b k)))

    ;; The point at distance T from ORIGIN in DIRECTION.
    (define (vec3-along origin direction t)
      (vec3+ origin (vec3-scale direction t)))))
