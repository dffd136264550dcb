;; (scheme base) for Chez Scheme 9.5, without binary ports, cond-expand and include: what the programs of bench/
;; use and a little more. Most names are Chez's own; those that Chez lacks, or gives another meaning, are below.
(library (scheme base)
  (export
   * + - ... / < <= = => > >= _ abs and append apply assoc assq assv begin binary-port? boolean=?
   boolean? bytevector bytevector-length bytevector-u8-ref bytevector-u8-set! bytevector? caar cadr
   call-with-current-continuation call-with-port call-with-values call/cc car case cdar cddr cdr
   ceiling char->integer char<=? char<? char=? char>=? char>? char? close-input-port
   close-output-port close-port complex? cond cons current-error-port current-input-port
   current-output-port define define-record-type define-syntax denominator do dynamic-wind else
   eof-object eof-object? eq? equal? eqv? error error-object-irritants error-object-message
   error-object? even? exact exact-integer-sqrt exact-integer? exact? expt floor floor-quotient
   floor-remainder floor/ flush-output-port for-each gcd get-output-string guard if inexact
   inexact? input-port? integer->char integer? lambda lcm length let let* let*-values let-syntax
   let-values letrec letrec* letrec-syntax list list->string list->vector list-copy list-ref
   list-set! list-tail list? make-bytevector make-list make-parameter make-string make-vector map
   max member memq memv min modulo negative? newline not null? number->string number? numerator
   odd? open-input-string open-output-string or output-port? pair? parameterize peek-char positive?
   procedure? quasiquote quote quotient raise raise-continuable rational? read-char read-line
   read-string real? remainder reverse round set! set-car! set-cdr! square string string->list
   string->number string->symbol string->utf8 string->vector string-append string-copy string-copy!
   string-fill! string-for-each string-length string-map string-ref string-set! string<=? string<?
   string=? string>=? string>? string? substring symbol->string symbol=? symbol? syntax-rules
   textual-port? truncate truncate-quotient truncate-remainder truncate/ unless unquote
   unquote-splicing utf8->string values vector vector->list vector->string vector-append
   vector-copy vector-copy! vector-fill! vector-for-each vector-length vector-map vector-ref
   vector-set! vector? when with-exception-handler write-char write-string zero?
  )
  (import (rename (except (chezscheme) error string-copy!)
                  (define-record-type r6rs-record-type)
                  (assoc assoc-equal)
                  (member member-equal)
                  (string->list whole-string->list)
                  (string-copy whole-string-copy)
                  (string-fill! fill-whole-string!)
                  (vector->list whole-vector->list)
                  (vector-copy whole-vector-copy)
                  (vector-fill! fill-whole-vector!)))

  ;; Errors

  (define (error message . irritants)
    (apply assertion-violation 'error message irritants))
  (define (error-object? x) (message-condition? x))
  (define (error-object-message x) (condition-message x))
  (define (error-object-irritants x) (if (irritants-condition? x) (condition-irritants x) '()))

  ;; Records: R7RS names the fields of the constructor, R6RS takes them all through a protocol.

  (define-syntax define-record-type
    (lambda (form)
      (define (clause field)
        (syntax-case field ()
          ((name get) #'(immutable name get))
          ((name get set) #'(mutable name get set))))
      (define (name field) (car (syntax->list field)))
      (syntax-case form ()
        ((_ type (make made ...) is? field ...)
         (with-syntax (((clause ...) (map clause #'(field ...)))
                       ((name ...) (map name #'(field ...))))
           #'(r6rs-record-type (type make is?)
               (fields clause ...)
               (protocol
                (lambda (new)
                  (let ((name #f) ...)
                    (lambda (made ...) (new name ...)))))))))))

  ;; Numbers

  (define (exact-integer? x) (and (integer? x) (exact? x)))
  (define (square x) (* x x))
  (define truncate-quotient quotient)
  (define truncate-remainder remainder)
  (define floor-remainder modulo)
  (define (floor-quotient a b) (quotient (- a (modulo a b)) b))
  (define (floor/ a b) (values (floor-quotient a b) (modulo a b)))
  (define (truncate/ a b) (values (quotient a b) (remainder a b)))

  ;; Lists

  (define assoc
    (case-lambda
      ((x l) (assoc-equal x l))
      ((x l same?) (assp (lambda (y) (same? x y)) l))))
  (define member
    (case-lambda
      ((x l) (member-equal x l))
      ((x l same?) (memp (lambda (y) (same? x y)) l))))
  (define (list-set! l k x) (set-car! (list-tail l k) x))

  ;; Strings and vectors, whole or from START to END

  (define string-copy
    (case-lambda
      ((s) (whole-string-copy s))
      ((s start) (substring s start (string-length s)))
      ((s start end) (substring s start end))))
  (define string->list
    (case-lambda
      ((s) (whole-string->list s))
      ((s start) (whole-string->list (string-copy s start)))
      ((s start end) (whole-string->list (substring s start end)))))
  (define string-fill!
    (case-lambda
      ((s c) (fill-whole-string! s c))
      ((s c start) (string-fill! s c start (string-length s)))
      ((s c start end)
       (do ((i start (+ i 1))) ((= i end)) (string-set! s i c)))))
  (define vector-copy
    (case-lambda
      ((v) (whole-vector-copy v))
      ((v start) (vector-copy v start (vector-length v)))
      ((v start end)
       (let ((copy (make-vector (- end start))))
         (vector-copy! copy 0 v start end)
         copy))))
  (define vector->list
    (case-lambda
      ((v) (whole-vector->list v))
      ((v start) (whole-vector->list (vector-copy v start)))
      ((v start end) (whole-vector->list (vector-copy v start end)))))
  (define vector-fill!
    (case-lambda
      ((v x) (fill-whole-vector! v x))
      ((v x start) (vector-fill! v x start (vector-length v)))
      ((v x start end)
       (do ((i start (+ i 1))) ((= i end)) (vector-set! v i x)))))

  ;; Copies elements of FROM into TO, in the direction that is right when both are the same object.
  (define (copy-elements! ref set to at from start end)
    (if (<= at start)
        (do ((i start (+ i 1)) (k at (+ k 1)))
            ((= i end))
          (set to k (ref from i)))
        (do ((i (- end 1) (- i 1)) (k (+ at (- end start 1)) (- k 1)))
            ((< i start))
          (set to k (ref from i)))))
  (define vector-copy!
    (case-lambda
      ((to at from) (vector-copy! to at from 0 (vector-length from)))
      ((to at from start) (vector-copy! to at from start (vector-length from)))
      ((to at from start end) (copy-elements! vector-ref vector-set! to at from start end))))
  (define string-copy!
    (case-lambda
      ((to at from) (string-copy! to at from 0 (string-length from)))
      ((to at from start) (string-copy! to at from start (string-length from)))
      ((to at from start end) (copy-elements! string-ref string-set! to at from start end))))
  (define (vector-append . vectors)
    (list->vector (apply append (map whole-vector->list vectors))))
  (define (string->vector s) (list->vector (whole-string->list s)))
  (define (vector->string v) (list->string (whole-vector->list v)))
  (define (string-map f . strings)
    (list->string (apply map f (map whole-string->list strings))))

  ;; Ports

  (define write-string
    (case-lambda
      ((s) (put-string (current-output-port) s))
      ((s port) (put-string port s))))
  (define read-line
    (case-lambda
      (() (get-line (current-input-port)))
      ((port) (get-line port))))
  (define read-string
    (case-lambda
      ((k) (get-string-n (current-input-port) k))
      ((k port) (get-string-n port k)))))
