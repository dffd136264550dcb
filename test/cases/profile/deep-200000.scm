;; A recursion 200000 deep with the work at the bottom.
;; A right profile: each sample is counted once although `descend` is 200000 times in its stack;
;; total(root) is about 100 % and so is total(descend); the tree has one root; stacks are
;; marked as truncated in the middle, with root and leaf kept, and their number is printed.
(import (scheme base) (scheme write))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define (descend n) (if (= n 0) (burn 10000000) (+ 1 (descend (- n 1)))))
(define (root) (let ((v (descend 200000))) (+ v 1)))
(write (root))
(newline)
