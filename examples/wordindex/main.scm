;; Counts the words of a text and makes an index of them. `hone -A . main.scm --help` tells how.
(import (scheme base) (scheme char) (scheme file) (scheme process-context) (scheme write)
        (srfi 69) (text) (index))

(define usage
  "usage: main.scm [--top N] [--min-length N] [--stop-words FILE] [--no-index] [FILE]

  --top N            how many of the commonest words to list (default 10)
  --min-length N     leave out words of fewer letters
  --stop-words FILE  leave out the words that stand in FILE
  --no-index         only the counts

Without FILE, standard input is read.
")

(define (fail code . parts)
  (for-each (lambda (part) (display part (current-error-port))) parts)
  (newline (current-error-port))
  (exit code))

(define (call-with-input file receive)
  (if file
      (guard (e ((file-error? e) (fail 1 "cannot read " file)))
        (call-with-input-file file receive))
      (receive (current-input-port))))

;; The words to leave out, as a table.
(define (stop-words file)
  (let ((table (make-hash-table string=? string-hash)))
    (when file
      (for-each (lambda (word) (hash-table-set! table word #t))
                (call-with-input file read-words)))
    table))

(define (pad-left text width)
  (if (< (string-length text) width)
      (string-append (make-string (- width (string-length text)) #\space) text)
      text))

(define (print . parts)
  (for-each display parts)
  (newline))

;; In hundredths of a per cent, rounded; exact arithmetic, so that every system prints the same.
(define (percent part whole)
  (let* ((n (round (/ (* 10000 part) whole)))
         (cents (number->string (remainder n 100))))
    (string-append (number->string (quotient n 100)) "." (if (< (remainder n 100) 10) "0" "") cents)))

(define (print-most-frequent index top)
  (let ((total (index-total index)))
    (for-each (lambda (entry)
                (print (pad-left (number->string (entry-count entry)) 6)
                       (pad-left (percent (entry-count entry) total) 7) "%  "
                       (entry-word entry)))
              (index-most-frequent index top))))

;; The words under a heading for each first letter.
(define (print-index index)
  (let loop ((entries (index-alphabetical index)) (last #f))
    (unless (null? entries)
      (let* ((entry (car entries)) (initial (string-ref (entry-word entry) 0)))
        (unless (and last (char=? initial last))
          (print)
          (print (char-upcase initial)))
        (print "  " (entry-word entry) "  " (lines->string (entry-lines entry)))
        (loop (cdr entries) initial)))))

(define (run file top min-length stop-file index?)
  (let* ((stop (stop-words stop-file))
         (index (make-index))
         (all 0)
         (lines (call-with-input
                 file
                 (lambda (port)
                   (for-each-word (lambda (word line)
                                    (set! all (+ all 1))
                                    (unless (or (< (string-length word) min-length)
                                                (hash-table-exists? stop word))
                                      (index-add! index word line)))
                                  port)))))
    (print lines " lines, " all " words, " (index-total index) " counted, "
           (index-size index) " different")
    (when (> (index-size index) 0)
      (print)
      (print-most-frequent index top)
      (when index? (print-index index)))))

(define (count-of option text)
  (let ((n (string->number text)))
    (if (and n (exact-integer? n) (>= n 0))
        n
        (fail 2 option " takes a number, not " text))))

(define (main arguments)
  (let loop ((l arguments) (top 10) (min-length 1) (stop-file #f) (index? #t) (file #f))
    (cond ((null? l) (run file top min-length stop-file index?))
          ((string=? (car l) "--help") (display usage))
          ((string=? (car l) "--no-index") (loop (cdr l) top min-length stop-file #f file))
          ((and (string=? (car l) "--top") (pair? (cdr l)))
           (loop (cddr l) (count-of "--top" (cadr l)) min-length stop-file index? file))
          ((and (string=? (car l) "--min-length") (pair? (cdr l)))
           (loop (cddr l) top (count-of "--min-length" (cadr l)) stop-file index? file))
          ((and (string=? (car l) "--stop-words") (pair? (cdr l)))
           (loop (cddr l) top min-length (cadr l) index? file))
          (file (fail 2 usage))
          (else (loop (cdr l) top min-length stop-file index? (car l))))))

(main (cdr (command-line)))
