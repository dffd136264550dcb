;; The type, the constructors, and comparison by a comparator.

(define-record-type <comparator>
  (bundle type-test equality ordering hasher ordered? hashable?)
  comparator?
  (type-test comparator-type-test-predicate)
  (equality comparator-equality-predicate)
  (ordering comparator-ordering-predicate)
  (hasher comparator-hash-function)
  (ordered? comparator-ordered?)
  (hashable? comparator-hashable?))

(define (no-ordering a b) (error "comparator: no ordering predicate" a b))
(define (no-hash x) (error "comparator: no hash function" x))

(define (make-comparator type-test equality ordering hasher)
  (let ((type-test (if (eq? type-test #t) (lambda (x) #t) type-test)))
    (check-procedure "make-comparator" type-test)
    (check-procedure "make-comparator" equality)
    (if ordering (check-procedure "make-comparator" ordering))
    (if hasher (check-procedure "make-comparator" hasher))
    (bundle type-test equality (or ordering no-ordering) (or hasher no-hash)
            (and ordering #t) (and hasher #t))))

(define (comparator-test-type comparator x)
  ((comparator-type-test-predicate comparator) x))

(define (comparator-check-type comparator x)
  (or (comparator-test-type comparator x)
      (error "comparator-check-type: not of the comparator's type" x)))

(define (comparator-hash comparator x)
  ((comparator-hash-function comparator) x))

;; Comparison

(define (equal-by? comparator a b) ((comparator-equality-predicate comparator) a b))
(define (less-by? comparator a b) ((comparator-ordering-predicate comparator) a b))

;; Defines NAME, a comparison of neighbours by TEST, a form on comparator and two objects.
(define-syntax define-relation
  (syntax-rules ()
    ((_ (name comparator a b) test)
     (define name
       (case-lambda
         ((comparator a b) test)
         ((comparator a b . rest)
          (let loop ((a a) (b b) (rest rest))
            (and test
                 (or (null? rest) (loop b (car rest) (cdr rest)))))))))))

(define-relation (=? comparator a b) (equal-by? comparator a b))
(define-relation (<? comparator a b) (less-by? comparator a b))
(define-relation (>? comparator a b) (less-by? comparator b a))
(define-relation (<=? comparator a b) (not (less-by? comparator b a)))
(define-relation (>=? comparator a b) (not (less-by? comparator a b)))

(define-syntax comparator-if<=>
  (syntax-rules ()
    ((_ a b less equal greater)
     (comparator-if<=> (make-default-comparator) a b less equal greater))
    ((_ comparator a b less equal greater)
     (let ((c comparator) (x a) (y b))
       (cond ((less-by? c x y) less)
             ((equal-by? c x y) equal)
             (else greater))))))

;; Hash functions

(define (boolean-hash x) (if x 1 0))
(define (char-hash c) (char->integer c))
(define (char-ci-hash c) (char->integer (char-foldcase c)))
(define (symbol-hash s) (hash s))

(define bound 33554432)
(define salt (modulo (current-jiffy) bound))

(define-syntax hash-bound
  (syntax-rules () ((_) (bound-value))))

(define-syntax hash-salt
  (syntax-rules () ((_) (salt-value))))

(define (bound-value) bound)
(define (salt-value) salt)

;; Two hashes made one.
(define (mix a b) (bitwise-and (+ (* 33 a) b) 72057594037927935))

;; Comparators of compounds. One without an ordering or a hash for its parts has none itself.

(define (make-pair-comparator car-comparator cdr-comparator)
  (make-comparator
   (lambda (x)
     (and (pair? x)
          (comparator-test-type car-comparator (car x))
          (comparator-test-type cdr-comparator (cdr x))))
   (lambda (x y)
     (and (equal-by? car-comparator (car x) (car y))
          (equal-by? cdr-comparator (cdr x) (cdr y))))
   (and (comparator-ordered? car-comparator)
        (comparator-ordered? cdr-comparator)
        (lambda (x y)
          (if (equal-by? car-comparator (car x) (car y))
              (less-by? cdr-comparator (cdr x) (cdr y))
              (less-by? car-comparator (car x) (car y)))))
   (and (comparator-hashable? car-comparator)
        (comparator-hashable? cdr-comparator)
        (lambda (x)
          (mix (comparator-hash car-comparator (car x))
               (comparator-hash cdr-comparator (cdr x)))))))

(define (make-list-comparator element type-test empty? head tail)
  (make-comparator
   (lambda (x)
     (and (type-test x)
          (let loop ((x x))
            (or (empty? x)
                (and (comparator-test-type element (head x))
                     (loop (tail x)))))))
   (lambda (x y)
     (let loop ((x x) (y y))
       (cond ((empty? x) (empty? y))
             ((empty? y) #f)
             (else (and (equal-by? element (head x) (head y))
                        (loop (tail x) (tail y)))))))
   (and (comparator-ordered? element)
        (lambda (x y)
          (let loop ((x x) (y y))
            (cond ((empty? y) #f)
                  ((empty? x) #t)
                  ((equal-by? element (head x) (head y)) (loop (tail x) (tail y)))
                  (else (less-by? element (head x) (head y)))))))
   (and (comparator-hashable? element)
        (lambda (x)
          (let loop ((x x) (acc 5))
            (if (empty? x)
                acc
                (loop (tail x) (mix acc (comparator-hash element (head x))))))))))

(define (make-vector-comparator element type-test length ref)
  (make-comparator
   (lambda (x)
     (and (type-test x)
          (let ((n (length x)))
            (let loop ((i 0))
              (or (= i n)
                  (and (comparator-test-type element (ref x i))
                       (loop (+ i 1))))))))
   (lambda (x y)
     (let ((n (length x)))
       (and (= n (length y))
            (let loop ((i 0))
              (or (= i n)
                  (and (equal-by? element (ref x i) (ref y i))
                       (loop (+ i 1))))))))
   (and (comparator-ordered? element)
        (lambda (x y)
          (let ((n (length x)) (m (length y)))
            (or (< n m)
                (and (= n m)
                     (let loop ((i 0))
                       (and (< i n)
                            (if (equal-by? element (ref x i) (ref y i))
                                (loop (+ i 1))
                                (less-by? element (ref x i) (ref y i))))))))))
   (and (comparator-hashable? element)
        (lambda (x)
          (let ((n (length x)))
            (let loop ((i 0) (acc 7))
              (if (= i n)
                  acc
                  (loop (+ i 1) (mix acc (comparator-hash element (ref x i)))))))))))

;; Identity orders nothing: objects move. The run time's hash ends on circular structure.
(define (any? x) #t)
(define eq-comparator (make-comparator any? eq? #f hash))
(define eqv-comparator (make-comparator any? eqv? #f hash))
(define equal-comparator (make-comparator any? equal? #f hash))
(define (make-eq-comparator) eq-comparator)
(define (make-eqv-comparator) eqv-comparator)
(define (make-equal-comparator) equal-comparator)
