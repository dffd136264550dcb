;; string-ports: writes numbers to a string port, then reads the text back character by character.
;; Result: the sum of the numbers read, and the length of the text.
;; Expected: n(n-1)/2; 10*2 + 90*3 + 900*4 + 9000*5 + 90000*6 = 588890 characters for n = 100000.
(import (scheme base) (scheme write) (scheme process-context))

(define (write-numbers n)
  (let ((out (open-output-string)))
    (do ((i 0 (+ i 1)))
        ((= i n) (get-output-string out))
      (write i out)
      (write-char #\space out))))

(define (digit c) (- (char->integer c) (char->integer #\0)))

(define (sum-numbers text)
  (let ((in (open-input-string text)))
    (let loop ((value 0) (sum 0))
      (let ((c (read-char in)))
        (cond ((eof-object? c) sum)
              ((char=? c #\space) (loop 0 (+ sum value)))
              (else (loop (+ (* 10 value) (digit c)) sum)))))))

(define (main n)
  (do ((k 0 (+ k 1))
       (r #f (let ((text (write-numbers n)))
               (list (sum-numbers text) (string-length text)))))
      ((= k 4) r)))

(let ((got (main 100000)) (want '(4999950000 588890)))
  (cond ((equal? got want) (display "string-ports ok") (newline))
        (else (display "string-ports: wrong result: ") (write got) (newline) (exit 1))))
