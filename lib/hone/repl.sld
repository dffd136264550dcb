;; The loop of the REPL. C reads the forms and compiles them (src/driver/repl.c).
(define-library (hone repl)
  (export %repl)
  (import (scheme base)
          (scheme write)
          (only (hone base) error-object-kind)
          (only (hone prim) %repl-read %report-uncaught %backtrace %values-list %flush-ports
                %unspecified))
  (begin
    (define (run-all procedures)
      (if (null? (cdr procedures))
          ((car procedures))
          (begin
            ((car procedures))
            (run-all (cdr procedures)))))

    (define (print value)
      (if (not (eq? value (%unspecified)))
          (begin
            (write value)
            (newline))))

    ;; Evaluates one form and prints its values; an error comes back here. #f at the end.
    (define (step)
      (call/cc
       (lambda (back)
         (with-exception-handler
          (lambda (object)
            (%flush-ports)
            (%report-uncaught object (%backtrace))
            (back #t))
          (lambda ()
            (let ((form (%repl-read)))
              (cond ((eof-object? form) #f)
                    ((null? form) #t)
                    (else
                     (for-each print (%values-list (run-all form) 0))
                     (%flush-ports)
                     #t))))))))

    ;; An interrupt that comes between two forms has nothing to interrupt.
    (define (ignore-interrupt object)
      (if (not (and (error-object? object) (eq? (error-object-kind object) 'interrupt)))
          (raise object)))

    (define (%repl)
      (with-exception-handler
       ignore-interrupt
       (lambda ()
         (let loop ()
           (if (step) (loop))))))))
