;; (hone future): values that are computed beside. A future is a fiber where fibers run, else an OS
;; thread. touch waits for its value, and raises what it raised.
(define-library (hone future)
  (export future make-future future? touch)
  (import (scheme base) (hone fiber) (only (srfi 18) make-thread thread-start!))
  (begin
    ;; The outcome is a thunk, set before DONE is signalled.
    (define-record-type <future> (new-future done outcome) future?
      (done future-done)
      (outcome future-outcome set-future-outcome!))

    (define-syntax future
      (syntax-rules ()
        ((_ expression) (make-future (lambda () expression)))))

    (define (make-future thunk)
      (let ((made (new-future (make-condition) #f)))
        (define (run)
          (set-future-outcome! made (outcome-of thunk))
          (signal-condition! (future-done made)))
        (if (current-fiber)
            (spawn-fiber run 'name 'future)
            (thread-start! (make-thread run)))
        made))

    (define (outcome-of thunk)
      (guard (object (#t (lambda () (raise object))))
        (call-with-values thunk
          (lambda results (lambda () (apply values results))))))

    (define (touch made)
      (wait (future-done made))
      ((future-outcome made)))))
