;; Parts of strings by number.

;; A predicate on characters from a predicate or a character.
(define (criterion who x)
  (cond ((procedure? x) x)
        ((char? x) (lambda (c) (char=? c x)))
        (else (error (string-append who ": neither a predicate nor a character") x))))

(define (string-null? s)
  (check-string "string-null?" s)
  (= (string-length s) 0))

(define (too-short who s n)
  (error (string-append who ": string too short") s n))

(define (check-part who s n)
  (check-string who s)
  (check-natural who n)
  (if (> n (string-length s)) (too-short who s n)))

(define (string-take s n)
  (check-part "string-take" s n)
  (substring s 0 n))

(define (string-drop s n)
  (check-part "string-drop" s n)
  (substring s n (string-length s)))

(define (string-take-right s n)
  (check-part "string-take-right" s n)
  (substring s (- (string-length s) n) (string-length s)))

(define (string-drop-right s n)
  (check-part "string-drop-right" s n)
  (substring s 0 (- (string-length s) n)))

(define string-pad
  (case-lambda
    ((s n) (string-pad s n #\space 0 (string-length s)))
    ((s n char) (string-pad s n char 0 (string-length s)))
    ((s n char start) (string-pad s n char start (string-length s)))
    ((s n char start end)
     (check-natural "string-pad" n)
     (check-string-range "string-pad" s start end)
     (let ((missing (- n (- end start))))
       (if (> missing 0)
           (string-append (make-string missing char) (substring s start end))
           (substring s (- end n) end))))))

(define string-pad-right
  (case-lambda
    ((s n) (string-pad-right s n #\space 0 (string-length s)))
    ((s n char) (string-pad-right s n char 0 (string-length s)))
    ((s n char start) (string-pad-right s n char start (string-length s)))
    ((s n char start end)
     (check-natural "string-pad-right" n)
     (check-string-range "string-pad-right" s start end)
     (let ((missing (- n (- end start))))
       (if (> missing 0)
           (string-append (substring s start end) (make-string missing char))
           (substring s start (+ start n)))))))

(define string-replace
  (case-lambda
    ((a b s1 e1) (string-replace a b s1 e1 0 (string-length b)))
    ((a b s1 e1 s2) (string-replace a b s1 e1 s2 (string-length b)))
    ((a b s1 e1 s2 e2)
     (check-string-range "string-replace" a s1 e1)
     (check-string-range "string-replace" b s2 e2)
     (string-append (substring a 0 s1) (substring b s2 e2)
                    (substring a e1 (string-length a))))))

;; The substring FROM..TO of S[START,END) repeated without end in both directions.
(define string-replicate
  (case-lambda
    ((s from to) (string-replicate s from to 0 (string-length s)))
    ((s from to start) (string-replicate s from to start (string-length s)))
    ((s from to start end)
     (check-string-range "string-replicate" s start end)
     (if (not (and (exact-integer? from) (exact-integer? to) (<= from to)))
         (error "string-replicate: bad range" from to))
     (let ((period (- end start)) (n (- to from)))
       (cond ((= n 0) "")
             ((= period 0) (error "string-replicate: nothing to replicate" s))
             (else
              (let ((result (make-string n)))
                (let loop ((at 0) (offset (modulo from period)))
                  (if (< at n)
                      (let ((piece (min (- period offset) (- n at))))
                        (string-copy! result at s (+ start offset) (+ start offset piece))
                        (loop (+ at piece) 0))
                      result)))))))))

(define (string-segment s k)
  (check-string "string-segment" s)
  (if (not (and (exact-integer? k) (> k 0)))
      (error "string-segment: not an exact positive integer" k))
  (let ((n (string-length s)))
    (let loop ((at 0) (acc '()))
      (if (< at n)
          (loop (+ at k) (cons (substring s at (min n (+ at k))) acc))
          (reverse acc)))))
