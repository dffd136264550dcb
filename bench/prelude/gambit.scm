;; What R7RS programs need and Gambit 4.9 lacks or spells otherwise. Put before a program whose own import is taken
;; out. Covers what the programs of bench/ use, not the whole of R7RS.
(define-macro (guard clauses . body)
  (let ((name (car clauses)) (tests (cdr clauses)))
    `(with-exception-catcher
      (lambda (,name)
        (cond ,@tests
              ,@(if (assq 'else tests) '() `((else (raise ,name))))))
      (lambda () ,@body))))

(define bytevector u8vector)
(define make-bytevector make-u8vector)
(define bytevector? u8vector?)
(define bytevector-length u8vector-length)
(define bytevector-u8-ref u8vector-ref)
(define bytevector-u8-set! u8vector-set!)

;; SRFI 69, on Gambit's own tables.
(define (make-hash-table . same) (make-table test: (if (pair? same) (car same) equal?)))
(define hash-table-set! table-set!)
(define hash-table-ref/default table-ref)
(define hash-table-delete! table-set!)
(define hash-table-size table-length)
(define (hash-table-walk table f) (table-for-each f table))

