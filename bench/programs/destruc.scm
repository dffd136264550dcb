;; destruc: destructive list work: queues built by set-cdr!, in-place reversal, and splicing of two lists.
;; Expected: reversing and splicing keep the elements, so the sum of 0 ... 999 is 499500.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-queue) (let ((head (list 'head))) (cons head head)))

(define (queue-push! q x)
  (let ((cell (list x)))
    (set-cdr! (cdr q) cell)
    (set-cdr! q cell)))

(define (reverse-in-place! l)
  (let loop ((l l) (done '()))
    (if (null? l)
        done
        (let ((next (cdr l)))
          (set-cdr! l done)
          (loop next l)))))

;; Merges A and B, taking a cell of each in turn, without making a cell.
(define (interleave! a b)
  (cond ((null? a) b)
        ((null? b) a)
        (else
         (let loop ((a a) (b b))
           (let ((next-a (cdr a)) (next-b (cdr b)))
             (set-cdr! a b)
             (cond ((null? next-a) #t)
                   ((null? next-b) (set-cdr! b next-a))
                   (else (set-cdr! b next-a) (loop next-a next-b)))))
         a)))

;; Unlinks each second cell; returns the list of the unlinked ones.
(define (split! l)
  (if (or (null? l) (null? (cdr l)))
      '()
      (let ((second (cdr l)))
        (let loop ((a l) (b second))
          (let ((next (cdr b)))
            (set-cdr! a next)
            (if (or (null? next) (null? (cdr next)))
                (set-cdr! b '())
                (begin
                  (set-cdr! b (cdr next))
                  (loop next (cdr next))))))
        second)))

(define (sum l)
  (let loop ((l l) (s 0))
    (if (null? l) s (loop (cdr l) (+ s (car l))))))

(define (main n)
  (let outer ((i 0) (last 0))
    (if (= i n)
        last
        (let ((q (make-queue)))
          (do ((k 0 (+ k 1))) ((= k 1000)) (queue-push! q k))
          (let inner ((l (cdr (car q))) (k 0))
            (if (= k 100)
                (outer (+ i 1) (sum l))
                (let* ((a (reverse-in-place! l))
                       (b (split! a)))
                  (inner (interleave! a b) (+ k 1)))))))))

(let ((got (main 150)) (want 499500))
  (cond ((equal? got want) (display "destruc ok") (newline))
        (else (display "destruc: wrong result: ") (write got) (newline) (exit 1))))
