;; Searching for characters and substrings, trimming, splitting.

;; The first place in S[START,END) whose character satisfies PRED, or END.
(define (scan pred s start end)
  (let loop ((i start))
    (if (and (< i end) (not (pred (string-ref s i))))
        (loop (+ i 1))
        i)))

;; The first place whose character does not, or END.
(define (scan-over pred s start end)
  (let loop ((i start))
    (if (and (< i end) (pred (string-ref s i)))
        (loop (+ i 1))
        i)))

;; The place after the last one whose character satisfies PRED, or START.
(define (scan-right pred s start end)
  (let loop ((i end))
    (if (and (> i start) (not (pred (string-ref s (- i 1)))))
        (loop (- i 1))
        i)))

(define (scan-over-right pred s start end)
  (let loop ((i end))
    (if (and (> i start) (pred (string-ref s (- i 1))))
        (loop (- i 1))
        i)))

(define-string-ranged (string-index "string-index" s start end) (s pred)
  (if (char? pred)
      (%string-search (string pred) s start end)
      (let ((i (scan (criterion "string-index" pred) s start end)))
        (and (< i end) i))))

(define-string-ranged (string-skip "string-skip" s start end) (s pred)
  (let ((i (scan-over (criterion "string-skip" pred) s start end)))
    (and (< i end) i)))

(define-string-ranged (string-index-right "string-index-right" s start end) (s pred)
  (let ((i (scan-right (criterion "string-index-right" pred) s start end)))
    (and (> i start) (- i 1))))

(define-string-ranged (string-skip-right "string-skip-right" s start end) (s pred)
  (let ((i (scan-over-right (criterion "string-skip-right" pred) s start end)))
    (and (> i start) (- i 1))))

;; The text gives the last application of PRED a tail call.
(define-string-ranged (string-every "string-every" s start end) (pred s)
  (let ((pred (criterion "string-every" pred)))
    (or (= start end)
        (let loop ((i start))
          (if (= (+ i 1) end)
              (pred (string-ref s i))
              (and (pred (string-ref s i)) (loop (+ i 1))))))))

(define-string-ranged (string-any "string-any" s start end) (pred s)
  (let ((pred (criterion "string-any" pred)))
    (and (< start end)
         (let loop ((i start))
           (if (= (+ i 1) end)
               (pred (string-ref s i))
               (or (pred (string-ref s i)) (loop (+ i 1))))))))

(define-string-ranged (string-count "string-count" s start end) (s pred)
  (let ((pred (criterion "string-count" pred)))
    (let loop ((i start) (n 0))
      (if (< i end)
          (loop (+ i 1) (if (pred (string-ref s i)) (+ n 1) n))
          n))))

(define-string-ranged (string-take-while "string-take-while" s start end) (s pred)
  (substring s start (scan-over (criterion "string-take-while" pred) s start end)))

(define-string-ranged (string-take-while-right "string-take-while-right" s start end) (s pred)
  (substring s (scan-over-right (criterion "string-take-while-right" pred) s start end) end))

(define-string-ranged (string-drop-while "string-drop-while" s start end) (s pred)
  (substring s (scan-over (criterion "string-drop-while" pred) s start end) end))

(define-string-ranged (string-drop-while-right "string-drop-while-right" s start end) (s pred)
  (substring s start (scan-over-right (criterion "string-drop-while-right" pred) s start end)))

(define-string-ranged (string-span "string-span" s start end) (s pred)
  (let ((i (scan-over (criterion "string-span" pred) s start end)))
    (values (substring s start i) (substring s i end))))

(define-string-ranged (string-break "string-break" s start end) (s pred)
  (let ((i (scan (criterion "string-break" pred) s start end)))
    (values (substring s start i) (substring s i end))))

(define string-trim
  (case-lambda
    ((s) (string-drop-while s char-whitespace?))
    ((s pred) (string-drop-while s pred))
    ((s pred start) (string-drop-while s pred start))
    ((s pred start end) (string-drop-while s pred start end))))

(define string-trim-right
  (case-lambda
    ((s) (string-drop-while-right s char-whitespace?))
    ((s pred) (string-drop-while-right s pred))
    ((s pred start) (string-drop-while-right s pred start))
    ((s pred start end) (string-drop-while-right s pred start end))))

