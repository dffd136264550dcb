;; (hone generic)
(import (scheme base) (scheme write) (hone generic) (srfi 64) (suite))

(define-record-type <circle> (make-circle radius) circle? (radius circle-radius))
(define-record-type <square> (make-square side) square? (side square-side))
(define-record-type <point> (make-point) point?)

(define-generic (area shape))
(define-method (area (c <circle>)) (* 3 (circle-radius c) (circle-radius c)))
(define-method (area (s <square>)) (* (square-side s) (square-side s)))

(define-generic (scale shape factor) (list 'unscaled shape factor))
(define-method (scale (c <circle>) factor) (make-circle (* factor (circle-radius c))))

(define-generic (describe x . more) (cons 'other more))
(define-method (describe (c <circle>) . more) (cons 'circle more))

;; A method may call its own generic, which dispatches anew.
(define-generic (total shapes) 0)
(define-record-type <both> (make-both a b) both? (a both-a) (b both-b))
(define-method (total (b <both>)) (+ (total (both-a b)) (total (both-b b))))
(define-method (total (s <square>)) (area s))

(test-begin "generic")
(test-eqv 12 (area (make-circle 2)))
(test-eqv 9 (area (make-square 3)))
(test-equal '(12 9 12 9) (map area (list (make-circle 2) (make-square 3) (make-circle 2)
                                         (make-square 3))))
(test-error (area (make-point)))
(test-error (area 7))
(test-assert
 (guard (e (#t (equal? "area: no method for an object that is no record"
                       (error-object-message e))))
   (area 7)))
(test-eqv 6 (circle-radius (scale (make-circle 2) 3)))
(test-equal '(unscaled 5 3) (scale 5 3))
(test-equal '(circle 1 2) (describe (make-circle 1) 1 2))
(test-equal '(other) (describe 'x))
(test-eqv 13 (total (make-both (make-square 2) (make-both (make-square 3) 'nothing))))

;; Methods added and replaced after calls have filled the cache.
(test-error (area (make-point)))
(define-method (area (p <point>)) 0)
(test-eqv 0 (area (make-point)))
(define-method (area (p <point>)) 'replaced)
(test-eqv 'replaced (area (make-point)))
(define-method (area anything) 'default)
(test-eqv 'default (area 7))
(test-eqv 12 (area (make-circle 2)))
(test-assert (procedure? area))
(test-error (let ((f car)) (define-method (f (p <point>)) 0)))
(suite-end "generic")
