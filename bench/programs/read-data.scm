;; read-data: writes nested data (lists, vectors, strings, characters, numbers) and takes it back by `read`.
;; Result: how many came back equal, and the sum of the numbers inside.
;; Expected: n; n(n-1)/2.
(import (scheme base) (scheme read) (scheme write) (scheme process-context))

(define (datum i)
  (list 'entry i (vector #t #f (list i (- i)) "text \"quoted\" \\ here") #\a '(quote x) (cons 1.5 'tail)))

(define (written n)
  (let ((out (open-output-string)))
    (do ((i 0 (+ i 1)))
        ((= i n) (get-output-string out))
      (write (datum i) out)
      (newline out))))

(define (take-back text)
  (let ((in (open-input-string text)))
    (let loop ((good 0) (sum 0))
      (let ((d (read in)))
        (if (eof-object? d)
            (list good sum)
            (loop (if (equal? d (datum (cadr d))) (+ good 1) good)
                  (+ sum (cadr d))))))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r #f (take-back (written n))))
      ((= i 6) r)))

(let ((got (main 1500)) (want '(1500 1124250)))
  (cond ((equal? got want) (display "read-data ok") (newline))
        (else (display "read-data: wrong result: ") (write got) (newline) (exit 1))))
