;; tiling: in how many ways dominoes cover a board of 6 by n, by plain backtracking over a vector of cells.
;; Expected: 6728 for n = 6 and 817991 for n = 9, by Kasteleyn's formula.
(import (scheme base) (scheme write) (scheme process-context))

(define height 6)

(define (count-tilings width)
  (let* ((size (* width height)) (taken (make-vector size #f)))
    (let try ((cell 0))
      (cond ((= cell size) 1)
            ((vector-ref taken cell) (try (+ cell 1)))
            (else
             (let ((across (+ cell 1)) (down (+ cell width)))
               (vector-set! taken cell #t)
               (let* ((a (if (and (< (remainder cell width) (- width 1))
                                  (not (vector-ref taken across)))
                             (begin (vector-set! taken across #t)
                                    (let ((n (try (+ cell 2))))
                                      (vector-set! taken across #f)
                                      n))
                             0))
                      (b (if (< down size)
                             (begin (vector-set! taken down #t)
                                    (let ((n (try (+ cell 1))))
                                      (vector-set! taken down #f)
                                      n))
                             0)))
                 (vector-set! taken cell #f)
                 (+ a b))))))))

(define (main n) (count-tilings n))

(let ((got (main 9)) (want 817991))
  (cond ((equal? got want) (display "tiling ok") (newline))
        (else (display "tiling: wrong result: ") (write got) (newline) (exit 1))))
