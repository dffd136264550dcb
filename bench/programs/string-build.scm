;; string-build: number->string, string-append in a growing accumulator, list->string, reversal.
;; Result: the length of the digits of 0 ... n-1 with one comma each, then reversed twice.
;; Expected: 10*2 + 90*3 + 900*4 + 3000*5 = 18890 for n = 4000.
(import (scheme base) (scheme write) (scheme process-context))

(define (string-reverse s) (list->string (reverse (string->list s))))

(define (join-up n)
  (let loop ((i 0) (s ""))
    (if (= i n)
        s
        (loop (+ i 1) (string-append s (number->string i) ",")))))

(define (main n)
  (do ((k 0 (+ k 1))
       (r "" (string-reverse (string-reverse (join-up n)))))
      ((= k 3) (string-length r))))

(let ((got (main 4000)) (want 18890))
  (cond ((equal? got want) (display "string-build ok") (newline))
        (else (display "string-build: wrong result: ") (write got) (newline) (exit 1))))
