(define-library (suite stack)
  (export make-stack stack-push! stack->list stack-clear!)
  (import (scheme base))
  (begin
    (define-record-type stack (wrap items) stack? (items stack->list set-items!))
    (define (make-stack) (wrap '()))
    (define (stack-push! s x) (set-items! s (cons x (stack->list s))))
    (define (stack-clear! s) (set-items! s '()))))
