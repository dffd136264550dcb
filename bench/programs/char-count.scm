;; char-count: classes of characters, a table of counts, and words, over "Ab cde Fg." written again and again.
;; Result: characters by the table, capitals, letters, vowels, words.
;; Expected: of each ten characters 2 are capitals, 7 letters, 2 vowels (A, e), in 3 words.
(import (scheme base) (scheme write) (scheme char) (scheme process-context))

(define unit "Ab cde Fg.")

(define (make-text n)
  (let ((s (make-string n)))
    (do ((i 0 (+ i 1)))
        ((= i n) s)
      (string-set! s i (string-ref unit (modulo i 10))))))

(define (tally text)
  (let ((table (make-vector 128 0)))
    (do ((i 0 (+ i 1)))
        ((= i (string-length text)) table)
      (let ((c (char->integer (string-ref text i))))
        (vector-set! table c (+ 1 (vector-ref table c)))))))

(define (tally-sum table)
  (let loop ((i 0) (s 0))
    (if (= i 128) s (loop (+ i 1) (+ s (vector-ref table i))))))

(define (count-if ok? text)
  (let loop ((l (string->list text)) (n 0))
    (if (null? l) n (loop (cdr l) (if (ok? (car l)) (+ n 1) n)))))

(define (vowel? c) (memv (char-downcase c) '(#\a #\e #\i #\o #\u)))

;; Words begin where a letter follows something else.
(define (count-words text)
  (let loop ((i 0) (inside #f) (n 0))
    (if (= i (string-length text))
        n
        (let ((letter (char-alphabetic? (string-ref text i))))
          (loop (+ i 1) letter (if (and letter (not inside)) (+ n 1) n))))))

(define (main n)
  (let ((text (make-text n)))
    (do ((i 0 (+ i 1))
         (r #f (list (tally-sum (tally text))
                     (count-if char-upper-case? text)
                     (count-if char-alphabetic? text)
                     (count-if vowel? text)
                     (count-words text))))
        ((= i 12) r))))

(let ((got (main 50000)) (want '(50000 10000 35000 10000 15000)))
  (cond ((equal? got want) (display "char-count ok") (newline))
        (else (display "char-count: wrong result: ") (write got) (newline) (exit 1))))
