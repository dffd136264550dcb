;; A guard whose clauses do not match raises again in the dynamic environment of the raise:
;; the inner winders run out, in again, and out for good; then the outer clause runs.
(import (scheme base) (scheme write))
(define trail '())
(define (mark x) (set! trail (cons x trail)))
(define (show x) (write x) (newline))
(define setting (make-parameter 'outside))
(define (winding name thunk)
  (dynamic-wind (lambda () (mark (list 'enter name))) thunk (lambda () (mark (list 'leave name)))))
(show (guard (problem ((symbol? problem) (mark 'clause) (list problem (setting))))
        (winding 1
                 (lambda ()
                   (guard (problem ((string? problem) 'never))
                     (winding 2
                              (lambda ()
                                (parameterize ((setting 'inside)) (raise 'trouble)))))))))
(for-each show (reverse trail))
(show (with-exception-handler
       (lambda (c) (list 'answer c))
       (lambda ()
         (guard (c ((number? c) 'never))
           (guard (c ((string? c) 'never))
             (list 'got (raise-continuable 'question)))))))
(show (guard (c (#t (list 'again c)))
        (guard (c ((eq? c 'first) (raise 'second)))
          (raise 'first))))
