;; Everything else, on top of the primitives. Arguments are checked when a procedure is called,
;; not when its stream is forced.

(define-syntax define-stream
  (syntax-rules ()
    ((_ (name . formals) body ...) (define name (stream-lambda formals body ...)))))

(define-syntax stream-let
  (syntax-rules ()
    ((_ tag ((name value) ...) body ...)
     ((letrec ((tag (stream-lambda (name ...) body ...))) tag) value ...))))

(define (check-stream who x)
  (if (not (stream? x)) (error (string-append who ": not a stream") x)))

(define (check-streams who streams)
  (if (null? streams) (error (string-append who ": no stream")))
  (for-each (lambda (s) (check-stream who s)) streams))

(define (check-number who x)
  (if (not (number? x)) (error (string-append who ": not a number") x)))

;; Conversion

(define (list->stream objects)
  (check-list "list->stream" objects)
  (stream-let loop ((l objects))
    (if (pair? l)
        (stream-cons (car l) (loop (cdr l)))
        stream-null)))

(define port->stream
  (case-lambda
    (() (port->stream (current-input-port)))
    ((port)
     (if (not (input-port? port)) (error "port->stream: not an input port" port))
     (stream-let loop ()
       (let ((c (read-char port)))
         (if (eof-object? c)
             stream-null
             (stream-cons c (loop))))))))

(define-syntax stream
  (syntax-rules ()
    ((_) stream-null)
    ((_ object more ...) (stream-cons object (stream more ...)))))

