;; array1: makes vectors of n, n-1, ... elements, copies each forwards and backwards element by element.
;; Result: the length of the vector that was copied most.
;; Expected: n, and the program checks that the copies are equal.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-counting-vector n)
  (let ((v (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) v) (vector-set! v i i))))

(define (copy-up v)
  (let* ((n (vector-length v)) (c (make-vector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) c) (vector-set! c i (vector-ref v i)))))

(define (copy-down v)
  (let* ((n (vector-length v)) (c (make-vector n 0)))
    (do ((i (- n 1) (- i 1))) ((< i 0) c) (vector-set! c i (vector-ref v i)))))

(define (main n)
  (let loop ((k 0) (longest 0))
    (if (= k 60)
        longest
        (let* ((v (make-counting-vector (- n k))) (c (copy-down (copy-up v))))
          (if (not (equal? c v)) (error "the copy differs"))
          (loop (+ k 1) (max longest (vector-length c)))))))

(let ((got (main 100000)) (want 100000))
  (cond ((equal? got want) (display "array1 ok") (newline))
        (else (display "array1: wrong result: ") (write got) (newline) (exit 1))))
