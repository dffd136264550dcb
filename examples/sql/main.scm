;; Turns a table of comma-separated values into SQL statements. `hone -A . main.scm --help` tells how.
(import (scheme base) (scheme file) (scheme process-context) (scheme write)
        (csv) (sql))

(define usage
  "usage: main.scm [--table NAME] [--dialect standard|mysql|sqlite] [--batch N] [--no-create] [FILE]

  --table NAME    the table's name (default: imported)
  --dialect NAME  how names are quoted and what types are called (default: standard)
  --batch N       rows in one INSERT statement (default 100)
  --no-create     leave out CREATE TABLE

The first row of FILE, or of standard input, names the columns. Their types are found from the fields. A field with
nothing in it is NULL; one with nothing between quotes is an empty text.
")

(define (fail code . parts)
  (for-each (lambda (part) (display part (current-error-port))) parts)
  (newline (current-error-port))
  (exit code))

(define (read-table file)
  (guard (e ((csv-error? e)
             (fail 1 (or file "standard input") ":" (csv-error-line e) ": " (csv-error-message e)))
            ((file-error? e) (fail 1 "cannot read " file)))
    (if file
        (call-with-input-file file csv-read)
        (csv-read (current-input-port)))))

;; The columns of a table whose rows are RECORDS.
(define (columns-of names records)
  (if (null? records)
      (map (lambda (name) (infer-column name '())) names)
      (map infer-column names (transpose records))))

(define (transpose rows)
  (if (null? (car rows))
      '()
      (cons (map car rows) (transpose (map cdr rows)))))

(define (convert file table dialect batch create?)
  (let ((rows (read-table file)) (out (current-output-port)))
    (when (null? rows) (fail 1 (or file "standard input") ": no row that names the columns"))
    (let ((columns (columns-of (car rows) (cdr rows))))
      (when create? (write-create-table out table columns dialect))
      (write-inserts out table columns (cdr rows) batch dialect))))

(define (dialect-called name)
  (or (find-dialect name)
      (fail 2 "no dialect called " name)))

(define (batch-of text)
  (let ((n (string->number text)))
    (if (and n (exact-integer? n) (> n 0))
        n
        (fail 2 "--batch takes a number from 1, not " text))))

(define (main arguments)
  (let loop ((l arguments) (table "imported") (dialect (dialect-called "standard")) (batch 100)
             (create? #t) (file #f))
    (cond ((null? l) (convert file table dialect batch create?))
          ((string=? (car l) "--help") (display usage))
          ((string=? (car l) "--no-create") (loop (cdr l) table dialect batch #f file))
          ((and (string=? (car l) "--table") (pair? (cdr l)))
           (loop (cddr l) (cadr l) dialect batch create? file))
          ((and (string=? (car l) "--dialect") (pair? (cdr l)))
           (loop (cddr l) table (dialect-called (cadr l)) batch create? file))
          ((and (string=? (car l) "--batch") (pair? (cdr l)))
           (loop (cddr l) table dialect (batch-of (cadr l)) create? file))
          (file (fail 2 usage))
          (else (loop (cdr l) table dialect batch create? (car l))))))

(main (cdr (command-line)))
