;; generators: tree walkers that hand out leaves one at a time by re-entering continuations (same fringe).
;; Result: the sum of the leaves of one tree; whether trees of two shapes have the same leaves; and of two
;; that differ in the last.
;; Expected: n(n+1)/2, yes, no.
(import (scheme base) (scheme write) (scheme process-context))

(define done (list 'done))

;; A procedure that returns the next leaf at each call, then DONE.
(define (leaf-generator tree)
  (define return #f)
  (define (walk t)
    (cond ((null? t) #f)
          ((pair? t) (walk (car t)) (walk (cdr t)))
          (else (call-with-current-continuation
                 (lambda (k)
                   (set! resume (lambda () (k #f)))
                   (return t))))))
  (define resume
    (lambda ()
      (walk tree)
      (set! resume (lambda () (return done)))
      (return done)))
  (lambda ()
    (call-with-current-continuation
     (lambda (k)
       (set! return k)
       (resume)))))

(define (right-tree low high)
  (let loop ((i high) (t '()))
    (if (< i low) t (loop (- i 1) (cons i t)))))

(define (even-tree low high)
  (if (= low high)
      low
      (let ((middle (quotient (+ low high) 2)))
        (cons (even-tree low middle) (even-tree (+ middle 1) high)))))

(define (sum-leaves next)
  (let loop ((sum 0))
    (let ((leaf (next)))
      (if (eq? leaf done) sum (loop (+ sum leaf))))))

(define (same-fringe? a b)
  (let ((next-a (leaf-generator a)) (next-b (leaf-generator b)))
    (let loop ()
      (let ((x (next-a)) (y (next-b)))
        (cond ((not (eqv? x y)) #f)
              ((eq? x done) #t)
              (else (loop)))))))

(define (main n)
  (list (sum-leaves (leaf-generator (even-tree 1 n)))
        (same-fringe? (right-tree 1 n) (even-tree 1 n))
        (same-fringe? (right-tree 1 n) (cons (even-tree 1 (- n 1)) 0))))

(let ((got (main 8000)) (want '(32004000 #t #f)))
  (cond ((equal? got want) (display "generators ok") (newline))
        (else (display "generators: wrong result: ") (write got) (newline) (exit 1))))
