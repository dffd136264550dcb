;; SRFI 27. The first values of MRG32k3a from the seed 12345 are published with the generator;
;; the rest are properties: ranges, repeatability, and rough uniformity.
(import (scheme base) (scheme write) (srfi 27) (srfi 64) (suite))

(define (times n thunk)
  (if (= n 0) '() (let ((x (thunk))) (cons x (times (- n 1) thunk)))))

(test-begin "srfi-27")

;; Published: 0.127011, 0.318528, 0.309186, 0.825847, 0.221630.
(let* ((s (make-random-source))
       (rand (random-source-make-integers s)))
  (for-each
   (lambda (published)
     (test-approximate published (/ (rand 4294967087) 4294967088.0) 1e-6))
   '(0.127011 0.318528 0.309186 0.825847 0.221630)))

(test-assert (random-source? default-random-source))
(test-assert (not (random-source? 'x)))
(test-error (random-integer 0))
(test-error (random-integer 1.5))
(test-eqv 0 (random-integer 1))

(let ((counts (make-vector 6 0)))
  (times 6000 (lambda ()
                (let ((k (random-integer 6)))
                  (vector-set! counts k (+ 1 (vector-ref counts k))))))
  (vector-for-each (lambda (n) (test-assert (< 850 n 1150))) counts))

(let ((n (expt 10 40)))
  (let ((xs (times 200 (lambda () (random-integer n)))))
    (test-assert (< 0 (apply min xs) (quotient n 20)))
    (test-assert (< (- n (quotient n 20)) (apply max xs) n))))
(let ((xs (times 200 (lambda () (random-integer (expt 2 50))))))
  (test-assert (< -1 (apply min xs) (expt 2 46)))
  (test-assert (< (expt 2 49) (apply max xs) (expt 2 50))))

(let ((xs (times 1000 random-real)))
  (test-assert (< 0.0 (apply min xs) 0.02))
  (test-assert (< 0.98 (apply max xs) 1.0))
  (test-approximate 0.5 (/ (apply + xs) 1000) 0.04))

(let* ((s (make-random-source)) (rand (random-source-make-integers s)))
  (rand 10)
  (let* ((state (random-source-state-ref s))
         (first (times 10 (lambda () (rand 1000)))))
    (test-assert (list? state))
    (random-source-state-set! s state)
    (test-equal first (times 10 (lambda () (rand 1000))))
    (random-source-randomize! s)
    (test-assert (not (equal? first (times 10 (lambda () (rand 1000))))))
    (test-error (random-source-state-set! s '(mrg32k3a 0 0 0 1 1 1)))))

;; (0, 0) is the initial state, and a source 2^76 steps on is another one.
(let* ((s (make-random-source)) (start (random-source-state-ref s)))
  ((random-source-make-integers s) 10)
  (random-source-pseudo-randomize! s 0 0)
  (test-equal start (random-source-state-ref s))
  (random-source-pseudo-randomize! s 0 1)
  (let ((one (random-source-state-ref s)))
    (random-source-pseudo-randomize! s 1 0)
    (test-assert (not (equal? one start)))
    (test-assert (not (equal? one (random-source-state-ref s))))
    ;; 2^51 strides of 2^76 steps are one of 2^127.
    (let ((far (random-source-state-ref s)))
      (random-source-pseudo-randomize! s 0 (expt 2 51))
      (test-equal far (random-source-state-ref s)))))
;; Published with the generator's package of streams: the second stream starts here.
(let ((s (make-random-source)))
  (random-source-pseudo-randomize! s 1 0)
  (test-equal '(mrg32k3a 3692455944 1366884236 2968912127 335948734 4161675175 475798818)
    (random-source-state-ref s)))

(let* ((s (make-random-source)) (rand (random-source-make-reals s 1/10)))
  (let ((xs (times 300 rand)))
    (test-equal '(1/10 9/10) (list (apply min xs) (apply max xs)))
    (test-assert (exact? (car xs)))))
(let ((x ((random-source-make-reals (make-random-source) 1e-18))))
  (test-assert (< 0.0 x 1.0)))
(test-error (random-source-make-reals (make-random-source) 2))

(suite-end "srfi-27")
