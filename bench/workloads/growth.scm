;; Whether twice the work takes twice the time, in one process: prints a line "NAME RATIO" for the interpreter, the
;; collector, the expander and the reader. Each is timed by CPU time at n, 4n, n, 4n, ...; the ratio is the square root of
;; that of the least times, since whatever disturbs a run only makes it longer. A thunk is run several times in one
;; timing where one run is so short that whether a collection falls into it would decide.
(import (scheme base) (scheme write) (scheme read) (scheme eval) (scheme inexact) (hone prim))

(define rounds 4)

(define (time-of thunk repeat)
  (let ((start (%process-cpu-ns)))
    (do ((i 0 (+ i 1))) ((= i repeat)) (thunk))
    (- (%process-cpu-ns) start)))

;; (prepare n) makes what is to be timed: a thunk.
(define (report name repeat n prepare)
  (let loop ((k 0) (a #f) (b #f))
    (if (< k rounds)
        (let* ((x (time-of (prepare n) repeat)) (y (time-of (prepare (* 4 n)) repeat)))
          (loop (+ k 1) (if a (min a x) x) (if b (min b y) y)))
        (begin
          (display name)
          (display " ")
          (display (/ (round (* 1000. (sqrt (/ b a)))) 1000.))
          (newline)))))

;; ---- interpreter: calls, closures, arithmetic; the stack grows with n ----
(define (count-up n)
  (if (= n 0) 0 (+ 1 (count-up (- n 1)))))
(define (interpreter n)
  (lambda ()
    (count-up n)
    (let loop ((i 0) (f (lambda (x) x)))
      (if (< i n) (loop (+ i 1) (lambda (x) (+ i x))) (f 0)))))

;; ---- collector: whole collections with n trees alive, in spaces that are mapped already: what the system takes to give
;; memory for the first time differs by more than a factor of two from run to run ----
(define (tree depth)
  (if (= depth 0) '() (cons (tree (- depth 1)) (tree (- depth 1)))))
(define (collector n)
  (let ((live (make-vector n)))
    (do ((i 0 (+ i 1))) ((= i n)) (vector-set! live i (tree 8)))
    (%gc)
    (%gc)
    (lambda () (%gc) live)))

;; ---- expander and what follows it: a body of n definitions, each with macros to expand ----
(define env (environment '(scheme base)))
(define (name i) (string->symbol (string-append "v" (number->string i))))
(define (definition i)
  `(define (,(name i) x)
     (let* ((a x) (b (or a x)))
       (cond ((null? a) => list) ((and a b (pair? a)) (case b ((1 2) a) (else (,(name (if (= i 0) 0 (- i 1))) b))))
             (else (let loop ((k 0)) (when (< k 0) (loop (+ k 1)))))))))
(define (expander n)
  (let ((form `(lambda () ,@(do ((i n (- i 1)) (l '(0) (cons (definition (- i 1)) l))) ((= i 0) l)))))
    (lambda () (eval form env))))

;; ---- reader: one datum of n parts, with names, numbers, strings and depth ----
(define (text n)
  (let ((out (open-output-string)))
    (write-string "(" out)
    (do ((i 0 (+ i 1))) ((= i n)) (write-string "(alpha \"text\" 12.5 #(1 2 3) . beta) (" out))
    (do ((i 0 (+ i 1))) ((= i (+ n 1))) (write-string ")" out))
    (get-output-string out)))
(define (reader n)
  (let ((s (text n))) (lambda () (read (open-input-string s)))))

(report "interpreter" 4 500000 interpreter)
(report "collector" 4 1000 collector)
(report "expander" 3 100 expander)
(report "reader" 10 200 reader)
