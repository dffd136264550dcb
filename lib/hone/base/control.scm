;; Continuations, dynamic-wind, exceptions, parameters, promises.
;;
;; The thread's dynamic state is three lists: exception handlers, parameter bindings, and
;; winders. A raw continuation (%call/cc) brings all three back when it is called. Several
;; values travel as one object, so (let ((result (thunk))) ... result) returns them all.

;; ---- dynamic-wind ----

;; A winder is #(before after handlers params): the thunks and the state they run in.

(define (dynamic-wind before thunk after)
  (before)
  (let ((outer (%winders)))
    (%set-winders! (cons (vector before after (%dyn-handlers) (%dyn-params)) outer))
    (let ((result (thunk)))
      (%set-winders! outer)
      (after)
      result)))

(define (run-winder winder index)
  (%set-dyn-handlers! (vector-ref winder 2))
  (%set-dyn-params! (vector-ref winder 3))
  ((vector-ref winder index)))

;; The longest common tail of two lists of winders.
(define (common-winders a b)
  (let ((m (length a)) (n (length b)))
    (let loop ((a (if (> m n) (list-tail a (- m n)) a))
               (b (if (> n m) (list-tail b (- n m)) b)))
      (if (eq? a b) a (loop (cdr a) (cdr b))))))

(define (unwind to)
  (let ((winders (%winders)))
    (if (not (eq? winders to))
        (begin
          (%set-winders! (cdr winders))
          (run-winder (car winders) 1)
          (unwind to)))))

(define (rewind winders from)
  (if (not (eq? winders from))
      (begin
        (rewind (cdr winders) from)
        (run-winder (car winders) 0)
        (%set-winders! winders))))

;; Runs the after and before thunks on the way from the present winders to others.
(define (%travel winders)
  (if (not (eq? winders (%winders)))
      (let ((common (common-winders (%winders) winders)))
        (unwind common)
        (rewind winders common))))

;; ---- continuations ----

(define (call-with-current-continuation procedure)
  (%call/cc
   (lambda (k)
     (let ((winders (%winders)))
       (procedure
        (case-lambda
          ((value) ; the common case, without a list
           (if (not (eq? winders (%winders))) (%travel winders))
           (k value))
          (results
           (if (not (eq? winders (%winders))) (%travel winders))
           (apply k results))))))))

(define call/cc call-with-current-continuation)

(define (call-with-values producer consumer)
  (apply consumer (%values-list (producer) 0)))

;; ---- exceptions ----

(define (with-exception-handler handler thunk)
  (if (not (procedure? handler))
      (bad-argument "with-exception-handler" 1 handler))
  (let ((outer (%dyn-handlers)))
    (%set-dyn-handlers! (cons handler outer))
    (let ((result (thunk)))
      (%set-dyn-handlers! outer)
      result)))

(define (uncaught object)
  (%flush-ports)
  (%report-uncaught object (%backtrace))
  (emergency-exit 1))

(define (raise-continuable object)
  (let ((handlers (%dyn-handlers)))
    (if (null? handlers)
        (uncaught object)
        (begin
          (%set-dyn-handlers! (cdr handlers))
          (let ((result ((car handlers) object)))
            (%set-dyn-handlers! handlers)
            result)))))

;; A handler that returns from raise is an error in the handler's own outer handlers.
(define (raise object)
  (let ((handlers (%dyn-handlers)))
    (if (null? handlers)
        (uncaught object)
        (begin
          (%set-dyn-handlers! (cdr handlers))
          ((car handlers) object)
          (%set-dyn-handlers! (cdr handlers))
          (%raise-condition 'error "the exception handler returned from a call of raise"
                            (list object))))))

