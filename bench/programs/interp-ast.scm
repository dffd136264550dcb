;; interp-ast: an evaluator that walks the source each time, with environments as association lists.
;; Expected: F(18) = 2584.
(import (scheme base) (scheme write) (scheme process-context))

(define (lookup name env)
  (let ((binding (assq name env)))
    (if binding
        (cdr binding)
        (let ((global (assq name globals)))
          (if global (cdr global) (error "unbound variable" name))))))

(define (evaluate e env)
  (cond ((symbol? e) (lookup e env))
        ((not (pair? e)) e)
        ((eq? (car e) 'quote) (cadr e))
        ((eq? (car e) 'if)
         (if (evaluate (cadr e) env)
             (evaluate (car (cddr e)) env)
             (evaluate (cadr (cddr e)) env)))
        ((eq? (car e) 'lambda)
         (lambda args (evaluate (car (cddr e)) (bind (cadr e) args env))))
        ((eq? (car e) 'let)
         (evaluate (car (cddr e))
                   (bind (map car (cadr e))
                         (map (lambda (b) (evaluate (cadr b) env)) (cadr e))
                         env)))
        (else (apply (evaluate (car e) env)
                     (map (lambda (x) (evaluate x env)) (cdr e))))))

(define (bind names values env)
  (if (null? names)
      env
      (cons (cons (car names) (car values))
            (bind (cdr names) (cdr values) env))))

(define globals
  (list (cons '+ +) (cons '- -) (cons '< <) (cons 'not not) (cons 'fib #f)))

(define source
  '(lambda (n)
     (if (not (< n 2))
         (let ((a (fib (- n 1))) (b (fib (- n 2)))) (+ a b))
         n)))

(define (main n)
  (set-cdr! (assq 'fib globals) (evaluate source '()))
  (do ((i 0 (+ i 1))
       (r 0 (evaluate (list 'fib n) '())))
      ((= i 25) r)))

(let ((got (main 18)) (want 2584))
  (cond ((equal? got want) (display "interp-ast ok") (newline))
        (else (display "interp-ast: wrong result: ") (write got) (newline) (exit 1))))
