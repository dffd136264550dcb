;; SRFI 41: the examples of its text.
(import (scheme base) (scheme write) (srfi 41) (srfi 64) (suite))

(define-stream (primes-from s)
  (let ((p (stream-car s)))
    (stream-cons p
      (primes-from
        (stream-filter (lambda (x) (not (= 0 (modulo x p)))) (stream-cdr s))))))

(define-stream (qsort lt? strm)
  (if (stream-null? strm)
      stream-null
      (let ((x (stream-car strm)) (xs (stream-cdr strm)))
        (stream-append
          (qsort lt? (stream-filter (lambda (u) (lt? u x)) xs))
          (stream x)
          (qsort lt? (stream-filter (lambda (u) (not (lt? u x))) xs))))))

(define-stream (interleave x yy)
  (stream-match yy
    (() (stream (stream x)))
    ((y . ys)
      (stream-append
        (stream (stream-cons x yy))
        (stream-map (lambda (z) (stream-cons y z)) (interleave x ys))))))

(define-stream (perms xs)
  (if (stream-null? xs)
      (stream (stream))
      (stream-concat
        (stream-map (lambda (ys) (interleave (stream-car xs) ys)) (perms (stream-cdr xs))))))

(define (len strm)
  (stream-match strm
    (() 0)
    ((_ . tail) (+ 1 (len tail)))))

(define (first-two-equal strm)
  (stream-match strm
    ((x y . _) (equal? x y) 'ok)
    ((x) 'one)
    (else 'error)))

(define strm123 (stream-cons 1 (stream-cons 2 (stream-cons 3 stream-null))))

(test-begin "srfi-41")
(test-equal '(1 2 3) (stream->list strm123))
(test-assert (not (stream-pair? (stream-cdr (stream-cons (/ 1 0) stream-null)))))
(test-assert (not (stream? (list 1 2 3))))
(test-assert (stream? stream-null))
(test-assert (not (stream-null? strm123)))
(test-error (stream-car stream-null))
(test-error (stream-cdr 'x))

;; An element is computed at most once.
(let* ((count 0) (s (stream (begin (set! count (+ count 1)) count))))
  (test-equal '(0 1 1) (let* ((a count) (b (stream-car s)) (c (stream-car s))) (list a b c))))

(test-equal '(0 1 4 9 16 25 36 49 64 81)
  (stream->list 10 (stream-map (lambda (x) (* x x)) (stream-from 0))))
(test-equal '(1 2 3 2 1)
  (stream->list (stream-concat (stream (stream 1 2) (stream) (stream 3 2 1)))))
(test-equal '(#t #f #t #f #t) (stream->list 5 (stream-constant #t #f)))
(test-equal '(2 3 5 7 11 13 17 19 23 29) (stream->list 10 (primes-from (stream-from 2))))
(test-equal '(1 1 2 3 3 4 5 5 6 9) (stream->list (qsort < (stream 3 1 4 1 5 9 6 5 3 2))))
(test-equal '((1 2 3) (2 1 3) (2 3 1) (1 3 2) (3 1 2) (3 2 1))
  (map stream->list (stream->list (perms strm123))))
(test-eqv 3 (len strm123))
(test-equal '(ok error one error)
  (list (first-two-equal (stream 1 1 2)) (first-two-equal (stream 1 2)) (first-two-equal (stream 1))
        (first-two-equal (stream))))
(test-error (stream-match strm123 (() 0)))
(test-equal '(0 4 16 36 64) (stream->list (stream-of (* x x) (x in (stream-range 0 10)) (even? x))))
(test-equal '((1 1) (1 2) (2 1) (2 2) (3 1) (3 2))
  (stream->list (stream-of (list a b) (a in (stream-range 1 4)) (b in (stream-range 1 3)))))
(test-equal '(2 5 10)
  (stream->list (stream-of (+ y 1) (x in (stream-range 1 4)) (y is (* x x)))))
(test-equal '(1) (stream->list (stream-of 1)))
(test-equal '(0 2 4 6 8) (stream->list (stream-range 0 10 2)))
(test-equal '(3 2 1) (stream->list (stream-range 3 0)))
(test-equal '(1 3 5) (stream->list 3 (stream-from 1 2)))
(test-equal '(1 2 4 8 16) (stream->list 5 (stream-iterate (lambda (x) (* x 2)) 1)))
(test-equal '(0 1 3 6 10 15) (stream->list 6 (stream-scan + 0 (stream-from 1))))
(test-eqv 338350 (stream-fold + 0 (stream-map (lambda (x) (* x x)) (stream-range 1 101))))
(test-eqv 2 (stream-ref strm123 1))
(test-error (stream-ref strm123 3))
(test-eqv 3 (stream-length strm123))
(test-equal '(1 2) (stream->list (stream-take 2 strm123)))
(test-equal '(3) (stream->list (stream-drop 2 strm123)))
(test-equal '() (stream->list (stream-drop 5 strm123)))
(test-equal '(1 2) (stream->list (stream-take-while (lambda (x) (< x 3)) strm123)))
(test-equal '(3) (stream->list (stream-drop-while (lambda (x) (< x 3)) strm123)))
(test-equal '(3 2 1) (stream->list (stream-reverse strm123)))
(let ((r (stream-reverse (stream 1 (error "forced") -1))))
  (test-equal '(-1 1) (list (stream-ref r 0) (stream-ref r 2)))
  (test-error (stream-ref r 1)))
(test-equal '((1 a) (2 b)) (stream->list (stream-zip strm123 (stream 'a 'b))))
(test-equal '(11 22) (stream->list (stream-map + strm123 (stream 10 20))))
(test-equal '((2 b) (1 a))
  (let ((acc '()))
    (stream-for-each (lambda (x y) (set! acc (cons (list x y) acc))) strm123 (stream 'a 'b))
    acc))
(test-equal '(0 1 4 9 16)
  (stream->list (stream-unfold (lambda (x) (* x x)) (lambda (x) (< x 5)) (lambda (x) (+ x 1)) 0)))
(let-values (((odds evens)
              (stream-unfolds
               (lambda (n)
                 (if (= n 6)
                     (values n '() '())
                     (values (+ n 1) (and (odd? n) (list n)) (and (even? n) (list n)))))
               0)))
  (test-equal '((1 3 5) (0 2 4)) (list (stream->list odds) (stream->list evens))))
(test-equal '(#\a #\b) (stream->list (port->stream (open-input-string "ab"))))
(test-equal '(1 2) (stream->list (list->stream '(1 2))))
(test-equal '(1 2 3 1 2 3) (stream->list (stream-append strm123 stream-null strm123)))

;; A long chain of streams that give streams is forced in constant space.
(test-eqv 200000 (stream-car (stream-filter (lambda (x) (= x 200000)) (stream-from 0))))
(test-error (stream-map car))
(test-error (stream-take -1 strm123))
(test-error (stream-filter 'odd strm123))
(suite-end "srfi-41")
