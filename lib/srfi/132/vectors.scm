;; Vectors are sorted as lists: the list sort allocates once and only moves pointers, and the
;; conversions are primitives. Selection partitions in place.

(define-vector-ranged (vector-sorted? "vector-sorted?" v start end) (less? v)
  (check-procedure "vector-sorted?" less?)
  (or (= start end)
      (let loop ((x (vector-ref v start)) (i (+ start 1)))
        (or (= i end)
            (let ((y (vector-ref v i)))
              (and (not (less? y x)) (loop y (+ i 1))))))))

(define (sort-range less? v start end)
  (sort-fresh! less? (vector->list v start end)))

(define (sort-range! less? v start end)
  (vector-copy! v start (list->vector (sort-range less? v start end))))

(define-vector-ranged (vector-sort "vector-sort" v start end) (less? v)
  (check-procedure "vector-sort" less?)
  (list->vector (sort-range less? v start end)))

(define-vector-ranged (vector-stable-sort "vector-stable-sort" v start end) (less? v)
  (check-procedure "vector-stable-sort" less?)
  (list->vector (sort-range less? v start end)))

(define-vector-ranged (vector-sort! "vector-sort!" v start end) (less? v)
  (check-procedure "vector-sort!" less?)
  (sort-range! less? v start end))

(define-vector-ranged (vector-stable-sort! "vector-stable-sort!" v start end) (less? v)
  (check-procedure "vector-stable-sort!" less?)
  (sort-range! less? v start end))

;; Merges V1[I,E1) and V2[J,E2) into TO from AT on.
(define (merge-into! less? to at v1 i e1 v2 j e2)
  (let loop ((at at) (i i) (j j))
    (cond ((= i e1) (vector-copy! to at v2 j e2))
          ((= j e2) (vector-copy! to at v1 i e1))
          (else
           (let ((x (vector-ref v1 i)) (y (vector-ref v2 j)))
             (if (less? y x)
                 (begin (vector-set! to at y) (loop (+ at 1) i (+ j 1)))
                 (begin (vector-set! to at x) (loop (+ at 1) (+ i 1) j))))))))

(define vector-merge
  (case-lambda
    ((less? v1 v2) (vector-merge less? v1 v2 0 (vector-length v1) 0 (vector-length v2)))
    ((less? v1 v2 s1) (vector-merge less? v1 v2 s1 (vector-length v1) 0 (vector-length v2)))
    ((less? v1 v2 s1 e1) (vector-merge less? v1 v2 s1 e1 0 (vector-length v2)))
    ((less? v1 v2 s1 e1 s2) (vector-merge less? v1 v2 s1 e1 s2 (vector-length v2)))
    ((less? v1 v2 s1 e1 s2 e2)
     (check-procedure "vector-merge" less?)
     (check-vector-range "vector-merge" v1 s1 e1)
     (check-vector-range "vector-merge" v2 s2 e2)
     (let ((to (make-vector (+ (- e1 s1) (- e2 s2)))))
       (merge-into! less? to 0 v1 s1 e1 v2 s2 e2)
       to))))

(define vector-merge!
  (case-lambda
    ((less? to v1 v2) (vector-merge! less? to v1 v2 0 0 (vector-length v1) 0 (vector-length v2)))
    ((less? to v1 v2 at)
     (vector-merge! less? to v1 v2 at 0 (vector-length v1) 0 (vector-length v2)))
    ((less? to v1 v2 at s1)
     (vector-merge! less? to v1 v2 at s1 (vector-length v1) 0 (vector-length v2)))
    ((less? to v1 v2 at s1 e1) (vector-merge! less? to v1 v2 at s1 e1 0 (vector-length v2)))
    ((less? to v1 v2 at s1 e1 s2) (vector-merge! less? to v1 v2 at s1 e1 s2 (vector-length v2)))
    ((less? to v1 v2 at s1 e1 s2 e2)
     (check-procedure "vector-merge!" less?)
     (check-vector-range "vector-merge!" v1 s1 e1)
     (check-vector-range "vector-merge!" v2 s2 e2)
     (check-vector-range "vector-merge!" to at (+ at (- e1 s1) (- e2 s2)))
     (merge-into! less? to at v1 s1 e1 v2 s2 e2))))

(define-vector-ranged (vector-delete-neighbor-dups "vector-delete-neighbor-dups" v start end) (= v)
  (check-procedure "vector-delete-neighbor-dups" =)
  (list->vector (list-delete-neighbor-dups = (vector->list v start end))))

