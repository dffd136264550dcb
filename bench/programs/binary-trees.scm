;; binary-trees: builds, checks and drops complete trees beside one that lives on. Allocation and collection.
;; Result: the node counts of the stretch tree, of all trees at each of three depths, of the long-lived tree.
;; Expected: a complete tree of depth d has 2^(d+1) - 1 nodes.
(import (scheme base) (scheme write) (scheme process-context))

(define (make-tree depth)
  (if (= depth 0)
      (cons '() '())
      (cons (make-tree (- depth 1)) (make-tree (- depth 1)))))

(define (count-nodes tree)
  (if (null? (car tree))
      1
      (+ 1 (count-nodes (car tree)) (count-nodes (cdr tree)))))

;; Builds TIMES trees of DEPTH, one after another; the sum of their nodes.
(define (churn times depth)
  (let loop ((i 0) (sum 0))
    (if (= i times)
        sum
        (loop (+ i 1) (+ sum (count-nodes (make-tree depth)))))))

(define (main n)
  (let* ((stretch (count-nodes (make-tree n)))
         (long-lived (make-tree n))
         (low (churn (expt 2 (- n 3)) 8))
         (middle (churn (expt 2 (- n 5)) 10))
         (high (churn (expt 2 (- n 7)) 12)))
    (list stretch low middle high (count-nodes long-lived))))

(let ((got (main 15)) (want '(65535 2093056 2096128 2096896 65535)))
  (cond ((equal? got want) (display "binary-trees ok") (newline))
        (else (display "binary-trees: wrong result: ") (write got) (newline) (exit 1))))
