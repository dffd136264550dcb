;; What R7RS programs need and Chicken 5 lacks without its r7rs egg. Put before a program whose own import is taken
;; out. Covers what the programs of bench/ use, not the whole of R7RS.
(import (chicken base) (chicken condition) (srfi 4))

(define raise abort)

(define-syntax guard
  (syntax-rules (else)
    ((_ (name clause ... (else last ...)) body ...)
     (handle-exceptions name (cond clause ... (else last ...)) body ...))
    ((_ (name clause ...) body ...)
     (handle-exceptions name (cond clause ... (else (abort name))) body ...))))

(define exact inexact->exact)
(define inexact exact->inexact)

(define bytevector u8vector)
(define make-bytevector make-u8vector)
(define bytevector? u8vector?)
(define bytevector-length u8vector-length)
(define bytevector-u8-ref u8vector-ref)
(define bytevector-u8-set! u8vector-set!)
