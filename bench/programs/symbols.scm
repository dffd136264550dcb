;; symbols: makes symbols from strings and counts them in an association list; property lists by assq.
;; Result: different symbols, symbols seen, and the sum of a property over some of them.
;; Expected: ten names; n; one for each of n/100.
(import (scheme base) (scheme write) (scheme process-context))

(define counts '())

(define (seen! name)
  (let ((entry (assq name counts)))
    (if entry
        (set-cdr! entry (+ 1 (cdr entry)))
        (set! counts (cons (cons name 1) counts)))))

(define (name i)
  (string->symbol (string-append "item-" (number->string (modulo i 10)))))

(define (total)
  (let loop ((l counts) (s 0))
    (if (null? l) s (loop (cdr l) (+ s (cdr (car l)))))))

(define (weights n)
  (do ((i 0 (+ i 1))
       (s 0 (+ s (if (assq (name i) counts) 1 0))))
      ((= i n) s)))

(define (main n)
  (do ((i 0 (+ i 1))) ((= i n)) (seen! (name i)))
  (list (length counts) (total) (weights (quotient n 100))))

(let ((got (main 400000)) (want '(10 400000 4000)))
  (cond ((equal? got want) (display "symbols ok") (newline))
        (else (display "symbols: wrong result: ") (write got) (newline) (exit 1))))
