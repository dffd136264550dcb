;; Three procedures take CPU time in proportion 1 : 2 : 5, 50 times over.
(import (scheme base) (scheme write))
(define-syntax define-burner
  (syntax-rules ()
    ((_ name rounds)
     (define (name)
       (let loop ((i 0) (a 0))
         (if (= i rounds) a (loop (+ i 1) (+ a (remainder i 7)))))))))
(define-burner one 1000000)
(define-burner two 2000000)
(define-burner five 5000000)
(define (main k sum)
  (if (= k 0)
      sum
      (let* ((a (one)) (b (two)) (c (five)))
        (main (- k 1) (+ sum a b c)))))
(write (main 50 0))
(newline)
