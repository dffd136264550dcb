;; SRFI 144: flonums. An argument of the arithmetic that is no flonum is the program's error and not
;; looked for: those procedures are the generic ones, of which the interpreter does the flonum case
;; at once anyway. The functions are the C library's, and do look.
(define-library (srfi 144)
  (export
          fl-e fl-1/e fl-e-2 fl-e-pi/4 fl-log2-e fl-log10-e fl-log-2 fl-1/log-2 fl-log-3 fl-log-pi
          fl-log-10 fl-1/log-10 fl-pi fl-1/pi fl-2pi fl-pi/2 fl-pi/4 fl-pi-squared fl-degree
          fl-2/pi fl-2/sqrt-pi fl-sqrt-2 fl-sqrt-3 fl-sqrt-5 fl-sqrt-10 fl-1/sqrt-2 fl-cbrt-2 fl-cbrt-3
          fl-4thrt-2 fl-phi fl-log-phi fl-1/log-phi fl-euler fl-e-euler fl-sin-1 fl-cos-1
          fl-gamma-1/2 fl-gamma-1/3 fl-gamma-2/3
          fl-greatest fl-least fl-epsilon fl-fast-fl+* fl-integer-exponent-zero
          fl-integer-exponent-nan
          (rename inexact flonum) fladjacent flcopysign make-flonum
          flinteger-fraction flexponent flinteger-exponent flnormalized-fraction-exponent flsign-bit
          flonum? fl=? fl<? fl>? fl<=? fl>=? flunordered?
          (rename integer? flinteger?) (rename zero? flzero?) (rename positive? flpositive?)
          (rename negative? flnegative?) (rename odd? flodd?) (rename even? fleven?)
          (rename finite? flfinite?) (rename infinite? flinfinite?) (rename nan? flnan?)
          flnormalized? fldenormalized?
          flmax flmin fl+ fl* fl+* fl- fl/ flabs flabsdiff flposdiff flsgn flnumerator
          fldenominator flfloor flceiling flround fltruncate
          flexp flexp2 flexp-1 (rename square flsquare) flsqrt flcbrt flhypot flexpt
          fllog fllog1+ fllog2 fllog10 make-fllog-base
          flsin flcos fltan flasin flacos flatan flsinh flcosh fltanh flasinh flacosh flatanh
          flquotient flremainder flremquo
          flgamma flloggamma flfirst-bessel flsecond-bessel flerf flerfc)
  (import (scheme base) (scheme case-lambda) (scheme inexact) (hone prim))
  (begin
    (define fl-e 2.718281828459045)
    (define fl-1/e 0.36787944117144233)
    (define fl-e-2 7.38905609893065)
    (define fl-e-pi/4 2.1932800507380152)
    (define fl-log2-e 1.4426950408889634)
    (define fl-log10-e 0.4342944819032518)
    (define fl-log-2 0.6931471805599453)
    (define fl-1/log-2 1.4426950408889634)
    (define fl-log-3 1.0986122886681098)
    (define fl-log-pi 1.1447298858494002)
    (define fl-log-10 2.302585092994046)
    (define fl-1/log-10 0.4342944819032518)
    (define fl-pi 3.141592653589793)
    (define fl-1/pi 0.3183098861837907)
    (define fl-2pi 6.283185307179586)
    (define fl-pi/2 1.5707963267948966)
    (define fl-pi/4 0.7853981633974483)
    (define fl-pi-squared 9.869604401089358)
    (define fl-degree 0.017453292519943295)
    (define fl-2/pi 0.6366197723675814)
    (define fl-2/sqrt-pi 1.1283791670955126)
    (define fl-sqrt-2 1.4142135623730951)
    (define fl-sqrt-3 1.7320508075688772)
    (define fl-sqrt-5 2.23606797749979)
    (define fl-sqrt-10 3.1622776601683795)
    (define fl-1/sqrt-2 0.7071067811865476)
    (define fl-cbrt-2 1.2599210498948732)
    (define fl-cbrt-3 1.4422495703074083)
    (define fl-4thrt-2 1.189207115002721)
    (define fl-phi 1.618033988749895)
    (define fl-log-phi 0.48121182505960347)
    (define fl-1/log-phi 2.0780869212350277)
    (define fl-euler 0.5772156649015329)
    (define fl-e-euler 1.781072417990198)
    (define fl-sin-1 0.8414709848078965)
    (define fl-cos-1 0.5403023058681398)
    (define fl-gamma-1/2 1.772453850905516)
    (define fl-gamma-1/3 2.6789385347077475)
    (define fl-gamma-2/3 1.3541179394264005)

    (define fl-greatest 1.7976931348623157e308)
    (define fl-least 4.9406564584124654e-324)
    (define fl-epsilon 2.220446049250313e-16)
    (define fl-fast-fl+* #f)
    (define fl-integer-exponent-zero (flinteger-exponent 0.0))
    (define fl-integer-exponent-nan (flinteger-exponent +nan.0))

    (define (flinteger-fraction x)
      (let ((whole (fltruncate x)))
        (values whole (flcopysign (if (infinite? x) 0.0 (- x whole)) x))))

    (define (flnormalized-fraction-exponent x)
      (values (%flfraction x)
              (if (or (zero? x) (not (finite? x))) 0 (+ 1 (flinteger-exponent x)))))

    ;; A comparison of any number of flonums, none included.
    (define-syntax define-comparison
      (syntax-rules ()
        ((_ name compare)
         (define name
           (case-lambda
             ((x y) (compare x y))
             (() #t)
             (all (apply compare all)))))))

    (define-comparison fl=? =)
    (define-comparison fl<? <)
    (define-comparison fl>? >)
    (define-comparison fl<=? <=)
    (define-comparison fl>=? >=)

    (define (flunordered? x y) (or (nan? x) (nan? y)))

    ;; An operation on any number of flonums, with its value for none.
    (define-syntax define-operation
      (syntax-rules ()
        ((_ name operation unit)
         (define name
           (case-lambda
             ((x y) (operation x y))
             (() unit)
             (all (apply operation all)))))))

    (define-operation fl+ + 0.0)
    (define-operation fl* * 1.0)
    (define-operation flmax number-max -inf.0)
    (define-operation flmin number-min +inf.0)

    ;; A NaN loses against a number, unlike in max and min.
    (define (choose operation)
      (lambda (first . rest)
        (let loop ((best first) (rest rest))
          (cond ((null? rest) best)
                ((nan? best) (loop (car rest) (cdr rest)))
                ((nan? (car rest)) (loop best (cdr rest)))
                (else (loop (operation best (car rest)) (cdr rest)))))))
    (define number-max (choose max))
    (define number-min (choose min))

    (define fl-
      (case-lambda
        ((x y) (- x y))
        ((x) (- x))
        ((x y . rest) (apply - x y rest))))
    (define fl/
      (case-lambda
        ((x y) (/ x y))
        ((x) (/ 1.0 x))
        ((x y . rest) (apply / x y rest))))

    (define (flabsdiff x y) (flabs (- x y)))
    (define (flsgn x) (flcopysign 1.0 x))

    (define (flnumerator x)
      (if (or (nan? x) (infinite? x) (zero? x)) x (numerator x)))
    (define (fldenominator x)
      (cond ((nan? x) x)
            ((or (infinite? x) (zero? x)) 1.0)
            (else (denominator x))))

    (define (make-fllog-base base)
      (if (<= base 1.0) (error "make-fllog-base: the base must be greater than 1.0" base))
      (cond ((= base 2.0) fllog2)
            ((= base 10.0) fllog10)
            (else
             (let ((scale (fllog base)))
               (lambda (x) (/ (fllog x) scale))))))

    (define flatan
      (case-lambda
        ((x) (%flatan x))
        ((y x) (%flatan2 y x))))

    ;; What is left without the remainder is a multiple of y, so that no rounding can pass it.
    (define (flquotient x y) (flround (/ (- x (flremainder x y)) y)))
    (define (flremquo x y) (values (%flremainder x y) (%flquotient-bits x y)))
    (define (flloggamma x) (values (%flloggamma x) (%flgamma-sign x)))))
