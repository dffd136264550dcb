;; Folds, unfolds and maps. One and two lists have loops of their own; more go through argument
;; lists. Results are consed in reverse and then reversed once: no store into a pair that may
;; have grown old, no deep stack, and a step that is left and entered again finds its
;; accumulator as it was.

(define count
  (case-lambda
    ((pred lis)
     (let loop ((l lis) (n 0))
       (if (pair? l)
           (loop (cdr l) (if (pred (car l)) (+ n 1) n))
           (begin (check-end "count" l lis) n))))
    ((pred l1 l2)
     (let loop ((a l1) (b l2) (n 0))
       (if (and (pair? a) (pair? b))
           (loop (cdr a) (cdr b) (if (pred (car a) (car b)) (+ n 1) n))
           n)))
    ((pred . lists)
     (let loop ((ls lists) (n 0))
       (if (any-end? ls)
           n
           (loop (cdrs ls) (if (apply pred (cars ls)) (+ n 1) n)))))))

(define fold
  (case-lambda
    ((kons knil lis)
     (let loop ((l lis) (acc knil))
       (if (pair? l)
           (loop (cdr l) (kons (car l) acc))
           (begin (check-end "fold" l lis) acc))))
    ((kons knil l1 l2)
     (let loop ((a l1) (b l2) (acc knil))
       (if (and (pair? a) (pair? b))
           (loop (cdr a) (cdr b) (kons (car a) (car b) acc))
           acc)))
    ((kons knil l1 . rest)
     (let loop ((ls (cons l1 rest)) (acc knil))
       (if (any-end? ls)
           acc
           (loop (cdrs ls) (apply kons (cars+ ls acc))))))))

