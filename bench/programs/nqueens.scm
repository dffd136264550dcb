;; nqueens: counts the placements of n queens that do not attack each other. List building and walking.
;; Expected: 2680 for a board of 11 by 11 (a known sequence: 1 0 0 2 10 4 40 92 352 724 2680).
(import (scheme base) (scheme write) (scheme process-context))

(define (iota-down n)
  (let loop ((i 1) (l '()))
    (if (> i n) l (loop (+ i 1) (cons i l)))))

(define (safe? row distance placed)
  (or (null? placed)
      (let ((other (car placed)))
        (and (not (= other (+ row distance)))
             (not (= other (- row distance)))
             (safe? row (+ distance 1) (cdr placed))))))

;; Rows still free are FREE; those tried in vain for this column are TRIED.
(define (place free tried placed)
  (if (null? free)
      (if (null? tried) 1 0)
      (+ (if (safe? (car free) 1 placed)
             (place (append (cdr free) tried) '() (cons (car free) placed))
             0)
         (place (cdr free) (cons (car free) tried) placed))))

(define (main n) (place (iota-down n) '() '()))

(let ((got (main 11)) (want 2680))
  (cond ((equal? got want) (display "nqueens ok") (newline))
        (else (display "nqueens: wrong result: ") (write got) (newline) (exit 1))))
