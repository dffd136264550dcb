;; parameters: parameterize in a loop, reading the parameter inside a procedure called from there.
;; Result: the sum seen inside, twice that at two levels, and the value outside.
;; Expected: n, 2n, 0.
(import (scheme base) (scheme write) (scheme process-context))

(define level (make-parameter 0))
(define (read-level) (level))

(define (one-level) (parameterize ((level 1)) (read-level)))
(define (two-levels)
  (parameterize ((level (+ 1 (level))))
    (parameterize ((level (+ 1 (level))))
      (read-level))))

(define (main n)
  (let loop ((i 0) (one 0) (two 0))
    (if (= i n)
        (list one two (level))
        (loop (+ i 1) (+ one (one-level)) (+ two (two-levels))))))

(let ((got (main 400000)) (want '(400000 800000 0)))
  (cond ((equal? got want) (display "parameters ok") (newline))
        (else (display "parameters: wrong result: ") (write got) (newline) (exit 1))))
