;; What a fiber's handler and its after thunks raise ends the fiber alone; the other thunks run.
(import (scheme base) (scheme write) (hone fiber))
(define (wind thunk after) (dynamic-wind (lambda () #f) thunk after))
(write
 (run-fibers
  (lambda ()
    (let ((told '()))
      (define (note x) (set! told (cons x told)))
      (spawn-fiber (lambda () (raise 'first)) 'on-error (lambda (o) (raise 'by-handler)) 'name 'a)
      (sleep 0.01)
      (spawn-fiber
       (lambda ()
         (wind (lambda ()
                 (wind (lambda () (raise 'in-body))
                       (lambda () (note 'inner) (raise 'in-after))))
               (lambda () (note 'outer))))
       'name 'b)
      (sleep 0.05)
      (reverse told)))
  'parallelism 1))
(newline)
