;; The checks of arguments that the SRFI libraries share. Each is called with the name of the
;; procedure it speaks for, and raises an error that begins with it.
(define-library (srfi checks)
  (export check-procedure check-natural check-list check-end check-vector check-string
          check-vector-range check-string-range
          define-vector-ranged define-string-ranged define-string-ranged2)
  (import (scheme base) (scheme case-lambda))
  (begin
    (define (complain who what . irritants)
      (apply error (string-append who ": " what) irritants))

    (define (check-procedure who x)
      (if (not (procedure? x)) (complain who "not a procedure" x)))

    (define (check-natural who x)
      (if (not (and (exact-integer? x) (>= x 0)))
          (complain who "not an exact non-negative integer" x)))

    (define (check-list who x)
      (if (not (list? x)) (complain who "not a proper list" x)))

    ;; END is where a loop over LIS stopped; only the empty list ends a proper one.
    (define (check-end who end lis)
      (if (not (null? end)) (complain who "not a proper list" lis)))

    (define (check-vector who x)
      (if (not (vector? x)) (complain who "not a vector" x)))

    (define (check-string who x)
      (if (not (string? x)) (complain who "not a string" x)))

    (define (check-range who start end length)
      (if (not (and (exact-integer? start) (exact-integer? end) (<= 0 start end length)))
          (complain who "bad range" start end length)))

    (define (check-vector-range who v start end)
      (check-vector who v)
      (check-range who start end (vector-length v)))

    (define (check-string-range who s start end)
      (check-string who s)
      (check-range who start end (string-length s)))

    ;; (define-vector-ranged (NAME WHO V START END) (PARAMETER ...) BODY ...) defines NAME on the
    ;; parameters, one of which is the vector V, and after them an optional start and end in V;
    ;; BODY has the range checked. The same for strings.
    (define-syntax define-ranged
      (syntax-rules ()
        ((_ check length (name who x start end) (parameter ...) body ...)
         (define name
           (case-lambda
             ((parameter ...) (name parameter ... 0 (length x)))
             ((parameter ... start) (name parameter ... start (length x)))
             ((parameter ... start end) (check who x start end) body ...))))))

    (define-syntax define-vector-ranged
      (syntax-rules ()
        ((_ head parameters body ...)
         (define-ranged check-vector-range vector-length head parameters body ...))))

    (define-syntax define-string-ranged
      (syntax-rules ()
        ((_ head parameters body ...)
         (define-ranged check-string-range string-length head parameters body ...))))

    ;; The same for two strings, A and B: they come first, their ranges last.
    (define-syntax define-string-ranged2
      (syntax-rules ()
        ((_ (name who a s1 e1 b s2 e2) (parameter ...) body ...)
         (define name
           (case-lambda
             ((a b parameter ...)
              (name a b parameter ... 0 (string-length a) 0 (string-length b)))
             ((a b parameter ... s1)
              (name a b parameter ... s1 (string-length a) 0 (string-length b)))
             ((a b parameter ... s1 e1) (name a b parameter ... s1 e1 0 (string-length b)))
             ((a b parameter ... s1 e1 s2) (name a b parameter ... s1 e1 s2 (string-length b)))
             ((a b parameter ... s1 e1 s2 e2)
              (check-string-range who a s1 e1)
              (check-string-range who b s2 e2)
              body ...))))))))
