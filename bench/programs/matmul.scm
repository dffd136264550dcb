;; matmul: n by n matrices of fixnums as vectors of vectors, C = A B with A[i][j] = i + j, B[i][j] = i - j.
;; Result: one entry, and how many entries differ from the closed form.
;; Expected: C[i][j] = sum over k of (i + k)(k - j) = S2 + (i - j) S1 - n i j, where S1 = n(n-1)/2 and
;; S2 = (n-1)n(2n-1)/6.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-matrix n entry)
  (let ((m (make-vector n)))
    (do ((i 0 (+ i 1)))
        ((= i n) m)
      (let ((row (make-vector n)))
        (vector-set! m i row)
        (do ((j 0 (+ j 1)))
            ((= j n))
          (vector-set! row j (entry i j)))))))

(define (multiply a b n)
  (make-matrix n
    (lambda (i j)
      (let ((row (vector-ref a i)))
        (let loop ((k 0) (s 0))
          (if (= k n)
              s
              (loop (+ k 1)
                    (+ s (* (vector-ref row k) (vector-ref (vector-ref b k) j))))))))))

(define (closed-form n i j)
  (let ((s1 (quotient (* n (- n 1)) 2))
        (s2 (quotient (* (- n 1) n (- (* 2 n) 1)) 6)))
    (- (+ s2 (* (- i j) s1)) (* n i j))))

(define (wrong-entries c n)
  (let rows ((i 0) (wrong 0))
    (if (= i n)
        wrong
        (let columns ((j 0) (wrong wrong))
          (if (= j n)
              (rows (+ i 1) wrong)
              (columns (+ j 1)
                       (if (= (vector-ref (vector-ref c i) j) (closed-form n i j))
                           wrong
                           (+ wrong 1))))))))

(define (main n)
  (let* ((a (make-matrix n +)) (b (make-matrix n -)))
    (do ((k 0 (+ k 1))
         (c #f (multiply a b n)))
        ((= k 12)
         (list (closed-form n (- n 1) 0) (wrong-entries c n))))))

(let ((got (main 120)) (want '(1418480 0)))
  (cond ((equal? got want) (display "matmul ok") (newline))
        (else (display "matmul: wrong result: ") (write got) (newline) (exit 1))))
