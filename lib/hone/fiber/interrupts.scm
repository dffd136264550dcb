;; Interrupts and time-outs.
;;
;; A strand (a fiber, or a thread on its own behalf) has a list of extents that may be left,
;; innermost first. While there are any, the tick scheduler calls check-interrupts there now and
;; then, and a wait ends when one of them is interrupted or its time is up. The check leaves the
;; outermost extent that is due. It is called at a safe point and returns to it if none is. An extent
;; that is being left is due no more: its after thunks take the time that they need.

;; DUE: #f; #t, interrupted; left, being left.
(define-record-type <extent> (make-extent leave time-out due reason) extent?
  (leave extent-leave)
  (time-out extent-time-out)
  (due extent-due set-extent-due!)
  (reason extent-reason set-extent-reason!))

(define (first-time-out extents)
  (let loop ((extents extents) (first #f))
    (if (null? extents)
        first
        (let ((at (moment-due (car extents))))
          (loop (cdr extents) (if (and at (or (not first) (< at first))) at first))))))

;; When EXTENT is due: a reading of current-jiffy, or #f.
(define (moment-due extent)
  (case (extent-due extent)
    ((#t) 0)
    ((left) #f)
    (else (extent-time-out extent))))

;; An interrupt! of another strand may come at any time. It notes the extent and then that the strand is to
;; look, which the first line may overwrite: hence the look behind it.
(define (set-extents! extents)
  (%set-strand-checks! extents (first-time-out extents))
  (if (eqv? (first-time-out extents) 0) (%set-strand-checks! extents 0)))

(define (check-interrupts)
  (let ((now (current-jiffy)) (extents (%strand-checks (%strand))))
    (set-extents! extents)
    (let loop ((extents extents) (found #f))
      (if (pair? extents)
          (let ((at (moment-due (car extents))))
            (loop (cdr extents) (if (and at (>= now at)) (car extents) found)))
          (if found ((extent-leave found) found))))))

;; Calls THUNK in an extent; where that is left early, gives the values of (LATE reason). SIGNAL?: SIGINT
;; is let in. An interrupt may leave the extent from within an after thunk that has not done its work
;; yet, so that all is set right once more behind it.
(define (call-in-extent thunk time-out late signal?)
  (let* ((outer (%strand-checks (%strand)))
         (depth (and signal? (%interruptible! #f)))
         (answer
          (call/cc
           (lambda (k)
             (let ((extent (make-extent (lambda (extent)
                                          (set-extent-due! extent 'left)
                                          (set-extents! (%strand-checks (%strand)))
                                          (k (lambda () (late (extent-reason extent)))))
                                        time-out #f #f)))
               (dynamic-wind
                (lambda ()
                  (set! outer (%strand-checks (%strand)))
                  (set-extent-due! extent #f)
                  (set-extents! (cons extent outer))
                  (if depth (%interruptible! (+ depth 1))))
                (lambda ()
                  (call-with-values thunk (lambda values (lambda () (apply-values values)))))
                (lambda ()
                  (if depth (%interruptible! depth))
                  (set-extents! outer))))))))
    (if depth (%interruptible! depth))
    (set-extents! outer)
    (answer)))

(define (apply-values list)
  (if (and (pair? list) (null? (cdr list))) (car list) (apply values list)))

;; (call-interruptible THUNK [HANDLER]): the values of THUNK; where interrupt! interrupts it,
;; those of (HANDLER object), without one #f. In the first thread SIGINT interrupts it too, with
;; the interrupt condition as the object.
(define call-interruptible
  (case-lambda
    ((thunk) (call-interruptible thunk (lambda (object) #f)))
    ((thunk handler)
     (call-in-extent thunk #f handler (not (current-fiber))))))

;; The thread itself is interrupted, anywhere, be it on its way out of an extent. Leaves its innermost
;; call-interruptible; where all are being left already that was for this interrupt too; where there
;; is none (in the REPL) it is a condition. No exception handler is asked: at times there is none.
(define (take-interrupt condition)
  (let loop ((extents (%strand-checks (%strand))) (within #f))
    (cond ((null? extents) (if (not within) (raise-continuable condition)))
          ((extent-time-out (car extents)) (loop (cdr extents) within))
          ((eq? (extent-due (car extents)) 'left) (loop (cdr extents) #t))
          (else
           (set-extent-reason! (car extents) condition)
           ((extent-leave (car extents)) (car extents))))))

(%set-take-interrupt! take-interrupt)

;; (interrupt! STRAND [OBJECT]): the innermost call-interruptible of a fiber or thread ends.
;; Whether there is one.
(define interrupt!
  (case-lambda
    ((strand) (interrupt! strand 'interrupted))
    ((strand object)
     (let loop ((extents (%strand-checks strand)))
       (cond ((null? extents) #f)
             ((or (extent-time-out (car extents)) (eq? (extent-due (car extents)) 'left))
              (loop (cdr extents)))
             (else
              (set-extent-reason! (car extents) object)
              (set-extent-due! (car extents) #t)
              (%interrupt-wait! strand)
              #t))))))

;; (call-with-timeout SECONDS THUNK [LATE]): the values of THUNK; where it takes longer than
;; SECONDS, it is left and they are those of (LATE), without it #f.
(define call-with-timeout
  (case-lambda
    ((seconds thunk) (call-with-timeout seconds thunk (lambda () #f)))
    ((seconds thunk late)
     (call-in-extent thunk (after "call-with-timeout" seconds) (lambda (reason) (late)) #f))))
