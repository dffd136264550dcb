;; lattice: counts the order-preserving maps between lattices given as procedures (an order) and lists (elements).
;; Result: maps from subsets of 3 to the chain of 2, from subsets of 4 to it, and from subsets of 3 to themselves.
;; Expected: the Dedekind numbers 20 and 168; and 20^3, a map into a product being a product of maps.
(import (scheme base) (scheme write) (scheme process-context))

;; A lattice is its elements in an order that extends its own, and its order.
(define (lattice elements below?) (cons elements below?))

(define chain (lattice '(0 1) <=))

(define (all-tuples n)
  (if (= n 0)
      '(())
      (let ((rest (all-tuples (- n 1))))
        (append (map (lambda (t) (cons 0 t)) rest)
                (map (lambda (t) (cons 1 t)) rest)))))

(define (tuple-below? a b)
  (or (null? a)
      (and (<= (car a) (car b)) (tuple-below? (cdr a) (cdr b)))))

(define (subsets n) (lattice (all-tuples n) tuple-below?))

;; Extends a map (an association list) by each image of each element that keeps the order.
(define (count-maps from to)
  (let ((from-below? (cdr from)) (to-below? (cdr to)))
    (define (fits? x y known)
      (or (null? known)
          (and (or (not (from-below? (car (car known)) x))
                   (to-below? (cdr (car known)) y))
               (fits? x y (cdr known)))))
    (let extend ((xs (car from)) (known '()))
      (if (null? xs)
          1
          (let loop ((ys (car to)) (n 0))
            (cond ((null? ys) n)
                  ((fits? (car xs) (car ys) known)
                   (loop (cdr ys) (+ n (extend (cdr xs) (cons (cons (car xs) (car ys)) known)))))
                  (else (loop (cdr ys) n))))))))

(define (count-all n)
  (list (count-maps (subsets n) chain)
        (count-maps (subsets (+ n 1)) chain)
        (count-maps (subsets n) (subsets n))))

(define (main n)
  (do ((i 0 (+ i 1))
       (r #f (count-all n)))
      ((= i 20) r)))

(let ((got (main 3)) (want '(20 168 8000)))
  (cond ((equal? got want) (display "lattice ok") (newline))
        (else (display "lattice: wrong result: ") (write got) (newline) (exit 1))))
