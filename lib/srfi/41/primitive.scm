;; A stream is a promise of the empty list or of a stream pair, whose car is itself a promise
;; and whose cdr is a stream. The promise has its state in a box, a pair (DONE? . VALUE) or
;; (#f . THUNK), so that a stream whose thunk gives another stream can take over that stream's
;; box: a chain of such streams is forced by a loop, in constant space, and each link of it
;; knows the value afterwards.

(define-record-type <stream>
  (wrap-box box)
  stream?
  (box stream-box set-stream-box!))

(define-record-type <stream-pair>
  (make-stream-pair car cdr)
  stream-pair-value?
  (car pair-car)
  (cdr pair-cdr))

(define (eager value) (wrap-box (cons #t value)))

(define-syntax stream-lazy
  (syntax-rules ()
    ((_ expression) (wrap-box (cons #f (lambda () expression))))))

(define (stream-force stream)
  (let ((box (stream-box stream)))
    (if (car box)
        (cdr box)
        (let* ((next ((cdr box)))
               (box (stream-box stream)))
          ;; The thunk may have forced this very stream.
          (if (not (car box))
              (begin
                (if (not (stream? next)) (error "stream: a stream's body gave no stream" next))
                (let ((next-box (stream-box next)))
                  (set-car! box (car next-box))
                  (set-cdr! box (cdr next-box))
                  (set-stream-box! next box))))
          (stream-force stream)))))

(define stream-null (eager '()))

(define (stream-null? x)
  (and (stream? x) (null? (stream-force x))))

(define (stream-pair? x)
  (and (stream? x) (stream-pair-value? (stream-force x))))

(define-syntax stream-cons
  (syntax-rules ()
    ((_ object stream) (eager (make-stream-pair (delay object) (stream-lazy stream))))))

(define (force-pair who x)
  (if (not (stream? x)) (error (string-append who ": not a stream") x))
  (let ((value (stream-force x)))
    (if (null? value) (error (string-append who ": empty stream") x))
    value))

(define (stream-car x) (force (pair-car (force-pair "stream-car" x))))
(define (stream-cdr x) (pair-cdr (force-pair "stream-cdr" x)))

(define-syntax stream-lambda
  (syntax-rules ()
    ((_ formals body ...) (lambda formals (stream-lazy (let () body ...))))))
