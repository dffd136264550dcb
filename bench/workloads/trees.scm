;; Binary trees up to depth 20, built, checked and dropped beside one of depth 20 that lives to the end.
;; A complete tree of depth d has 2^(d+1) - 1 nodes.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-tree depth)
  (if (= depth 0)
      (cons 0 0)
      (let ((left (make-tree (- depth 1))))
        (cons left (make-tree (- depth 1))))))

(define (count-nodes tree)
  (if (pair? (car tree))
      (+ 1 (count-nodes (car tree)) (count-nodes (cdr tree)))
      1))

(define (nodes depth) (- (expt 2 (+ depth 1)) 1))

(define (churn times depth)
  (let loop ((i 0) (sum 0))
    (if (= i times)
        (= sum (* times (nodes depth)))
        (loop (+ i 1) (+ sum (count-nodes (make-tree depth)))))))

(define (main n)
  (let ((long-lived (make-tree n)))
    (let loop ((depth 4))
      (if (<= depth n)
          (and (churn (expt 2 (+ (- n depth) 4)) depth)
               (loop (+ depth 4)))
          (= (count-nodes long-lived) (nodes n))))))

(if (main 20)
    (begin (display "trees ok") (newline))
    (exit 1))
