;; Tables of text to SQL: what type each column has, and the statements that make and fill the table.
;;
;; A dialect is what the databases differ in: how names are quoted and what types are called.
(define-library (sql)
  (export infer-column write-create-table write-inserts
          column-name column-type
          find-dialect dialect-names)
  (import (scheme base) (scheme char) (scheme write) (only (srfi 1) any every filter))
  (begin

    ;; Dialects

    (define-record-type <dialect>
      (make-dialect name open-quote close-quote types true false)
      dialect?
      (name dialect-name)
      (open-quote dialect-open-quote)
      (close-quote dialect-close-quote)
      (types dialect-types)
      (true dialect-true)
      (false dialect-false))

    (define dialects
      (list (make-dialect "standard" #\" #\"
                          '((integer . "BIGINT") (decimal . "NUMERIC") (real . "DOUBLE PRECISION")
                            (boolean . "BOOLEAN") (date . "DATE") (timestamp . "TIMESTAMP") (text . "TEXT"))
                          "TRUE" "FALSE")
            (make-dialect "mysql" #\` #\`
                          '((integer . "BIGINT") (decimal . "DECIMAL(38, 10)") (real . "DOUBLE")
                            (boolean . "TINYINT(1)") (date . "DATE") (timestamp . "DATETIME") (text . "TEXT"))
                          "1" "0")
            (make-dialect "sqlite" #\" #\"
                          '((integer . "INTEGER") (decimal . "NUMERIC") (real . "REAL")
                            (boolean . "INTEGER") (date . "TEXT") (timestamp . "TEXT") (text . "TEXT"))
                          "1" "0")))

    (define dialect-names (map dialect-name dialects))

    ;; The dialect called NAME, or #f.
    (define (find-dialect name)
      (any (lambda (d) (and (string=? (dialect-name d) name) d)) dialects))

    ;; What a field may be, by its text

    (define (digits? text)
      (and (> (string-length text) 0)
           (every char-numeric-ascii? (string->list text))))

    (define (char-numeric-ascii? c) (char<=? #\0 c #\9))

    (define (without-sign text)
      (if (and (> (string-length text) 1) (memv (string-ref text 0) '(#\- #\+)))
          (substring text 1 (string-length text))
          text))

    ;; The parts of TEXT before and after the first character that is in CHARS, or #f if there is none.
    (define (split-at-first text chars)
      (let loop ((i 0))
        (cond ((= i (string-length text)) #f)
              ((memv (string-ref text i) chars)
               (list (substring text 0 i) (substring text (+ i 1) (string-length text))))
              (else (loop (+ i 1))))))

    ;; A number with zeros in front, such as a postal code, is text: as a number it would lose them.
    (define (whole-digits? text)
      (and (digits? text)
           (or (= (string-length text) 1)
               (not (char=? (string-ref text 0) #\0)))))

    (define (integer-text? text) (whole-digits? (without-sign text)))

    (define (decimal-text? text)
      (let ((parts (split-at-first (without-sign text) '(#\.))))
        (if parts
            (and (whole-digits? (car parts)) (digits? (cadr parts)))
            (integer-text? text))))

    (define (real-text? text)
      (let ((parts (split-at-first text '(#\e #\E))))
        (if parts
            (and (decimal-text? (car parts)) (digits? (without-sign (cadr parts))))
            (decimal-text? text))))

    (define (boolean-text? text) (and (member (string-downcase text) '("true" "false")) #t))

    ;; Whether each digit of PATTERN (written 9) is a digit in TEXT and all else is the same.
    (define (fits? text pattern)
      (and (= (string-length text) (string-length pattern))
           (every (lambda (c p) (if (char=? p #\9) (char-numeric-ascii? c) (char=? c p)))
                  (string->list text) (string->list pattern))))

    (define (days-in-month year month)
      (case month
        ((4 6 9 11) 30)
        ((2) (if (and (= 0 (modulo year 4))
                      (or (not (= 0 (modulo year 100))) (= 0 (modulo year 400))))
                 29
                 28))
        (else 31)))

    (define (number-in text from to) (string->number (substring text from to) 10))

    (define (date-text? text)
      (and (fits? text "9999-99-99")
           (let ((year (number-in text 0 4)) (month (number-in text 5 7)) (day (number-in text 8 10)))
             (and (<= 1 month 12)
                  (<= 1 day (days-in-month year month))))))

    (define (timestamp-text? text)
      (and (= (string-length text) 19)
           (memv (string-ref text 10) '(#\space #\T))
           (date-text? (substring text 0 10))
           (fits? (substring text 11 19) "99:99:99")
           (< (number-in text 11 13) 24)
           (< (number-in text 14 16) 60)
           (< (number-in text 17 19) 60)))

    ;; From the narrowest to the widest.
    (define types
      (list (cons 'integer integer-text?)
            (cons 'decimal decimal-text?)
            (cons 'real real-text?)
            (cons 'boolean boolean-text?)
            (cons 'date date-text?)
            (cons 'timestamp timestamp-text?)
            (cons 'text (lambda (text) #t))))

    ;; Columns

    (define-record-type <column>
      (make-column name type nullable)
      column?
      (name column-name)
      (type column-type)
      (nullable column-nullable?))

    ;; The column called NAME that holds FIELDS (texts, or #f for nothing): the narrowest type that fits them all.
    (define (infer-column name fields)
      (let ((texts (filter string? fields)))
        (make-column (or name "column")
                     (if (null? texts)
                         'text
                         (let loop ((l types))
                           (if (every (cdar l) texts) (caar l) (loop (cdr l)))))
                     (or (null? texts) (< (length texts) (length fields))))))

    ;; Writing

    (define (put port . parts) (for-each (lambda (part) (display part port)) parts))

    ;; TEXT between OPEN and CLOSE, with CLOSE doubled inside.
    (define (put-quoted port text open close)
      (write-char open port)
      (string-for-each (lambda (c)
                         (when (char=? c close) (write-char close port))
                         (write-char c port))
                       text)
      (write-char close port))

    (define (put-name port name dialect)
      (put-quoted port name (dialect-open-quote dialect) (dialect-close-quote dialect)))

    (define (put-separated port separator put-one items)
      (unless (null? items)
        (put-one (car items))
        (for-each (lambda (item)
                    (put port separator)
                    (put-one item))
                  (cdr items))))

    (define (put-text port text dialect)
      (if (and (string=? (dialect-name dialect) "mysql")
               (split-at-first text '(#\\)))
          (put-quoted port (double-backslashes text) #\' #\')
          (put-quoted port text #\' #\')))

    (define (double-backslashes text)
      (let ((out (open-output-string)))
        (string-for-each (lambda (c)
                           (when (char=? c #\\) (write-char c out))
                           (write-char c out))
                         text)
        (get-output-string out)))

    (define (put-field port field column dialect)
      (cond ((not field) (put port "NULL"))
            (else
             (case (column-type column)
               ((integer decimal real)
                (put port (if (char=? (string-ref field 0) #\+) (without-sign field) field)))
               ((boolean)
                (put port (if (string=? (string-downcase field) "true")
                              (dialect-true dialect)
                              (dialect-false dialect))))
               ((timestamp)
                (put-text port (string-append (substring field 0 10) " " (substring field 11 19)) dialect))
               (else (put-text port field dialect))))))

    (define (write-create-table port table columns dialect)
      (put port "CREATE TABLE ")
      (put-name port table dialect)
      (put port " (\n  ")
      (put-separated port ",\n  "
                     (lambda (column)
                       (put-name port (column-name column) dialect)
                       (put port " " (cdr (assq (column-type column) (dialect-types dialect))))
                       (unless (column-nullable? column) (put port " NOT NULL")))
                     columns)
      (put port "\n);\n"))

    ;; One statement for each BATCH rows.
    (define (write-inserts port table columns rows batch dialect)
      (let loop ((rows rows))
        (unless (null? rows)
          (let-values (((now later) (take-up-to batch rows)))
            (put port "INSERT INTO ")
            (put-name port table dialect)
            (put port " (")
            (put-separated port ", " (lambda (c) (put-name port (column-name c) dialect)) columns)
            (put port ") VALUES\n  ")
            (put-separated port ",\n  "
                           (lambda (row) (put-row port row columns dialect))
                           now)
            (put port ";\n")
            (loop later)))))

    (define (put-row port row columns dialect)
      (put port "(")
      (put-separated port ", "
                     (lambda (pair) (put-field port (car pair) (cdr pair) dialect))
                     (map cons row columns))
      (put port ")"))

    ;; The first N elements of L, or all if it has fewer, and the rest.
    (define (take-up-to n l)
      (let loop ((n n) (l l) (taken '()))
        (if (or (= n 0) (null? l))
            (values (reverse taken) l)
            (loop (- n 1) (cdr l) (cons (car l) taken)))))))
