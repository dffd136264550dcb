;; Writing HTML: characters that mean something in it are put as entities.
(define-library (html)
  (export escape-text escape-url tag entity-end)
  (import (scheme base) (scheme char))
  (begin

    ;; Where the entity (&name; or &#digits;) that begins at I in TEXT ends, or #f if none begins there.
    (define (entity-end text i)
      (let ((n (string-length text)))
        (define (run from ok?)
          (let loop ((k from))
            (if (and (< k n) (ok? (string-ref text k))) (loop (+ k 1)) k)))
        (define (closed from end)
          (and (> end from) (< end n) (char=? #\; (string-ref text end)) (+ end 1)))
        (cond ((>= (+ i 1) n) #f)
              ((char=? #\# (string-ref text (+ i 1)))
               (closed (+ i 2) (run (+ i 2) ascii-digit?)))
              (else
               (closed (+ i 1) (run (+ i 1) (lambda (c) (or (ascii-letter? c) (ascii-digit? c)))))))))

    (define (ascii-digit? c) (char<=? #\0 c #\9))
    (define (ascii-letter? c) (or (char<=? #\a c #\z) (char<=? #\A c #\Z)))

    ;; TEXT with &, <, > and " as entities.
    (define (escape-text text)
      (let ((out (open-output-string)))
        (string-for-each
         (lambda (c)
           (case c
             ((#\&) (write-string "&amp;" out))
             ((#\<) (write-string "&lt;" out))
             ((#\>) (write-string "&gt;" out))
             ((#\") (write-string "&quot;" out))
             (else (write-char c out))))
         text)
        (get-output-string out)))

    ;; URL fit for an attribute: what may not stand in a URL is put as %XX, byte by byte of its UTF-8.
    (define (escape-url url)
      (let ((out (open-output-string)))
        (string-for-each
         (lambda (c)
           (cond ((char=? c #\&) (write-string "&amp;" out))
                 ((or (ascii-letter? c) (ascii-digit? c) (memv c (string->list "-_.~!*'();:@=+$,/?#%")))
                  (write-char c out))
                 (else (write-percent (string->utf8 (string c)) out))))
         url)
        (get-output-string out)))

    (define (write-percent bytes out)
      (do ((i 0 (+ i 1)))
          ((= i (bytevector-length bytes)))
        (let ((byte (bytevector-u8-ref bytes i)))
          (write-string (if (< byte 16) "%0" "%") out)
          (write-string (string-upcase (number->string byte 16)) out))))

    ;; An element with its content: (tag "em" "text").
    (define (tag name content)
      (string-append "<" name ">" content "</" name ">"))))
