;; case-dispatch: a little stack machine whose instructions are told apart by `case` on symbols and integers.
;; The program counts down from n and adds the numbers up.
;; Result: turns of the loop, and the sum.
;; Expected: n and n(n+1)/2.
(import (scheme base) (scheme write) (scheme process-context))

;; slots: 0 the counter, 1 the sum, 2 the turns
(define program
  (vector '(load . 0) '(jump-zero . 12)
          '(load . 1) '(load . 0) '(arith . 0) '(store . 1)
          '(load . 0) '(push . 1) '(arith . 1) '(store . 0)
          '(bump . 2) '(jump . 0)
          '(halt . 0)))

(define (arithmetic op a b)
  (case op
    ((0) (+ a b))
    ((1) (- a b))
    ((2) (* a b))
    ((3 4 5) (quotient a b))
    (else (error "no such operation" op))))

(define (run program slots)
  (let loop ((pc 0) (stack '()))
    (let* ((instruction (vector-ref program pc)) (x (cdr instruction)))
      (case (car instruction)
        ((push) (loop (+ pc 1) (cons x stack)))
        ((pop drop) (loop (+ pc 1) (cdr stack)))
        ((dup) (loop (+ pc 1) (cons (car stack) stack)))
        ((load) (loop (+ pc 1) (cons (vector-ref slots x) stack)))
        ((store)
         (vector-set! slots x (car stack))
         (loop (+ pc 1) (cdr stack)))
        ((arith)
         (loop (+ pc 1)
               (cons (arithmetic x (cadr stack) (car stack)) (cddr stack))))
        ((bump)
         (vector-set! slots x (+ 1 (vector-ref slots x)))
         (loop (+ pc 1) stack))
        ((jump) (loop x stack))
        ((jump-zero)
         (if (eqv? 0 (car stack))
             (loop x (cdr stack))
             (loop (+ pc 1) (cdr stack))))
        ((halt) slots)
        (else (error "no such instruction" instruction))))))

(define (main n)
  (let ((slots (run program (vector n 0 0))))
    (list (vector-ref slots 2) (vector-ref slots 1))))

(let ((got (main 1000000)) (want '(1000000 500000500000)))
  (cond ((equal? got want) (display "case-dispatch ok") (newline))
        (else (display "case-dispatch: wrong result: ") (write got) (newline) (exit 1))))
