;; Searching, from either end.

(define (check-same-length who vectors)
  (let ((n (vector-length (car vectors))))
    (for-each (lambda (v)
                (if (not (= (vector-length v) n))
                    (error (string-append who ": vectors of different lengths") (car vectors) v)))
              (cdr vectors))))

;; Defines a search whose TEST decides, of what PRED gives, whether the place is found: index
;; and skip from the left...
(define-syntax define-search
  (syntax-rules ()
    ((_ name found?)
     (define name
       (case-lambda
         ((pred v)
          (let ((n (vector-length v)))
            (let loop ((i 0))
              (and (< i n)
                   (if (found? (pred (vector-ref v i))) i (loop (+ i 1)))))))
         ((pred v w)
          (let ((n (min (vector-length v) (vector-length w))))
            (let loop ((i 0))
              (and (< i n)
                   (if (found? (pred (vector-ref v i) (vector-ref w i))) i (loop (+ i 1)))))))
         ((pred . vectors)
          (let ((n (min-length vectors)))
            (let loop ((i 0))
              (and (< i n)
                   (if (found? (apply pred (nths vectors i))) i (loop (+ i 1))))))))))))

;; ... and from the right.
(define-syntax define-search-right
  (syntax-rules ()
    ((_ name who found?)
     (define name
       (case-lambda
         ((pred v)
          (let loop ((i (- (vector-length v) 1)))
            (and (>= i 0)
                 (if (found? (pred (vector-ref v i))) i (loop (- i 1))))))
         ((pred v w)
          (check-same-length who (list v w))
          (let loop ((i (- (vector-length v) 1)))
            (and (>= i 0)
                 (if (found? (pred (vector-ref v i) (vector-ref w i))) i (loop (- i 1))))))
         ((pred . vectors)
          (check-same-length who vectors)
          (let loop ((i (- (vector-length (car vectors)) 1)))
            (and (>= i 0)
                 (if (found? (apply pred (nths vectors i))) i (loop (- i 1)))))))))))

;; As a form, so that it costs nothing in the loops.
(define-syntax yes
  (syntax-rules () ((_ x) x)))

(define-search vector-index yes)
(define-search vector-skip not)
(define-search-right vector-index-right "vector-index-right" yes)
(define-search-right vector-skip-right "vector-skip-right" not)

;; CMP gives a negative, zero or positive integer, and here always has the element first.
(define (vector-binary-search v value cmp)
  (check-vector "vector-binary-search" v)
  (let loop ((lo 0) (hi (vector-length v)))
    (and (< lo hi)
         (let* ((middle (quotient (+ lo hi) 2))
                (order (cmp (vector-ref v middle) value)))
           (cond ((= order 0) middle)
                 ((< order 0) (loop (+ middle 1) hi))
                 (else (loop lo middle)))))))

(define vector-any
  (case-lambda
    ((pred v)
     (let ((n (vector-length v)))
       (let loop ((i 0))
         (and (< i n)
              (or (pred (vector-ref v i)) (loop (+ i 1)))))))
    ((pred v w)
     (let ((n (min (vector-length v) (vector-length w))))
       (let loop ((i 0))
         (and (< i n)
              (or (pred (vector-ref v i) (vector-ref w i)) (loop (+ i 1)))))))
    ((pred . vectors)
     (let ((n (min-length vectors)))
       (let loop ((i 0))
         (and (< i n)
              (or (apply pred (nths vectors i)) (loop (+ i 1)))))))))

(define vector-every
  (case-lambda
    ((pred v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (last #t))
         (if (< i n)
             (let ((x (pred (vector-ref v i))))
               (and x (loop (+ i 1) x)))
             last))))
    ((pred v w)
     (let ((n (min (vector-length v) (vector-length w))))
       (let loop ((i 0) (last #t))
         (if (< i n)
             (let ((x (pred (vector-ref v i) (vector-ref w i))))
               (and x (loop (+ i 1) x)))
             last))))
    ((pred . vectors)
     (let ((n (min-length vectors)))
       (let loop ((i 0) (last #t))
         (if (< i n)
             (let ((x (apply pred (nths vectors i))))
               (and x (loop (+ i 1) x)))
             last))))))