;; The argument lists of an n-ary step at each position, the last position first.
(define (rows-reversed lists)
  (let loop ((ls lists) (acc '()))
    (if (any-end? ls)
        acc
        (loop (cdrs ls) (cons (cars ls) acc)))))

(define fold-right
  (case-lambda
    ((kons knil lis)
     (let loop ((l (reverse lis)) (acc knil))
       (if (pair? l)
           (loop (cdr l) (kons (car l) acc))
           acc)))
    ((kons knil l1 l2)
     (let collect ((a l1) (b l2) (ra '()) (rb '()))
       (if (and (pair? a) (pair? b))
           (collect (cdr a) (cdr b) (cons (car a) ra) (cons (car b) rb))
           (let loop ((ra ra) (rb rb) (acc knil))
             (if (pair? ra)
                 (loop (cdr ra) (cdr rb) (kons (car ra) (car rb) acc))
                 acc)))))
    ((kons knil l1 . rest)
     (let loop ((rows (rows-reversed (cons l1 rest))) (acc knil))
       (if (pair? rows)
           (loop (cdr rows) (apply kons (append (car rows) (list acc))))
           acc)))))

;; The cdr is taken before KONS is called, which may change it.
(define pair-fold
  (case-lambda
    ((kons knil lis)
     (let loop ((l lis) (acc knil))
       (if (pair? l)
           (let ((next (cdr l)))
             (loop next (kons l acc)))
           (begin (check-end "pair-fold" l lis) acc))))
    ((kons knil l1 l2)
     (let loop ((a l1) (b l2) (acc knil))
       (if (and (pair? a) (pair? b))
           (let ((next-a (cdr a)) (next-b (cdr b)))
             (loop next-a next-b (kons a b acc)))
           acc)))
    ((kons knil l1 . rest)
     (let loop ((ls (cons l1 rest)) (acc knil))
       (if (any-end? ls)
           acc
           (let ((next (cdrs ls)))
             (loop next (apply kons (append ls (list acc))))))))))

(define pair-fold-right
  (case-lambda
    ((kons knil lis)
     (let loop ((pairs (pair-fold cons '() lis)) (acc knil))
       (if (pair? pairs)
           (loop (cdr pairs) (kons (car pairs) acc))
           acc)))
    ((kons knil l1 . rest)
     (let collect ((ls (cons l1 rest)) (rows '()))
       (if (any-end? ls)
           (let loop ((rows rows) (acc knil))
             (if (pair? rows)
                 (loop (cdr rows) (apply kons (append (car rows) (list acc))))
                 acc))
           (collect (cdrs ls) (cons ls rows)))))))

(define (reduce f ridentity lis)
  (if (pair? lis)
      (let loop ((l (cdr lis)) (acc (car lis)))
        (if (pair? l)
            (loop (cdr l) (f (car l) acc))
            (begin (check-end "reduce" l lis) acc)))
      (begin (check-end "reduce" lis lis) ridentity)))

(define (reduce-right f ridentity lis)
  (let ((rev (reverse lis)))
    (if (pair? rev)
        (let loop ((l (cdr rev)) (acc (car rev)))
          (if (pair? l)
              (loop (cdr l) (f (car l) acc))
              acc))
        ridentity)))

(define unfold
  (case-lambda
    ((stop? mapper successor seed)
     (let loop ((seed seed) (acc '()))
       (if (stop? seed)
           (reverse acc)
           (let ((x (mapper seed)))
             (loop (successor seed) (cons x acc))))))
    ((stop? mapper successor seed tail-gen)
     (let loop ((seed seed) (acc '()))
       (if (stop? seed)
           (append-reverse acc (tail-gen seed))
           (let ((x (mapper seed)))
             (loop (successor seed) (cons x acc))))))))

(define unfold-right
  (case-lambda
    ((stop? mapper successor seed) (unfold-right stop? mapper successor seed '()))
    ((stop? mapper successor seed tail)
     (let loop ((seed seed) (acc tail))
       (if (stop? seed)
           acc
           (let ((x (mapper seed)))
             (loop (successor seed) (cons x acc))))))))

(define map-in-order
  (case-lambda
    ((f lis)
     (let loop ((l lis) (acc '()))
       (if (pair? l)
           (loop (cdr l) (cons (f (car l)) acc))
           (begin (check-end "map-in-order" l lis) (reverse acc)))))
    ((f l1 l2)
     (let loop ((a l1) (b l2) (acc '()))
       (if (and (pair? a) (pair? b))
           (loop (cdr a) (cdr b) (cons (f (car a) (car b)) acc))
           (reverse acc))))
    ((f l1 . rest)
     (let loop ((ls (cons l1 rest)) (acc '()))
       (if (any-end? ls)
           (reverse acc)
           (loop (cdrs ls) (cons (apply f (cars ls)) acc)))))))

(define append-map
  (case-lambda
    ((f lis) (join-all append (map-in-order f lis)))
    ((f l1 l2) (join-all append (map-in-order f l1 l2)))
    ((f l1 . rest) (join-all append (apply map-in-order f l1 rest)))))

(define append-map!
  (case-lambda
    ((f lis) (join-all append! (map-in-order f lis)))
    ((f l1 l2) (join-all append! (map-in-order f l1 l2)))
    ((f l1 . rest) (join-all append! (apply map-in-order f l1 rest)))))

(define pair-for-each
  (case-lambda
    ((f lis)
     (let loop ((l lis))
       (if (pair? l)
           (let ((next (cdr l)))
             (f l)
             (loop next))
           (check-end "pair-for-each" l lis))))
    ((f l1 l2)
     (let loop ((a l1) (b l2))
       (if (and (pair? a) (pair? b))
           (let ((next-a (cdr a)) (next-b (cdr b)))
             (f a b)
             (loop next-a next-b)))))
    ((f l1 . rest)
     (let loop ((ls (cons l1 rest)))
       (if (not (any-end? ls))
           (let ((next (cdrs ls)))
             (apply f ls)
             (loop next)))))))

(define filter-map
  (case-lambda
    ((f lis)
     (let loop ((l lis) (acc '()))
       (if (pair? l)
           (let ((x (f (car l))))
             (loop (cdr l) (if x (cons x acc) acc)))
           (begin (check-end "filter-map" l lis) (reverse acc)))))
    ((f l1 l2)
     (let loop ((a l1) (b l2) (acc '()))
       (if (and (pair? a) (pair? b))
           (let ((x (f (car a) (car b))))
             (loop (cdr a) (cdr b) (if x (cons x acc) acc)))
           (reverse acc))))
    ((f l1 . rest)
     (let loop ((ls (cons l1 rest)) (acc '()))
       (if (any-end? ls)
           (reverse acc)
           (let ((x (apply f (cars ls))))
             (loop (cdrs ls) (if x (cons x acc) acc))))))))