(define stream->list
  (case-lambda
    ((s)
     (check-stream "stream->list" s)
     (let loop ((s s) (acc '()))
       (if (stream-pair? s)
           (loop (stream-cdr s) (cons (stream-car s) acc))
           (reverse acc))))
    ((n s)
     (check-natural "stream->list" n)
     (check-stream "stream->list" s)
     (let loop ((n n) (s s) (acc '()))
       (if (and (> n 0) (stream-pair? s))
           (loop (- n 1) (stream-cdr s) (cons (stream-car s) acc))
           (reverse acc))))))

;; Sources

(define stream-from
  (case-lambda
    ((first) (stream-from first 1))
    ((first step)
     (check-number "stream-from" first)
     (check-number "stream-from" step)
     (stream-let loop ((x first))
       (stream-cons x (loop (+ x step)))))))

(define stream-range
  (case-lambda
    ((first past) (stream-range first past (if (< first past) 1 -1)))
    ((first past step)
     (check-number "stream-range" first)
     (check-number "stream-range" past)
     (check-number "stream-range" step)
     (stream-let loop ((x first))
       (if (if (< 0 step) (< x past) (> x past))
           (stream-cons x (loop (+ x step)))
           stream-null)))))

(define (stream-iterate proc base)
  (check-procedure "stream-iterate" proc)
  (stream-let loop ((x base))
    (stream-cons x (loop (proc x)))))

(define (stream-constant . objects)
  (if (null? objects)
      stream-null
      (stream-let loop ((l objects))
        (if (pair? l)
            (stream-cons (car l) (loop (cdr l)))
            (loop objects)))))

(define (stream-unfold mapper pred successor base)
  (check-procedure "stream-unfold" mapper)
  (check-procedure "stream-unfold" pred)
  (check-procedure "stream-unfold" successor)
  (stream-let loop ((x base))
    (if (pred x)
        (stream-cons (mapper x) (loop (successor x)))
        stream-null)))

;; GENERATOR gives the next seed and for each stream (x), an element; #f, none this time; or (),
;; the end. All streams draw on one stream of such rows; the first is made at once, since it
;; alone tells how many streams there are.
(define (stream-unfolds generator seed)
  (check-procedure "stream-unfolds" generator)
  (let*-values (((next . row) (generator seed))
                ((rows) (stream-cons row (rows-from generator next))))
    (let loop ((i (- (length row) 1)) (streams '()))
      (if (< i 0)
          (apply values streams)
          (loop (- i 1) (cons (column rows i) streams))))))

(define-stream (rows-from generator seed)
  (let-values (((next . row) (generator seed)))
    (stream-cons row (rows-from generator next))))

(define-stream (column rows i)
  (let ((result (list-ref (stream-car rows) i)))
    (cond ((pair? result) (stream-cons (car result) (column (stream-cdr rows) i)))
          ((null? result) stream-null)
          (else (column (stream-cdr rows) i)))))

;; Parts

(define (stream-ref s n)
  (check-stream "stream-ref" s)
  (check-natural "stream-ref" n)
  (let loop ((t s) (k n))
    (cond ((stream-null? t) (error "stream-ref: beyond the end of the stream" n))
          ((= k 0) (stream-car t))
          (else (loop (stream-cdr t) (- k 1))))))

(define (stream-length s)
  (check-stream "stream-length" s)
  (let loop ((s s) (n 0))
    (if (stream-pair? s)
        (loop (stream-cdr s) (+ n 1))
        n)))

(define (stream-take n s)
  (check-natural "stream-take" n)
  (check-stream "stream-take" s)
  (stream-let loop ((n n) (s s))
    (if (or (= n 0) (stream-null? s))
        stream-null
        (stream-cons (stream-car s) (loop (- n 1) (stream-cdr s))))))

(define (stream-drop n s)
  (check-natural "stream-drop" n)
  (check-stream "stream-drop" s)
  (stream-let loop ((n n) (s s))
    (if (or (= n 0) (stream-null? s))
        s
        (loop (- n 1) (stream-cdr s)))))

(define (stream-take-while pred s)
  (check-procedure "stream-take-while" pred)
  (check-stream "stream-take-while" s)
  (stream-let loop ((s s))
    (if (and (stream-pair? s) (pred (stream-car s)))
        (stream-cons (stream-car s) (loop (stream-cdr s)))
        stream-null)))

(define (stream-drop-while pred s)
  (check-procedure "stream-drop-while" pred)
  (check-stream "stream-drop-while" s)
  (stream-let loop ((s s))
    (if (and (stream-pair? s) (pred (stream-car s)))
        (loop (stream-cdr s))
        s)))

(define (stream-filter pred s)
  (check-procedure "stream-filter" pred)
  (check-stream "stream-filter" s)
  (stream-let loop ((s s))
    (cond ((stream-null? s) stream-null)
          ((pred (stream-car s)) (stream-cons (stream-car s) (loop (stream-cdr s))))
          (else (loop (stream-cdr s))))))

;; Elements are passed on unforced.
(define (stream-reverse s)
  (check-stream "stream-reverse" s)
  (stream-let loop ((s s) (acc stream-null))
    (if (stream-null? s)
        acc
        (loop (stream-cdr s) (stream-cons (stream-car s) acc)))))

;; Joining

(define (stream-append . streams)
  (for-each (lambda (s) (check-stream "stream-append" s)) streams)
  (stream-let loop ((streams streams))
    (cond ((null? streams) stream-null)
          ((null? (cdr streams)) (car streams))
          ((stream-null? (car streams)) (loop (cdr streams)))
          (else
           (let ((first (car streams)))
             (stream-cons (stream-car first)
                          (loop (cons (stream-cdr first) (cdr streams)))))))))

(define (stream-concat streams)
  (check-stream "stream-concat" streams)
  (stream-let loop ((current stream-null) (streams streams))
    (cond ((stream-pair? current)
           (stream-cons (stream-car current) (loop (stream-cdr current) streams)))
          ((stream-null? streams) stream-null)
          (else
           (let ((next (stream-car streams)))
             (check-stream "stream-concat" next)
             (loop next (stream-cdr streams)))))))

;; Maps and folds

(define (any-null? streams)
  (and (pair? streams)
       (or (stream-null? (car streams)) (any-null? (cdr streams)))))

(define (stream-map proc s . more)
  (check-procedure "stream-map" proc)
  (check-streams "stream-map" (cons s more))
  (if (null? more)
      (stream-let loop ((s s))
        (if (stream-null? s)
            stream-null
            (stream-cons (proc (stream-car s)) (loop (stream-cdr s)))))
      (stream-let loop ((streams (cons s more)))
        (if (any-null? streams)
            stream-null
            (stream-cons (apply proc (map stream-car streams))
                         (loop (map stream-cdr streams)))))))

(define (stream-for-each proc s . more)
  (check-procedure "stream-for-each" proc)
  (check-streams "stream-for-each" (cons s more))
  (if (null? more)
      (let loop ((s s))
        (if (stream-pair? s)
            (begin (proc (stream-car s))
                   (loop (stream-cdr s)))))
      (let loop ((streams (cons s more)))
        (if (not (any-null? streams))
            (begin (apply proc (map stream-car streams))
                   (loop (map stream-cdr streams)))))))

(define (stream-zip s . more)
  (check-streams "stream-zip" (cons s more))
  (stream-let loop ((streams (cons s more)))
    (if (any-null? streams)
        stream-null
        (stream-cons (map stream-car streams) (loop (map stream-cdr streams))))))

(define (stream-fold proc base s)
  (check-procedure "stream-fold" proc)
  (check-stream "stream-fold" s)
  (let loop ((acc base) (s s))
    (if (stream-pair? s)
        (loop (proc acc (stream-car s)) (stream-cdr s))
        acc)))

(define (stream-scan proc base s)
  (check-procedure "stream-scan" proc)
  (check-stream "stream-scan" s)
  (stream-let loop ((acc base) (s s))
    (if (stream-null? s)
        (stream acc)
        (stream-cons acc (loop (proc acc (stream-car s)) (stream-cdr s))))))

;; Matching

(define-syntax stream-match
  (syntax-rules ()
    ((_ expression clause ...)
     (let ((s expression))
       (check-stream "stream-match" s)
       (match-clauses s clause ...)))))

(define-syntax match-clauses
  (syntax-rules ()
    ((_ s) (error "stream-match: no pattern matches" s))
    ((_ s (pattern result) clause ...)
     (let ((next (lambda () (match-clauses s clause ...))))
       (match-pattern s pattern result (next))))
    ((_ s (pattern fender result) clause ...)
     (let ((next (lambda () (match-clauses s clause ...))))
       (match-pattern s pattern (if fender result (next)) (next))))))

(define-syntax match-pattern
  (syntax-rules (_)
    ((match s () yes no) (if (stream-null? s) yes no))
    ((match s (_ . rest) yes no)
     (if (stream-pair? s)
         (let ((tail (stream-cdr s)))
           (match-pattern tail rest yes no))
         no))
    ((match s (variable . rest) yes no)
     (if (stream-pair? s)
         (let ((variable (stream-car s)) (tail (stream-cdr s)))
           (match-pattern tail rest yes no))
         no))
    ((match s _ yes no) yes)
    ((match s variable yes no) (let ((variable s)) yes))))

;; Comprehensions: REST is the stream that follows what the clauses to the right give.

(define-syntax stream-of
  (syntax-rules ()
    ((_ expression clause ...) (of-clauses expression stream-null clause ...))))

(define-syntax of-clauses
  (syntax-rules (in is)
    ((_ expression rest) (stream-cons expression rest))
    ((_ expression rest (variable in source) clause ...)
     (stream-let loop ((s source))
       (if (stream-null? s)
           rest
           (let ((variable (stream-car s)))
             (of-clauses expression (loop (stream-cdr s)) clause ...)))))
    ((_ expression rest (variable is value) clause ...)
     (let ((variable value))
       (of-clauses expression rest clause ...)))
    ((_ expression rest test clause ...)
     (if test (of-clauses expression rest clause ...) rest))))
