;; sudoku: backtracking with bit-free candidate sets (lists), choosing the emptiest cell first.
;; Result: the sorted values of the first row, column and box, if all 27 units hold 1 to 9, else #f.
;; Expected: 1 to 9, since only a right solution passes that check.
(import (scheme base) (scheme write) (scheme process-context))

(define puzzle
  '#(0 0 0 0 0 0 0 1 2
     0 0 0 0 3 5 0 0 0
     0 0 0 6 0 0 0 7 0
     7 0 0 0 0 0 3 0 0
     0 0 0 4 0 0 8 0 0
     1 0 0 0 0 0 0 0 0
     0 0 0 1 2 0 0 0 0
     0 8 0 0 0 0 0 4 0
     0 5 0 0 0 0 6 0 0))

(define (row-of cell) (quotient cell 9))
(define (column-of cell) (remainder cell 9))
(define (box-of cell)
  (+ (* 3 (quotient (row-of cell) 3)) (quotient (column-of cell) 3)))

;; rows, columns and boxes: vectors of 81 booleans, unit * 9 + value - 1
(define (make-state)
  (vector (make-vector 81 0) (make-vector 81 #f) (make-vector 81 #f) (make-vector 81 #f)))

(define (used? state cell value)
  (let ((v (- value 1)))
    (or (vector-ref (vector-ref state 1) (+ (* 9 (row-of cell)) v))
        (vector-ref (vector-ref state 2) (+ (* 9 (column-of cell)) v))
        (vector-ref (vector-ref state 3) (+ (* 9 (box-of cell)) v)))))

(define (mark! state cell value on)
  (let ((v (- value 1)))
    (vector-set! (vector-ref state 0) cell (if on value 0))
    (vector-set! (vector-ref state 1) (+ (* 9 (row-of cell)) v) on)
    (vector-set! (vector-ref state 2) (+ (* 9 (column-of cell)) v) on)
    (vector-set! (vector-ref state 3) (+ (* 9 (box-of cell)) v) on)))

(define (candidates state cell)
  (let loop ((v 9) (l '()))
    (cond ((= v 0) l)
          ((used? state cell v) (loop (- v 1) l))
          (else (loop (- v 1) (cons v l))))))

;; The empty cell with the fewest candidates as (count cell . candidates), or #f when the board is full.
(define (most-bound state)
  (let loop ((cell 0) (best #f))
    (cond ((= cell 81) best)
          ((not (= 0 (vector-ref (vector-ref state 0) cell))) (loop (+ cell 1) best))
          (else
           (let* ((c (candidates state cell)) (n (length c)))
             (if (or (not best) (< n (car best)))
                 (loop (+ cell 1) (cons n (cons cell c)))
                 (loop (+ cell 1) best)))))))

(define (solve! state)
  (let ((choice (most-bound state)))
    (or (not choice)
        (let ((cell (cadr choice)))
          (let try ((values (cddr choice)))
            (and (pair? values)
                 (begin
                   (mark! state cell (car values) #t)
                   (or (solve! state)
                       (begin
                         (mark! state cell (car values) #f)
                         (try (cdr values)))))))))))

(define (solution)
  (let ((state (make-state)))
    (do ((cell 0 (+ cell 1)))
        ((= cell 81))
      (let ((v (vector-ref puzzle cell)))
        (if (not (= v 0)) (mark! state cell v #t))))
    (and (solve! state) (vector-ref state 0))))

(define (unit-values board unit-of unit)
  (let loop ((v 9) (l '()))
    (if (= v 0)
        l
        (loop (- v 1)
              (let find ((cell 0))
                (cond ((= cell 81) l)
                      ((and (= unit (unit-of cell)) (= v (vector-ref board cell))) (cons v l))
                      (else (find (+ cell 1)))))))))

(define (check-board board)
  (let ((full '(1 2 3 4 5 6 7 8 9)))
    (let loop ((unit 0))
      (cond ((= unit 9) (unit-values board row-of 0))
            ((and (equal? full (unit-values board row-of unit))
                  (equal? full (unit-values board column-of unit))
                  (equal? full (unit-values board box-of unit)))
             (loop (+ unit 1)))
            (else #f)))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r #f (let ((board (solution))) (and board (check-board board)))))
      ((= i n) r)))

(let ((got (main 1)) (want '(1 2 3 4 5 6 7 8 9)))
  (cond ((equal? got want) (display "sudoku ok") (newline))
        (else (display "sudoku: wrong result: ") (write got) (newline) (exit 1))))
