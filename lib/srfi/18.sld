;; SRFI 18: threads, mutexes, condition variables, times. Waiting and locking are done in C
;; (src/fiber); here are the optional arguments, the results, and the exceptions. Every
;; thread is an OS thread.
(define-library (srfi 18)
  (export
   current-thread thread? make-thread thread-name thread-specific thread-specific-set!
   thread-start! thread-yield! thread-sleep! thread-terminate! thread-join!
   mutex? make-mutex mutex-name mutex-specific mutex-specific-set! mutex-state
   mutex-lock! mutex-unlock!
   condition-variable? make-condition-variable condition-variable-name
   condition-variable-specific condition-variable-specific-set!
   condition-variable-signal! condition-variable-broadcast!
   current-time time? time->seconds seconds->time
   current-exception-handler with-exception-handler raise
   join-timeout-exception? abandoned-mutex-exception? terminated-thread-exception?
   uncaught-exception? uncaught-exception-reason)
  (import (scheme base)
          (scheme case-lambda)
          (hone prim))
  (begin
    ;; ---- times: seconds since 1970 ----

    (define-record-type <time> (seconds->time* seconds) time? (seconds time->seconds))

    (define (seconds->time seconds)
      (if (real? seconds)
          (seconds->time* seconds)
          (error "seconds->time: not a real number" seconds)))

    (define (current-time) (seconds->time* (current-second)))

    ;; What C waits for: a reading of the monotonic clock in nanoseconds, or #f. A deadline
    ;; beyond thirty years is as good as any later one.
    (define (in-seconds seconds)
      (+ (current-jiffy)
         (cond ((not (< seconds 1000000000)) 1000000000000000000)
               ((positive? seconds) (exact (ceiling (* seconds 1000000000))))
               (else 0))))

    (define (deadline who timeout)
      (cond ((not timeout) #f)
            ((real? timeout) (in-seconds timeout))
            ((time? timeout) (in-seconds (- (time->seconds timeout) (current-second))))
            (else (error (string-append who ": not a timeout") timeout))))

    ;; ---- exceptions ----

    (define-record-type <join-timeout-exception> (make-join-timeout) join-timeout-exception?)
    (define-record-type <abandoned-mutex-exception> (make-abandoned)
      abandoned-mutex-exception?)
    (define-record-type <terminated-thread-exception> (make-terminated)
      terminated-thread-exception?)
    (define-record-type <uncaught-exception> (make-uncaught reason) uncaught-exception?
      (reason uncaught-exception-reason))

    (define (current-exception-handler)
      (let ((handlers (%dyn-handlers)))
        (if (pair? handlers) (car handlers) raise)))

    ;; ---- threads ----

    ;; What is kept with a thread. The exception is the uncaught-exception to raise in those
    ;; that join it, or #f.
    (define-record-type <thread-data> (make-data name specific thunk result exception) data?
      (name data-name)
      (specific data-specific set-data-specific!)
      (thunk data-thunk set-data-thunk!)
      (result data-result set-data-result!)
      (exception data-exception set-data-exception!))

    ;; The first thread gets its data when it is first asked for.
    (define (thread-data thread)
      (or (%thread-data thread)
          (let ((data (make-data 'main #f #f #f #f)))
            (%set-thread-data! thread data)
            data)))

    (define make-thread
      (case-lambda
        ((thunk) (make-thread thunk #f))
        ((thunk name)
         (if (procedure? thunk)
             (%make-thread (make-data name #f thunk #f #f))
             (error "make-thread: not a procedure" thunk)))))

    (define (thread-name thread) (data-name (thread-data thread)))
    (define (thread-specific thread) (data-specific (thread-data thread)))
    (define (thread-specific-set! thread value)
      (set-data-specific! (thread-data thread) value))

    (define (thread-start! thread)
      (let ((data (thread-data thread)))
        (%thread-start! thread (lambda () (run-thread data)))))

    ;; The thunk is let go of, so that what it holds lives no longer than it runs.
    (define (run-thread data)
      (let ((thunk (data-thunk data)))
        (set-data-thunk! data #f)
        (call/cc
         (lambda (end)
           (with-exception-handler
            (lambda (object)
              (set-data-exception! data (make-uncaught object))
              (end))
            (lambda () (set-data-result! data (thunk))))))))

    (define (thread-sleep! timeout)
      (%thread-sleep! (or (deadline "thread-sleep!" timeout)
                          (error "thread-sleep!: not a timeout" timeout))))

    ;; A thread that ends itself does not come back from %thread-terminate!.
    (define (thread-terminate! thread) (%thread-terminate! thread))

    (define thread-join!
      (case-lambda
        ((thread) (join thread #f (lambda () #f)))
        ((thread timeout) (join thread timeout (lambda () (raise (make-join-timeout)))))
        ((thread timeout value) (join thread timeout (lambda () value)))))

    (define (join thread timeout give-up)
      (cond ((not (%thread-join! thread (deadline "thread-join!" timeout))) (give-up))
            ((eq? (%thread-state thread) 'killed) (raise (make-terminated)))
            ((data-exception (thread-data thread)) => raise)
            (else (data-result (thread-data thread)))))

    ;; ---- mutexes and condition variables ----

    (define-record-type <named> (make-named name specific) named?
      (name named-name)
      (specific named-specific set-named-specific!))

    (define make-mutex
      (case-lambda
        (() (make-mutex #f))
        ((name) (%make-mutex (make-named name #f)))))
    (define (mutex-name mutex) (named-name (%mutex-data mutex)))
    (define (mutex-specific mutex) (named-specific (%mutex-data mutex)))
    (define (mutex-specific-set! mutex value) (set-named-specific! (%mutex-data mutex) value))

    (define mutex-lock!
      (case-lambda
        ((mutex) (locked (%mutex-lock! mutex #f #t)))
        ((mutex timeout) (locked (%mutex-lock! mutex (deadline "mutex-lock!" timeout) #t)))
        ((mutex timeout owner)
         (locked (%mutex-lock! mutex (deadline "mutex-lock!" timeout) owner)))))

    ;; A mutex whose owner ended is locked all the same when this is raised.
    (define (locked result)
      (if (boolean? result) result (raise (make-abandoned))))

    (define mutex-unlock!
      (case-lambda
        ((mutex) (%mutex-unlock! mutex))
        ((mutex variable) (mutex-unlock! mutex variable #f))
        ((mutex variable timeout)
         (if variable
             (%mutex-unlock-wait! mutex variable (deadline "mutex-unlock!" timeout))
             (%mutex-unlock! mutex)))))

    (define make-condition-variable
      (case-lambda
        (() (make-condition-variable #f))
        ((name) (%make-condition-variable (make-named name #f)))))
    (define (condition-variable-name variable)
      (named-name (%condition-variable-data variable)))
    (define (condition-variable-specific variable)
      (named-specific (%condition-variable-data variable)))
    (define (condition-variable-specific-set! variable value)
      (set-named-specific! (%condition-variable-data variable) value))
    (define (condition-variable-signal! variable)
      (%condition-variable-signal! variable #f))
    (define (condition-variable-broadcast! variable)
      (%condition-variable-signal! variable #t))))
