;; (hone vm): prints the name of each statement that does not hold, then ok.
(import (scheme base) (scheme file) (scheme read) (scheme write) (srfi 1) (srfi 18) (hone vm))
(define (holds name ok) (if (not ok) (begin (write name) (newline))))
(define (read-all name)
  (call-with-input-file name
    (lambda (port)
      (let* ((datum (read port)) (more (read port)))
        (holds 'one-datum (eof-object? more))
        datum))))
(define (spin n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (vector-ref #(1 2) (remainder i 2)))))))
(define (field key datum) (cdr (assq key datum)))
(define (executions datum) (fold + 0 (map second (field 'instructions datum))))
(define (pairs datum)
  (fold + 0 (append-map (lambda (row) (map second (fifth row))) (field 'instructions datum))))
(define (instruction name datum) (assoc name (field 'instructions datum)))
(define (part name datum) (assoc name (field 'parts datum)))

;; values and escapes go through; the file is written either way
(call-with-values (lambda () (%with-profile-data "v.scm" 'scheme (spin 100) (values 1 2 3)))
                  (lambda l (holds 'values (equal? l '(1 2 3)))))
(holds 'no-value (null? (call-with-values (lambda () (%with-profile-data "v.scm" 'scheme (values))) list)))
(holds 'escape (eq? 'out (call/cc (lambda (k) (%with-profile-data "k.scm" 'scheme (spin 10) (k 'out))))))
(holds 'raise (eq? 'caught (guard (e (#t e)) (%with-profile-data "r.scm" 'scheme (spin 10) (raise 'caught)))))
(holds 'escape-file (> (executions (read-all "k.scm")) 10))
(holds 'raise-file (> (executions (read-all "r.scm")) 10))
(holds 'off-after (not (%vm-collect-stats)))

;; one thread: as many pairs as executions less one
(%with-profile-data "one.scm" 'scheme (spin 1000))
(define one (read-all "one.scm"))
(holds 'pairs-are-executions-less-one (= (pairs one) (- (executions one) 1)))
(holds 'each-iteration-counts (= 1000 (second (instruction "LOOP" one))))
(holds 'times-are-not-negative
       (every (lambda (row) (and (>= (third row) 0) (>= (fourth row) 0))) (append (field 'instructions one) (field 'parts one))))
(holds 'no-pair-without-its-instructions
       (every (lambda (row)
                (every (lambda (next) (<= (second next) (second row) )) (fifth row)))
              (field 'instructions one)))
(holds 'twice-as-many
       (begin
         (%with-profile-data "two.scm" 'scheme (spin 2000))
         (= 2000 (second (instruction "LOOP" (read-all "two.scm"))))))

;; three threads at once: each has one pair less than executions, whoever runs when
(define (three-threads)
  (let ((threads (map (lambda (i) (thread-start! (make-thread (lambda () (spin 20000))))) '(1 2 3))))
    (for-each thread-join! threads)))
(%with-profile-data "threads.scm" 'scheme (three-threads))
(define many (read-all "threads.scm"))
(holds 'pairs-of-threads (= (pairs many) (- (executions many) 4)))
(holds 'executions-of-threads (<= 60000 (second (instruction "LOOP" many)) 60010))

;; the csv and the datum tell the same
(%vm-reset-stats)
(%vm-collect-stats #t)
(spin 500)
(%vm-collect-stats #f)
(%vm-dump-stats "same.csv" 'csv)
(%vm-dump-stats "same.scm" 'scheme)
(%vm-dump-stats "again.csv" 'csv)
(define (lines name)
  (call-with-input-file name
    (lambda (port) (let loop ((l '())) (let ((x (read-line port))) (if (eof-object? x) (reverse l) (loop (cons x l))))))))
(holds 'header (equal? (car (lines "same.csv")) "name,kind,count,total ns,average ns"))
(holds 'rows
       (let ((datum (read-all "same.scm")))
         (= (+ 1 (length (field 'instructions datum)) (length (field 'parts datum)))
            (list-index (lambda (l) (char=? #\( (string-ref l 0))) (filter (lambda (l) (> (string-length l) 0)) (lines "same.csv"))))))
(holds 'no-counting-while-off (equal? (lines "same.csv") (lines "again.csv")))

;; parts that are no instruction
(%with-profile-data "parts.scm" 'scheme
  (apply + (list 1 2 3))
  (let loop ((i 0)) (if (< i 100) (begin (expt 7 i) (loop (+ i 1)))))
  (let ((x (expt 10 (+ 100 (spin 3))))) (* x x)))
(define parts (read-all "parts.scm"))
(for-each (lambda (name) (holds name (let ((p (part name parts))) (and p (> (second p) 0)))))
          '("call: apply" "primitive in C" "arithmetic not in line: bignums, ratios, ..."))

;; switching does not pile up memory, and wrong uses are errors
(let loop ((i 0))
  (if (< i 1000)
      (begin (%vm-collect-stats #t) (spin 3) (%vm-collect-stats #f) (loop (+ i 1)))))
(holds 'wrong-format (guard (e (#t #t)) (%vm-dump-stats "x.csv" 'html) #f))
(holds 'wrong-name (guard (e (#t #t)) (%vm-dump-stats 7 'csv) #f))
(holds 'no-folder (guard (e (#t #t)) (%vm-dump-stats "nowhere/x.csv" 'csv) #f))
(holds 'config (and (every (lambda (p) (and (pair? p) (symbol? (car p)))) (%vm-config)) (assq 'instructions (%vm-config))))
(write 'ok)
(newline)