;; Where C code failed. An interrupt may be continued: what it interrupted goes on. (hone fiber),
;; once it is there, leaves an extent for it.
(define (%raise-from-c condition)
  (if (eq? (error-object-kind condition) 'interrupt)
      (take-interrupt condition)
      (raise condition)))

(define take-interrupt raise-continuable)
(define (%set-take-interrupt! procedure) (set! take-interrupt procedure))

;; ---- error objects ----

(define condition-type (%condition-type))

(define (%raise-condition kind message irritants)
  (raise (%record condition-type kind message irritants #f #f #f)))

(define (error message . irritants)
  (%raise-condition 'error message irritants))

;; The same complaint that C code makes of an argument.
(define (bad-argument who position object)
  (%raise-condition 'type
                    (string-append who ": argument " (number->string position)
                                   " has the wrong type")
                    (list object)))

(define (error-object? object)
  (%record-is? object condition-type))
(define (error-object-kind object)
  (%record-ref object condition-type 0 'error-object-kind))
(define (error-object-message object)
  (%record-ref object condition-type 1 'error-object-message))
(define (error-object-irritants object)
  (%record-ref object condition-type 2 'error-object-irritants))
(define (error-object-who object)
  (%record-ref object condition-type 3 'error-object-who))
(define (read-error? object)
  (and (error-object? object) (eq? (error-object-kind object) 'read)))
(define (file-error? object)
  (and (error-object? object) (eq? (error-object-kind object) 'file)))

;; (guard (e clause ...) body ...) is (%guard (lambda () body ...) handler) with
;; (handler e reraise): reraise goes back to where the object was raised and raises it again
;; there. The thunk that comes out of the continuation runs in guard's own place.
(define (%guard thunk handler)
  ((%call/cc
    (lambda (k)
      (let ((winders (%winders)) (outer (%dyn-handlers)))
        (%set-dyn-handlers!
         (cons
          (lambda (object)
            ((%call/cc
              (lambda (back)
                (let ((inner (%winders)))
                  (%travel winders)
                  (k (lambda ()
                       (handler object
                                (lambda ()
                                  (%travel inner)
                                  (back (lambda () (raise-continuable object)))))))))))) 
          outer))
        (let ((result (thunk)))
          (%set-dyn-handlers! outer)
          (lambda () result)))))))

;; ---- parameters ----

(define make-parameter
  (case-lambda
    ((value) (%make-parameter value #f))
    ((value converter) (%make-parameter (converter value) converter))))

;; A procedure that is called like a parameter, but whose value is one for all threads: it
;; tells its value without an argument, and takes a new one with one.
(define (switch? object)
  (and (procedure? object) (not (%parameter? object))))

(define (convert parameters values bindings)
  (cond
    ((null? parameters) bindings)
    ((switch? (car parameters)) (convert (cdr parameters) (cdr values) bindings))
    (else
     (let ((converter (%parameter-converter (car parameters))))
       (let ((value (if converter (converter (car values)) (car values))))
         (convert (cdr parameters) (cdr values)
                  (cons (cons (car parameters) value) bindings)))))))

;; A thunk that calls THUNK with the switches among the parameters set.
(define (switching parameters values thunk)
  (cond
    ((null? parameters) thunk)
    ((switch? (car parameters))
     (let ((switch (car parameters))
           (other (car values))
           (inner (switching (cdr parameters) (cdr values) thunk)))
       (define (swap)
         (let ((value (switch)))
           (switch other)
           (set! other value)))
       (lambda () (dynamic-wind swap inner swap))))
    (else (switching (cdr parameters) (cdr values) thunk))))

(define (%parameterize parameters values thunk)
  (let* ((outer (%dyn-params))
         (inner (convert parameters values outer)))
    (%set-dyn-params! inner)
    (let ((result ((switching parameters values thunk))))
      (%set-dyn-params! outer)
      result)))

;; ---- promises ----

;; A promise's box is (done? . value or thunk). Promises in a chain of delay-force come to
;; share one box, so that a loop through delay-force runs in constant space.

(define promise-type (%make-rtd 'promise '#(box) #f))

(define (promise? object)
  (%record-is? object promise-type))
(define (%make-lazy-promise thunk)
  (%record promise-type (cons #f thunk)))
(define (%make-forced-promise value)
  (%record promise-type (cons #t value)))
(define (make-promise value)
  (if (promise? value) value (%make-forced-promise value)))

(define (force promise)
  (if (promise? promise) (force-promise promise) promise))

(define (force-promise promise)
  (let ((box (%record-ref promise promise-type 0 'force)))
    (if (car box)
        (cdr box)
        (let* ((next ((cdr box)))
               (box (%record-ref promise promise-type 0 'force)))
          (if (not (car box))
              (let ((other (%record-ref next promise-type 0 'force)))
                (set-car! box (car other))
                (set-cdr! box (cdr other))
                (%record-set! next promise-type 0 box 'force)))
          (force-promise promise)))))
