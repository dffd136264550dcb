;; Lists as sets. The texts fix which list's element is the first argument of =: what is looked
;; for in `holds?`, what is found in `held?`.

;; Is some element Y of LIS such that (= X Y)?
(define (holds? = lis x)
  (let loop ((l lis))
    (and (pair? l)
         (or (= x (car l)) (loop (cdr l))))))

;; Is some element Y of LIS such that (= Y X)?
(define (held? = lis x)
  (let loop ((l lis))
    (and (pair? l)
         (or (= (car l) x) (loop (cdr l))))))

;; Does (ok? A B) hold of each two neighbours in LISTS?
(define (chain? ok? lists)
  (or (null? lists)
      (let loop ((a (car lists)) (rest (cdr lists)))
        (or (null? rest)
            (and (or (eq? a (car rest)) (ok? a (car rest)))
                 (loop (car rest) (cdr rest)))))))

(define (lset<= = . lists)
  (check-procedure "lset<=" =)
  (chain? (lambda (a b) (every (lambda (x) (holds? = b x)) a)) lists))

(define (lset= = . lists)
  (check-procedure "lset=" =)
  (chain? (lambda (a b)
            (and (every (lambda (x) (holds? = b x)) a)
                 (every (lambda (y) (held? = a y)) b)))
          lists))

(define (adjoin-all = lis elements)
  (let loop ((l elements) (acc lis))
    (if (pair? l)
        (let ((x (car l)))
          (loop (cdr l) (if (held? = acc x) acc (cons x acc))))
        acc)))

(define (lset-adjoin = lis . elements)
  (check-procedure "lset-adjoin" =)
  (adjoin-all = lis elements))

(define (lset-union = . lists)
  (check-procedure "lset-union" =)
  (let loop ((acc '()) (ls lists))
    (cond ((null? ls) acc)
          ((or (null? (car ls)) (eq? (car ls) acc)) (loop acc (cdr ls)))
          ((null? acc) (loop (car ls) (cdr ls)))
          (else (loop (adjoin-all = acc (car ls)) (cdr ls))))))

(define (in-every? = lists x)
  (let loop ((ls lists))
    (or (null? ls)
        (and (holds? = (car ls) x) (loop (cdr ls))))))

(define (in-some? = lists x)
  (let loop ((ls lists))
    (and (pair? ls)
         (or (holds? = (car ls) x) (loop (cdr ls))))))

(define (lset-intersection = lis . lists)
  (check-procedure "lset-intersection" =)
  (if (null? lists)
      lis
      (filter (lambda (x) (in-every? = lists x)) lis)))

(define (lset-difference = lis . lists)
  (check-procedure "lset-difference" =)
  (if (null? lists)
      lis
      (remove (lambda (x) (in-some? = lists x)) lis)))

(define (lset-diff+intersection = lis . lists)
  (check-procedure "lset-diff+intersection" =)
  (if (null? lists)
      (values lis '())
      (partition (lambda (x) (not (in-some? = lists x))) lis)))

(define (xor2 = a b)
  (cond ((null? a) b)
        ((null? b) a)
        ((eq? a b) '())
        (else
         (let ((only-a (remove (lambda (x) (holds? = b x)) a)))
           (let loop ((l b) (acc only-a))
             (if (pair? l)
                 (let ((y (car l)))
                   (loop (cdr l) (if (holds? = a y) acc (cons y acc))))
                 acc))))))

(define (lset-xor = . lists)
  (check-procedure "lset-xor" =)
  (if (null? lists)
      '()
      (let loop ((acc (car lists)) (ls (cdr lists)))
        (if (null? ls)
            acc
            (loop (xor2 = acc (car ls)) (cdr ls))))))
