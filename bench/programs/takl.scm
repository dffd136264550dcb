;; takl: Takeuchi's function on numbers written as lists of that length.
;; Expected: the length of the answer list is tak(18, 12, 6) = 7.
(import (scheme base) (scheme write) (scheme process-context))

(define (count-down n)
  (if (= n 0) '() (cons n (count-down (- n 1)))))

(define (shorter? a b)
  (and (pair? b)
       (or (null? a) (shorter? (cdr a) (cdr b)))))

(define (takl x y z)
  (if (not (shorter? y x))
      z
      (takl (takl (cdr x) y z)
            (takl (cdr y) z x)
            (takl (cdr z) x y))))

(define (main n)
  (let ((x (count-down 18)) (y (count-down 12)) (z (count-down 6)))
    (do ((i 0 (+ i 1))
         (r '() (takl x y z)))
        ((= i n) (length r)))))

(let ((got (main 60)) (want 7))
  (cond ((equal? got want) (display "takl ok") (newline))
        (else (display "takl: wrong result: ") (write got) (newline) (exit 1))))
