;; Checks, prints and searches JSON texts. `hone -A . main.scm --help` tells how.
(import (scheme base) (scheme file) (scheme process-context) (scheme write) (json))

(define usage
  "usage: main.scm [--pretty | --compact | --check | --count | --get PATH] [FILE]

  --pretty     print it set in by two spaces (the default)
  --compact    print it in one line
  --check      print nothing if it is right
  --count      print how many values of each kind there are
  --get PATH   print the part that PATH names: names and indices joined by dots

Without FILE, standard input is read. The exit code is 1 for a text that is not JSON.
")

(define (complain . parts)
  (for-each (lambda (part) (display part (current-error-port))) parts)
  (newline (current-error-port)))

(define (split text separator)
  (let loop ((chars (string->list text)) (piece '()) (pieces '()))
    (cond ((null? chars)
           (reverse (cons (list->string (reverse piece)) pieces)))
          ((char=? (car chars) separator)
           (loop (cdr chars) '() (cons (list->string (reverse piece)) pieces)))
          (else (loop (cdr chars) (cons (car chars) piece) pieces)))))

;; "a.0.b" names what ("a" 0 "b") does.
(define (path-of text)
  (map (lambda (piece)
         (let ((n (string->number piece)))
           (if (and n (exact-integer? n)) n piece)))
       (split text #\.)))

(define (read-input file)
  (if file
      (call-with-input-file file json-read)
      (json-read (current-input-port))))

(define (print value indent)
  (json-write value (current-output-port) indent)
  (newline))

(define (print-counts value)
  (for-each (lambda (entry)
              (display (car entry))
              (display " ")
              (display (cdr entry))
              (newline))
            (json-count value)))

(define (get path)
  (lambda (value)
    (let* ((nothing (list 'nothing)) (part (json-ref value (path-of path) nothing)))
      (cond ((eq? part nothing)
             (complain "nothing at " path)
             (exit 1))
            (else (print part 2))))))

(define (run action file)
  (guard (e ((json-error? e)
             (complain (or file "standard input") ":" (json-error-line e) ":" (json-error-column e) ": "
                       (json-error-message e))
             (exit 1))
            ((file-error? e)
             (complain "cannot read " file)
             (exit 1)))
    (action (read-input file))))

(define (bad-usage)
  (display usage (current-error-port))
  (exit 2))

(define (main arguments)
  (let loop ((l arguments) (action (lambda (value) (print value 2))) (file #f))
    (cond ((null? l) (run action file))
          ((string=? (car l) "--help") (display usage))
          ((string=? (car l) "--pretty") (loop (cdr l) action file))
          ((string=? (car l) "--compact") (loop (cdr l) (lambda (value) (print value #f)) file))
          ((string=? (car l) "--check") (loop (cdr l) (lambda (value) #t) file))
          ((string=? (car l) "--count") (loop (cdr l) print-counts file))
          ((and (string=? (car l) "--get") (pair? (cdr l)))
           (loop (cddr l) (get (cadr l)) file))
          ((char=? #\- (string-ref (string-append (car l) " ") 0)) (bad-usage))
          (file (bad-usage))
          (else (loop (cdr l) action (car l))))))

(main (cdr (command-line)))
