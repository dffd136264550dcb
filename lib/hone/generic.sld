;; Generic procedures: one name, a method for each record type.
;;
;;   (define-generic (area shape))                     ; or with a body, the default method
;;   (define-method (area (c <circle>)) (* pi (expt (circle-radius c) 2)))
;;   (define-method (area other) 0)                    ; sets the default method
;;
;; A call dispatches on the type of its first argument; a type without a method of its own has
;; its parent's. A generic keeps a table from record type
;; to method, and before it a cache of the last type and its method. The cache is one immutable
;; pair behind one field, so that a thread never sees one call's type with another's method.
;; The procedure that a program calls is an ordinary one; a registry leads from it to its
;; generic when a method is added.
(define-library (hone generic)
  (export define-generic define-method)
  (import (scheme base)
          (only (hone prim) %record? %record-type %rtd-parent %make-table %table-ref
                %table-set!))
  (begin
    (define-record-type <generic>
      (make-generic name methods default cache)
      generic?
      (name generic-name)
      (methods generic-methods)
      (default generic-default set-generic-default!)
      (cache generic-cache set-generic-cache!))

    ;; The cache that matches nothing: its type is an object of its own.
    (define empty-cache (cons (list 'none) #f))

    (define (new-generic name default)
      (make-generic name (%make-table 'eq) default empty-cache))

    (define registry (%make-table 'eq))

    (define (register! procedure generic)
      (%table-set! registry procedure generic))

    (define (generic-of name procedure)
      (or (%table-ref registry procedure #f)
          (error "define-method: not a generic procedure" name)))

    ;; What X is dispatched on: its record type, or #f for all that are no records.
    (define (type-of x)
      (if (%record? x) (%record-type x) #f))

    (define (find-method generic type x)
      (let ((method (or (and type (inherited-method (generic-methods generic) type))
                        (generic-default generic)
                        (no-method generic type x))))
        (set-generic-cache! generic (cons type method))
        method))

    ;; The method of TYPE or of its nearest ancestor that has one, or #f.
    (define (inherited-method methods type)
      (or (%table-ref methods type #f)
          (let ((parent (%rtd-parent type)))
            (and parent (inherited-method methods parent)))))

    (define (no-method generic type x)
      (let ((name (symbol->string (generic-name generic))))
        (if type
            (error (string-append name ": no method for the record type") type x)
            (error (string-append name ": no method for an object that is no record") x))))

    (define (add-method! name procedure type method)
      (if (not (procedure? procedure)) (error "define-method: not a generic procedure" name))
      (let ((generic (generic-of name procedure)))
        (%table-set! (generic-methods generic) type method)
        (set-generic-cache! generic empty-cache)))

    (define (set-default! name procedure method)
      (let ((generic (generic-of name procedure)))
        (set-generic-default! generic method)
        (set-generic-cache! generic empty-cache)))

    ;; The method to call for X.
    (define-syntax method-for
      (syntax-rules ()
        ((_ generic x)
         (let ((type (type-of x)) (cache (generic-cache generic)))
           (if (eq? (car cache) type)
               (cdr cache)
               (find-method generic type x))))))

    ;; The inner definition has the generic's name for the sake of backtraces and profiles.
    (define-syntax define-generic
      (syntax-rules ()
        ((_ (name x argument ...))
         (define-dispatcher name #f (x argument ...)
           (generic) ((method-for generic x) x argument ...)))
        ((_ (name x argument ...) body ...)
         (define-dispatcher name (lambda (x argument ...) body ...) (x argument ...)
           (generic) ((method-for generic x) x argument ...)))
        ((_ (name x argument ... . rest))
         (define-dispatcher name #f (x argument ... . rest)
           (generic) (apply (method-for generic x) x argument ... rest)))
        ((_ (name x argument ... . rest) body ...)
         (define-dispatcher name (lambda (x argument ... . rest) body ...) (x argument ... . rest)
           (generic) (apply (method-for generic x) x argument ... rest)))))

    (define-syntax define-dispatcher
      (syntax-rules ()
        ((_ name default formals (generic) call)
         (define name
           (let ((generic (new-generic 'name default)))
             (define name (lambda formals call))
             (register! name generic)
             name)))))

    (define-syntax define-method
      (syntax-rules ()
        ((_ (name (x type) . formals) body ...)
         (add-method! 'name name type (lambda (x . formals) body ...)))
        ((_ (name x . formals) body ...)
         (set-default! 'name name (lambda (x . formals) body ...)))))))
