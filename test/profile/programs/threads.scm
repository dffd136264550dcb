;; As many threads as the argument says, of equal work; the main thread waits. Equal work need not take equal CPU time (the
;; machine's cores are shared with others), so each thread notes what the kernel says that it used, in the file cpu.NAME.
(import (scheme base) (scheme write) (scheme read) (scheme file) (scheme process-context) (srfi 1) (srfi 18))
(define (cpu-ns) (call-with-input-file "/proc/thread-self/schedstat" read))
(define (note-cpu name) (call-with-output-file (string-append "cpu." name) (lambda (port) (write (cpu-ns) port))))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define-syntax define-worker
  (syntax-rules ()
    ((_ name) (define (name) (let ((v (burn 70000000))) (note-cpu (symbol->string 'name)) (+ v 1))))))
(define-worker w0)
(define-worker w1)
(define-worker w2)
(define-worker w3)
(define n (string->number (cadr (command-line))))
(define threads (map (lambda (w) (thread-start! (make-thread w))) (take (list w0 w1 w2 w3) n)))
(write (map thread-join! threads))
(newline)
