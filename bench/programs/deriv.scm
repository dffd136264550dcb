;; deriv: symbolic derivative of 3x^2 + ax^2 + bx + 5, n times. Symbols, lists, `map`.
;; Expected: the rules below applied by hand; each product P gives P times the sum of (d factor / factor).
(import (scheme base) (scheme write) (scheme process-context))

(define (deriv e)
  (cond ((not (pair? e)) (if (eq? e 'x) 1 0))
        ((eq? (car e) '+) (cons '+ (map deriv (cdr e))))
        ((eq? (car e) '-) (cons '- (map deriv (cdr e))))
        ((eq? (car e) '*)
         (list '* e (cons '+ (map (lambda (f) (list '/ (deriv f) f)) (cdr e)))))
        ((eq? (car e) '/)
         (let ((a (cadr e)) (b (car (cddr e))))
           (list '- (list '/ (deriv a) b) (list '/ (list '* a (deriv b)) (list '* b b)))))
        (else (error "no rule for" (car e)))))

(define (main n)
  (let loop ((i 0) (r #f))
    (if (= i n)
        r
        (loop (+ i 1) (deriv '(+ (* 3 x x) (* a x x) (* b x) 5))))))

(let ((got (main 300000)) (want '(+ (* (* 3 x x) (+ (/ 0 3) (/ 1 x) (/ 1 x))) (* (* a x x) (+ (/ 0 a) (/ 1 x) (/ 1 x))) (* (* b x) (+ (/ 0 b) (/ 1 x))) 0)))
  (cond ((equal? got want) (display "deriv ok") (newline))
        (else (display "deriv: wrong result: ") (write got) (newline) (exit 1))))
