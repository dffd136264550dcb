;; SRFI 2: and-let*, an `and` whose clauses may bind.
(define-library (srfi 2)
  (export and-let*)
  (import (scheme base))
  (begin
    ;; A clause is (variable expression), (expression) or a variable. Without a body the value
    ;; is the last clause's.
    (define-syntax and-let*
      (syntax-rules ()
        ((_ ()) #t)
        ((_ () body ...) (let () body ...))
        ((_ ((variable expression))) expression)
        ((_ ((expression))) expression)
        ((_ ((variable expression) clause ...) body ...)
         (let ((variable expression))
           (if variable (and-let* (clause ...) body ...) #f)))
        ((_ ((expression) clause ...) body ...)
         (if expression (and-let* (clause ...) body ...) #f))
        ((_ (variable)) variable)
        ((_ (variable clause ...) body ...)
         (if variable (and-let* (clause ...) body ...) #f))))))
