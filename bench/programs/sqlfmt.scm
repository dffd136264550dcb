;; sqlfmt: rows of data to SQL INSERT statements: quoting, numbers, NULL, booleans, dates, in batches of ten.
;; Result: characters, statements, and quote characters in the text.
;; Expected: agreement of Guile and Chez; the statements are ceiling(n / 10).
(import (scheme base) (scheme write) (scheme process-context))

(define names '#("Ada" "O'Hara" "Zo" "D'Arcy 'the' 2nd" "Bob"))

(define (make-row i)
  (list i
        (vector-ref names (modulo i 5))
        (if (= 0 (modulo i 7)) 'null (* i 25))
        (= 0 (modulo i 3))
        (vector 'date (+ 1990 (modulo i 30)) (+ 1 (modulo i 12)) (+ 1 (modulo i 28)))))

(define (put out . parts) (for-each (lambda (p) (display p out)) parts))

(define (put-string out s)
  (write-char #\' out)
  (let loop ((i 0))
    (if (< i (string-length s))
        (let ((c (string-ref s i)))
          (if (char=? c #\') (write-char #\' out))
          (write-char c out)
          (loop (+ i 1)))))
  (write-char #\' out))

(define (two-digits n)
  (if (< n 10) (string-append "0" (number->string n)) (number->string n)))

(define (put-value out v)
  (cond ((number? v) (put out (number->string v)))
        ((string? v) (put-string out v))
        ((eq? v 'null) (put out "NULL"))
        ((eq? v #t) (put out "TRUE"))
        ((eq? v #f) (put out "FALSE"))
        ((vector? v)
         (put out "DATE '" (vector-ref v 1) "-" (two-digits (vector-ref v 2)) "-"
              (two-digits (vector-ref v 3)) "'"))
        (else (error "cannot write this value" v))))

(define (put-separated out put-one items)
  (let loop ((l items) (first #t))
    (if (pair? l)
        (begin
          (if (not first) (put out ", "))
          (put-one out (car l))
          (loop (cdr l) #f)))))

(define (put-row out row)
  (put out "(")
  (put-separated out put-value row)
  (put out ")"))

(define (statement table columns rows)
  (let ((out (open-output-string)))
    (put out "INSERT INTO " table " (")
    (put-separated out put columns)
    (put out ") VALUES ")
    (put-separated out put-row rows)
    (put out ";")
    (get-output-string out)))

(define (batch from to)
  (let loop ((i (- to 1)) (l '()))
    (if (< i from) l (loop (- i 1) (cons (make-row i) l)))))

(define (count-char c s)
  (let loop ((i 0) (n 0))
    (if (= i (string-length s))
        n
        (loop (+ i 1) (if (char=? c (string-ref s i)) (+ n 1) n)))))

(define (main n)
  (let loop ((from 0) (characters 0) (statements 0) (quotes 0))
    (if (>= from n)
        (list characters statements quotes)
        (let ((s (statement "people" '("id" "name" "balance" "active" "since")
                            (batch from (min n (+ from 10))))))
          (loop (+ from 10)
                (+ characters (string-length s))
                (+ statements 1)
                (+ quotes (count-char #\' s)))))))

(let ((got (main 20000)) (want '(1168700 2000 112000)))
  (cond ((equal? got want) (display "sqlfmt ok") (newline))
        (else (display "sqlfmt: wrong result: ") (write got) (newline) (exit 1))))
