;; Nearly every sample has a stack of its own: a random walk through four procedures.
;; A right profile: memory and files stay small (a call tree, not a list of stacks); the four
;; procedures are within a few points of each other; pages and files still open.
(import (scheme base) (scheme write))
(define seed 1)
(define (random-below n)
  (set! seed (modulo (+ (* seed 1103515245) 12345) 2147483648))
  (quotient (* n (quotient seed 8)) 268435456))
(define (leaf) (let loop ((i 0)) (if (< i 300) (loop (+ i 1)) i)))
(define (north d) (if (= d 0) (leaf) (+ 1 (step (- d 1)))))
(define (east d) (if (= d 0) (leaf) (+ 1 (step (- d 1)))))
(define (south d) (if (= d 0) (leaf) (+ 1 (step (- d 1)))))
(define (west d) (if (= d 0) (leaf) (+ 1 (step (- d 1)))))
(define ways (vector north east south west))
(define (step d) (+ 1 ((vector-ref ways (random-below 4)) d)))
(let walk ((k 0) (sum 0))
  (if (= k 10000)
      (begin (write sum) (newline))
      (walk (+ k 1) (+ sum (step 30)))))
