;; Three procedures burn CPU in proportion 1 : 2 : 5.
;; A right profile: self time of `one`, `two` and `five`, each with its own loop counted to it,
;; is 12.5 %, 25 % and 62.5 % of their sum, each within 2 points; `main`'s total is about 100 %.
(import (scheme base) (scheme write))
(define-syntax define-burner
  (syntax-rules ()
    ((_ name rounds)
     (define (name)
       (let loop ((i 0) (a 0))
         (if (= i rounds) a (loop (+ i 1) (+ a (remainder i 7)))))))))
(define-burner one 10000)
(define-burner two 20000)
(define-burner five 50000)
(define (main k sum)
  (if (= k 0)
      sum
      (let* ((a (one)) (b (two)) (c (five)))
        (main (- k 1) (+ sum a b c)))))
(write (main 400 0))
(newline)