(define string-trim-both
  (case-lambda
    ((s) (string-trim-both s char-whitespace? 0 (string-length s)))
    ((s pred) (string-trim-both s pred 0 (string-length s)))
    ((s pred start) (string-trim-both s pred start (string-length s)))
    ((s pred start end)
     (check-string-range "string-trim-both" s start end)
     (let* ((pred (criterion "string-trim-both" pred))
            (from (scan-over pred s start end)))
       (substring s from (scan-over-right pred s from end))))))

;; Prefixes, suffixes, substrings

(define-string-ranged2 (string-prefix-length "string-prefix-length" a s1 e1 b s2 e2) ()
  (let ((n (min (- e1 s1) (- e2 s2))))
    (let loop ((k 0))
      (if (and (< k n) (char=? (string-ref a (+ s1 k)) (string-ref b (+ s2 k))))
          (loop (+ k 1))
          k))))

(define-string-ranged2 (string-suffix-length "string-suffix-length" a s1 e1 b s2 e2) ()
  (let ((n (min (- e1 s1) (- e2 s2))))
    (let loop ((k 0))
      (if (and (< k n) (char=? (string-ref a (- e1 k 1)) (string-ref b (- e2 k 1))))
          (loop (+ k 1))
          k))))

(define-string-ranged2 (string-prefix? "string-prefix?" a s1 e1 b s2 e2) ()
  (let ((n (- e1 s1)))
    (and (<= n (- e2 s2))
         (= n (string-prefix-length a b s1 e1 s2 e2)))))

(define-string-ranged2 (string-suffix? "string-suffix?" a s1 e1 b s2 e2) ()
  (let ((n (- e1 s1)))
    (and (<= n (- e2 s2))
         (= n (string-suffix-length a b s1 e1 s2 e2)))))

(define-string-ranged2 (string-contains "string-contains" s s1 e1 pattern s2 e2) ()
  (if (= s2 e2)
      s1
      (%string-search (whole-or-part pattern s2 e2) s s1 e1)))

(define (whole-or-part s start end)
  (if (and (= start 0) (= end (string-length s)))
      s
      (substring s start end)))

(define-string-ranged2 (string-contains-right "string-contains-right" s s1 e1 pattern s2 e2) ()
  (let ((n (- e2 s2)))
    (let loop ((i (- e1 n)))
      (cond ((< i s1) #f)
            ((= n (string-prefix-length pattern s s2 e2 i e1)) i)
            (else (loop (- i 1)))))))

;; Splitting

;; At most LIMIT splits, or any number for #f, the pieces in order.
(define (split s delimiter limit start end)
  (let ((n (string-length delimiter)))
    (let loop ((from start) (left limit) (acc '()))
      (let ((at (and (not (eqv? left 0)) (%string-search delimiter s from end))))
        (if at
            (loop (+ at n) (and left (- left 1)) (cons (substring s from at) acc))
            (reverse (cons (substring s from end) acc)))))))

(define (split-characters s limit start end)
  (let loop ((i start) (left limit) (acc '()))
    (cond ((>= i end) (reverse acc))
          ((eqv? left 0) (reverse (cons (substring s i end) acc)))
          (else (loop (+ i 1) (and left (- left 1)) (cons (string (string-ref s i)) acc))))))

(define string-split
  (case-lambda
    ((s delimiter) (string-split s delimiter 'infix #f 0 (string-length s)))
    ((s delimiter grammar) (string-split s delimiter grammar #f 0 (string-length s)))
    ((s delimiter grammar limit) (string-split s delimiter grammar limit 0 (string-length s)))
    ((s delimiter grammar limit start)
     (string-split s delimiter grammar limit start (string-length s)))
    ((s delimiter grammar limit start end)
     (check-string-range "string-split" s start end)
     (check-string "string-split" delimiter)
     (if limit (check-natural "string-split" limit))
     (check-grammar "string-split" grammar)
     (cond ((= start end)
            (if (eq? grammar 'strict-infix) (error "string-split: empty string" s))
            '())
           ((string=? delimiter "") (split-characters s limit start end))
           ((and (eq? grammar 'prefix) (string-prefix? delimiter s 0 (string-length delimiter)
                                                       start end))
            (split s delimiter limit (+ start (string-length delimiter)) end))
           ((and (eq? grammar 'suffix) (string-suffix? delimiter s 0 (string-length delimiter)
                                                       start end))
            (split s delimiter limit start (- end (string-length delimiter))))
           (else (split s delimiter limit start end))))))

(define (check-grammar who grammar)
  (if (not (memq grammar '(infix strict-infix prefix suffix)))
      (error (string-append who ": unknown grammar") grammar)))
