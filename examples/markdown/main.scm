;; Converts Markdown to HTML. `hone -A . main.scm --help` tells how.
(import (scheme base) (scheme file) (scheme process-context) (scheme write) (html) (markdown))

(define usage
  "usage: main.scm [--page TITLE] [FILE]

  --page TITLE   a whole page and not only what stands in its body

Without FILE, standard input is read.
")

(define (fail code . parts)
  (for-each (lambda (part) (display part (current-error-port))) parts)
  (newline (current-error-port))
  (exit code))

(define (read-all port)
  (let ((out (open-output-string)))
    (let loop ()
      (let ((text (read-string 4096 port)))
        (unless (eof-object? text)
          (write-string text out)
          (loop))))
    (get-output-string out)))

(define (read-input file)
  (if file
      (guard (e ((file-error? e) (fail 1 "cannot read " file)))
        (call-with-input-file file read-all))
      (read-all (current-input-port))))

(define (page title body)
  (string-append "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\" />\n"
                 (tag "title" (escape-text title)) "\n</head>\n<body>\n"
                 body
                 "</body>\n</html>\n"))

(define (convert file title)
  (let ((body (markdown->html (read-input file))))
    (write-string (if title (page title body) body))))

(define (main arguments)
  (let loop ((l arguments) (title #f) (file #f))
    (cond ((null? l) (convert file title))
          ((string=? (car l) "--help") (display usage))
          ((and (string=? (car l) "--page") (pair? (cdr l))) (loop (cddr l) (cadr l) file))
          (file (fail 2 usage))
          (else (loop (cdr l) title (car l))))))

(main (cdr (command-line)))
