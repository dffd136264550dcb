;; The SRFI libraries that are small: 2, 8, 26, 28, 111, and those that only pass on what R7RS
;; has.
(import (scheme base) (scheme write)
        (srfi 2) (srfi 26) (srfi 28) (srfi 64) (suite) (srfi 111)
        (prefix (srfi 6) six:) (prefix (srfi 8) eight:) (prefix (srfi 9) nine:)
        (prefix (srfi 11) eleven:) (prefix (srfi 16) sixteen:) (prefix (srfi 23) twenty-three:)
        (prefix (srfi 39) thirty-nine:) (prefix (srfi 87) eighty-seven:)
        (prefix (srfi 98) ninety-eight:)
        (srfi 30) (srfi 62))

(test-begin "small")

(test-group "2"
  (test-eqv #t (and-let* ()))
  (test-eqv 'body (and-let* () 'body))
  (test-eqv 5 (and-let* ((x 5))))
  (test-eqv #f (and-let* ((x #f) (y (error "evaluated"))) 1))
  (test-eqv 6 (and-let* ((x 5) ((> x 3)) (y 1)) (+ x y)))
  (test-eqv #f (and-let* ((x 5) ((> x 7))) x))
  (test-eqv 7 (let ((y 7)) (and-let* (y))))
  (test-eqv 8 (let ((y 7)) (and-let* (y ((odd? y))) (+ y 1))))
  (test-eqv 2 (and-let* ((x 1) (x (+ x 1))) x))
  (test-eqv 3 (and-let* ((x 1)) (define y 2) (+ x y))))

(test-group "8"
  (test-equal '(1 (2 3)) (eight:receive (a . rest) (values 1 2 3) (list a rest)))
  (test-equal '(1 2) (eight:receive all (values 1 2) all)))

(test-group "26"
  (test-equal '(1 2) ((cut list 1 <>) 2))
  (test-equal '(1 2 3 4) ((cut list <> 2 <> 4) 1 3))
  (test-equal '(1 2 3 4) ((cut list 1 <...>) 2 3 4))
  (test-equal '() ((cut list)))
  (test-equal '(9 8) ((cut <> 9 8) list))
  (test-equal '(1 2 3) ((cut <> 1 <...>) list 2 3))
  (test-equal '(1 2) ((cute list 1 <>) 2))
  (test-equal '(1 2 3) ((cute <> 1 <...>) list 2 3))
  ;; cut computes its expressions at each call, cute once.
  (let* ((n 0)
         (next (lambda () (set! n (+ n 1)) n))
         (each (cut list (next) <>))
         (once (cute list (next) <>)))
    (test-equal '((1 a) (1 b)) (list (once 'a) (once 'b)))
    (each 'c)
    (test-equal '(3 d) (each 'd))))

(test-group "28"
  (test-equal "Hello, World!" (format "Hello, ~a" "World!"))
  (test-equal "Error, list is too short: (one \"two\" 3)\n"
    (format "Error, list is too short: ~s~%" '(one "two" 3)))
  (test-equal "~ and \"x\" and x" (format "~~ and ~s and ~a" "x" "x"))
  (test-equal "" (format ""))
  (test-error (format "~a"))
  (test-error (format "~q" 1))
  (test-error (format "~"))
  (test-error (format 1)))

(test-group "111"
  (let ((b (box 1)))
    (test-assert (box? b))
    (test-assert (not (box? 1)))
    (test-eqv 1 (unbox b))
    (set-box! b 2)
    (test-eqv 2 (unbox b))))

(test-group "passed on"
  (test-equal "x" (let ((o (six:open-output-string))) (write-char #\x o) (six:get-output-string o)))
  (test-equal '(1 2) (eleven:let-values (((a b) (values 1 2))) (list a b)))
  (test-equal '(1 (1 2)) (let ((f (sixteen:case-lambda ((a) a) (all all)))) (list (f 1) (f 1 2))))
  (test-error (twenty-three:error "x"))
  (test-equal '(1 2)
    (let ((p (thirty-nine:make-parameter 1)))
      (let ((a (p))) (list a (thirty-nine:parameterize ((p 2)) (p))))))
  (test-equal 10 (eighty-seven:case 5 ((1) 'no) (else => (lambda (x) (* x 2)))))
  (test-equal #f (ninety-eight:get-environment-variable "SURELY_NOT_SET_4711"))
  (test-equal 3 (let () (nine:define-record-type p (make-p x) p? (x p-x)) (p-x (make-p 3))))
  (test-equal 1 #| #| nested |# |# 1)
  (test-equal '(1 3) '(1 #;2 3)))

(suite-end "small")
