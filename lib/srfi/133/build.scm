;; Constructors, mutators and conversion.

;; The indices of several vectors at once

(define (min-length vectors)
  (let loop ((vs (cdr vectors)) (n (vector-length (car vectors))))
    (if (pair? vs)
        (loop (cdr vs) (min n (vector-length (car vs))))
        n)))

(define (nths vectors i)
  (if (pair? vectors)
      (cons (vector-ref (car vectors) i) (nths (cdr vectors) i))
      '()))

;; Constructors

;; Writes what F makes into V at AT, AT + STEP, ... until COUNT have been made. F gets the index
;; it makes the element for and the seeds, and gives the element and the next seeds.
(define (unfold-into! v f at step count seeds)
  (cond ((null? seeds)
         (let loop ((i at) (n count))
           (if (> n 0)
               (begin (vector-set! v i (f i))
                      (loop (+ i step) (- n 1))))))
        ((null? (cdr seeds))
         (let loop ((i at) (n count) (seed (car seeds)))
           (if (> n 0)
               (let-values (((x seed) (f i seed)))
                 (vector-set! v i x)
                 (loop (+ i step) (- n 1) seed)))))
        (else
         (let loop ((i at) (n count) (seeds seeds))
           (if (> n 0)
               (let-values (((x . seeds) (apply f i seeds)))
                 (vector-set! v i x)
                 (loop (+ i step) (- n 1) seeds)))))))

(define (vector-unfold f n . seeds)
  (check-natural "vector-unfold" n)
  (let ((v (make-vector n)))
    (unfold-into! v f 0 1 n seeds)
    v))

(define (vector-unfold-right f n . seeds)
  (check-natural "vector-unfold-right" n)
  (let ((v (make-vector n)))
    (unfold-into! v f (- n 1) -1 n seeds)
    v))

(define (vector-unfold! f v start end . seeds)
  (check-vector-range "vector-unfold!" v start end)
  (unfold-into! v f start 1 (- end start) seeds))

(define (vector-unfold-right! f v start end . seeds)
  (check-vector-range "vector-unfold-right!" v start end)
  (unfold-into! v f (- end 1) -1 (- end start) seeds))

;; Writes FROM[START,END) backwards into TO from AT on; FROM and TO are not the same vector, or
;; the ranges are apart.
(define (copy-reversed! to at from start end)
  (let loop ((i at) (j (- end 1)))
    (if (>= j start)
        (begin (vector-set! to i (vector-ref from j))
               (loop (+ i 1) (- j 1))))))

(define-vector-ranged (vector-reverse-copy "vector-reverse-copy" v start end) (v)
  (let ((copy (make-vector (- end start))))
    (copy-reversed! copy 0 v start end)
    copy))

(define (vector-concatenate vectors) (apply vector-append vectors))

(define (vector-append-subvectors . arguments)
  (define (total-length l n)
    (cond ((null? l) n)
          ((and (pair? (cdr l)) (pair? (cddr l)))
           (check-vector-range "vector-append-subvectors" (car l) (cadr l) (caddr l))
           (total-length (cdddr l) (+ n (- (caddr l) (cadr l)))))
          (else (error "vector-append-subvectors: vector without a range" (car l)))))
  (let ((result (make-vector (total-length arguments 0))))
    (let loop ((l arguments) (at 0))
      (if (pair? l)
          (let ((v (car l)) (start (cadr l)) (end (caddr l)))
            (vector-copy! result at v start end)
            (loop (cdddr l) (+ at (- end start))))
          result))))

;; Mutators

(define (vector-swap! v i j)
  (let ((x (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j x)))

(define-vector-ranged (vector-reverse! "vector-reverse!" v start end) (v)
  (let loop ((i start) (j (- end 1)))
    (if (< i j)
        (begin (vector-swap! v i j)
               (loop (+ i 1) (- j 1))))))

(define vector-reverse-copy!
  (case-lambda
    ((to at from) (vector-reverse-copy! to at from 0 (vector-length from)))
    ((to at from start) (vector-reverse-copy! to at from start (vector-length from)))
    ((to at from start end)
     (check-vector-range "vector-reverse-copy!" from start end)
     (check-natural "vector-reverse-copy!" at)
     (check-vector-range "vector-reverse-copy!" to at (+ at (- end start)))
     (if (eq? to from)
         (let ((end-at (+ at (- end start))))
           (vector-copy! to at from start end)
           (vector-reverse! to at end-at))
         (copy-reversed! to at from start end)))))

;; Conversion

(define-vector-ranged (reverse-vector->list "reverse-vector->list" v start end) (v)
  (let loop ((i start) (acc '()))
    (if (< i end)
        (loop (+ i 1) (cons (vector-ref v i) acc))
        acc)))

(define (reverse-list->vector lis)
  (check-list "reverse-list->vector" lis)
  (let* ((n (length lis)) (v (make-vector n)))
    (let loop ((i (- n 1)) (l lis))
      (if (pair? l)
          (begin (vector-set! v i (car l))
                 (loop (- i 1) (cdr l)))
          v))))
