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

    ;; A backtrace without the last BELOW bytes, which are the loop's own frames. One that is cut
    ;; off, since it is too long, does not reach so far.
    (define (own-part backtrace below)
      (let ((all (bytevector-length backtrace)))
        (if (or (= all 512) (< all below))
            backtrace
            (bytevector-copy backtrace 0 (- all below)))))

    ;; Evaluates one form and prints its values; an error comes back here. #f at the end.
    (define (step)
      (define below 0)
      (call/cc
       (lambda (back)
         (with-exception-handler
          (lambda (object)
            (%flush-ports)
            (%report-uncaught object (own-part (%backtrace) below))
            (back #t))
          (lambda ()
            (set! below (bytevector-length (%backtrace)))
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
