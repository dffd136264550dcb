;; Comma-separated values (RFC 4180): fields in quotes may hold commas, line ends and, doubled, quotes.
(define-library (csv)
  (export csv-read csv-error? csv-error-message csv-error-line)
  (import (scheme base))
  (begin

    (define-record-type <csv-error>
      (make-csv-error message line)
      csv-error?
      (message csv-error-message)
      (line csv-error-line))

    (define (is? c expected) (and (char? c) (char=? c expected)))

    ;; All rows of PORT as lists of strings. A field that was written without quotes and is empty is #f, so that
    ;; nothing can be told from an empty text. Rows must be as long as the first.
    (define (csv-read port)
      (let loop ((rows '()) (line 1))
        (if (eof-object? (peek-char port))
            (reverse rows)
            (let-values (((row next-line) (read-row port line)))
              (unless (or (null? rows) (= (length row) (length (car rows))))
                (raise (make-csv-error
                        (string-append "expected " (number->string (length (car rows)))
                                       " fields, found " (number->string (length row)))
                        line)))
              (loop (cons row rows) next-line)))))

    ;; A row, and the number of the line after it.
    (define (read-row port line)
      (let loop ((fields '()) (line line))
        (let-values (((field next-line)
                      (if (is? (peek-char port) #\")
                          (read-quoted port line)
                          (values (read-plain port) line))))
          (let ((fields (cons field fields)) (c (read-char port)))
            (cond ((is? c #\,) (loop fields next-line))
                  ((is? c #\return)
                   (when (is? (peek-char port) #\newline) (read-char port))
                   (values (reverse fields) (+ next-line 1)))
                  ((or (eof-object? c) (is? c #\newline))
                   (values (reverse fields) (+ next-line 1)))
                  (else
                   (raise (make-csv-error "text after a closing quote" next-line))))))))

    (define (read-plain port)
      (let ((out (open-output-string)))
        (let loop ()
          (let ((c (peek-char port)))
            (if (or (eof-object? c) (memv c '(#\, #\newline #\return)))
                (let ((text (get-output-string out)))
                  (if (string=? text "") #f text))
                (begin
                  (write-char (read-char port) out)
                  (loop)))))))

    (define (read-quoted port first-line)
      (let ((out (open-output-string)))
        (read-char port)
        (let loop ((line first-line))
          (let ((c (read-char port)))
            (cond ((eof-object? c)
                   (raise (make-csv-error "quoted field without an end" first-line)))
                  ((not (char=? c #\"))
                   (write-char c out)
                   (loop (if (char=? c #\newline) (+ line 1) line)))
                  ((is? (peek-char port) #\")
                   (write-char (read-char port) out)
                   (loop line))
                  (else (values (get-output-string out) line)))))))))
