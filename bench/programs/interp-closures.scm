;; interp-closures: a compiler of a small Scheme to closures, running a recursive Fibonacci written in it.
;; Variables are found at compile time as (depth, place); frames are vectors.
;; Expected: F(22) = 17711.
(import (scheme base) (scheme write) (scheme process-context))

(define (place name names)
  (let loop ((l names) (i 1))
    (cond ((null? l) #f)
          ((eq? (car l) name) i)
          (else (loop (cdr l) (+ i 1))))))

;; A scope is a list of lists of names; a frame is a vector whose place 0 is the outer frame.
(define (compile-reference name scope)
  (let loop ((s scope) (depth 0))
    (if (null? s)
        (let ((global (assq name globals)))
          (if (not global) (error "unbound variable" name))
          (lambda (frame) (cdr global)))
        (let ((i (place name (car s))))
          (cond ((not i) (loop (cdr s) (+ depth 1)))
                ((= depth 0) (lambda (frame) (vector-ref frame i)))
                ((= depth 1) (lambda (frame) (vector-ref (vector-ref frame 0) i)))
                (else (lambda (frame)
                        (let up ((f frame) (d depth))
                          (if (= d 0)
                              (vector-ref f i)
                              (up (vector-ref f 0) (- d 1)))))))))))

(define (compile-if test then other)
  (lambda (frame) (if (test frame) (then frame) (other frame))))

(define (compile-lambda names body scope)
  (let ((code (compile-expression body (cons names scope))))
    (case (length names)
      ((1) (lambda (frame) (lambda (a) (code (vector frame a)))))
      ((2) (lambda (frame) (lambda (a b) (code (vector frame a b)))))
      (else (lambda (frame) (lambda args (code (apply vector frame args))))))))

(define (compile-call f args)
  (case (length args)
    ((1) (let ((a (car args)))
           (lambda (frame) ((f frame) (a frame)))))
    ((2) (let ((a (car args)) (b (cadr args)))
           (lambda (frame) ((f frame) (a frame) (b frame)))))
    (else (lambda (frame) (apply (f frame) (map (lambda (a) (a frame)) args))))))

(define (compile-expression e scope)
  (define (sub e) (compile-expression e scope))
  (cond ((symbol? e) (compile-reference e scope))
        ((not (pair? e)) (lambda (frame) e))
        (else
         (case (car e)
           ((quote) (let ((v (cadr e))) (lambda (frame) v)))
           ((if) (compile-if (sub (cadr e)) (sub (car (cddr e))) (sub (cadr (cddr e)))))
           ((lambda) (compile-lambda (cadr e) (car (cddr e)) scope))
           (else (compile-call (sub (car e)) (map sub (cdr e))))))))

(define globals
  (list (cons '+ (lambda (a b) (+ a b)))
        (cons '- (lambda (a b) (- a b)))
        (cons '< (lambda (a b) (< a b)))
        (cons 'fib #f)))

(define (define-global! name e)
  (set-cdr! (assq name globals) ((compile-expression e '()) #f)))

(define (main n)
  (define-global! 'fib '(lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
  (do ((i 0 (+ i 1))
       (r 0 ((compile-expression (list 'fib n) '()) #f)))
      ((= i 20) r)))

(let ((got (main 22)) (want 17711))
  (cond ((equal? got want) (display "interp-closures ok") (newline))
        (else (display "interp-closures: wrong result: ") (write got) (newline) (exit 1))))
