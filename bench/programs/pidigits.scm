;; pidigits: decimals of pi one after another by an unbounded spigot over bignums.
;; Result: the last ten of the n decimals after the point.
;; Expected: decimals 991 to 1000 of pi are 2164201989.
(import (scheme base) (scheme write) (scheme process-context))

;; The state is the linear fractional map (q r / 0 t); k counts the terms taken in.
(define (digits n)
  (let loop ((q 1) (r 0) (t 1) (k 1) (left n) (out '()))
    (if (= left 0)
        (reverse out)
        (let ((d (quotient (+ (* 3 q) r) t)))
          (if (= d (quotient (+ (* 4 q) r) t))
              (loop (* 10 q) (* 10 (- r (* d t))) t k (- left 1) (cons d out))
              (let ((odd (+ k k 1)))
                (loop (* q k) (* (+ q q r) odd) (* t odd) (+ k 1) left out)))))))

(define (last-ten n)
  (let ((all (digits (+ n 1))))
    (apply string-append (map number->string (list-tail all (- n 9))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r "" (last-ten n)))
      ((= i 2) r)))

(let ((got (main 1000)) (want "2164201989"))
  (cond ((equal? got want) (display "pidigits ok") (newline))
        (else (display "pidigits: wrong result: ") (write got) (newline) (exit 1))))
