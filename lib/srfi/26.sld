;; SRFI 26: cut and cute, procedures by leaving arguments of a call open.
;;
;; The helpers walk over the slots and collect the parameters, the parts of the call, and in
;; cute the bindings of what is computed once, beforehand. The procedure's place is wrapped in
;; `begin` so that it is an expression and never the keyword of a form.
(define-library (srfi 26)
  (export cut cute)
  (import (scheme base))
  (begin
    (define-syntax cut
      (syntax-rules ()
        ((_ slot ...) (cut-slots () () slot ...))))

    (define-syntax cut-slots
      (syntax-rules (<> <...>)
        ((_ (parameter ...) (operator operand ...))
         (lambda (parameter ...) ((begin operator) operand ...)))
        ((_ (parameter ...) (part ...) <...>)
         (lambda (parameter ... . rest) (apply part ... rest)))
        ((_ (parameter ...) (part ...) <> slot ...)
         (cut-slots (parameter ... x) (part ... x) slot ...))
        ((_ parameters (part ...) expression slot ...)
         (cut-slots parameters (part ... expression) slot ...))))

    (define-syntax cute
      (syntax-rules ()
        ((_ slot ...) (cute-slots () () () slot ...))))

    (define-syntax cute-slots
      (syntax-rules (<> <...>)
        ((_ (parameter ...) bindings (operator operand ...))
         (let bindings (lambda (parameter ...) ((begin operator) operand ...))))
        ((_ (parameter ...) bindings (part ...) <...>)
         (let bindings (lambda (parameter ... . rest) (apply part ... rest))))
        ((_ (parameter ...) bindings (part ...) <> slot ...)
         (cute-slots (parameter ... x) bindings (part ... x) slot ...))
        ((_ parameters (binding ...) (part ...) expression slot ...)
         (cute-slots parameters (binding ... (x expression)) (part ... x) slot ...))))))
