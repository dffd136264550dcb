;; earley: an Earley recognizer (predict, scan, complete over item sets) for the ambiguous grammar
;; S -> S S | a, then the number of parse trees of a^n from the spans found.
;; Expected: the Catalan number C(n-1); C(15) = 9694845.
(import (scheme base) (scheme write) (scheme process-context))

(define grammar '((s s s) (s a)))
(define (rules-of name)
  (let loop ((g grammar) (r '()))
    (cond ((null? g) r)
          ((eq? (car (car g)) name) (loop (cdr g) (cons (car g) r)))
          (else (loop (cdr g) r)))))
(define (nonterminal? x) (eq? x 's))

;; An item: rule head, symbols still to come, where it began.
(define (item name rest from) (vector name rest from))
(define (item-name i) (vector-ref i 0))
(define (item-rest i) (vector-ref i 1))
(define (item-from i) (vector-ref i 2))
(define (same-item? a b)
  (and (eqv? (item-from a) (item-from b))
       (eq? (item-rest a) (item-rest b))
       (eq? (item-name a) (item-name b))))

(define (seen? it l)
  (and (pair? l) (or (same-item? it (car l)) (seen? it (cdr l)))))

;; sets is a vector of lists of items, one for each position.
(define (add! sets at it)
  (if (seen? it (vector-ref sets at))
      #f
      (begin (vector-set! sets at (cons it (vector-ref sets at))) #t)))

(define (step! sets at it agenda)
  (define (push it agenda) (if (add! sets at it) (cons it agenda) agenda))
  (let ((rest (item-rest it)))
    (cond ((null? rest)
           ;; complete: move on all that waited for this name where it began
           (let loop ((l (vector-ref sets (item-from it))) (agenda agenda))
             (cond ((null? l) agenda)
                   ((and (pair? (item-rest (car l)))
                         (eq? (car (item-rest (car l))) (item-name it)))
                    (loop (cdr l)
                          (push (item (item-name (car l)) (cdr (item-rest (car l)))
                                      (item-from (car l)))
                                agenda)))
                   (else (loop (cdr l) agenda)))))
          ((nonterminal? (car rest))
           (let loop ((r (rules-of (car rest))) (agenda agenda))
             (if (null? r)
                 agenda
                 (loop (cdr r) (push (item (car (car r)) (cdr (car r)) at) agenda)))))
          (else agenda))))

(define (scan! sets at token)
  (for-each (lambda (it)
              (if (and (pair? (item-rest it)) (eq? (car (item-rest it)) token))
                  (add! sets (+ at 1) (item (item-name it) (cdr (item-rest it)) (item-from it)))))
            (vector-ref sets at)))

(define (parse tokens)
  (let* ((n (vector-length tokens)) (sets (make-vector (+ n 1) '())))
    (for-each (lambda (r) (add! sets 0 (item (car r) (cdr r) 0))) (rules-of 's))
    (let at-position ((at 0))
      (let work ((agenda (vector-ref sets at)))
        (if (pair? agenda) (work (step! sets at (car agenda) (cdr agenda)))))
      (if (< at n)
          (begin (scan! sets at (vector-ref tokens at))
                 (at-position (+ at 1)))))
    sets))

;; The number of trees over each span i..j that the chart holds as complete.
(define (count-trees sets n)
  (let ((memo (make-vector (* (+ n 1) (+ n 1)) #f)))
    (define (complete? i j)
      (let loop ((l (vector-ref sets j)))
        (and (pair? l)
             (or (and (null? (item-rest (car l))) (= (item-from (car l)) i))
                 (loop (cdr l))))))
    (define (trees i j)
      (let ((at (+ (* i (+ n 1)) j)))
        (or (vector-ref memo at)
            (let ((r (cond ((not (complete? i j)) 0)
                           ((= j (+ i 1)) 1)
                           (else (let loop ((k (+ i 1)) (s 0))
                                   (if (= k j)
                                       s
                                       (loop (+ k 1) (+ s (* (trees i k) (trees k j))))))))))
              (vector-set! memo at r)
              r))))
    (trees 0 n)))

(define (main n)
  (let ((tokens (make-vector n 'a)))
    (do ((i 0 (+ i 1))
         (r 0 (count-trees (parse tokens) n)))
        ((= i 400) r))))

(let ((got (main 16)) (want 9694845))
  (cond ((equal? got want) (display "earley ok") (newline))
        (else (display "earley: wrong result: ") (write got) (newline) (exit 1))))
