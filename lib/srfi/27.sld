;; SRFI 27: sources of random bits.
;;
;; The generator is MRG32k3a of L'Ecuyer (1999): two recurrences of degree three, modulo two
;; primes just below 2^32, whose difference is the output; the period is about 2^191, and it
;; passes the stringent batteries of tests. All its products stay below 2^54, so the steps are
;; fixnum arithmetic. Its state after any number of steps is a power of a 3 by 3 matrix for each
;; recurrence, which is how independent sources are made: 2^127 steps apart, and 2^76 within.
(define-library (srfi 27)
  (export random-integer random-real default-random-source make-random-source random-source?
          random-source-state-ref random-source-state-set! random-source-randomize!
          random-source-pseudo-randomize! random-source-make-integers
          random-source-make-reals)
  (import (scheme base)
          (scheme case-lambda)
          (scheme file)
          (scheme time)
          (only (hone prim) arithmetic-shift bitwise-ior integer-length))
  (begin
    (define m1 4294967087)
    (define m2 4294944443)

    ;; STATE is a vector: the last three values of each recurrence, oldest first.
    (define-record-type <random-source>
      (wrap-state state)
      random-source?
      (state source-state set-source-state!))

    (define (check-source who s)
      (if (not (random-source? s)) (error (string-append who ": not a random source") s)))

    (define (initial-state) (vector 12345 12345 12345 12345 12345 12345))
    (define (make-random-source) (wrap-state (initial-state)))

    ;; The next value, uniform below m1.
    (define (next! s)
      (let* ((v (source-state s))
             (a (modulo (- (* 1403580 (vector-ref v 1)) (* 810728 (vector-ref v 0))) m1))
             (b (modulo (- (* 527612 (vector-ref v 5)) (* 1370589 (vector-ref v 3))) m2)))
        (vector-set! v 0 (vector-ref v 1))
        (vector-set! v 1 (vector-ref v 2))
        (vector-set! v 2 a)
        (vector-set! v 3 (vector-ref v 4))
        (vector-set! v 4 (vector-ref v 5))
        (vector-set! v 5 b)
        (if (< a b) (+ (- a b) m1) (- a b))))

    ;; 29 random bits: of the values below 7 * 2^29, which seven in eight are, a seventh.
    (define (next-29! s)
      (let ((x (next! s)))
        (if (< x 3758096384)
            (quotient x 7)
            (next-29! s))))

    (define (next-bits! s n)
      (cond ((<= n 29) (arithmetic-shift (next-29! s) (- n 29)))
            ((<= n 58)
             (let ((high (next-29! s)))
               (arithmetic-shift (+ (* high 536870912) (next-29! s)) (- n 58))))
            (else
             (let* ((low-bits (quotient n 2))
                    (low (next-bits! s low-bits)))
               (bitwise-ior (arithmetic-shift (next-bits! s (- n low-bits)) low-bits) low)))))

    ;; Below m1 one value serves, cut off where N no longer divides the range; above, random
    ;; bits until they fall below N, which at least every second time they do.
    (define (next-integer! s n)
      (if (not (and (exact-integer? n) (> n 0)))
          (error "random-integer: not an exact positive integer" n))
      (if (<= n m1)
          (let* ((share (quotient m1 n)) (limit (* share n)))
            (let loop ((x (next! s)))
              (if (< x limit)
                  (quotient x share)
                  (loop (next! s)))))
          (let ((bits (integer-length (- n 1))))
            (let loop ((x (next-bits! s bits)))
              (if (< x n)
                  x
                  (loop (next-bits! s bits)))))))

    ;; The middles of 2^52 equal parts of the interval, which are exact and so never 0 or 1.
    (define (next-real! s)
      (let ((high (next-29! s)))
        (* (+ (+ (* high 8388608) (quotient (next-29! s) 64)) 0.5)
           2.220446049250313e-16)))

    (define (random-source-make-integers s)
      (check-source "random-source-make-integers" s)
      (lambda (n) (next-integer! s n)))

    (define random-source-make-reals
      (case-lambda
        ((s)
         (check-source "random-source-make-reals" s)
         (lambda () (next-real! s)))
        ((s unit)
         (check-source "random-source-make-reals" s)
         (if (not (and (real? unit) (< 0 unit 1)))
             (error "random-source-make-reals: unit not between 0 and 1" unit))
         (let ((parts (exact (ceiling (/ 1 unit)))))
           (cond ((exact? unit)
                  (lambda () (/ (+ 1 (next-integer! s (- parts 1))) parts)))
                 ((<= parts 4503599627370496)
                  (lambda () (next-real! s)))
                 (else
                  (lambda () (next-fine-real! s parts))))))))

    ;; A multiple of 1/PARTS, again if it rounds to 1.
    (define (next-fine-real! s parts)
      (let ((x (inexact (/ (+ 1 (next-integer! s (- parts 1))) parts))))
        (if (< x 1.0) x (next-fine-real! s parts))))

    ;; The state's external representation is (mrg32k3a value ...).
    (define (random-source-state-ref s)
      (check-source "random-source-state-ref" s)
      (cons 'mrg32k3a (vector->list (source-state s))))

    (define (valid-part? l m)
      (let ((a (car l)) (b (cadr l)) (c (list-ref l 2)))
        (and (exact-integer? a) (exact-integer? b) (exact-integer? c)
             (< -1 a m) (< -1 b m) (< -1 c m)
             (not (= 0 a b c)))))

    (define (random-source-state-set! s state)
      (check-source "random-source-state-set!" s)
      (if (not (and (list? state) (= (length state) 7)
                    (eq? (car state) 'mrg32k3a)
                    (valid-part? (cdr state) m1)
                    (valid-part? (list-tail state 4) m2)))
          (error "random-source-state-set!: not a state" state))
      (set-source-state! s (list->vector (cdr state))))

    ;; Six numbers of 32 bits from the system's device of random bytes, or else from the clock.
    (define (entropy)
      (let ((bytes (guard (e (#t #f))
                     (let* ((port (open-binary-input-file "/dev/urandom"))
                            (bytes (read-bytevector 24 port)))
                       (close-port port)
                       (and (bytevector? bytes) (= (bytevector-length bytes) 24) bytes)))))
        (if bytes
            (let loop ((i 0) (acc '()))
              (if (= i 24)
                  acc
                  (loop (+ i 4)
                        (cons (+ (bytevector-u8-ref bytes i)
                                 (* 256 (bytevector-u8-ref bytes (+ i 1)))
                                 (* 65536 (bytevector-u8-ref bytes (+ i 2)))
                                 (* 16777216 (bytevector-u8-ref bytes (+ i 3))))
                              acc))))
            (let ((jiffy (current-jiffy))
                  (nanoseconds (exact (round (* 1e9 (current-second))))))
              (list jiffy nanoseconds (quotient nanoseconds 1000003) 1 2 3)))))

    (define (random-source-randomize! s)
      (check-source "random-source-randomize!" s)
      (let ((seeds (list->vector (entropy))))
        (define (seed i m) (+ 1 (modulo (vector-ref seeds i) (- m 1))))
        (set-source-state! s (vector (seed 0 m1) (seed 1 m1) (seed 2 m1)
                                     (seed 3 m2) (seed 4 m2) (seed 5 m2)))
        ;; Seeds that differ little give values that differ little at first.
        (let loop ((i 0))
          (if (< i 16)
              (begin (next! s) (loop (+ i 1)))))))

    ;; Matrices are vectors of nine elements, row by row; a step of a recurrence is the product
    ;; with its matrix.

    (define step1 (vector 0 1 0
                          0 0 1
                          (- m1 810728) 1403580 0))
    (define step2 (vector 0 1 0
                          0 0 1
                          (- m2 1370589) 0 527612))

    ;; Row I of A times the column of V whose elements are at J, J + STRIDE and J + 2 STRIDE.
    (define (row*column a i v j stride m)
      (modulo (+ (* (vector-ref a (* 3 i)) (vector-ref v j))
                 (* (vector-ref a (+ (* 3 i) 1)) (vector-ref v (+ j stride)))
                 (* (vector-ref a (+ (* 3 i) 2)) (vector-ref v (+ j stride stride))))
              m))

    (define (matrix* a b m)
      (let ((c (make-vector 9)))
        (let loop ((k 0))
          (if (= k 9)
              c
              (begin
                (vector-set! c k (row*column a (quotient k 3) b (remainder k 3) 3 m))
                (loop (+ k 1)))))))

    (define (matrix-power a n m)
      (let loop ((a a) (n n) (acc (vector 1 0 0 0 1 0 0 0 1)))
        (if (= n 0)
            acc
            (loop (matrix* a a m)
                  (quotient n 2)
                  (if (odd? n) (matrix* a acc m) acc)))))

    (define (random-source-pseudo-randomize! s i j)
      (check-source "random-source-pseudo-randomize!" s)
      (if (not (and (exact-integer? i) (exact-integer? j) (>= i 0) (>= j 0)))
          (error "random-source-pseudo-randomize!: not exact non-negative integers" i j))
      (let* ((steps (+ (* i (expt 2 127)) (* j (expt 2 76))))
             (a (matrix-power step1 steps m1))
             (b (matrix-power step2 steps m2))
             (v (initial-state)))
        (set-source-state!
         s
         (vector (row*column a 0 v 0 1 m1) (row*column a 1 v 0 1 m1) (row*column a 2 v 0 1 m1)
                 (row*column b 0 v 3 1 m2) (row*column b 1 v 3 1 m2)
                 (row*column b 2 v 3 1 m2)))))

    (define default-random-source (make-random-source))
    (define random-integer (random-source-make-integers default-random-source))
    (define random-real (random-source-make-reals default-random-source))))
