;; SRFI 143: fixnums, here from -2^60 to 2^60-1. An argument or a result that is no fixnum is
;; the program's error and not looked for: the procedures are the generic ones, of which the
;; interpreter does the fixnum case at once anyway.
(define-library (srfi 143)
  (export fx-width fx-greatest fx-least
          fixnum? fx=? fx<? fx>? fx<=? fx>=?
          (rename zero? fxzero?) (rename positive? fxpositive?) (rename negative? fxnegative?)
          (rename odd? fxodd?) (rename even? fxeven?) (rename max fxmax) (rename min fxmin)
          fx+ fx- fxneg fx* (rename quotient fxquotient) (rename remainder fxremainder)
          (rename abs fxabs) (rename square fxsquare) (rename exact-integer-sqrt fxsqrt)
          fx+/carry fx-/carry fx*/carry
          (rename bitwise-not fxnot) (rename bitwise-and fxand) (rename bitwise-ior fxior)
          (rename bitwise-xor fxxor)
          fxarithmetic-shift fxarithmetic-shift-left fxarithmetic-shift-right
          (rename bit-count fxbit-count) (rename integer-length fxlength)
          (rename bitwise-if fxif) (rename bit-set? fxbit-set?) (rename copy-bit fxcopy-bit)
          (rename first-set-bit fxfirst-set-bit) (rename bit-field fxbit-field)
          (rename bit-field-rotate fxbit-field-rotate)
          (rename bit-field-reverse fxbit-field-reverse))
  (import (scheme base) (scheme case-lambda) (only (hone prim) fixnum?) (srfi 151))
  (begin
    (define fx-width 61)
    (define fx-greatest (- (expt 2 60) 1))
    (define fx-least (- (expt 2 60)))

    ;; A comparison of any number of fixnums, none included.
    (define-syntax define-comparison
      (syntax-rules ()
        ((_ name compare)
         (define name
           (case-lambda
             ((i j) (compare i j))
             (() #t)
             (all (apply compare all)))))))

    (define-comparison fx=? =)
    (define-comparison fx<? <)
    (define-comparison fx>? >)
    (define-comparison fx<=? <=)
    (define-comparison fx>=? >=)

    (define (fx+ i j) (+ i j))
    (define (fx- i j) (- i j))
    (define (fx* i j) (* i j))
    (define (fxneg i) (- i))

    ;; Two values: N is 2^61 times the first and the second, a fixnum.
    (define (carry n)
      (let* ((modulus (expt 2 fx-width))
             (low (floor-remainder (- n fx-least) modulus))
             (fixnum (+ low fx-least)))
        (values (quotient (- n fixnum) modulus) fixnum)))

    (define (fx+/carry i j k) (carry (+ i j k)))
    (define (fx-/carry i j k) (carry (- i j k)))
    (define (fx*/carry i j k) (carry (+ (* i j) k)))

    (define (check-shift who count)
      (if (not (< -1 count fx-width)) (error (string-append who ": shift out of range") count)))

    (define (fxarithmetic-shift i count)
      (check-shift "fxarithmetic-shift" (abs count))
      (arithmetic-shift i count))

    (define (fxarithmetic-shift-left i count)
      (check-shift "fxarithmetic-shift-left" count)
      (arithmetic-shift i count))

    (define (fxarithmetic-shift-right i count)
      (check-shift "fxarithmetic-shift-right" count)
      (arithmetic-shift i (- count)))))
