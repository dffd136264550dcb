;; Ports with procedures, evaluation, the end of the process.

;; ---- current ports ----

(define (port-checker right? who)
  (lambda (port)
    (if (right? port) port (bad-argument who 1 port))))

(define current-input-port
  (%make-parameter (%stdin) (port-checker input-port? "current-input-port")))
(define current-output-port
  (%make-parameter (%stdout) (port-checker output-port? "current-output-port")))
(define current-error-port
  (%make-parameter (%stderr) (port-checker output-port? "current-error-port")))
(%set-port-parameters! current-input-port current-output-port current-error-port)

(define (call-with-port port procedure)
  (let ((result (procedure port)))
    (close-port port)
    result))

(define (call-with-input-file name procedure)
  (call-with-port (open-input-file name) procedure))
(define (call-with-output-file name procedure)
  (call-with-port (open-output-file name) procedure))

;; Calls THUNK with PORT as the value of PARAMETER.
(define (with-port parameter port thunk)
  (%parameterize (list parameter) (list port) thunk))

(define (with-input-from-file name thunk)
  (call-with-port (open-input-file name)
                  (lambda (port) (with-port current-input-port port thunk))))
(define (with-output-to-file name thunk)
  (call-with-port (open-output-file name)
                  (lambda (port) (with-port current-output-port port thunk))))

(define (call-with-output-string procedure)
  (let ((port (open-output-string)))
    (procedure port)
    (get-output-string port)))
(define (with-output-to-string thunk)
  (call-with-output-string (lambda (port) (with-port current-output-port port thunk))))
(define (with-input-from-string string thunk)
  (with-port current-input-port (open-input-string string) thunk))

;; ---- evaluation: C expands and compiles, here it is run ----

(define (run-all procedures)
  (cond ((null? procedures) (%unspecified))
        ((null? (cdr procedures)) ((car procedures)))
        (else ((car procedures)) (run-all (cdr procedures)))))

;; What C gives for an environment: (environment . procedures to run first).
(define (loaded made)
  (run-all (cdr made))
  (car made))

(define (environment . import-sets)
  (loaded (%environment import-sets)))

;; One for the process, made when it is first asked for.
(define the-interaction-environment #f)
(define (interaction-environment)
  (if (not the-interaction-environment)
      (set! the-interaction-environment (loaded (%interaction-environment))))
  the-interaction-environment)

(define (check-version version who)
  (if (not (eqv? version 5)) (bad-argument who 1 version)))
(define (scheme-report-environment version)
  (check-version version "scheme-report-environment")
  (environment '(scheme r5rs)))
(define (null-environment version)
  (check-version version "null-environment")
  (environment '(only (scheme r5rs)
                      quote quasiquote lambda if set! let let* letrec do cond case and or begin
                      delay define define-syntax let-syntax letrec-syntax syntax-rules else =>
                      ... _)))

(define eval
  (case-lambda
    ((expression) (eval expression (interaction-environment)))
    ((expression environment) (run-all (%eval-prepare expression environment)))))

(define load
  (case-lambda
    ((name) (load name (interaction-environment)))
    ((name environment) (for-each run-all (%load-prepare name environment)))))

;; ---- the process ----

(define (exit . code)
  (%travel '())
  (apply emergency-exit code))

(define (features)
  (%features))
