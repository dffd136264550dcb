;; Running fibers.

(define (bad-option who option)
  (error (string-append who ": no such option") option))

(define (option options name default)
  (cond ((null? options) default)
        ((eq? (car options) name) (cadr options))
        (else (option (cddr options) name default))))

(define (check-options who options known)
  (let loop ((rest options))
    (cond ((null? rest))
          ((and (pair? (cdr rest)) (memq (car rest) known)) (loop (cddr rest)))
          (else (bad-option who (car rest))))))

;; ---- fibers ----

;; (spawn-fiber THUNK ['name NAME] ['on-error PROCEDURE]). %spawn notes from where it is called,
;; so it is called in place of this frame.
(define spawn-fiber
  (case-lambda
    ((thunk) (%spawn thunk #f #f))
    ((thunk . options)
     (check-options "spawn-fiber" options '(name on-error))
     (%spawn thunk (option options 'name #f) (option options 'on-error #f)))))

(define (yield-current-task)
  (%yield)
  (if #f #f))
(define yield-current-fiber yield-current-task)

;; What comes to an exception that a fiber does not handle: its own handler, or a message. The
;; fiber alone ends, after the after thunks of its dynamic-winds. What handler and thunks raise in turn
;; is reported, and the remaining thunks run.
(define (uncaught object)
  (let ((handler (%fiber-handler (current-fiber))))
    (if handler
        (with-exception-handler report-and-leave (lambda () (handler object)))
        (report object))
    (leave)))

(define (report object) (%report-uncaught object (%backtrace) (fiber-title (current-fiber))))

(define (report-and-leave object)
  (report object)
  (leave))

(define (leave)
  (with-exception-handler report-and-leave (lambda () (%travel '())))
  (%fiber-exit #f))

(define (fiber-title fiber)
  (let ((name (fiber-name fiber)) (place (%fiber-place fiber)))
    (string-append
     "fiber"
     (cond ((string? name) (string-append " " name))
           ((symbol? name) (string-append " " (symbol->string name)))
           (else ""))
     (if (string=? place "") "" (string-append ", spawned at " place)))))

(%fiber-hooks! uncaught check-interrupts)

;; ---- carriers ----

;; What a carrier does on its own stack. It comes back from a fiber when none is ready, with the
;; mark where the thread was interrupted, or with #t where the thread's own check is to run.
(define (carry)
  (let ((next (%carrier-wait)))
    (if next
        (begin
          (attend (if (fiber? next) (%fiber-enter next) next))
          (carry)))))

(define (attend why)
  (cond ((eq? why mark)
         (take-interrupt
          (%record (%condition-type) 'interrupt "interrupted" '() #f #f #f)))
        ((eq? why #t) (check-interrupts))))

(define (help scheduler)
  (%carrier-join scheduler)
  (carry)
  (%carrier-leave))

;; (run-fibers THUNK ['parallelism N] ['hz N] ['drain? BOOLEAN]): the values of THUNK, which runs
;; as a fiber. PARALLELISM: threads that carry fibers, by default one for each core. HZ: how often
;; in a second a fiber that does not wait makes room for others; 0: never. DRAIN?: whether to
;; return only when all fibers have ended.
(define (run-fibers thunk . options)
  (check-options "run-fibers" options '(parallelism hz drain?))
  (let ((parallelism (option options 'parallelism 0))
        (hz (option options 'hz 100))
        (drain? (option options 'drain? #f))
        (failure #f)
        (handlers (%dyn-handlers))
        (main #f))
    (define (failed object)
      (if (null? handlers)
          (begin
            (%flush-ports)
            (%report-uncaught object (%backtrace))
            (emergency-exit 1))
          (set! failure (list object))))
    (if (current-fiber) (error "run-fibers: within a fiber"))
    (let ((scheduler (%scheduler-open parallelism (beats hz) drain?)))
      (dynamic-wind
       (lambda () #f)
       (lambda ()
         (%scheduler-loop! scheduler (lambda () (help scheduler)))
         (set! main (%spawn thunk #f failed))
         (carry))
       (lambda () (%carrier-leave)))
      (if failure
          (raise (car failure))
          (%fiber-result main)))))

(define longest-quantum 1000000000)

;; A quantum in beats of a quarter of a millisecond.
(define (beats hz)
  (if (not (and (real? hz) (>= hz 0))) (error "run-fibers: not a frequency" hz))
  (if (= hz 0) 0 (exact (round (max 1 (min (/ 4000 hz) longest-quantum))))))
