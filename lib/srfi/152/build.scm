;; Constructors, folds, concatenation.

(define (string-tabulate proc n)
  (check-natural "string-tabulate" n)
  (let loop ((i (- n 1)) (acc '()))
    (if (< i 0)
        (list->string acc)
        (loop (- i 1) (cons (proc i) acc)))))

;; What a mapper gave, a character or a string, written to OUT.
(define (write-piece who x out)
  (cond ((char? x) (write-char x out))
        ((string? x) (write-string x out))
        (else (error (string-append who ": neither a character nor a string") x))))

(define (nothing x) "")

(define string-unfold
  (case-lambda
    ((stop? mapper successor seed) (string-unfold stop? mapper successor seed "" nothing))
    ((stop? mapper successor seed base)
     (string-unfold stop? mapper successor seed base nothing))
    ((stop? mapper successor seed base make-final)
     (let ((out (open-output-string)))
       (write-piece "string-unfold" base out)
       (let loop ((seed seed))
         (if (stop? seed)
             (write-piece "string-unfold" (make-final seed) out)
             (begin (write-piece "string-unfold" (mapper seed) out)
                    (loop (successor seed)))))
       (get-output-string out)))))

(define string-unfold-right
  (case-lambda
    ((stop? mapper successor seed) (string-unfold-right stop? mapper successor seed "" nothing))
    ((stop? mapper successor seed base)
     (string-unfold-right stop? mapper successor seed base nothing))
    ((stop? mapper successor seed base make-final)
     (let loop ((seed seed) (pieces (list base)))
       (if (stop? seed)
           (let ((out (open-output-string)))
             (for-each (lambda (piece) (write-piece "string-unfold-right" piece out))
                       (cons (make-final seed) pieces))
             (get-output-string out))
           (let ((piece (mapper seed)))
             (loop (successor seed) (cons piece pieces))))))))

(define (reverse-list->string chars) (list->string (reverse chars)))

(define-string-ranged (string-fold "string-fold" s start end) (kons knil s)
  (let loop ((i start) (acc knil))
    (if (< i end)
        (loop (+ i 1) (kons (string-ref s i) acc))
        acc)))

(define-string-ranged (string-fold-right "string-fold-right" s start end) (kons knil s)
  (let loop ((i end) (acc knil))
    (if (> i start)
        (loop (- i 1) (kons (string-ref s (- i 1)) acc))
        acc)))

(define (filtered pred keep? s start end)
  (let loop ((i end) (acc '()))
    (if (> i start)
        (let ((c (string-ref s (- i 1))))
          (loop (- i 1) (if (eq? keep? (if (pred c) #t #f)) (cons c acc) acc)))
        (list->string acc))))

(define-string-ranged (string-filter "string-filter" s start end) (pred s)
  (filtered (criterion "string-filter" pred) #t s start end))

(define-string-ranged (string-remove "string-remove" s start end) (pred s)
  (filtered (criterion "string-remove" pred) #f s start end))

(define (string-concatenate strings) (%string-concatenate strings))

(define string-concatenate-reverse
  (case-lambda
    ((strings) (%string-concatenate (reverse strings)))
    ((strings final) (%string-concatenate (reverse (cons final strings))))
    ((strings final end)
     (%string-concatenate (reverse (cons (substring final 0 end) strings))))))

;; STRINGS with DELIMITER before each, in a list.
(define (delimited strings delimiter)
  (let loop ((l (reverse strings)) (acc '()))
    (if (pair? l)
        (loop (cdr l) (cons delimiter (cons (car l) acc)))
        acc)))

(define string-join
  (case-lambda
    ((strings) (string-join strings " " 'infix))
    ((strings delimiter) (string-join strings delimiter 'infix))
    ((strings delimiter grammar)
     (check-string "string-join" delimiter)
     (check-grammar "string-join" grammar)
     (check-list "string-join" strings)
     (cond ((null? strings)
            (if (eq? grammar 'strict-infix) (error "string-join: empty list"))
            "")
           ((eq? grammar 'prefix) (%string-concatenate (delimited strings delimiter)))
           ((eq? grammar 'suffix)
            (%string-concatenate
             (cons (car strings)
                   (append (delimited (cdr strings) delimiter) (list delimiter)))))
           (else
            (%string-concatenate (cons (car strings) (delimited (cdr strings) delimiter))))))))
