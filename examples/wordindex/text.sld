;; Words of a text with the lines on which they stand.
(define-library (text)
  (export for-each-word read-words)
  (import (scheme base) (scheme char))
  (begin

    ;; A word is letters and digits with single apostrophes or hyphens inside: don't, well-known, 3rd.
    (define (letter? c) (or (char-alphabetic? c) (char-numeric? c)))
    (define (joint? c) (or (char=? c #\') (char=? c #\-) (char=? c #\x2019)))

    ;; Where the word that begins at START ends in LINE.
    (define (word-end line start)
      (let ((n (string-length line)))
        (let loop ((i start))
          (cond ((= i n) i)
                ((letter? (string-ref line i)) (loop (+ i 1)))
                ((and (joint? (string-ref line i))
                      (< (+ i 1) n)
                      (letter? (string-ref line (+ i 1))))
                 (loop (+ i 1)))
                (else i)))))

    (define (for-each-word-in-line visit line number)
      (let loop ((i 0))
        (cond ((= i (string-length line)) #t)
              ((letter? (string-ref line i))
               (let ((end (word-end line i)))
                 (visit (string-downcase (substring line i end)) number)
                 (loop end)))
              (else (loop (+ i 1))))))

    ;; Calls (VISIT word line-number) for each word that PORT holds, in small letters; returns the count of lines.
    (define (for-each-word visit port)
      (let loop ((number 1))
        (let ((line (read-line port)))
          (if (eof-object? line)
              (- number 1)
              (begin
                (for-each-word-in-line visit line number)
                (loop (+ number 1)))))))

    ;; The words that PORT holds, as a list.
    (define (read-words port)
      (let ((words '()))
        (for-each-word (lambda (word number) (set! words (cons word words))) port)
        (reverse words)))))
