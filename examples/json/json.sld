;; JSON (RFC 8259): reading and printing.
;;
;; How values are represented:
;;   null            the symbol null
;;   true, false     #t, #f
;;   number          an exact integer where the text has neither fraction nor exponent, else a flonum
;;   string          a string
;;   array           a vector
;;   object          an association list from strings to values, in the order of the text
;;
;; A text that is not JSON raises a json-error, which says what was wrong and at which line and column.
(define-library (json)
  (export json-read json-read-string json-write json->string json-ref json-count
          json-error? json-error-message json-error-line json-error-column)
  (import (scheme base) (scheme char) (scheme inexact) (scheme write))
  (begin

    (define-record-type <json-error>
      (make-json-error message line column)
      json-error?
      (message json-error-message)
      (line json-error-line)
      (column json-error-column))

    ;; Reading

    ;; A source hands out characters one at a time and knows where it is: the line and the column, from 1, of the
    ;; character that `peek` shows.
    (define-record-type <source>
      (make-source port line column)
      source?
      (port source-port)
      (line source-line set-source-line!)
      (column source-column set-source-column!))

    (define (peek source) (peek-char (source-port source)))

    (define (next! source)
      (let ((c (read-char (source-port source))))
        (cond ((eof-object? c) c)
              ((char=? c #\newline)
               (set-source-line! source (+ 1 (source-line source)))
               (set-source-column! source 1)
               c)
              (else
               (set-source-column! source (+ 1 (source-column source)))
               c))))

    (define (complain source . parts)
      (complain-at (source-line source) (source-column source) parts))

    (define (complain-at line column parts)
      (let ((out (open-output-string)))
        (for-each (lambda (part) (display part out)) parts)
        (raise (make-json-error (get-output-string out) line column))))

    ;; What stands at the place of an error, in words.
    (define (name-of c)
      (cond ((eof-object? c) "the end of the text")
            ((char<? c #\space) (string-append "the control character " (number->string (char->integer c))))
            (else (string #\' c #\'))))

    (define (is? c expected) (and (char? c) (char=? c expected)))

    (define (space? c)
      (and (char? c)
           (or (char=? c #\space) (char=? c #\newline) (char=? c #\tab) (char=? c #\return))))

    (define (skip-space! source)
      (when (space? (peek source))
        (next! source)
        (skip-space! source)))

    (define max-depth 1000)

    ;; The one value that the port holds.
    (define (json-read port)
      (let ((source (make-source port 1 1)))
        (let ((value (read-value source 0)))
          (skip-space! source)
          (unless (eof-object? (peek source))
            (complain source "expected the end of the text, found " (name-of (peek source))))
          value)))

    (define (json-read-string text)
      (json-read (open-input-string text)))

    (define (read-value source depth)
      (skip-space! source)
      (when (> depth max-depth)
        (complain source "nested more than " max-depth " deep"))
      (let ((c (peek source)))
        (cond ((eof-object? c) (complain source "expected a value, found " (name-of c)))
              ((char=? c #\{) (read-object source depth))
              ((char=? c #\[) (read-array source depth))
              ((char=? c #\") (read-text source))
              ((or (char=? c #\-) (digit? c)) (read-number source))
              ((char-alphabetic? c) (read-word source))
              (else (complain source "expected a value, found " (name-of c))))))

    ;; Words

    (define (read-word source)
      (let ((line (source-line source)) (column (source-column source)))
        (let loop ((letters '()))
          (let ((c (peek source)))
            (if (and (char? c) (or (char-alphabetic? c) (digit? c)))
                (loop (cons (next! source) letters))
                (let ((word (list->string (reverse letters))))
                  (cond ((string=? word "true") #t)
                        ((string=? word "false") #f)
                        ((string=? word "null") 'null)
                        (else
                         (complain-at line column (list "unknown word '" word "'"))))))))))

    ;; Numbers

    (define (digit? c) (and (char? c) (char<=? #\0 c #\9)))

    (define (read-number source)
      (let ((line (source-line source)) (column (source-column source)) (out (open-output-string)))
        (define (take!) (write-char (next! source) out))
        (define (take-digits! where)
          (unless (digit? (peek source))
            (complain source "expected a digit " where ", found " (name-of (peek source))))
          (let loop ()
            (when (digit? (peek source))
              (take!)
              (loop))))
        (when (is? (peek source) #\-) (take!))
        (if (is? (peek source) #\0)
            (begin
              (take!)
              (when (digit? (peek source))
                (complain source "a number may not begin with 0")))
            (take-digits! "in a number"))
        (when (is? (peek source) #\.)
          (take!)
          (take-digits! "after the point"))
        (when (or (is? (peek source) #\e) (is? (peek source) #\E))
          (next! source)
          (write-char #\e out)
          (when (or (is? (peek source) #\+) (is? (peek source) #\-)) (take!))
          (take-digits! "in the exponent"))
        (let ((value (string->number (get-output-string out))))
          (if (and (inexact? value) (not (finite? value)))
              (complain-at line column '("number out of range"))
              value))))

    ;; Strings

    (define (read-text source)
      (let ((line (source-line source)) (column (source-column source)) (out (open-output-string)))
        (next! source)
        (let loop ()
          (let ((c (peek source)))
            (cond ((eof-object? c)
                   (complain-at line column '("string without an end")))
                  ((char=? c #\")
                   (next! source)
                   (get-output-string out))
                  ((char<? c #\space)
                   (complain source "a string may not hold " (name-of c)))
                  ((char=? c #\\)
                   (next! source)
                   (write-char (read-escape source) out)
                   (loop))
                  (else
                   (write-char (next! source) out)
                   (loop)))))))

    (define (read-escape source)
      (let ((c (peek source)))
        (define (is c) (next! source) c)
        (case c
          ((#\" #\\ #\/) (is c))
          ((#\b) (is #\backspace))
          ((#\f) (is #\x0c))
          ((#\n) (is #\newline))
          ((#\r) (is #\return))
          ((#\t) (is #\tab))
          ((#\u) (next! source) (read-code-point source))
          (else (complain source "unknown escape: \\ before " (name-of c))))))

    (define (read-hex4 source)
      (let loop ((left 4) (value 0))
        (if (= left 0)
            value
            (let* ((c (peek source)) (digit (and (char? c) (hex-digit c))))
              (unless digit
                (complain source "expected four hexadecimal digits after \\u, found " (name-of c)))
              (next! source)
              (loop (- left 1) (+ (* 16 value) digit))))))

    (define (hex-digit c)
      (cond ((char<=? #\0 c #\9) (- (char->integer c) 48))
            ((char<=? #\a c #\f) (- (char->integer c) 87))
            ((char<=? #\A c #\F) (- (char->integer c) 55))
            (else #f)))

    ;; Characters above U+FFFF are written as two escapes, a high and a low surrogate.
    (define (read-code-point source)
      (let ((high (read-hex4 source)))
        (cond ((<= #xDC00 high #xDFFF) (complain source "low surrogate without a high one"))
              ((<= #xD800 high #xDBFF)
               (let ((low (and (is? (peek source) #\\)
                               (begin (next! source) (is? (peek source) #\u))
                               (begin (next! source) (read-hex4 source)))))
                 (unless (and low (<= #xDC00 low #xDFFF))
                   (complain source "high surrogate without a low one"))
                 (integer->char (+ #x10000 (* 1024 (- high #xD800)) (- low #xDC00)))))
              (else (integer->char high)))))

    ;; Arrays and objects

    ;; After an element: #t if a comma says that another follows, #f if the closing character was taken.
    (define (another? source close what)
      (skip-space! source)
      (let ((c (peek source)))
        (cond ((is? c #\,) (next! source) #t)
              ((is? c close) (next! source) #f)
              (else (complain source "expected ',' or '" close "' in " what ", found " (name-of c))))))

    (define (read-array source depth)
      (next! source)
      (skip-space! source)
      (if (is? (peek source) #\])
          (begin (next! source) (vector))
          (let loop ((elements '()))
            (let ((elements (cons (read-value source (+ depth 1)) elements)))
              (if (another? source #\] "an array")
                  (loop elements)
                  (list->vector (reverse elements)))))))

    (define (read-object source depth)
      (next! source)
      (skip-space! source)
      (if (is? (peek source) #\})
          (begin (next! source) '())
          (let loop ((members '()))
            (let ((members (cons (read-member source depth members) members)))
              (if (another? source #\} "an object")
                  (loop members)
                  (reverse members))))))

    (define (read-member source depth before)
      (skip-space! source)
      (unless (is? (peek source) #\")
        (complain source "expected a name in quotes, found " (name-of (peek source))))
      (let* ((line (source-line source)) (column (source-column source)) (name (read-text source)))
        (when (assoc name before)
          (complain-at line column (list "the name \"" name "\" appears twice")))
        (skip-space! source)
        (unless (is? (peek source) #\:)
          (complain source "expected ':' after a name, found " (name-of (peek source))))
        (next! source)
        (cons name (read-value source (+ depth 1)))))

    ;; Printing

    ;; Writes VALUE; INDENT is the spaces by which each level is set in, or #f for everything in one line.
    (define (json-write value port indent)
      (write-value value port indent 0))

    (define (json->string value indent)
      (let ((out (open-output-string)))
        (json-write value out indent)
        (get-output-string out)))

    (define (write-value value port indent depth)
      (cond ((eq? value 'null) (write-string "null" port))
            ((eq? value #t) (write-string "true" port))
            ((eq? value #f) (write-string "false" port))
            ((number? value) (write-string (number->string value) port))
            ((string? value) (write-text value port))
            ((vector? value)
             (write-group "[" "]" (vector->list value) port indent depth
                          (lambda (element)
                            (write-value element port indent (+ depth 1)))))
            ((list? value)
             (write-group "{" "}" value port indent depth
                          (lambda (member)
                            (write-text (car member) port)
                            (write-string (if indent ": " ":") port)
                            (write-value (cdr member) port indent (+ depth 1)))))
            (else (error "not a JSON value" value))))

    (define (write-group open close elements port indent depth write-element)
      (write-string open port)
      (unless (null? elements)
        (let loop ((l elements))
          (start-line port indent (+ depth 1))
          (write-element (car l))
          (unless (null? (cdr l))
            (write-string "," port)
            (loop (cdr l))))
        (start-line port indent depth))
      (write-string close port))

    (define (start-line port indent depth)
      (when indent
        (newline port)
        (write-string (make-string (* indent depth) #\space) port)))

    (define (write-text text port)
      (write-char #\" port)
      (string-for-each (lambda (c) (write-escaped c port)) text)
      (write-char #\" port))

    (define (write-escaped c port)
      (case c
        ((#\") (write-string "\\\"" port))
        ((#\\) (write-string "\\\\" port))
        ((#\newline) (write-string "\\n" port))
        ((#\return) (write-string "\\r" port))
        ((#\tab) (write-string "\\t" port))
        ((#\backspace) (write-string "\\b" port))
        ((#\x0c) (write-string "\\f" port))
        (else
         (if (char<? c #\space)
             (let ((hex (number->string (char->integer c) 16)))
               (write-string "\\u" port)
               (write-string (make-string (- 4 (string-length hex)) #\0) port)
               (write-string hex port))
             (write-char c port)))))

    ;; Looking inside

    ;; The part of VALUE that PATH names, a list of names and indices; or DEFAULT.
    (define (json-ref value path default)
      (cond ((null? path) value)
            ((and (string? (car path)) (list? value))
             (let ((member (assoc (car path) value)))
               (if member (json-ref (cdr member) (cdr path) default) default)))
            ((and (integer? (car path)) (vector? value) (< -1 (car path) (vector-length value)))
             (json-ref (vector-ref value (car path)) (cdr path) default))
            (else default)))

    ;; How many values of each kind there are in VALUE, itself included: an association list.
    (define (json-count value)
      (let ((counts (map (lambda (kind) (cons kind 0))
                         '("object" "array" "string" "number" "boolean" "null"))))
        (define (count! kind)
          (let ((entry (assoc kind counts)))
            (set-cdr! entry (+ 1 (cdr entry)))))
        (let walk ((value value))
          (cond ((eq? value 'null) (count! "null"))
                ((boolean? value) (count! "boolean"))
                ((number? value) (count! "number"))
                ((string? value) (count! "string"))
                ((vector? value)
                 (count! "array")
                 (vector-for-each walk value))
                (else
                 (count! "object")
                 (for-each (lambda (member) (walk (cdr member))) value))))
        counts))))
