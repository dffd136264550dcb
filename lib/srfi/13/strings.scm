;; What SRFI 152 does not have.

(define-string-ranged (substring/shared "substring/shared" s start end) (s)
  (if (and (= start 0) (= end (string-length s)))
      s
      (substring s start end)))

;; Comparison

;; Calls LESS, SAME or MORE with the place in A where the strings first differ.
(define (compare char-equal? char-less? a s1 e1 b s2 e2 less same more)
  (let loop ((i s1) (j s2))
    (cond ((= i e1) (if (= j e2) (same i) (less i)))
          ((= j e2) (more i))
          (else
           (let ((x (string-ref a i)) (y (string-ref b j)))
             (cond ((char-equal? x y) (loop (+ i 1) (+ j 1)))
                   ((char-less? x y) (less i))
                   (else (more i))))))))

(define-string-ranged2 (string-compare "string-compare" a s1 e1 b s2 e2) (less same more)
  (compare char=? char<? a s1 e1 b s2 e2 less same more))

(define-string-ranged2 (string-compare-ci "string-compare-ci" a s1 e1 b s2 e2) (less same more)
  (compare char-ci=? char-ci<? a s1 e1 b s2 e2 less same more))

(define (yes i) #t)
(define (no i) #f)

(define-syntax define-orders
  (syntax-rules ()
    ((_ char-equal? char-less? (name who less same more) ...)
     (begin
       (define-string-ranged2 (name who a s1 e1 b s2 e2) ()
         (compare char-equal? char-less? a s1 e1 b s2 e2 less same more))
       ...))))

(define-orders char=? char<?
  (string= "string=" no yes no)
  (string<> "string<>" yes no yes)
  (string< "string<" yes no no)
  (string> "string>" no no yes)
  (string<= "string<=" yes yes no)
  (string>= "string>=" no yes yes))

(define-orders char-ci=? char-ci<?
  (string-ci= "string-ci=" no yes no)
  (string-ci<> "string-ci<>" yes no yes)
  (string-ci< "string-ci<" yes no no)
  (string-ci> "string-ci>" no no yes)
  (string-ci<= "string-ci<=" yes yes no)
  (string-ci>= "string-ci>=" no yes yes))

;; Prefixes, suffixes and substrings in either case, character by character

(define-string-ranged2 (string-prefix-length-ci "string-prefix-length-ci" a s1 e1 b s2 e2) ()
  (let ((n (min (- e1 s1) (- e2 s2))))
    (let loop ((k 0))
      (if (and (< k n) (char-ci=? (string-ref a (+ s1 k)) (string-ref b (+ s2 k))))
          (loop (+ k 1))
          k))))

(define-string-ranged2 (string-suffix-length-ci "string-suffix-length-ci" a s1 e1 b s2 e2) ()
  (let ((n (min (- e1 s1) (- e2 s2))))
    (let loop ((k 0))
      (if (and (< k n) (char-ci=? (string-ref a (- e1 k 1)) (string-ref b (- e2 k 1))))
          (loop (+ k 1))
          k))))

(define-string-ranged2 (string-prefix-ci? "string-prefix-ci?" a s1 e1 b s2 e2) ()
  (= (- e1 s1) (string-prefix-length-ci a b s1 e1 s2 e2)))

(define-string-ranged2 (string-suffix-ci? "string-suffix-ci?" a s1 e1 b s2 e2) ()
  (= (- e1 s1) (string-suffix-length-ci a b s1 e1 s2 e2)))

(define-string-ranged2 (string-contains-ci "string-contains-ci" s s1 e1 pattern s2 e2) ()
  (let ((last (- e1 (- e2 s2))))
    (let loop ((i s1))
      (and (<= i last)
           (if (string-prefix-ci? pattern s s2 e2 i e1)
               i
               (loop (+ i 1)))))))

;; Case. Each character is mapped by itself, so that the string keeps its length.

(define (map-range! proc s start end)
  (let loop ((i start))
    (if (< i end)
        (begin (string-set! s i (proc (string-ref s i)))
               (loop (+ i 1))))))

(define-string-ranged (string-upcase! "string-upcase!" s start end) (s)
  (map-range! char-upcase s start end))

(define-string-ranged (string-downcase! "string-downcase!" s start end) (s)
  (map-range! char-downcase s start end))

(define-string-ranged (string-titlecase! "string-titlecase!" s start end) (s)
  (let loop ((i start) (inside? #f))
    (if (< i end)
        (let* ((c (string-ref s i)) (letter? (char-alphabetic? c)))
          (if letter?
              (string-set! s i (if inside? (char-downcase c) (char-upcase c))))
          (loop (+ i 1) letter?)))))

(define-string-ranged (string-titlecase "string-titlecase" s start end) (s)
  (let ((copy (substring s start end)))
    (string-titlecase! copy)
    copy))

(define-string-ranged (string-map! "string-map!" s start end) (proc s)
  (map-range! proc s start end))

(define-string-ranged (string-for-each-index "string-for-each-index" s start end) (proc s)
  (let loop ((i start))
    (if (< i end)
        (begin (proc i)
               (loop (+ i 1))))))

;; Reversal

(define-string-ranged (string-reverse "string-reverse" s start end) (s)
  (list->string (string-fold cons '() s start end)))

(define-string-ranged (string-reverse! "string-reverse!" s start end) (s)
  (string-copy! s start (string-reverse s start end)))

;; Replication

(define xsubstring
  (case-lambda
    ((s from) (xsubstring s from (+ from (string-length s)) 0 (string-length s)))
    ((s from to) (string-replicate s from to))
    ((s from to start) (string-replicate s from to start))
    ((s from to start end) (string-replicate s from to start end))))

(define string-xcopy!
  (case-lambda
    ((target at s from)
     (string-copy! target at (xsubstring s from)))
    ((target at s from to)
     (string-copy! target at (string-replicate s from to)))
    ((target at s from to start)
     (string-copy! target at (string-replicate s from to start)))
    ((target at s from to start end)
     (string-copy! target at (string-replicate s from to start end)))))

;; Words: the longest runs of characters that satisfy PRED, by default those that are not white.

(define (char-graphic? c) (not (char-whitespace? c)))

(define string-tokenize
  (case-lambda
    ((s) (string-tokenize s char-graphic? 0 (string-length s)))
    ((s pred) (string-tokenize s pred 0 (string-length s)))
    ((s pred start) (string-tokenize s pred start (string-length s)))
    ((s pred start end)
     (let loop ((from start) (acc '()))
       (let ((first (string-index s pred from end)))
         (if first
             (let ((after (or (string-skip s pred first end) end)))
               (loop after (cons (substring s first after) acc)))
             (reverse acc)))))))
