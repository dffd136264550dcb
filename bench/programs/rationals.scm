;; rationals: harmonic numbers as exact ratios, built up and then taken down to nothing again.
;; Result: whether H(n) > 6, and what is left of 1 + H(n) after subtracting each term.
;; Expected: H(n) is about ln n + 0.577 = 6.57 for 400; 1 is left.
(import (scheme base) (scheme write) (scheme process-context))

(define (harmonic n)
  (let loop ((i 1) (h 0))
    (if (> i n) h (loop (+ i 1) (+ h (/ 1 i))))))

(define (take-down h n)
  (let loop ((i 1) (h h))
    (if (> i n) h (loop (+ i 1) (- h (/ 1 i))))))

(define (main n)
  (do ((k 0 (+ k 1))
       (r #f (let ((h (harmonic n)))
               (list (> h 6) (take-down (+ 1 h) n)))))
      ((= k 80) r)))

(let ((got (main 400)) (want '(#t 1)))
  (cond ((equal? got want) (display "rationals ok") (newline))
        (else (display "rationals: wrong result: ") (write got) (newline) (exit 1))))
