;;; guard that raises again, inside dynamic-wind: which handler, which environment, which order.
(import (scheme base) (check))
(check-begin "deep/guard-reraise")

(define-syntax with-log
  (syntax-rules ()
    ((_ note body ...)
     (let* ((log '()) (note (lambda (x) (set! log (cons x log)))))
       body ...
       (reverse log)))))

(section "an unmatched guard raises again with raise-continuable")
(check (with-exception-handler
        (lambda (e) 40)
        (lambda () (guard (c ((string? c) 'wrong)) (+ 2 (raise-continuable 'k)))))
       => 42)
(check (with-exception-handler
        (lambda (e) (list 'handled e))
        (lambda ()
          (guard (a ((string? a) 'wrong))
            (guard (b ((number? b) 'wrong))
              (list 'body (raise-continuable 'k))))))
       => '(body (handled k)))

(section "the handler of a re-raise runs in the dynamic environment of the raise")
(define p (make-parameter 'outer))
(check (with-exception-handler
        (lambda (e) (p))
        (lambda ()
          (guard (c ((string? c) 'wrong))
            (parameterize ((p 'inner)) (raise-continuable 'k)))))
       => 'inner)

(section "clauses run in the dynamic environment of guard")
(check (guard (e (#t (p))) (parameterize ((p 'inner)) (raise 'x))) => 'outer)
(check (guard (e (#t (p))) (parameterize ((p 'inner)) (guard (e ((number? e) 'wrong)) (raise 'sym))))
       => 'outer)
(check (parameterize ((p 'middle))
         (guard (e ((p) => (lambda (v) (list v e)))) (parameterize ((p 'inner)) (raise 'x))))
       => '(middle x))

(section "winders around a re-raise")
(check (with-log note
         (guard (e ((symbol? e) (note 'clause)))
           (dynamic-wind
            (lambda () (note 'in))
            (lambda ()
              (guard (e2 ((string? e2) (note 'wrong)))
                (dynamic-wind
                 (lambda () (note 'in2))
                 (lambda () (raise 'boom))
                 (lambda () (note 'out2)))))
            (lambda () (note 'out)))))
       => '(in in2 out2 in2 out2 out clause))
(check (with-log note
         (guard (e (#t (note (list 'clause e))))
           (dynamic-wind
            (lambda () (note 'in))
            (lambda () (raise 'x))
            (lambda () (note 'out)))))
       => '(in out (clause x)))
(check (with-log note
         (with-exception-handler
          (lambda (e) (note (list 'handler e)) 5)
          (lambda ()
            (guard (e ((string? e) (note 'wrong)))
              (dynamic-wind
               (lambda () (note 'in))
               (lambda () (note (raise-continuable 'k)))
               (lambda () (note 'out)))))))
       => '(in out in (handler k) 5 out))
(check (with-log note
         (guard (outer (#t (note (list 'outer outer))))
           (guard (inner (#t (note (list 'inner inner)) (raise 'from-clause)))
             (dynamic-wind
              (lambda () (note 'in))
              (lambda () (raise 'first))
              (lambda () (note 'out))))))
       => '(in out (inner first) (outer from-clause)))
(check (with-log note
         (guard (e (#t (note (list 'caught e))))
           (dynamic-wind
            (lambda () (note 'in))
            (lambda () (raise 'body))
            (lambda () (note 'out) (raise 'after)))))
       => '(in out (caught after)))
(check (with-log note
         (guard (e (#t (note (list 'caught e))))
           (dynamic-wind
            (lambda () (note 'before) (raise 'before))
            (lambda () (note 'body))
            (lambda () (note 'after)))))
       => '(before (caught before)))

(section "values")
(check (call-with-values (lambda () (guard (e (#t (values 1 2))) (raise 'x))) list) => '(1 2))
(check (call-with-values (lambda () (guard (e (#t 'no)) (values 1 2 3))) list) => '(1 2 3))
(check (call-with-values
        (lambda () (guard (e (#t 'no)) (dynamic-wind (lambda () 0) (lambda () (values 'a 'b)) (lambda () 0))))
        list)
       => '(a b))

(section "deep nesting")
(define (nest n)
  (if (= n 0) (raise 'bottom) (guard (e ((string? e) 'wrong)) (nest (- n 1)))))
(check (guard (e (#t e)) (nest 50)) => 'bottom)
(define (wrap n)
  (if (= n 0)
      (raise 0)
      (guard (e ((number? e) (raise (+ e 1)))) (wrap (- n 1)))))
(check (guard (e (#t e)) (wrap 1000)) => 1000)

(section "handlers inside handlers")
(check (guard (e (#t (list 'top e)))
         (with-exception-handler
          (lambda (e) (raise (list 'one e)))
          (lambda ()
            (with-exception-handler
             (lambda (e) (raise (list 'two e)))
             (lambda () (raise 'zero))))))
       => '(top (one (two zero))))
(check (guard (e ((error-object? e) (error-object-message e)))
         (with-exception-handler
          (lambda (e) (error "from the handler" e))
          (lambda () (car 5))))
       => "from the handler")
(check (guard (e ((error-object? e) 'an-error) (else e))
         (with-exception-handler
          (lambda (e) 'returning-is-an-error)
          (lambda () (vector-ref #(1) 1))))
       => 'an-error)
(check (let ((k #f) (n 0))
         (guard (e (#t (if (< n 3) (k n) (list 'after n))))
           (call/cc (lambda (c) (set! k c)))
           (set! n (+ n 1))
           (raise 'again)))
       => '(after 3))

(check-finish)
