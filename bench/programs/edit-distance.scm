;; edit-distance: Levenshtein's distance by dynamic programming over two rows.
;; Result: between "kitten" and "sitting"; between texts of n characters with none in common; of one with itself.
;; Expected: 3 (the textbook case), n, 0.
(import (scheme base) (scheme write) (scheme process-context))

(define (edit-distance a b)
  (let* ((m (string-length b)) (row (make-vector (+ m 1) 0)))
    (do ((j 0 (+ j 1))) ((> j m)) (vector-set! row j j))
    (do ((i 0 (+ i 1)))
        ((= i (string-length a)) (vector-ref row m))
      (let ((c (string-ref a i)))
        (let loop ((j 0) (diagonal (vector-ref row 0)) (left (+ i 1)))
          (vector-set! row j left)
          (if (< j m)
              (let* ((above (vector-ref row (+ j 1)))
                     (change (if (char=? c (string-ref b j)) diagonal (+ diagonal 1))))
                (loop (+ j 1) above (min change (+ left 1) (+ above 1))))))))))

(define (letters n first)
  (let ((s (make-string n)))
    (do ((i 0 (+ i 1)))
        ((= i n) s)
      (string-set! s i (integer->char (+ first (modulo (* i i) 13)))))))

(define (main n)
  (let ((a (letters n 65)) (b (letters n 97)))
    (list (edit-distance "kitten" "sitting")
          (edit-distance a b)
          (edit-distance a a))))

(let ((got (main 1400)) (want '(3 1400 0)))
  (cond ((equal? got want) (display "edit-distance ok") (newline))
        (else (display "edit-distance: wrong result: ") (write got) (newline) (exit 1))))
