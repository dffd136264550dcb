;; exceptions: guard around raise, error and plain return, one after another; nested guards that re-raise.
;; Result: how many came back each way.
;; Expected: a third each.
(import (scheme base) (scheme write) (scheme process-context))

(define (risky i)
  (case (modulo i 3)
    ((0) i)
    ((1) (raise 'plain))
    (else (raise (list 'wrapped i)))))

;; The inner guard takes symbols only; the rest goes on to the outer one.
(define (attempt i)
  (guard (e ((pair? e) 'outer))
    (guard (e ((symbol? e) 'inner))
      (risky i)
      'returned)))

(define (main n)
  (let loop ((i 0) (returned 0) (inner 0) (outer 0))
    (if (= i n)
        (list returned inner outer)
        (case (attempt i)
          ((returned) (loop (+ i 1) (+ returned 1) inner outer))
          ((inner) (loop (+ i 1) returned (+ inner 1) outer))
          (else (loop (+ i 1) returned inner (+ outer 1)))))))

(let ((got (main 240000)) (want '(80000 80000 80000)))
  (cond ((equal? got want) (display "exceptions ok") (newline))
        (else (display "exceptions: wrong result: ") (write got) (newline) (exit 1))))
