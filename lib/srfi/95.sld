;; SRFI 95: sorting and merging of lists and vectors, with an optional key procedure. The
;; sequence comes first: (sort sequence less? [key]).
(define-library (srfi 95)
  (export sorted? merge merge! sort sort!)
  (import (scheme base) (scheme case-lambda) (srfi 132))
  (begin
    (define (by-key less? key)
      (lambda (a b) (less? (key a) (key b))))

    (define (bad-sequence who x)
      (error (string-append who ": neither a list nor a vector") x))

    (define sorted?
      (case-lambda
        ((sequence less?)
         (cond ((list? sequence) (list-sorted? less? sequence))
               ((vector? sequence) (vector-sorted? less? sequence))
               (else (bad-sequence "sorted?" sequence))))
        ((sequence less? key) (sorted? sequence (by-key less? key)))))

    (define merge
      (case-lambda
        ((a b less?) (list-merge less? a b))
        ((a b less? key) (list-merge (by-key less? key) a b))))

    (define merge!
      (case-lambda
        ((a b less?) (list-merge! less? a b))
        ((a b less? key) (list-merge! (by-key less? key) a b))))

    (define sort
      (case-lambda
        ((sequence less?)
         (cond ((list? sequence) (list-stable-sort less? sequence))
               ((vector? sequence) (vector-stable-sort less? sequence))
               (else (bad-sequence "sort" sequence))))
        ((sequence less? key) (sort sequence (by-key less? key)))))

    (define sort!
      (case-lambda
        ((sequence less?)
         (cond ((list? sequence) (list-stable-sort! less? sequence))
               ((vector? sequence) (vector-stable-sort! less? sequence) sequence)
               (else (bad-sequence "sort!" sequence))))
        ((sequence less? key) (sort! sequence (by-key less? key)))))))
