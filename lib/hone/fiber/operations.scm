;; Channels, conditions, sleeping, operations.
;;
;; A wait that an interrupt or a time-out ended gives the mark: then the check runs, which leaves
;; the extent that was interrupted; if none was after all, the wait begins anew.

(define mark (%interrupted-mark))

(define-syntax waiting
  (syntax-rules ()
    ((_ call)
     (let again ()
       (let ((value call))
         (if (eq? value mark)
             (begin (check-interrupts) (again))
             value))))))

(define (put-message channel message) (waiting (%channel-put channel message)))
(define (get-message channel) (waiting (%channel-get channel)))
(define (wait condition) (waiting (%condition-wait condition)))

;; ---- times ----

;; SECONDS from now as a reading of the monotonic clock in nanoseconds. Beyond thirty years one
;; moment is as good as another.
(define (after who seconds)
  (if (not (and (real? seconds) (>= seconds 0)))
      (error (string-append who ": not a duration in seconds") seconds))
  (+ (current-jiffy)
     (if (< seconds 1000000000)
         (exact (ceiling (* seconds 1000000000)))
         1000000000000000000)))

(define (sleep-until moment) (waiting (%sleep-until moment)))
(define (sleep seconds) (sleep-until (after "sleep" seconds)))

;; ---- operations ----

;; An operation is a list of alternatives, each a base for C, #(kind object value), and a
;; procedure for its value or #f.
(define-record-type <operation> (make-operation alternatives) operation?
  (alternatives alternatives))

(define put-kind 0)
(define get-kind 1)
(define wait-kind 2)
(define timer-kind 3)

(define (base-operation kind object value)
  (make-operation (list (cons (vector kind object value) #f))))

(define (check right? who object)
  (if (not (right? object)) (error (string-append who ": argument 1 has the wrong type") object)))

(define (put-operation channel message)
  (check channel? "put-operation" channel)
  (base-operation put-kind channel message))
(define (get-operation channel)
  (check channel? "get-operation" channel)
  (base-operation get-kind channel #f))
(define (wait-operation condition)
  (check condition? "wait-operation" condition)
  (base-operation wait-kind condition #f))

;; A moment that no machine sees, and C can hold.
(define latest 1000000000000000000)

;; At MOMENT, a reading of current-jiffy.
(define (timer-operation moment)
  (if (not (exact-integer? moment)) (error "timer-operation: not an exact integer" moment))
  (base-operation timer-kind (max 0 (min moment latest)) #f))

;; The time counts from when the operation is performed, so that it can be performed again.
(define (sleep-operation seconds)
  (after "sleep-operation" seconds)
  (base-operation timer-kind (lambda () (after "sleep-operation" seconds)) #f))

(define (wrap-operation operation procedure)
  (check operation? "wrap-operation" operation)
  (make-operation
   (map (lambda (alternative)
          (let ((inner (cdr alternative)))
            (cons (car alternative)
                  (if inner
                      (lambda (value) (call-with-values (lambda () (inner value)) procedure))
                      procedure))))
        (alternatives operation))))

(define (choice-operation . operations)
  (for-each (lambda (operation) (check operation? "choice-operation" operation)) operations)
  (make-operation (apply append (map alternatives operations))))

(define (begin-timer base)
  (if (procedure? (vector-ref base 1))
      (vector timer-kind ((vector-ref base 1)) #f)
      base))

(define (perform-operation operation)
  (check operation? "perform-operation" operation)
  (let* ((all (alternatives operation))
         (bases (list->vector (map (lambda (alternative) (begin-timer (car alternative))) all)))
         (done (waiting (%perform bases)))
         (procedure (cdr (list-ref all (car done)))))
    (if procedure (procedure (cdr done)) (cdr done))))