(define-vector-ranged (vector-delete-neighbor-dups! "vector-delete-neighbor-dups!" v start end)
                      (same? v)
  (check-procedure "vector-delete-neighbor-dups!" same?)
  (if (= start end)
      start
      (let loop ((kept start) (i (+ start 1)))
        (cond ((= i end) (+ kept 1))
              ((same? (vector-ref v kept) (vector-ref v i)) (loop kept (+ i 1)))
              (else (vector-set! v (+ kept 1) (vector-ref v i))
                    (loop (+ kept 1) (+ i 1)))))))

;; Selection: quickselect with a pivot from three places and a partition in three, for runs of
;; equal elements. ROUNDS bounds how often a bad pivot is borne before the range is sorted.

(define (swap! v i j)
  (let ((x (vector-ref v i)))
    (vector-set! v i (vector-ref v j))
    (vector-set! v j x)))

(define (median3 less? x y z)
  (if (less? x y)
      (cond ((less? y z) y) ((less? x z) z) (else x))
      (cond ((less? x z) x) ((less? y z) z) (else y))))

;; The element that sorting V[LO,HI) would put at K; smaller ones end up before K, greater ones
;; after it.
(define (select! less? v k lo hi rounds)
  (if (or (<= (- hi lo) 8) (= rounds 0))
      (begin (sort-range! less? v lo hi)
             (vector-ref v k))
      (let ((pivot (median3 less? (vector-ref v lo)
                            (vector-ref v (quotient (+ lo hi) 2))
                            (vector-ref v (- hi 1)))))
        (let loop ((below lo) (i lo) (above hi))
          (if (= i above)
              (cond ((< k below) (select! less? v k lo below (- rounds 1)))
                    ((>= k above) (select! less? v k above hi (- rounds 1)))
                    (else pivot))
              (let ((x (vector-ref v i)))
                (cond ((less? x pivot)
                       (swap! v below i)
                       (loop (+ below 1) (+ i 1) above))
                      ((less? pivot x)
                       (swap! v i (- above 1))
                       (loop below i (- above 1)))
                      (else (loop below (+ i 1) above)))))))))

(define (rounds-for n)
  (if (<= n 1) 2 (+ 2 (rounds-for (quotient n 2)))))

(define (check-rank who k limit)
  (if (not (and (exact-integer? k) (<= 0 k limit)))
      (error (string-append who ": rank out of range") k)))

(define-vector-ranged (vector-select! "vector-select!" v start end) (less? v k)
  (check-procedure "vector-select!" less?)
  (check-rank "vector-select!" k (- end start 1))
  (select! less? v (+ start k) start end (rounds-for (- end start))))

(define-vector-ranged (vector-separate! "vector-separate!" v start end) (less? v k)
  (check-procedure "vector-separate!" less?)
  (check-rank "vector-separate!" k (- end start))
  (if (and (< 0 k) (< k (- end start)))
      (select! less? v (+ start k) start end (rounds-for (- end start)))))

(define (average a b) (/ (+ a b) 2))

(define vector-find-median
  (case-lambda
    ((less? v knil) (vector-find-median less? v knil average))
    ((less? v knil mean)
     (check-procedure "vector-find-median" less?)
     (let* ((n (vector-length v)) (middle (quotient n 2)))
       (if (= n 0)
           knil
           (let* ((copy (vector-copy v))
                  (upper (select! less? copy middle 0 n (rounds-for n))))
             (if (odd? n)
                 upper
                 (mean (greatest less? copy middle) upper))))))))

;; The greatest of the first N elements.
(define (greatest less? v n)
  (let loop ((i 1) (best (vector-ref v 0)))
    (if (= i n)
        best
        (let ((x (vector-ref v i)))
          (loop (+ i 1) (if (less? best x) x best))))))

(define vector-find-median!
  (case-lambda
    ((less? v knil) (vector-find-median! less? v knil average))
    ((less? v knil mean)
     (check-procedure "vector-find-median!" less?)
     (let* ((n (vector-length v)) (middle (quotient n 2)))
       (sort-range! less? v 0 n)
       (cond ((= n 0) knil)
             ((odd? n) (vector-ref v middle))
             (else (mean (vector-ref v (- middle 1)) (vector-ref v middle))))))))
